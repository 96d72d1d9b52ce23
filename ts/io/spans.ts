/**
 * Spans of objects, put together from what is in memory, what is on its way, and what has to be fetched.
 *
 * A byte that is cached or in flight is not asked for again, whoever asked first. How the rest is fetched and checked is the caller's:
 * it is given the missing spans and says which requests bring them.
 */
import { DreamDbError } from "../errors.js";
import type { Call } from "./call.js";
import { endOf, type Segment, type SegmentCache } from "./cache.js";
import { Shared } from "./shared.js";
import type { CheckedBytes, Verified } from "./verifier.js";

/** A half-open range of bytes of an object. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a request brought: segments that cover its span, or those of them that are right, and what is wrong with the others. */
export interface Fetched {
  readonly segments: readonly Segment[];
  readonly fault?: Error;
}

/** A request that brings a span. */
export interface SpanRequest extends Span {
  /** Sends it. Its signal, if it has one, fires when nobody wants the span any more. */
  readonly send: (signal: AbortSignal | undefined) => Promise<Fetched>;
}

/** Requests for missing spans. */
export interface SpanRequests {
  readonly requests: readonly SpanRequest[];
  /** For each missing span the request that holds its first byte; a longer span goes on in the requests after it. */
  readonly slices: ArrayLike<number>;
}

/** A part of a wanted span: here already, or brought by a request. */
type Piece = Segment | { readonly request: SpanRequest };

/** Spans of the objects of one store. */
export class Spans {
  readonly #cache: SegmentCache;
  readonly #onHit: (object: string, bytes: number) => void;
  readonly #flights = new Shared<Fetched>();
  /** Requests in flight, by object. */
  readonly #open = new Map<string, Set<SpanRequest>>();

  /** @param onHit told of each span that was found in memory, in whole or in part */
  constructor(cache: SegmentCache, onHit: (object: string, bytes: number) => void = () => undefined) {
    this.#cache = cache;
    this.#onHit = onHit;
  }

  /**
   * Parts of the wanted spans that are neither in memory nor on their way, in order. Each is the part of one span.
   */
  missing(object: string, wanted: readonly Span[]): Span[] {
    const open = [...(this.#open.get(object) ?? [])];
    return wanted.flatMap((span) => this.#known(object, span, open).missing);
  }

  /**
   * Reads spans; one promise for each, in the same order, so that one failure is not that of the others.
   *
   * @param object name of the object, the same for all who mean the same bytes
   * @param begin given the missing spans, at once, if there are any
   */
  read(object: string, wanted: readonly Span[], begin: (missing: readonly Span[]) => SpanRequests, call: Call): Promise<CheckedBytes>[] {
    const open = [...(this.#open.get(object) ?? [])];
    const known = wanted.map((span) => this.#known(object, span, open));
    for (const { cached } of known) if (cached > 0) this.#onHit(object, cached);
    const gaps = known.flatMap(({ missing }) => missing);
    const brought = gaps.length === 0 ? [] : this.#launch(object, gaps, begin(gaps));
    // One membership per request and call, however many of the call's spans lie in it.
    const joined = new Map<SpanRequest, Promise<Fetched>>();
    const join = (request: SpanRequest): Promise<Fetched> => {
      const flight = joined.get(request) ?? this.#flights.run(keyOf(object, request), request.send, call.signal);
      joined.set(request, flight);
      return flight;
    };
    let gap = 0;
    return wanted.map((span, at) => {
      const { pieces, missing } = known[at] ?? { pieces: [], missing: [] as Span[] };
      const own = [...pieces, ...missing.flatMap(() => brought[gap++] ?? [])];
      return assemble(
        span,
        own.map((piece) => ("request" in piece ? join(piece.request) : Promise.resolve({ segments: [piece] }))),
      );
    });
  }

  /** What of a span is here or on its way, and what is not. */
  #known(object: string, { start, end }: Span, open: readonly SpanRequest[]): { pieces: Piece[]; missing: Span[]; cached: number } {
    const pieces: Piece[] = [];
    const missing: Span[] = [];
    let cached = 0;
    for (let at = start; at < end; ) {
      const segment = this.#cache.find(object, at);
      const request = segment === undefined && open.find((other) => other.start <= at && at < other.end);
      let next: number;
      if (segment !== undefined) {
        next = endOf(segment);
        cached += Math.min(next, end) - at;
        pieces.push(segment);
      } else if (request) {
        next = request.end;
        pieces.push({ request });
      } else {
        next = Math.min(end, this.#cache.next(object, at) ?? end);
        for (const other of open) if (other.start > at && other.start < next) next = other.start;
        missing.push({ start: at, end: next });
      }
      at = next;
    }
    return { pieces, missing, cached };
  }

  /** Makes the requests known, and tells which of them bring each missing span. */
  #launch(object: string, gaps: readonly Span[], { requests, slices }: SpanRequests): Piece[][] {
    const open = this.#open.get(object) ?? new Set();
    this.#open.set(object, open);
    const flying = requests.map(({ start, end, send }) => {
      const request: SpanRequest = {
        start,
        end,
        send: async (signal) => {
          try {
            return await send(signal);
          } finally {
            open.delete(request);
            if (open.size === 0 && this.#open.get(object) === open) this.#open.delete(object);
          }
        },
      };
      open.add(request);
      return request;
    });
    return gaps.map(({ end }, at) => {
      const pieces: Piece[] = [];
      for (let number = slices[at] ?? 0; number < flying.length; number++) {
        const request = flying[number];
        if (request === undefined || request.start >= end) break;
        pieces.push({ request });
      }
      return pieces;
    });
  }
}

function keyOf(object: string, { start, end }: Span): string {
  return `${object} ${start}-${end}`;
}

/** Copies a span out of the segments that hold it. */
async function assemble({ start, end }: Span, pieces: readonly Promise<Fetched>[]): Promise<CheckedBytes> {
  const fetched = await Promise.all(pieces);
  const bytes = new Uint8Array(end - start);
  const segments = fetched.flatMap((piece) => piece.segments);
  let verified: Verified = "object";
  let at = start;
  while (at < end) {
    const from = at;
    const segment = segments.find((other) => other.start <= from && from < endOf(other));
    if (segment === undefined) throw fetched.find(({ fault }) => fault !== undefined)?.fault ?? lost(start, end);
    const until = Math.min(end, endOf(segment));
    bytes.set(segment.bytes.subarray(at - segment.start, until - segment.start), at - start);
    if (verified !== "none" && segment.verified !== "object") verified = segment.verified;
    at = until;
  }
  return { bytes, verified };
}

function lost(start: number, end: number): DreamDbError {
  return new DreamDbError("Internal", `bytes [${start}, ${end}) were planned for no request`);
}

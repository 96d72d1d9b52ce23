/**
 * Spans of objects, put together from what is in memory, what is on its way, and what has to be fetched.
 *
 * A byte that is cached or in flight is not asked for again, whoever asked first. How the rest is fetched and checked is the caller's:
 * it is given the missing spans and says which requests bring them.
 */
import { DreamDbError } from "../errors.js";
import type { Call } from "./call.js";
import { endOf, type Segment, type SegmentCache } from "./cache.js";
import { inTurn, type Lane } from "./lane.js";
import { Shared } from "./shared.js";
import type { Slabs } from "./slabs.js";
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
type Piece = Segment | Flight;

/** A request, and the name under which it is shared. */
interface Flight {
  readonly request: SpanRequest;
  readonly key: string;
}

/** Options of {@link Spans}. */
export interface SpansOptions {
  /** Where requests wait before they are even prepared; without one they begin at once. */
  readonly gate?: Lane | undefined;
  /** Told of each span that was found in memory, in whole or in part. */
  readonly onHit?: ((object: string, bytes: number) => void) | undefined;
  /** Told when no request of an object is in flight or waits any more. */
  readonly onIdle?: ((object: string) => void) | undefined;
}

/** Spans of the objects of one store. */
export class Spans {
  readonly #cache: SegmentCache;
  readonly #gate: Lane | undefined;
  readonly #onHit: SpansOptions["onHit"];
  readonly #onIdle: SpansOptions["onIdle"];
  readonly #flights = new Shared<Fetched>((key) => this.#close(key));
  /** Requests in flight, by object and then by the name under which they are shared. */
  readonly #open = new Map<string, Map<string, SpanRequest>>();

  constructor(cache: SegmentCache, { gate, onHit, onIdle }: SpansOptions = {}) {
    this.#cache = cache;
    this.#gate = gate;
    this.#onHit = onHit;
    this.#onIdle = onIdle;
  }

  /**
   * Parts of the wanted spans that are neither in memory nor on their way, in order. Each is the part of one span.
   */
  missing(object: string, wanted: readonly Span[]): Span[] {
    const open = this.#flightsOf(object);
    return wanted.flatMap((span) => this.#known(object, span, open).missing);
  }

  /**
   * Reads spans; one promise for each, in the same order, so that one failure is not that of the others.
   *
   * @param object name of the object, the same for all who mean the same bytes
   * @param begin given the missing spans, at once, if there are any
   */
  read(object: string, wanted: readonly Span[], begin: (missing: readonly Span[]) => SpanRequests, call: Call): Promise<CheckedBytes>[] {
    const open = this.#flightsOf(object);
    const known = wanted.map((span) => this.#known(object, span, open));
    for (const { cached } of known) if (cached > 0) this.#onHit?.(object, cached);
    const gaps = known.flatMap(({ missing }) => missing);
    const brought = gaps.length === 0 ? [] : this.#launch(object, gaps, begin(gaps));
    // One membership per request and call, however many of the call's spans lie in it.
    const joined = new Map<string, Promise<Fetched>>();
    const gate = this.#gate;
    const join = ({ key, request }: Flight): Promise<Fetched> => {
      const { send } = request;
      const start = (signal: AbortSignal | undefined) => {
        this.#open.set(object, (this.#open.get(object) ?? new Map<string, SpanRequest>()).set(key, request));
        return gate === undefined ? send(signal) : inTurn(gate, send, signal);
      };
      const flight = joined.get(key) ?? this.#flights.run(key, start, call.signal);
      joined.set(key, flight);
      return flight;
    };
    let gap = 0;
    return wanted.map((span, at) => {
      const { pieces, missing } = known[at] ?? { pieces: [], missing: [] as Span[] };
      const own = [...pieces, ...missing.flatMap(() => brought[gap++] ?? [])];
      // Of a body that is wrong somewhere, another call has looked at what it wants itself.
      const again = () => this.read(object, [span], begin, call)[0];
      return assemble(
        span,
        own.map((piece) => ("request" in piece ? join(piece) : Promise.resolve({ segments: [piece] }))),
        call.slabs,
        pieces.some((piece) => "request" in piece) ? again : undefined,
      );
    });
  }

  #flightsOf(object: string): Flight[] {
    return Array.from(this.#open.get(object) ?? [], ([key, request]) => ({ key, request }));
  }

  /** What of a span is here or on its way, and what is not. */
  #known(object: string, { start, end }: Span, open: readonly Flight[]): { pieces: Piece[]; missing: Span[]; cached: number } {
    const pieces: Piece[] = [];
    const missing: Span[] = [];
    let cached = 0;
    for (let at = start; at < end; ) {
      const segment = this.#cache.find(object, at);
      const flight = segment === undefined && open.find(({ request }) => request.start <= at && at < request.end);
      let next: number;
      if (segment !== undefined) {
        next = endOf(segment);
        cached += Math.min(next, end) - at;
        pieces.push(segment);
      } else if (flight) {
        next = flight.request.end;
        pieces.push(flight);
      } else {
        next = Math.min(end, this.#cache.next(object, at) ?? end);
        for (const { request } of open) if (request.start > at && request.start < next) next = request.start;
        missing.push({ start: at, end: next });
      }
      at = next;
    }
    return { pieces, missing, cached };
  }

  /** Tells which requests bring each missing span. Those that bring none are not sent, and nobody waits for them. */
  #launch(object: string, gaps: readonly Span[], { requests, slices }: SpanRequests): Piece[][] {
    const flying = requests.map((request) => ({ request, key: keyOf(object, request) }));
    return gaps.map(({ end }, at) => {
      const pieces: Piece[] = [];
      for (let number = slices[at] ?? 0; number < flying.length; number++) {
        const flight = flying[number];
        if (flight === undefined || flight.request.start >= end) break;
        pieces.push(flight);
      }
      return pieces;
    });
  }

  /** A request is over. */
  #close(key: string): void {
    const object = key.slice(0, key.lastIndexOf(" "));
    const open = this.#open.get(object);
    open?.delete(key);
    if (open?.size !== 0) return;
    this.#open.delete(object);
    this.#onIdle?.(object);
  }
}

function keyOf(object: string, { start, end }: Span): string {
  return `${object} ${start}-${end}`;
}

/** Copies a span out of the segments that hold it. */
async function assemble(
  { start, end }: Span,
  pieces: readonly Promise<Fetched>[],
  slabs: Slabs | undefined,
  again: (() => Promise<CheckedBytes> | undefined) | undefined,
): Promise<CheckedBytes> {
  // Most spans lie in one piece, and waiting for one is cheaper than for all of one.
  const [first] = pieces;
  const fetched = pieces.length === 1 && first !== undefined ? [await first] : await Promise.all(pieces);
  const bytes = slabs?.take(end - start) ?? new Uint8Array(end - start);
  const segments = fetched.flatMap((piece) => piece.segments);
  let verified: Verified = "object";
  let at = start;
  while (at < end) {
    const from = at;
    const segment = segments.find((other) => other.start <= from && from < endOf(other));
    if (segment === undefined) {
      const other = again?.();
      if (other) return other;
      throw fetched.find(({ fault }) => fault !== undefined)?.fault ?? lost(start, end);
    }
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

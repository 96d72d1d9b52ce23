/**
 * Bao outboards: the nodes that prove ranges of objects, fetched once and shared.
 *
 * A small outboard is taken whole. Of a large one only the pages that hold wanted nodes are; they are kept with the verified bytes, since a
 * wrong node proves nothing. Which nodes a range needs, and whether they prove it, the core decides.
 */
import { withContext } from "../error-context.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import { call as core } from "../wasm.js";
import type { SegmentCache } from "./cache.js";
import { type Call, under } from "./call.js";
import { bodyLimit, type Requests } from "./requests.js";
import { type Fetched, Spans, type SpanRequest, type SpanRequests, type Span } from "./spans.js";
import type { Counters } from "./stats.js";

/** Bytes of an outboard before its first node, and of a node. */
const [HEADER, NODE] = [8, 64];

/** An outboard up to this size, that of 4 MiB, is one request, and then serves every read of the object. */
const WHOLE = 256 << 10;
/** Larger ones are read by pages, so that ranges close to each other share a request: a page proves 64 KiB of an object. */
const PAGE = 4 << 10;
/** Bytes of an outboard that are read rather than asked around. */
export const PROOF_GAP = 16 << 10;

/** An object of known length, ranges of which can be proved. */
export interface ProvableObject {
  readonly key: string;
  readonly address: string;
  /** Bytes that it must have. */
  readonly length: number;
  /** Refuses another length, which its outboard or its body turned out to have. */
  readonly check: (length: bigint) => void;
}

/** Nodes of one outboard. */
export interface Nodes {
  /** Those with these numbers, one after another. */
  pick(numbers: ArrayLike<bigint>): Uint8Array;
}

/** The outboards of one dataset's objects. */
export class Outboards {
  readonly #requests: Requests;
  readonly #counters: Counters;
  readonly #cache: SegmentCache;
  readonly #spans: Spans;
  readonly #missing = new Set<string>();
  #usual = false;

  constructor(requests: Requests, counters: Counters, cache: SegmentCache) {
    this.#requests = requests;
    this.#counters = counters;
    this.#cache = cache;
    this.#spans = new Spans(cache);
  }

  /** Whether the last outboard that was asked for was there: then the next one can be expected, too. */
  get usual(): boolean {
    return this.#usual;
  }

  /** Whether it is known that the object has no outboard. */
  isMissing(address: string): boolean {
    return this.#missing.has(address);
  }

  /** Whether the whole outboard of an object is in memory. */
  isKept({ address, length }: ProvableObject): boolean {
    return this.#spans.missing(outboardKey(address), [{ start: 0, end: outboardLength(length) }]).length === 0;
  }

  /** What would be fetched for nodes with these numbers. */
  plan({ address, length }: ProvableObject, numbers: BigUint64Array): Span[] {
    const size = outboardLength(length);
    const missing = this.#spans.missing(outboardKey(address), pagesOf(numbers, size));
    return [...joined(size, missing).requests];
  }

  /**
   * Nodes of an object's outboard; `undefined` if it has none, which is remembered.
   *
   * The length in the outboard is not to be trusted: here it can only refuse, the tree's shape goes by the length that the object must have.
   *
   * @throws {DreamDbError} what `check` throws; `BodyLength` for an outboard that ends early; the store's codes but `NotFound`
   */
  async load(object: ProvableObject, numbers: BigUint64Array, call: Call): Promise<Nodes | undefined> {
    const { address, length } = object;
    if (this.#missing.has(address)) return undefined;
    const key = outboardKey(address);
    const size = outboardLength(length);
    const pages = pagesOf(numbers, size);
    const begin = (missing: readonly Span[]) => this.#begin(object, key, missing, call);
    const read = await Promise.allSettled(this.#spans.read(key, pages, begin, call));
    const parts = new Map<number, Uint8Array>();
    const failures: Error[] = [];
    for (const [at, outcome] of read.entries()) {
      if (outcome.status === "fulfilled") parts.set(pages[at]?.start ?? 0, outcome.value.bytes);
      else failures.push(outcome.reason as Error);
    }
    const first = parts.get(0);
    // What an outboard says of the length explains every other failure.
    if (first !== undefined) this.#check(object, key, first);
    const [failure] = failures;
    if (failure !== undefined) return this.#none(address, failure);
    this.#usual = true;
    const pageSize = size <= WHOLE ? size : PAGE;
    return {
      pick(wanted) {
        const nodes = new Uint8Array(wanted.length * NODE);
        for (let at = 0; at < wanted.length; at++) {
          const start = startOf(wanted[at] ?? 0n);
          // A node may lie across two pages, since the header shifts it.
          for (let from = start; from < start + NODE; ) {
            const page = Math.floor(from / pageSize) * pageSize;
            const until = Math.min(start + NODE, page + pageSize);
            nodes.set((parts.get(page) ?? new Uint8Array(0)).subarray(from - page, until - page), at * NODE + from - start);
            from = until;
          }
        }
        return nodes;
      },
    };
  }

  /**
   * The length at the front of an object's outboard; `undefined` if it has none, which is remembered. Nothing vouches for it: it can only
   * refuse. Costs a request, unless the front is kept.
   *
   * @param atLeast bytes that the object is known to have: what its outboard then must have is fetched along, and serves later proofs
   * @throws {DreamDbError} `BodyLength`, `RangeNotSatisfiable` for an outboard without a length; the store's codes but `NotFound`
   */
  async lengthOf(address: string, atLeast: number, call: Call): Promise<bigint | undefined> {
    if (this.#missing.has(address)) return undefined;
    const key = outboardKey(address);
    const front = { start: 0, end: HEADER };
    const isKept = this.#spans.missing(key, [front]).length === 0;
    const wanted = isKept ? front : { start: 0, end: Math.min(WHOLE, outboardLength(atLeast)) };
    const begin = (missing: readonly Span[]): SpanRequests => ({
      requests: missing.map((span): SpanRequest => ({ ...span, send: (signal) => this.#range(key, span, under(call, signal)) })),
      slices: missing.map((_, at) => at),
    });
    try {
      const [read] = await Promise.all(this.#spans.read(key, [wanted], begin, call));
      this.#usual = true;
      return read === undefined ? undefined : lengthAt(read.bytes);
    } catch (error) {
      // It is shorter than it must be: its length says why.
      if (wanted.end > HEADER && isDreamDbError(error, "BodyLength", "RangeNotSatisfiable")) return this.lengthOf(address, 0, call);
      return this.#none(address, error);
    }
  }

  /** Remembers that there is no outboard, if that is what a failure says; any other is the caller's. */
  #none(address: string, failure: unknown): undefined {
    if (!isDreamDbError(failure, "NotFound")) throw failure;
    this.#missing.add(address);
    this.#usual = false;
    return undefined;
  }

  /** Forget what is kept of an outboard that proved nothing. */
  drop(address: string): void {
    this.#cache.drop(outboardKey(address));
  }

  #begin(object: ProvableObject, key: string, missing: readonly Span[], call: Call): SpanRequests {
    const size = outboardLength(object.length);
    const { requests, slices } = joined(size, missing);
    const send = async (span: Span, signal: AbortSignal | undefined): Promise<Fetched> => {
      const own = under(call, signal);
      const isWhole = size <= WHOLE && span.start === 0 && span.end === size;
      return isWhole ? this.#kept(key, 0, await this.#whole(object, key, size, own)) : await this.#range(key, span, own);
    };
    return { requests: requests.map((span): SpanRequest => ({ ...span, send: (signal) => send(span, signal) })), slices };
  }

  async #range(key: string, { start, end }: Span, call: Call): Promise<Fetched> {
    return this.#kept(key, start, await this.#requests.getRange(key, start, end - start, call));
  }

  #kept(key: string, start: number, bytes: Uint8Array<ArrayBuffer>): Fetched {
    this.#counters.bytesOfProofs += bytes.byteLength;
    const segment = { start, bytes, verified: "none" as const };
    this.#cache.put(key, segment);
    return { segments: [segment] };
  }

  /** A small outboard, by a plain GET: its own length then tells when the object's is another one than it must be. */
  async #whole(object: ProvableObject, key: string, size: number, call: Call): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#requests.get(key, call, bodyLimit(size));
    if (bytes.byteLength === size) return bytes;
    this.#check(object, key, bytes);
    const message = `the outboard has ${bytes.byteLength} bytes; that of an object of ${object.length} bytes has ${size}`;
    throw new DreamDbError("BodyLength", message, { key, expected: String(size), actual: String(bytes.byteLength) });
  }

  /** Holds the length at the front of an outboard against the one that the object must have. */
  #check(object: ProvableObject, key: string, front: Uint8Array): void {
    if (front.byteLength < HEADER) return;
    const said = lengthAt(front);
    if (said === BigInt(object.length)) return;
    try {
      object.check(said);
    } catch (error) {
      this.drop(object.address);
      throw withContext(error, { key });
    }
  }
}

/** The length at the front of an outboard. */
function lengthAt(front: Uint8Array): bigint {
  return new DataView(front.buffer, front.byteOffset).getBigUint64(0, true);
}

/** Key of the outboard of an object. */
export function outboardKey(address: string): string {
  return `bao-outboard/${address}`;
}

/** Bytes of the outboard of an object: a node fewer than it has chunks of 1 KiB. */
function outboardLength(length: number): number {
  return HEADER + NODE * Math.max(0, Math.ceil(length / 1024) - 1);
}

function startOf(node: bigint): number {
  return HEADER + NODE * Number(node);
}

/** Pages that hold nodes, ascending, the first one always among them: it holds the root and the length. */
function pagesOf(numbers: BigUint64Array, size: number): Span[] {
  if (size <= WHOLE) return [{ start: 0, end: size }];
  const pages = new Set([0]);
  for (const number of numbers) {
    const start = startOf(number);
    pages.add(Math.floor(start / PAGE)).add(Math.floor((start + NODE - 1) / PAGE));
  }
  return [...pages].sort((a, b) => a - b).map((page) => ({ start: page * PAGE, end: Math.min(size, (page + 1) * PAGE) }));
}

/** Requests for missing pages. */
function joined(size: number, missing: readonly Span[]): { requests: Span[]; slices: Uint32Array } {
  const starts = BigUint64Array.from(missing, ({ start }) => BigInt(start));
  const sizes = BigUint64Array.from(missing, ({ start, end }) => BigInt(end - start));
  const most = 0xffff_ffffn;
  const plan = core((functions) => functions.planRequests(BigInt(size), starts, sizes, false, BigInt(PROOF_GAP), most, 0n, false));
  return { requests: Array.from(plan.starts, (start, at) => ({ start: Number(start), end: Number(plan.ends[at]) })), slices: plan.slices };
}

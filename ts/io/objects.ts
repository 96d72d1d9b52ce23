/**
 * Objects by address: fetched, checked, and only then given on.
 *
 * The front of everything below it: requests in their turn and tried again (requests.ts), spans proved and joined (ranges.ts), bytes checked
 * (verifier.ts) and kept (cache.ts). What an object's bytes mean does not belong here.
 */
import { DreamDbError } from "../errors.js";
import type { Store } from "../store/types.js";
import { type Segment, SegmentCache } from "./cache.js";
import { type Call, newCall, under } from "./call.js";
import { Outboards, type ProvableObject } from "./outboards.js";
import { Ahead } from "./ahead.js";
import { type Front, type RangeLimits, Ranges, type SpanPlan, type Way } from "./ranges.js";
import { inTurn, Lane } from "./lane.js";
import { pump } from "./pump.js";
import { bodyLimit, Requests, type RequestOptions } from "./requests.js";
import { Shared } from "./shared.js";
import type { Span } from "./spans.js";
import { type Counters, newCounters, type Stats } from "./stats.js";
import { type CheckedBytes, type ObjectId, type Verified, Verifier, type VerifyPolicy } from "./verifier.js";

/** Options of {@link ObjectReader}. */
export interface ObjectReaderOptions extends RequestOptions, RangeLimits {
  readonly verify: VerifyPolicy;
  /** Bytes of verified spans and packs to keep in memory. */
  readonly cacheBytes: number;
  /** Bytes of an Item whose size the index tells, at most. */
  readonly maxItemBytes: number;
}

/** Limits of a dataset for which nothing was said. */
export const LIMITS = {
  cacheBytes: 64 << 20,
  maxRequests: Infinity,
  /** About what the headers of a request and its answer weigh: smaller gaps are cheaper read than asked around. */
  maxGap: 512,
  /** Also what the core's memory grows to when such a body is checked. */
  maxRequestBytes: 8 << 20,
  maxItemBytes: 2 ** 30,
};

/** Given the body of an object, to copy it at once, or why there is none; to throw a better error, if it can. */
export type TakeBody = (at: number, body: Uint8Array | undefined, error: unknown) => void;

/** Reads objects of one store under one policy. */
export class ObjectReader {
  readonly #verify: VerifyPolicy;
  readonly #maxItemBytes: number;
  readonly #isLimited: boolean;
  readonly #width: number;
  readonly #counters: Counters = newCounters();
  readonly #requests: Requests;
  readonly #verifier: Verifier;
  /** Work that waits for requests: twice as much as can be in flight, so that none of these is missing for want of preparation. */
  readonly #gate: Lane;
  readonly #outboards: Outboards;
  readonly #ranges: Ranges;
  readonly #items = new Shared<Uint8Array<ArrayBuffer>>();
  readonly #ahead: Ahead;

  constructor(store: Store, options: ObjectReaderOptions) {
    const { verify, cacheBytes, concurrency, maxItemBytes, maxRequestBytes } = options;
    this.#verify = verify;
    this.#maxItemBytes = maxItemBytes;
    this.#isLimited = options.maxRequests < Infinity;
    this.#width = concurrency;
    this.#requests = new Requests(store, this.#counters, options);
    this.#verifier = new Verifier(this.#counters, options.onEvent);
    const cache = new SegmentCache(cacheBytes);
    this.#outboards = new Outboards(this.#requests, this.#counters, cache);
    this.#gate = new Lane(2 * concurrency, Infinity);
    this.#ranges = new Ranges(this.#requests, this.#gate, this.#verifier, this.#outboards, cache, verify, options);
    // What is not kept would be read ahead in vain.
    this.#ahead = new Ahead(verify === "never" ? 0 : Math.min(maxRequestBytes, cacheBytes / 4));
  }

  /** What was fetched and checked so far. */
  stats(): Stats {
    return { ...this.#counters };
  }

  /** Whether every byte of an Item is checked. */
  get verifies(): boolean {
    return this.#verify === "always";
  }

  /** Requests in flight at most. */
  get width(): number {
    return this.#width;
  }

  /** Whether requests are counted against a limit. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  /**
   * Refuses a call that needs more requests than are left, before the first of them.
   *
   * @throws {DreamDbError} `RequestBudget`
   */
  afford(requests: number): void {
    this.#requests.afford(requests);
  }

  /**
   * An object that is no content-addressed one, such as a Ref.
   *
   * @throws {DreamDbError} `RequestBudget`, the store's codes
   */
  pointer(key: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    return this.#requests.get(key, newCall(signal));
  }

  /**
   * A manifest, Track or the like: always checked.
   *
   * @throws {DreamDbError} `HashMismatch`, `RequestBudget`, the store's codes
   */
  async metadata(object: ObjectId, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#requests.get(object.key, newCall(signal));
    this.#verifier.object(object, bytes);
    return bytes;
  }

  /**
   * An object that is one Item, or a chunk of one. Those who ask at once share the request.
   *
   * @param size bytes that it should have, if that is known: a body that is far larger is cut off
   * @throws {DreamDbError} `HashMismatch`, `RequestBudget`, the store's codes
   */
  async item(object: ObjectId, call: Call, size?: bigint): Promise<CheckedBytes> {
    const fetch = async (signal: AbortSignal | undefined) => {
      const bytes = await this.#requests.get(object.key, under(call, signal), size === undefined ? undefined : bodyLimit(Number(size)));
      if (this.#verify !== "never") this.#verifier.object(object, bytes);
      return bytes;
    };
    const begin = (signal: AbortSignal | undefined) => inTurn(this.#gate, fetch, signal);
    const bytes = await this.#items.run(object.key, begin, call.signal, (shared) => shared.slice());
    this.#counters.bytesWanted += bytes.byteLength;
    return { bytes, verified: this.#verify === "never" ? "none" : "object" };
  }

  /**
   * Many objects that are Items of their own: each is given on as it comes, in no certain order and unchecked, for {@link check} to follow.
   * Rejects with the first failure; then nothing more is asked for.
   *
   * Costs a request each, and far less than {@link item} besides, since nobody else can join.
   *
   * @param size bytes that each should have, if that is known: a body that is far larger is cut off
   * @throws {DreamDbError} `RequestBudget`, the store's codes, what `take` throws
   */
  each(keys: (at: number) => string, count: number, size: number | undefined, take: TakeBody, call: Call): Promise<void> {
    const most = size === undefined ? undefined : bodyLimit(size);
    return pump(count, this.#width, (at) =>
      this.#requests.getToCopy(keys(at), call, most).then(
        (body) => {
          this.#counters.bytesWanted += body.byteLength;
          return take(at, body, undefined);
        },
        (error: unknown) => {
          take(at, undefined, error);
          throw error;
        },
      ),
    );
  }

  /**
   * Checks bodies of {@link each} that lie one after another, where Items are verified at all.
   *
   * @param addresses of the objects, 33 bytes each
   * @param ends where each ends in `bytes`
   * @throws {DreamDbError} `HashMismatch`
   */
  check(keys: (at: number) => string, addresses: Uint8Array, ends: Uint32Array, bytes: Uint8Array): Verified {
    if (this.#verify === "never") return "none";
    this.#verifier.objects(keys, addresses, ends, bytes);
    return "object";
  }

  /**
   * Spans of an object that holds several Items, one promise each, in the same order. An empty one costs no request.
   *
   * @throws nothing; the promises reject with `HashMismatch`, what the object's `check` throws, `RequestBudget`, the store's codes, the abort
   * reason
   */
  spans(object: ProvableObject, wanted: readonly Span[], call: Call): Promise<CheckedBytes>[] {
    return this.#read(object, wanted, this.#ahead.after(object, wanted), call);
  }

  /**
   * Spans of one Item: as {@link spans}, and never a byte beyond them for later reads, but what proves them.
   *
   * @throws nothing; the promises reject as those of {@link spans}
   */
  parts(object: ProvableObject, wanted: readonly Span[], call: Call): Promise<CheckedBytes>[] {
    return this.#read(object, wanted, undefined, call);
  }

  #read(object: ProvableObject, wanted: readonly Span[], ahead: Span | undefined, call: Call): Promise<CheckedBytes>[] {
    for (const { start, end } of wanted) this.#counters.bytesWanted += end - start;
    const read = this.#ranges.read(object, wanted, ahead, call);
    if (this.#verify !== "never") return read;
    // No byte of an empty span can be wrong, but nothing was checked either.
    return read.map((bytes, at) => (wanted[at]?.end === wanted[at]?.start ? unverified(bytes) : bytes));
  }

  /** How parts of an object are read, as far as is known now: proved, cut from the verified whole, or as they come. */
  way(object: ObjectId): Way {
    return this.#ranges.way(object);
  }

  /**
   * The first bytes of an object of unknown length, unproved: what they say can only refuse. All of it, checked, if that is what came. Not to
   * be changed or handed out.
   *
   * @throws {DreamDbError} `HashMismatch` of a whole; `RequestBudget`; the store's codes, `BodyLength` for a shorter object
   */
  front(object: ObjectId, length: number, call: Call): Promise<Front> {
    return this.#ranges.front(object, length, call);
  }

  /**
   * All of an object of which parts are wanted, checked and kept. Not to be changed or handed out.
   *
   * @param length bytes that it should have, if that is known: a body that is far larger is cut off
   * @throws {DreamDbError} `HashMismatch`, `RequestBudget`, the store's codes
   */
  whole(object: ObjectId, call: Call, length?: number): Promise<Segment> {
    return this.#ranges.whole(object, call, length);
  }

  /** Forgets what is kept of an object's outboard, of which something turned out to be wrong. */
  forgetOutboard({ address }: ObjectId): void {
    this.#outboards.drop(address);
  }

  /**
   * The length that an object's outboard names, which nothing vouches for: it can only refuse. `undefined` if there is no outboard.
   *
   * @param atLeast bytes that the object is known to have: as much of the outboard comes along, in the same request
   * @throws {DreamDbError} `RequestBudget`, the store's codes but `NotFound`
   */
  async lengthOf({ address }: ObjectId, atLeast: number, call: Call): Promise<bigint | undefined> {
    return this.#outboards.lengthOf(address, atLeast, call);
  }

  /**
   * Refuses an Item, or a part of one, that is larger than the caller wants to hold, before it is fetched.
   *
   * @throws {DreamDbError} `TooLarge`
   */
  admit(size: bigint, what = "the Item has"): void {
    const limit = this.#maxItemBytes;
    if (size <= limit) return;
    const message = `${what} ${size} bytes, maxItemBytes is ${limit}: nothing was fetched`;
    throw new DreamDbError("TooLarge", message, { expected: `at most ${limit}`, actual: String(size) });
  }

  /** What reading these spans now would fetch. */
  planSpans(object: ProvableObject, wanted: readonly Span[]): SpanPlan {
    return this.#ranges.plan(object, wanted);
  }
}

async function unverified(read: Promise<CheckedBytes>): Promise<CheckedBytes> {
  return { bytes: (await read).bytes, verified: "none" };
}

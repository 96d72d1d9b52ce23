/**
 * Spans of objects that hold several Items, under a policy: proved by the object's outboard, cut from the verified whole, or plain.
 *
 * The core plans the requests and checks the proofs; here they are sent. Which spans are wanted, and what they mean, is said above.
 */
import { withContext } from "../error-context.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import { orAborted } from "../store/abort.js";
import { scoped } from "../store/scope.js";
import { call as core } from "../wasm.js";
import { endOf, type Segment, type SegmentCache } from "./cache.js";
import { type Call, under } from "./call.js";
import { type Outboards, PROOF_GAP, type ProvableObject } from "./outboards.js";
import type { Lane } from "./lane.js";
import { bodyLimit, type Requests } from "./requests.js";
import { once, Shared } from "./shared.js";
import { type Fetched, type Span, Spans, type SpanRequest, type SpanRequests } from "./spans.js";
import type { CheckedBytes, ObjectId, Verifier, VerifyPolicy } from "./verifier.js";

/** How spans are joined to requests. */
export interface RangeLimits {
  /** Bytes between two wanted spans that are read rather than asked around. */
  readonly maxGap: number;
  /** Bytes of one request at most. */
  readonly maxRequestBytes: number;
}

/** What would be fetched for spans. */
export interface SpanPlan {
  readonly requests: readonly Span[];
  /** Requests for the object's outboard, in bytes of it. */
  readonly proof: readonly Span[];
}

/** How the spans of one object are read: proved by its outboard, cut from the verified whole, or as they come. */
export type Way = "proved" | "whole" | "plain";

/** What came for a range, and how long the answer says the object is. */
interface Ranged extends Segment {
  readonly total?: number | undefined;
  /** Of a whole object: it is known to be wrong, but not yet where. */
  readonly fault?: Error;
}

/** The front of an object of unknown length. */
export interface Front extends Segment {
  /** Whether the bytes are the whole object. */
  readonly isWhole: boolean;
  /** Bytes of the object by the answer, which nothing vouches for. */
  readonly total: number | undefined;
}

interface Planned {
  readonly whole: boolean;
  readonly requests: readonly Span[];
  readonly slices: ArrayLike<number>;
  /** Numbers of the nodes that prove the requests. */
  readonly nodes: BigUint64Array;
  /** Of these, the nodes of one request. */
  readonly nodesOf: (request: number) => BigUint64Array;
}

/** Reads spans of one store's objects. */
export class Ranges {
  readonly #requests: Requests;
  readonly #verifier: Verifier;
  readonly #cache: SegmentCache;
  readonly #policy: VerifyPolicy;
  readonly #limits: RangeLimits;
  readonly #outboards: Outboards;
  readonly #spans: Spans;
  readonly #wholes = new Shared<Ranged>();
  readonly #fronts = new Shared<Front>();
  /** First ranges of objects, while it is not known whether the server has ranges: what comes may be the whole. */
  readonly #probes = new Map<string, Promise<Ranged | undefined>>();
  /** Wholes that came in place of ranges, as long as requests for other parts of them wait. */
  readonly #arrived = new Map<string, Ranged>();
  #hasRanges = false;

  constructor(requests: Requests, gate: Lane, verifier: Verifier, outboards: Outboards, cache: SegmentCache, policy: VerifyPolicy, limits: RangeLimits) {
    this.#requests = requests;
    this.#verifier = verifier;
    this.#outboards = outboards;
    this.#cache = cache;
    this.#policy = policy;
    this.#limits = limits;
    this.#spans = new Spans(cache, {
      gate,
      onHit: (key, bytes) => verifier.hit(key, bytes),
      onIdle: (key) => this.#arrived.delete(key),
    });
  }

  /**
   * Reads spans of an object, each its own outcome. `ahead` is a span that will probably be wanted next: it is read along with missing
   * ones, and never alone.
   *
   * @throws nothing; the promises reject with `HashMismatch`, what `check` throws, `RequestBudget`, the store's codes, the abort reason
   */
  read(object: ProvableObject, wanted: readonly Span[], ahead: Span | undefined, call: Call): Promise<CheckedBytes>[] {
    const further = ahead === undefined ? [] : this.#spans.missing(object.key, [ahead]);
    const begin = (missing: readonly Span[]) => this.#begin(object, [...missing, ...further], call);
    return this.#spans.read(object.key, wanted, begin, call);
  }

  /** What reading these spans now would fetch. */
  plan(object: ProvableObject, wanted: readonly Span[]): SpanPlan {
    const missing = this.#spans.missing(object.key, wanted);
    if (missing.length === 0) return { requests: [], proof: [] };
    const way = this.way(object);
    if (way === "whole") return { requests: [{ start: 0, end: object.length }], proof: [] };
    const { requests, nodes } = this.#plan(object, missing, way);
    return { requests, proof: nodes.length === 0 ? [] : this.#outboards.plan(object, nodes) };
  }

  /**
   * The first bytes of an object of unknown length, unproved, and what the answer says of its length; or all of it, checked, where that is
   * what came, now or before.
   */
  front(object: ObjectId, length: number, call: Call): Promise<Front> {
    const kept = this.#cache.find(object.key, 0);
    if (kept !== undefined && endOf(kept) >= length) return Promise.resolve({ ...kept, isWhole: kept.verified === "object", total: undefined });
    const fetch = async (signal: AbortSignal | undefined): Promise<Front> => {
      let whole: Uint8Array<ArrayBuffer> | undefined;
      let total: number | undefined;
      const hints = { onWhole: (all: Uint8Array<ArrayBuffer>) => (whole = all), onTotal: (bytes: number) => (total = bytes) };
      const bytes = await this.#requests.getRange(object.key, 0, length, under(call, signal), hints);
      if (whole !== undefined) return { ...this.#judged(unsized(object), whole), isWhole: true, total: undefined };
      this.#hasRanges = true;
      return { start: 0, bytes, verified: "none", isWhole: false, total };
    };
    return this.#fronts.run(`${object.key} ${length}`, fetch, call.signal);
  }

  /**
   * An object, checked and kept. Those who ask at once share the request.
   *
   * @param length bytes that it should have, if that is known: a body that is far larger is cut off
   */
  async whole(object: ObjectId, call: Call, length?: number): Promise<Segment> {
    const { key } = object;
    const kept = this.#cache.find(key, 0);
    if (kept?.verified === "object") return kept;
    const most = length === undefined ? undefined : bodyLimit(length);
    const whole = await this.#sharedWhole(unsized(object), call, most);
    if (whole.fault) throw whole.fault;
    return whole;
  }

  /** How spans of an object are read, as far as is known now. */
  way({ address }: ObjectId): Way {
    if (this.#policy === "never") return "plain";
    if (!this.#outboards.isMissing(address)) return "proved";
    return this.#policy === "always" ? "whole" : "plain";
  }

  #plan(object: ProvableObject, missing: readonly Span[], way: Way): Planned {
    const { maxGap, maxRequestBytes } = this.#limits;
    const length = BigInt(object.length);
    const starts = BigUint64Array.from(missing, ({ start }) => BigInt(start));
    const sizes = BigUint64Array.from(missing, ({ start, end }) => BigInt(end - start));
    const proved = way === "proved";
    const [gap, most, proofGap] = [exactly(maxGap), exactly(maxRequestBytes), exactly(PROOF_GAP)];
    const kept = proved && this.#outboards.isKept(object);
    const plan = core((functions) => functions.planRequests(length, starts, sizes, proved, gap, most, proofGap, kept));
    const requests = Array.from(plan.starts, (start, at) => ({ start: Number(start), end: Number(plan.ends[at]) }));
    const { whole, slices, nodes, nodeEnds } = plan;
    return { whole, requests, slices, nodes, nodesOf: (at) => nodes.subarray(nodeEnds[at - 1] ?? 0, nodeEnds[at] ?? 0) };
  }

  #begin(object: ProvableObject, missing: readonly Span[], call: Call): SpanRequests {
    const way = this.way(object);
    const everything = { start: 0, end: object.length };
    const whole = (signal: AbortSignal | undefined) => this.#wholeOf(object, missing, under(call, signal));
    if (way === "whole") return { requests: [{ ...everything, send: whole }], slices: missing.map(() => 0) };

    const { whole: isWhole, requests, slices, nodes, nodesOf } = this.#plan(object, missing, way);
    if (way === "plain") {
      const plain = async (span: Span, signal: AbortSignal | undefined) => unproved(object, await this.#range(object, span, under(call, signal)));
      return { requests: requests.map(({ start, end }): SpanRequest => ({ start, end, send: (signal) => plain({ start, end }, signal) })), slices };
    }
    if (isWhole) return { requests: [{ ...everything, send: whole }], slices };

    // All requests of the plan share one look at the outboard, and what came of it.
    const prove = once((own) => this.#outboards.load(object, nodes, under(call, own)));
    const fetch = async (span: Span, numbers: ArrayLike<bigint>, scope: Call, early?: Promise<Ranged>): Promise<Fetched | "whole"> => {
      const proof = prove.known ? prove.known() : await prove.wait(scope.signal);
      if (proof === undefined && this.#policy === "always") return "whole";
      const body = await (early ?? this.#range(object, span, scope));
      if (proof === undefined) return unproved(object, body);
      if (body.verified === "object") return { segments: [body] };
      return this.#proved(object, { start: span.start, bytes: cut(body, span) }, proof.pick(numbers), missing, scope);
    };
    /** The range with its proof, side by side where outboards are usual: elsewhere the bytes would be fetched in vain. */
    const sideBySide = (span: Span, numbers: ArrayLike<bigint>, signal: AbortSignal | undefined) =>
      scoped(signal, async (own, end) => {
        const scope = under(call, own);
        const early = this.#range(object, span, scope);
        early.catch(() => undefined);
        const fetched = await fetch(span, numbers, scope, early);
        if (fetched === "whole") end();
        return fetched;
      });
    const send = async (span: Span, numbers: ArrayLike<bigint>, signal: AbortSignal | undefined): Promise<Fetched> => {
      const early = prove.known === undefined && (this.#outboards.usual || this.#policy === "available");
      const fetched = early ? await sideBySide(span, numbers, signal) : await fetch(span, numbers, under(call, signal));
      return fetched === "whole" ? this.#wholeOf(object, missing, under(call, signal)) : fetched;
    };
    return {
      requests: requests.map(({ start, end }, at): SpanRequest => ({ start, end, send: (signal) => send({ start, end }, nodesOf(at), signal) })),
      slices,
    };
  }

  /** Checks what a request brought; if it is not all right, what of it is. */
  async #proved(
    object: ProvableObject,
    body: { start: number; bytes: Uint8Array<ArrayBuffer> },
    nodes: Uint8Array,
    wanted: readonly Span[],
    call: Call,
  ): Promise<Fetched> {
    const { key } = object;
    try {
      this.#verifier.range(object, body.start, body.bytes, nodes);
    } catch (error) {
      if (!isDreamDbError(error, "HashMismatch")) throw error;
      return await this.#salvage(object, body, wanted, withContext(error, { key }) as Error, call);
    }
    const segment: Segment = { ...body, verified: "range" };
    this.#cache.put(key, segment);
    return { segments: [segment] };
  }

  /** One wrong byte must not spoil its neighbours: each wanted span of a body that is wrong somewhere is checked by itself. */
  async #salvage(
    object: ProvableObject,
    body: { start: number; bytes: Uint8Array<ArrayBuffer> },
    wanted: readonly Span[],
    fault: Error,
    call: Call,
  ): Promise<Fetched> {
    const length = BigInt(object.length);
    const end = body.start + body.bytes.byteLength;
    // The outboard may be what is wrong.
    this.#outboards.drop(object.address);
    const inside = wanted.filter((span) => span.start < end && span.end > body.start);
    const parts = inside.map((span) => {
      const [from, to] = [Math.max(span.start, body.start), Math.min(span.end, end)];
      return core((functions) => functions.planRange(length, BigInt(from), BigInt(to)));
    });
    const numbers = BigUint64Array.from(parts.flatMap(({ nodes }) => [...nodes]));
    let proof: Awaited<ReturnType<Outboards["load"]>>;
    try {
      proof = await this.#outboards.load(object, numbers, call);
    } catch (error) {
      // What is wrong is known; that it cannot be told what is right does not matter more.
      if (isDreamDbError(error)) return { segments: [], fault };
      throw error;
    }
    const segments: Segment[] = [];
    for (const { start, end: until, nodes } of parts) {
      const bytes = body.bytes.slice(Number(start) - body.start, Number(until) - body.start);
      try {
        this.#verifier.range(object, Number(start), bytes, proof?.pick(nodes) ?? new Uint8Array(0));
      } catch (error) {
        // Without an outboard the nodes are missing, which is no proof either.
        if (isDreamDbError(error, "HashMismatch", "InvalidArgument")) continue;
        throw error;
      }
      const segment: Segment = { start: Number(start), bytes, verified: "range" };
      this.#cache.put(object.key, segment);
      segments.push(segment);
    }
    return { segments, fault };
  }

  /** The verified whole: a pack is fetched once however many of its Items are read. */
  async #wholeOf(object: ProvableObject, wanted: readonly Span[], call: Call): Promise<Fetched> {
    const whole = await this.#sharedWhole(object, call, bodyLimit(object.length));
    return whole.fault ? this.#salvage(object, whole, wanted, whole.fault, call) : { segments: [whole] };
  }

  #sharedWhole(object: ProvableObject, call: Call, most?: number): Promise<Ranged> {
    const { key } = object;
    const fetch = async (signal: AbortSignal | undefined) => this.#judged(object, await this.#requests.get(key, under(call, signal), most));
    return this.#wholes.run(key, fetch, call.signal);
  }

  /** A whole, checked; a wrong one, too, where the outboard may tell what of it is right. */
  #judged(object: ProvableObject, bytes: Uint8Array<ArrayBuffer>): Ranged {
    const isChecked = this.#policy !== "never";
    const segment: Ranged = { start: 0, bytes, verified: isChecked ? "object" : "none" };
    try {
      if (isChecked) this.#verifier.object(object, bytes);
    } catch (error) {
      const hopeless = !isDreamDbError(error, "HashMismatch") || bytes.byteLength !== object.length || this.#outboards.isMissing(object.address);
      if (hopeless) throw error;
      return { ...segment, verified: "none", fault: error };
    }
    checkTotal(object, bytes.byteLength);
    if (isChecked) this.#cache.put(object.key, segment);
    return segment;
  }

  /**
   * A range, or the whole object, if that is what the server sends.
   *
   * As long as no server has answered a range with a range, those of one object go one after another: if the first brings the whole, it
   * serves the others. One answer decides nothing for good, caches answer with a whole now and with a range then.
   */
  #range(object: ProvableObject, span: Span, call: Call): Promise<Ranged> {
    const arrived = this.#arrived.get(object.key);
    if (arrived !== undefined) return Promise.resolve(arrived);
    return this.#hasRanges ? this.#fetchRange(object, span, call) : this.#probe(object, span, call);
  }

  async #probe(object: ProvableObject, span: Span, call: Call): Promise<Ranged> {
    const { key } = object;
    while (!this.#hasRanges) {
      const probe = this.#probes.get(key);
      if (probe === undefined) break;
      const whole = await orAborted(probe, call.signal);
      // Those who know the length of the object's front only take that for the whole.
      if (whole !== undefined && span.end <= endOf(whole)) return whole;
    }
    if (this.#hasRanges) return this.#fetchRange(object, span, call);
    const range = this.#fetchRange(object, span, call);
    const probe = range.then(
      (segment) => (segment.start === 0 && segment.bytes.byteLength === object.length ? segment : undefined),
      () => undefined,
    );
    this.#probes.set(key, probe);
    void probe.then(() => this.#probes.delete(key));
    return range;
  }

  async #fetchRange(object: ProvableObject, span: Span, call: Call): Promise<Ranged> {
    let whole: Uint8Array<ArrayBuffer> | undefined;
    let total: number | undefined;
    const hints = { onWhole: (bytes: Uint8Array<ArrayBuffer>) => (whole = bytes), onTotal: (bytes: number) => (total = bytes) };
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await this.#requests.getRange(object.key, span.start, span.end - span.start, call, hints);
    } catch (error) {
      // A server that clamps and one that refuses say the same: the object ends before its Items do.
      if (isDreamDbError(error, "BodyLength", "RangeNotSatisfiable") && total !== undefined) checkTotal(object, total);
      if (isDreamDbError(error, "RangeNotSatisfiable")) throw endsEarly(object, span, error);
      throw error;
    }
    if (whole !== undefined) {
      const segment = this.#judged(object, whole);
      this.#arrived.set(object.key, segment);
      return segment;
    }
    this.#hasRanges = true;
    return { start: span.start, bytes, verified: "none", total };
  }
}

/** Bytes that no outboard vouches for. Nothing vouches for a header either, but there is no better witness of the object's length. */
function unproved(object: ProvableObject, range: Ranged): Fetched {
  if (range.fault) throw range.fault;
  if (range.total !== undefined) checkTotal(object, range.total);
  return { segments: [range] };
}

/** An object of which no length is known that could be refused. */
function unsized(object: ObjectId): ProvableObject {
  return { ...object, length: 0, check: () => undefined };
}

/** A limit as a bigint; none is the largest. */
function exactly(bytes: number): bigint {
  return BigInt(Math.min(bytes, Number.MAX_SAFE_INTEGER));
}

/** A span of a segment, uncopied if it is all of it. */
function cut({ start, bytes }: Segment, span: Span): Uint8Array<ArrayBuffer> {
  const [from, to] = [span.start - start, span.end - start];
  return from === 0 && to === bytes.byteLength ? bytes : bytes.slice(from, to);
}

function checkTotal({ key, check }: ProvableObject, total: number): void {
  try {
    check(BigInt(total));
  } catch (error) {
    throw withContext(error, { key });
  }
}

function endsEarly({ key, length }: ProvableObject, { end }: Span, cause: DreamDbError): DreamDbError {
  const message = `bytes up to ${end} of an object of ${length} were asked for, and it ends before them (${cause.message})`;
  return new DreamDbError("PackSliceOutOfBounds", message, { key, url: cause.url, status: cause.status, expected: String(length), cause });
}

/**
 * Bytes of media Items by their entries: single, chunked and packed (0022).
 *
 * Items of one pack are read together, so that their spans share requests. What an Item is, is the field's matter.
 */
import type { CoreFragments } from "../../pkg/dreamdb_arrays.js";
import { addressOf } from "../codec/hash.js";
import { toNumber } from "../codec/integers.js";
import { withContext } from "../error-context.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import type { Call } from "../io/call.js";
import type { ObjectReader } from "../io/objects.js";
import type { ProvableObject } from "../io/outboards.js";
import type { Span } from "../io/spans.js";
import type { CheckedBytes } from "../io/verifier.js";
import { call as core, type Core, thrownByCore } from "../wasm.js";
import { fragmentKey, itemManifestKey, type Place } from "./keys.js";
import { emptyPlan, type PlanSum } from "./plan.js";
import type { Located } from "./rows-by-range.js";
import { addressAt } from "./entries.js";

/** Forms of a fragment entry, as the core numbers them. */
const [SINGLE, CHUNKED, PACKED] = [0, 1, 2];

/** How an Item is stored: as an object of its own, as chunks, as a span of a pack. */
export type Form = "single" | "chunked" | "packed";

/** Makes of an Item's bytes what the caller wants; `at` is the Item's number in the call. */
export type Make<T> = (at: number, bytes: CheckedBytes, form: Form) => T;

/** Given the bytes of an Item; `at` is the Item's number in the call. */
export type Take = (at: number, bytes: CheckedBytes, form: Form) => void;

/** A pack that is read as a whole. */
interface WholePack {
  readonly pack: ProvableObject;
  /** Those of the wanted Items. */
  readonly spans: readonly Span[];
}

/** The fragments of one Track, as far as one part of its index tells of them. */
export class Fragments {
  readonly #objects: ObjectReader;
  readonly #place: Place;
  readonly #index: CoreFragments;
  /** Whether the index tells all Items of each pack. */
  readonly #isWhole: boolean;

  constructor(objects: ObjectReader, place: Place, index: CoreFragments, isWhole: boolean) {
    this.#objects = objects;
    this.#place = place;
    this.#index = index;
    this.#isWhole = isWhole;
  }

  /**
   * Reads Items by their positions in the index, one promise each, in the same order.
   *
   * @throws nothing; the promises reject with `HashMismatch`; `PackInvariant`, `PackLength`, `PackSliceOutOfBounds`; `ChunkLength`;
   * `PayloadLength`; `TooLarge`; the codes of requests
   */
  read<T>(positions: readonly number[], call: Call, make: Make<T>): Promise<T>[] {
    const reads = new Array<Promise<T>>(positions.length);
    const packs = new Map<number, number[]>();
    for (const [at, position] of positions.entries()) {
      const form = this.#index.forms[position];
      const refusal = this.#refusal(position);
      if (refusal !== undefined) reads[at] = Promise.reject(refusal);
      else if (form === SINGLE) reads[at] = this.#single(position, call).then((bytes) => make(at, bytes, "single"));
      else if (form === CHUNKED) reads[at] = this.#chunked(position, call).then((bytes) => make(at, bytes, "chunked"));
      else append(packs, this.#index.objects[position] ?? 0, at);
    }
    for (const [object, members] of packs) {
      const spans = this.#packed(
        object,
        members.map((at) => positions[at] ?? 0),
        call,
      );
      for (const [number, at] of members.entries()) {
        const span = spans[number] ?? Promise.reject(new DreamDbError("Internal", "a span was lost"));
        reads[at] = span.then((bytes) => make(at, bytes, "packed"));
      }
    }
    return reads;
  }

  /**
   * Reads Items by their positions, for who has use for all of them or none: `take` is given each, in no certain order. A pack of which all Items
   * are wanted is one plain request, and its Items are views of its body.
   *
   * Costs far less than {@link read}, since it is a promise a pack and not a promise an Item.
   *
   * @param told makes the error of an Item of the one that befell it
   * @throws nothing; the promises reject as those of {@link read}
   */
  readAll(positions: readonly number[], call: Call, take: Take, told: (at: number, error: unknown) => unknown): Promise<void>[] {
    const reads: Promise<void>[] = [];
    const singly: number[] = [];
    const packs = new Map<number, number[]>();
    for (const [at, position] of positions.entries()) {
      if (this.#index.forms[position] === PACKED && this.#refusal(position) === undefined) append(packs, this.#index.objects[position] ?? 0, at);
      else singly.push(at);
    }
    for (const [object, members] of packs) {
      const whole = this.#wholePack(object, members, positions);
      if (whole === undefined) singly.push(...members);
      else reads.push(this.#takeAll(whole, members, call, take, told));
    }
    const own = this.read(
      singly.map((at) => positions[at] ?? 0),
      call,
      (number, bytes, form) => take(singly[number] ?? 0, bytes, form),
    );
    for (const [number, read] of own.entries()) reads.push(retold(read, (error) => told(singly[number] ?? 0, error)));
    return reads;
  }

  /** A pack and its spans, if the Items are all of it and nothing of it is here yet, so that one plain request brings them. */
  #wholePack(object: number, members: readonly number[], positions: readonly number[]): WholePack | undefined {
    if (!this.#isWhole || this.#isFaulty(object)) return undefined;
    const spans = this.#spans(members.map((at) => positions[at] ?? 0));
    if (BigInt(bytesOf(spans)) !== (this.#index.packLengths[object] ?? 0n)) return undefined;
    try {
      const pack = this.#pack(object);
      const { requests, proof } = this.#objects.planSpans(pack, [{ start: 0, end: pack.length }]);
      return proof.length === 0 && requests.length === 1 && bytesOf(requests) === pack.length ? { pack, spans } : undefined;
    } catch {
      // What is wrong with it is told by who reads it.
      return undefined;
    }
  }

  async #takeAll({ pack, spans }: WholePack, members: readonly number[], call: Call, take: Take, told: (at: number, error: unknown) => unknown): Promise<void> {
    const { key, address, length, check } = pack;
    let body: CheckedBytes;
    try {
      body = await this.#objects.item({ key, address }, call, BigInt(length));
      inObject(key, () => check(BigInt(body.bytes.byteLength)));
    } catch (error) {
      if (!isDreamDbError(error, "HashMismatch")) throw told(members[0] ?? 0, error);
      // A wrong byte is the failure of its own Item, which the way of single spans finds out.
      const reads = this.#objects.spans(pack, spans, call);
      await Promise.all(reads.map((read, at) => retold(read.then((bytes) => take(members[at] ?? 0, bytes, "packed")), (cause) => told(members[at] ?? 0, cause))));
      return;
    }
    const { bytes, verified } = body;
    for (const [number, at] of members.entries()) {
      const { start, end } = spans[number] ?? { start: 0, end: 0 };
      try {
        take(at, { bytes: bytes.subarray(start, end), verified }, "packed");
      } catch (error) {
        throw told(at, error);
      }
    }
  }

  /** What reading these Items now would fetch. */
  plan(positions: readonly number[], chunkSize: bigint | undefined): PlanSum {
    const sum = emptyPlan();
    const packs = new Map<number, number[]>();
    for (const position of positions) {
      const size = Number(this.#index.sizes[position] ?? 0n);
      sum.items++;
      sum.bytesWanted += size;
      const form = this.#index.forms[position];
      if (form === SINGLE) {
        sum.requests++;
        sum.bytes += size;
      } else if (form === CHUNKED) {
        // The list of chunks, then the chunks, of which the writer declared the size.
        sum.requests += 1 + (chunkSize === undefined ? 1 : Math.ceil(size / Number(chunkSize)));
        sum.bytes += size;
      } else {
        append(packs, this.#index.objects[position] ?? 0, position);
      }
    }
    for (const [object, members] of packs) {
      // What is refused is not fetched; reading it says why.
      if (this.#isFaulty(object)) continue;
      try {
        const { requests, proof } = this.#objects.planSpans(this.#pack(object), this.#spans(members));
        sum.requests += requests.length + proof.length;
        sum.bytesOfProofs += bytesOf(proof);
        sum.bytes += bytesOf(requests) + bytesOf(proof);
      } catch {
        // Nor is a pack that cannot be what its Items say.
      }
    }
    return sum;
  }

  /**
   * A whole pack, whatever is wanted of it: for an audit of all its Items.
   *
   * @throws {DreamDbError} `HashMismatch`; `PackInvariant`, `PackLength`, `PackSliceOutOfBounds`; the codes of requests
   */
  async pack(object: number, call: Call): Promise<CheckedBytes> {
    const { key, address, check } = this.#pack(object);
    const body = await this.#objects.item({ key, address }, call);
    try {
      check(BigInt(body.bytes.byteLength));
    } catch (error) {
      throw withContext(error, { key });
    }
    return body;
  }

  /** Why an Item is not even asked for. */
  #refusal(position: number): Error | undefined {
    try {
      this.#objects.admit(this.#index.sizes[position] ?? 0n);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  async #single(position: number, call: Call): Promise<CheckedBytes> {
    const address = this.#addressAt(position);
    const key = fragmentKey(this.#place, address);
    const size = this.#index.sizes[position] ?? 0n;
    const item = await this.#objects.item({ key, address }, call, size);
    inObject(key, (functions) => functions.checkSingle(size, BigInt(item.bytes.byteLength)));
    return item;
  }

  #packed(object: number, positions: readonly number[], call: Call): Promise<CheckedBytes>[] {
    try {
      const pack = this.#pack(object);
      if (this.#isFaulty(object)) {
        const refused = this.#refuse(pack, call);
        return positions.map(() => refused);
      }
      const spans = this.#spans(positions);
      if (this.#isWhole) return this.#objects.spans(pack, spans, call);
      const reads = this.#partly(pack, spans, call);
      return spans.map(async (_, at) => (await reads)[at] ?? Promise.reject(new DreamDbError("Internal", "a span was lost")));
    } catch (error) {
      return positions.map(() => Promise.reject(error as Error));
    }
  }

  /** Spans of a pack that may have more Items than the index tells here, so that its length is to be found out. */
  async #partly(pack: ProvableObject, spans: readonly Span[], call: Call): Promise<Promise<CheckedBytes>[]> {
    const known = await this.#measured(pack, call);
    if (this.#objects.way(known) !== "whole") return this.#objects.spans(known, spans, call);
    const { bytes, verified } = await this.#objects.whole(known, call);
    inObject(known.key, () => known.check(BigInt(bytes.byteLength)));
    return spans.map(({ start, end }) => Promise.resolve({ bytes: bytes.slice(start, end), verified }));
  }

  /** The same pack with the length that its outboard names, if it has one: what is proved then proves the length as well. */
  async #measured(pack: ProvableObject, call: Call): Promise<ProvableObject> {
    if (this.#objects.way(pack) !== "proved") return pack;
    const said = await this.#objects.lengthOf(pack, pack.length, call);
    if (said === undefined) return pack;
    inObject(pack.key, () => pack.check(said));
    return { ...pack, length: toNumber("the length of a pack", said) };
  }

  /**
   * Where an Item lies, for those who read parts of it.
   *
   * @throws {DreamDbError} `Unsupported` for a chunked Item; `PackInvariant`, `PackLength`, `PackSliceOutOfBounds`; the codes of outboards
   */
  async locate(position: number, call: Call): Promise<Located> {
    const form = this.#index.forms[position];
    const size = this.#index.sizes[position] ?? 0n;
    if (form === SINGLE) {
      const address = this.#addressAt(position);
      return { object: { key: fragmentKey(this.#place, address), address }, offset: 0, size };
    }
    if (form === CHUNKED) throw new DreamDbError("Unsupported", "a chunked Item is read as a whole only, not by parts");
    const object = this.#index.objects[position] ?? 0;
    const pack = this.#pack(object);
    if (this.#isFaulty(object)) await this.#refuse(pack, call);
    const { key, address, length, check } = this.#isWhole ? pack : await this.#measured(pack, call);
    return { object: { key, address }, offset: this.#index.offsets[position] ?? 0, size, length, check };
  }

  async #chunked(position: number, call: Call): Promise<CheckedBytes> {
    const address = this.#addressAt(position);
    const size = this.#index.sizes[position] ?? 0n;
    const listKey = itemManifestKey(this.#place, address);
    const list = await this.#objects.metadata({ key: listKey, address }, call.signal);
    const chunks = inObject(listKey, (functions) => functions.decodeItemManifest(list, size));
    // Chunks of one Item are one thing: the first failure ends the others.
    const parts = await Promise.all(
      Array.from(chunks.sizes, async (expected, chunk) => {
        const chunkAddress = addressAt(chunks.addresses, chunk);
        const key = fragmentKey(this.#place, chunkAddress);
        const part = await this.#objects.item({ key, address: chunkAddress }, call, expected);
        inObject(key, (functions) => functions.checkChunk(BigInt(chunk), expected, BigInt(part.bytes.byteLength)));
        return part;
      }),
    );
    const verified = parts[0]?.verified ?? "object";
    return { bytes: joined(parts.map(({ bytes }) => bytes)), verified };
  }

  #spans(positions: readonly number[]): Span[] {
    return positions.map((position) => {
      const start = this.#index.offsets[position] ?? 0;
      return { start, end: start + Number(this.#index.sizes[position] ?? 0n) };
    });
  }

  /**
   * Whether the spans of a pack break the invariants of 0022 §3.4, or reach beyond every body, so that nothing is read from it. Where not all of
   * its Items are known, gaps between the others are none.
   */
  #isFaulty(object: number): boolean {
    const tooLong = (this.#index.packLengths[object] ?? 0n) > BigInt(Number.MAX_SAFE_INTEGER);
    if (tooLong || !this.#isWhole) return tooLong;
    return this.#index.packFaults.some((faulty) => faulty.object === object);
  }

  /** Refuses a faulty pack; its body, where it is to be verified, may tell of a worse fault. */
  async #refuse(pack: ProvableObject, call: Call): Promise<never> {
    const { key, address, length } = pack;
    const body = this.#objects.verifies ? (await this.#objects.item({ key, address }, call)).bytes.byteLength : length;
    try {
      pack.check(BigInt(body));
    } catch (error) {
      throw withContext(error, { key });
    }
    throw new DreamDbError("TooLarge", `the pack has ${length} bytes by its Items, more than a JavaScript number holds exactly`, { key });
  }

  /**
   * A pack.
   *
   * @throws {DreamDbError} `PackLength` for Items that have no byte in a pack that has
   */
  #pack(object: number): ProvableObject {
    const index = this.#index;
    const declared = index.packLengths[object] ?? 0n;
    const fault = this.#isWhole ? index.packFaults.find((faulty) => faulty.object === object) : undefined;
    const address = addressAt(index.addresses, object);
    const key = fragmentKey(this.#place, address);
    // In this order: a body that ends before its Items do, spans that do not fit together, a body that goes on behind them.
    const check = (length: bigint): void => {
      if (fault !== undefined && declared <= length) throw thrownByCore(fault.error);
      // Where not all Items are known, the pack may go on behind those that are.
      core((functions) => functions.checkPackSlice(0, 0n, this.#isWhole || length < declared ? declared : length, length));
    };
    if (this.#isWhole && declared === 0n && address !== addressOf(new Uint8Array(0))) {
      const message = `the Items of pack ${address} add up to no bytes, but its address is not that of no bytes`;
      throw new DreamDbError("PackLength", message, { key, subject: address, expected: "0" });
    }
    return { key, address, length: Number(declared), check };
  }

  #addressAt(position: number): string {
    return addressAt(this.#index.addresses, this.#index.objects[position] ?? 0);
  }
}

/** Use the core on what an object holds, and say which object it was if that is refused. */
function inObject<T>(key: string, use: (functions: Core) => T): T {
  try {
    return core(use);
  } catch (error) {
    throw withContext(error, { key });
  }
}

/** A read whose failure is told otherwise. */
export async function retold<T>(read: Promise<T>, tell: (error: unknown) => unknown): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw tell(error);
  }
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function bytesOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** All chunks in one piece, for which memory is taken only now that each of them is known to be as long as it should. */
function joined(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(chunks.reduce((length, { byteLength }) => length + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

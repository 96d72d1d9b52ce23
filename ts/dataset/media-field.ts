/** Fields of media: the bytes of single, chunked and packed Items (0022). */
import type { CoreFragments } from "../../pkg/dreamdb_arrays.js";
import { addressOf } from "../codec/hash.js";
import { toU64, type U64 } from "../codec/integers.js";
import { DreamDbError, isDreamDbError, withContext } from "../errors.js";
import type { CheckedBytes } from "../io/objects.js";
import { call, type Core, thrownByCore } from "../wasm.js";
import { Field, type ItemReadOptions } from "./field.js";
import type { MediaFieldInfo } from "./fields.js";
import { fragmentKey, itemManifestKey } from "./keys.js";
import { addressAt, findAnchor } from "./track.js";

/** Forms of a fragment entry, as the core numbers them. */
const [SINGLE, CHUNKED] = [0, 1];

/** One media Item. */
export interface MediaItem extends CheckedBytes {
  readonly kind: MediaFieldInfo["kind"];
  /** Media subtype as the schema spells it, for example `png`. */
  readonly mime: string;
  readonly anchor: bigint;
  /** How it is stored: an object of its own, chunks, or a span of a pack. */
  readonly form: "single" | "chunked" | "packed";
}

/** A field of images, audio or video. */
export class MediaField extends Field<MediaFieldInfo> {
  /**
   * The Item at an anchor, the last one written if there are several; `undefined` if there is none or its row is deleted.
   *
   * Costs the Track's index once, then one request for a single or packed Item. Under `verify: "always"` a packed Item's whole pack is
   * fetched, checked and kept for the next ones; otherwise exactly the Item's bytes are asked for, by Range. An empty Item of a pack
   * costs no request of its own.
   *
   * @throws {DreamDbError} `InvalidArgument`; `HashMismatch`; `PackInvariant`, `PackLength`, `PackSliceOutOfBounds`; `ChunkLength`;
   * `PayloadLength` for a single Item of another size than its entry says; the store's codes, each with `field` and `anchor`
   */
  async read(anchor: U64, { signal }: ItemReadOptions = {}): Promise<MediaItem | undefined> {
    const at = toU64("an anchor", anchor);
    const { track, tombstones } = this.access;
    try {
      const index = await this.index(signal);
      if (index.form !== "fragments") throw new DreamDbError("Internal", "a media Track has entries of another form");
      const position = findAnchor(index.starts, at);
      if (position === undefined || (await tombstones.has(track.binding.timeline, at, signal))) return undefined;
      const { kind, mime } = this.info;
      return { kind, mime, anchor: at, ...(await this.#bytes(index, position, signal)) };
    } catch (error) {
      throw withContext(error, { field: this.name, anchor: at });
    }
  }

  #bytes(index: CoreFragments, position: number, signal?: AbortSignal): Promise<CheckedBytes & Pick<MediaItem, "form">> {
    const form = index.forms[position];
    if (form === SINGLE) return this.#single(index, position, signal);
    return form === CHUNKED ? this.#chunked(index, position, signal) : this.#packed(index, position, signal);
  }

  async #single(index: CoreFragments, position: number, signal?: AbortSignal) {
    const { objects, track } = this.access;
    const address = objectOf(index, position);
    const key = fragmentKey(track.binding, address);
    const item = await objects.item({ key, address }, signal);
    inObject(key, (core) => core.checkSingle(index.sizes[position] ?? 0n, BigInt(item.bytes.byteLength)));
    return { ...item, form: "single" as const };
  }

  async #packed(index: CoreFragments, position: number, signal?: AbortSignal) {
    const { objects, track } = this.access;
    const address = objectOf(index, position);
    const offset = index.offsets[position] ?? 0;
    const size = index.sizes[position] ?? 0n;
    const key = fragmentKey(track.binding, address);
    const check = (length?: number) => checkPack(index, position, length);
    const item = await objects.span({ key, address }, offset, size, check, signal);
    return { ...item, form: "packed" as const };
  }

  async #chunked(index: CoreFragments, position: number, signal?: AbortSignal) {
    const { objects, track } = this.access;
    const address = objectOf(index, position);
    const size = index.sizes[position] ?? 0n;
    const listKey = itemManifestKey(track.binding, address);
    const list = await objects.metadata({ key: listKey, address }, signal);
    const chunks = inObject(listKey, (core) => core.decodeItemManifest(list, size));
    const parts: CheckedBytes[] = [];
    for (const [chunk, expected] of chunks.sizes.entries()) {
      const chunkAddress = addressAt(chunks.addresses, chunk);
      const key = fragmentKey(track.binding, chunkAddress);
      const part = await objects.item({ key, address: chunkAddress }, signal);
      inObject(key, (core) => core.checkChunk(BigInt(chunk), expected, BigInt(part.bytes.byteLength)));
      parts.push(part);
    }
    const verified = parts[0]?.verified ?? "object";
    return { bytes: joined(parts.map(({ bytes }) => bytes)), verified, form: "chunked" as const };
  }
}

/**
 * Check an Item's span and the spans of its pack, against the length of the pack's body if that is known.
 *
 * What lies beyond the body is told first, then spans that do not fit together, then a body that goes on behind the last of them. A pack
 * whose Items have no byte has none itself, which its address tells without a request.
 */
function checkPack(index: CoreFragments, position: number, length?: number): void {
  const object = index.objects[position] ?? 0;
  const [offset, size, declared] = [index.offsets[position] ?? 0, index.sizes[position] ?? 0n, index.packLengths[object] ?? 0n];
  const fault = index.packFaults.find((faulty) => faulty.object === object);
  try {
    if (length !== undefined) call((core) => core.checkPackSlice(offset, size, declared, BigInt(length)));
  } catch (error) {
    if (fault === undefined || isDreamDbError(error, "PackSliceOutOfBounds")) throw error;
  }
  if (fault !== undefined) throw thrownByCore(fault.error);
  const address = objectOf(index, position);
  if (declared === 0n && address !== addressOf(new Uint8Array(0))) {
    const message = `the Items of pack ${address} add up to no bytes, but its address is not that of no bytes`;
    throw new DreamDbError("PackLength", message, { subject: address, expected: "0" });
  }
}

/** Use the core on what an object holds, and say which object it was if that is refused. */
function inObject<T>(key: string, use: (core: Core) => T): T {
  try {
    return call(use);
  } catch (error) {
    throw withContext(error, { key });
  }
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

function objectOf(index: CoreFragments, position: number): string {
  return addressAt(index.addresses, index.objects[position] ?? 0);
}

/**
 * How Items of arrays and media are stored: array Items each in an object of their own, media Items in one, in chunks, or several in a pack (0022 §4).
 *
 * Gives the objects to upload and the columns of the index entries that will point to them. Index entries themselves are the core's.
 */
import { addressBytesOf } from "../codec/hash.js";
import { packBody } from "../codec/pack.js";
import { isMediaField, type MediaFieldInfo } from "../dataset/fields.js";
import { fragmentKey, itemKey, itemManifestKey, type Place } from "../dataset/keys.js";
import { call } from "../wasm.js";
import { bytes, list, map, uint } from "./cbor.js";
import type { FieldItems } from "./items.js";
import { type NewObject, withOutboard, withoutOutboard } from "./objects.js";

/** Index entries to be, as columns: addresses are 33 bytes each; sizes, forms and offsets are those of media, and empty for arrays. */
export interface NewEntries {
  readonly anchors: BigUint64Array;
  readonly addresses: Uint8Array;
  readonly sizes: BigUint64Array;
  readonly forms: Uint8Array;
  readonly offsets: Uint32Array;
}

/** What becomes of a field's Items. */
export interface StoredItems {
  readonly objects: readonly NewObject[];
  readonly entries: NewEntries;
}

/** How Items are put into packs. */
export interface PackOptions {
  /** Bytes of a pack to aim at, beside the field's `packItems`: an Item that would take a pack beyond it begins the next one. */
  readonly targetPackBytes?: bigint | undefined;
}

/** Numbers of the forms of fragment entries. */
const [SINGLE, CHUNKED, PACKED] = [0, 1, 2];

/** The objects and entries of a field's Items at a place. */
export function storedItems({ info, anchors, ...items }: FieldItems, place: Place, options: PackOptions): StoredItems {
  const payloads = items.payloads as readonly Uint8Array[];
  if (isMediaField(info)) return mediaItems(info, BigUint64Array.from(anchors), payloads, place, options);
  const objects: NewObject[] = [];
  const addresses = new AddressRun(payloads.length);
  for (const [at, payload] of payloads.entries()) {
    // A continuous Item's bucket is its anchor as well.
    const stored = withOutboard((address) => itemKey(place, anchors[at] ?? 0n, address), payload);
    objects.push(...stored.objects);
    addresses.add(stored.address);
  }
  const none = { sizes: new BigUint64Array(0), forms: new Uint8Array(0), offsets: new Uint32Array(0) };
  return { objects, entries: { anchors: BigUint64Array.from(anchors), addresses: addresses.bytes, ...none } };
}

function mediaItems(info: MediaFieldInfo, anchors: BigUint64Array, payloads: readonly Uint8Array[], place: Place, options: PackOptions): StoredItems {
  const { chunkSize, packItems = 1n } = info;
  const sizes = BigUint64Array.from(payloads, ({ byteLength }) => BigInt(byteLength));
  const stored = chunkSize !== undefined ? chunked(payloads, Number(chunkSize), place) : packItems > 1n ? packed(payloads, sizes, packItems, place, options) : single(payloads, place);
  const { objects, addresses, form, offsets = new Uint32Array(payloads.length) } = stored;
  const forms = new Uint8Array(payloads.length).fill(form);
  return { objects, entries: { anchors, addresses, sizes, forms, offsets } };
}

/** What becomes of media Items, all of one form. */
interface StoredMedia {
  readonly objects: readonly NewObject[];
  readonly addresses: Uint8Array;
  readonly form: number;
  readonly offsets?: Uint32Array;
}

function single(payloads: readonly Uint8Array[], place: Place): StoredMedia {
  const addresses = new AddressRun(payloads.length);
  const objects = payloads.flatMap((payload) => {
    const stored = withOutboard((address) => fragmentKey(place, address), payload);
    addresses.add(stored.address);
    return stored.objects;
  });
  return { objects, addresses: addresses.bytes, form: SINGLE };
}

/** Every Item is cut, also one that is smaller than a chunk, or empty. */
function chunked(payloads: readonly Uint8Array[], chunkSize: number, place: Place): StoredMedia {
  const addresses = new AddressRun(payloads.length);
  const objects = payloads.flatMap((payload) => {
    const count = Math.max(1, Math.ceil(payload.byteLength / chunkSize));
    const cut = Array.from({ length: count }, (_, at) => payload.subarray(at * chunkSize, (at + 1) * chunkSize));
    const chunks = cut.map((chunk) => withoutOutboard((address) => fragmentKey(place, address), chunk));
    const manifest = itemManifest(chunks.map(({ address }, at) => [address, cut[at]?.byteLength ?? 0]));
    const stored = withoutOutboard((address) => itemManifestKey(place, address), manifest);
    addresses.add(stored.address);
    return [...chunks.flatMap((chunk) => chunk.objects), ...stored.objects];
  });
  return { objects, addresses: addresses.bytes, form: CHUNKED };
}

/** The ItemManifest of chunks. */
export function itemManifest(chunks: readonly (readonly [address: string, size: number])[]): Uint8Array {
  const total = chunks.reduce((sum, [, size]) => sum + size, 0);
  return map({ chunks: list(chunks.map(([address, size]) => map({ hash: bytes(addressBytesOf(address)), size: uint(size) }))), total_size: uint(total) });
}

function packed(payloads: readonly Uint8Array[], sizes: BigUint64Array, packItems: bigint, place: Place, { targetPackBytes }: PackOptions): StoredMedia {
  const groups = call((core) => core.packGroups(sizes, packItems, targetPackBytes));
  const addresses = new AddressRun(payloads.length);
  const offsets = new Uint32Array(payloads.length);
  const objects: NewObject[] = [];
  let first = 0;
  for (const count of groups) {
    const { body, offsets: own } = packBody(payloads.slice(first, first + count));
    offsets.set(own, first);
    const stored = withOutboard((address) => fragmentKey(place, address), body);
    objects.push(...stored.objects);
    for (let at = 0; at < count; at++) addresses.add(stored.address);
    first += count;
  }
  return { objects, addresses: addresses.bytes, form: PACKED, offsets };
}

/** Addresses as a run of 33 bytes each. */
export class AddressRun {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #count = 0;
  #last: { readonly text: string; readonly bytes: Uint8Array } | undefined;

  constructor(count: number) {
    this.bytes = new Uint8Array(33 * count);
  }

  add(text: string): void {
    // Items of one pack have one address.
    if (this.#last?.text !== text) this.#last = { text, bytes: addressBytesOf(text) };
    this.bytes.set(this.#last.bytes, 33 * this.#count++);
  }
}

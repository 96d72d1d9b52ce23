/**
 * A Track: its index, read and decoded once, and the search in it.
 *
 * Indexes are columns as the core decodes them; no object is made per entry. Addresses stay bytes until an Item is asked for.
 */
import type { CoreBinding, CoreIndex } from "../../pkg/dreamdb_arrays.js";
import { withContext } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import { Shared } from "../io/shared.js";
import { call } from "../wasm.js";
import { trackKey } from "./keys.js";

/** Bytes of an address in a column. */
const ADDRESS = 33;

/** A Track in the service of a field. */
export class Track {
  readonly binding: CoreBinding;
  readonly #objects: ObjectReader;
  readonly #loading = new Shared<CoreIndex>();
  #index: CoreIndex | undefined;

  constructor(objects: ObjectReader, binding: CoreBinding) {
    this.#objects = objects;
    this.binding = binding;
  }

  /**
   * The Track's index. Costs one request the first time, and again after a failure.
   *
   * @throws {DreamDbError} `HashMismatch`; `TrackField`, `TrackMismatch`, `EntryTooShort`, `EntryType`, `EntryExtent`, `IntegerRange`,
   * `RepeatedAnchor`, `UnsupportedIndex`; the store's codes
   */
  async index(signal?: AbortSignal): Promise<CoreIndex> {
    return this.#index ?? this.#loading.run("index", (shared) => this.#load(shared), signal);
  }

  async #load(signal: AbortSignal | undefined): Promise<CoreIndex> {
    const { binding } = this;
    const { modality, timeline, start, end } = binding;
    const key = trackKey(binding, binding.track);
    const object = await this.#objects.metadata({ key, address: binding.track }, signal);
    try {
      this.#index = call((core) => core.decodeTrack(object, modality, timeline, start, end));
    } catch (error) {
      throw withContext(error, { key });
    }
    return this.#index;
  }
}

/** Anchors of an index, ascending; of Items over extents, their first ones. A Constant has none. */
export function anchorsOf(index: CoreIndex): BigUint64Array {
  if (index.form === "event") return index.anchors;
  return index.form === "constant" ? new BigUint64Array(0) : index.starts;
}

/** Number of Items in an index. */
export function countOf(index: CoreIndex): number {
  return index.form === "constant" ? Number(index.address !== undefined) : anchorsOf(index).length;
}

/** Position of the last entry with exactly this anchor: among equal ones the one in force. */
export function findAnchor(anchors: BigUint64Array, anchor: bigint): number | undefined {
  let [low, high] = [0, anchors.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((anchors[middle] ?? 0n) <= anchor) low = middle + 1;
    else high = middle;
  }
  return anchors[low - 1] === anchor ? low - 1 : undefined;
}

/** Text of the address at a position of a column. */
export function addressAt(addresses: Uint8Array, position: number): string {
  return call((core) => core.addressText(addresses.subarray(position * ADDRESS, (position + 1) * ADDRESS)));
}

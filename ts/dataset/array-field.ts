/** Fields of typed arrays: from an anchor to a value (0025). */
import { toU64, type U64 } from "../codec/integers.js";
import type { ItemType } from "../codec/item-type.js";
import { decodeOwned } from "../codec/payload.js";
import type { ArrayValue } from "../codec/values.js";
import { DreamDbError, withContext } from "../errors.js";
import type { ObjectId, Verified } from "../io/objects.js";
import { Field, type ItemReadOptions } from "./field.js";
import type { ArrayFieldInfo } from "./fields.js";
import { constantKey, itemKey } from "./keys.js";
import { addressAt, anchorsOf, findAnchor } from "./track.js";

/** What accompanies the value of an Item. */
export interface ItemContext {
  /** Anchor of the Item; absent for a Constant. */
  readonly anchor?: bigint;
  /** What was checked against the content address. */
  readonly verified: Verified;
  /** The declared type. */
  readonly type: ItemType;
}

/** A value as it was read. */
export type Item<V> = V & ItemContext;

/** A field of event or continuous array Items. `V` is the value of its family and dtype. */
export class ArrayField<V extends ArrayValue = ArrayValue> extends Field<ArrayFieldInfo> {
  /**
   * The Item at an anchor; `undefined` if the Track has none there or its row is deleted.
   *
   * Costs the Track's index once, then one request an Item. Continuous Items are found by their first anchor.
   *
   * @throws {DreamDbError} `InvalidArgument`; `WrongKind` for a Constant; `HashMismatch`; the payload's codes; the store's codes, each
   * with `field` and `anchor`
   */
  async read(anchor: U64, { signal }: ItemReadOptions = {}): Promise<Item<V> | undefined> {
    const at = toU64("an anchor", anchor);
    try {
      const object = await this.#find(at, signal);
      if (object === undefined) return undefined;
      return await this.#decode(object, { anchor: at }, signal);
    } catch (error) {
      throw withContext(error, { field: this.name, anchor: at });
    }
  }

  /**
   * The value of a Constant (0025 §9). Costs two requests.
   *
   * @throws {DreamDbError} `WrongKind` unless the field is a Constant; `EntryTooShort` if its Track has no Item, since an array Constant is
   * written with its declaration; as {@link read}
   */
  async readConstant({ signal }: ItemReadOptions = {}): Promise<Item<V> | undefined> {
    try {
      const index = await this.index(signal);
      if (index.form !== "constant") throw this.#wrongKind("has an Item per anchor: read(anchor)");
      if (index.address === undefined) return undefined;
      const object = { key: constantKey(this.access.track.binding, index.address), address: index.address };
      return await this.#decode(object, {}, signal);
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  async #find(anchor: bigint, signal?: AbortSignal): Promise<ObjectId | undefined> {
    const { track, tombstones } = this.access;
    const index = await this.index(signal);
    if (index.form === "constant") throw this.#wrongKind("is a Constant, which has no anchors: ds.constant(name).read()");
    if (index.form === "fragments") throw new DreamDbError("Internal", "an array Track has fragment entries");
    const position = findAnchor(anchorsOf(index), anchor);
    if (position === undefined || (await tombstones.has(track.binding.timeline, anchor, signal))) return undefined;
    const address = addressAt(index.addresses, position);
    const bucket = index.form === "event" ? anchor : (index.buckets[position] ?? anchor);
    return { key: itemKey(track.binding, bucket, address), address };
  }

  async #decode(object: ObjectId, where: { anchor?: bigint }, signal?: AbortSignal): Promise<Item<V>> {
    const { bytes, verified } = await this.access.objects.item(object, signal);
    const { type, typeCbor } = this.info;
    const value = decodeOwned({ type, cbor: typeCbor }, bytes);
    return { ...value, ...where, verified, type } as unknown as Item<V>;
  }

  #wrongKind(what: string): DreamDbError {
    return new DreamDbError("WrongKind", `field ${JSON.stringify(this.name)} ${what}`, { field: this.name });
  }
}

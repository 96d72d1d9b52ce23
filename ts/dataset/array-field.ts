/** Fields of typed arrays: from an anchor to a value (0025). */
import type { CoreIndex } from "../../pkg/dreamdb_arrays.js";
import { bytesPerElement } from "../codec/dtype.js";
import type { ItemType } from "../codec/item-type.js";
import { decodeOwned } from "../codec/payload.js";
import type { ArrayValue } from "../codec/values.js";
import { DreamDbError, withContext } from "../errors.js";
import { type Call, newCall } from "../io/call.js";
import type { ObjectId, Verified } from "../io/verifier.js";
import { AnchoredField, type WantedItem } from "./anchored-field.js";
import type { ItemReadOptions } from "./field.js";
import type { ArrayFieldInfo } from "./fields.js";
import { constantKey, itemKey } from "./keys.js";
import { emptyPlan, type PlanSum } from "./plan.js";
import { addressAt, anchorsOf } from "./track.js";

/** An index of array Items with anchors. */
type AnchoredIndex = Extract<CoreIndex, { form: "event" | "continuous" }>;

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

/**
 * A field of event or continuous array Items, each an object of its own: one request an Item. `V` is the value of its family and dtype.
 *
 * Codes of its Items: those of their payloads, as `codec.decode` has them.
 */
export class ArrayField<V extends ArrayValue = ArrayValue> extends AnchoredField<ArrayFieldInfo, Item<V>> {
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
      return await this.#decode(object, {}, newCall(signal));
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  /** @internal */
  protected override starts(index: CoreIndex): BigUint64Array {
    return anchorsOf(this.#anchored(index));
  }

  /** @internal */
  protected override fetch(index: CoreIndex, wanted: readonly WantedItem[], call: Call): Promise<Item<V>>[] {
    const anchored = this.#anchored(index);
    const { binding } = this.access.track;
    return wanted.map(({ anchor, position }) => {
      const address = addressAt(anchored.addresses, position);
      const bucket = anchored.form === "event" ? anchor : (anchored.buckets[position] ?? anchor);
      return this.#decode({ key: itemKey(binding, bucket, address), address }, { anchor }, call);
    });
  }

  /** @internal */
  protected override cost(_index: CoreIndex, positions: readonly number[]): PlanSum {
    const sum = emptyPlan();
    const { type } = this.info;
    const sized = type.family === "dense-array" && type.codec === "raw";
    const size = sized ? Number(type.shape.reduce((product, extent) => product * extent, BigInt(bytesPerElement(type.dtype)))) : 0;
    sum.items = sum.requests = positions.length;
    sum.bytesWanted = sum.bytes = positions.length * size;
    sum.unsized = sized ? 0 : positions.length;
    return sum;
  }

  async #decode(object: ObjectId, where: { anchor?: bigint }, call: Call): Promise<Item<V>> {
    const { bytes, verified } = await this.access.objects.item(object, call);
    const { type, typeCbor } = this.info;
    const value = decodeOwned({ type, cbor: typeCbor }, bytes);
    return { ...value, ...where, verified, type } as unknown as Item<V>;
  }

  #anchored(index: CoreIndex): AnchoredIndex {
    if (index.form === "constant") throw this.#wrongKind("is a Constant, which has no anchors: ds.constant(name).read()");
    if (index.form === "fragments") throw new DreamDbError("Internal", "an array Track has fragment entries");
    return index;
  }

  #wrongKind(what: string): DreamDbError {
    return new DreamDbError("WrongKind", `field ${JSON.stringify(this.name)} ${what}`, { field: this.name });
  }
}

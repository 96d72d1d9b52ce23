/** Fields of typed arrays: from an anchor to a value (0025). */
import type { CoreIndex } from "../../pkg/dreamdb_arrays.js";
import { bytesPerElement } from "../codec/dtype.js";
import type { ItemType } from "../codec/item-type.js";
import { decodeOwned } from "../codec/payload.js";
import type { ArrayValue } from "../codec/values.js";
import { DreamDbError, withContext } from "../errors.js";
import { type Call, newCall } from "../io/call.js";
import type { ObjectId, Verified } from "../io/verifier.js";
import { AnchoredField } from "./anchored-field.js";
import type { FieldAccess, ItemReadOptions } from "./field.js";
import type { ArrayFieldInfo } from "./fields.js";
import { constantKey, itemKey } from "./keys.js";
import { emptyPlan, type PlanSum } from "./plan.js";
import type { Located } from "./rows-by-range.js";
import { addressAt, anchorsOf, findAnchor } from "./track.js";

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
  /** @internal */
  constructor(info: ArrayFieldInfo, access: FieldAccess) {
    super(info, access, {
      starts: (index) => anchorsOf(anchored(info, index)),
      fetch: (index, wanted, call) => {
        const { binding } = access.track;
        const items = anchored(info, index);
        return wanted.map(({ anchor, position }) => {
          const address = addressAt(items.addresses, position);
          const bucket = items.form === "event" ? anchor : (items.buckets[position] ?? anchor);
          return decode<V>(info, access, { key: itemKey(binding, bucket, address), address }, { anchor }, call);
        });
      },
      cost: (_index, positions) => costOf(info, positions.length),
    });
  }

  /** @internal Where the Item at an anchor lies. */
  protected async located(anchor: bigint, signal: AbortSignal | undefined): Promise<Located | "absent" | "deleted"> {
    const { track, tombstones } = this.access;
    const items = anchored(this.info, await this.index(signal));
    const position = findAnchor(anchorsOf(items), anchor);
    if (position === undefined) return "absent";
    if (!tombstones.isEmpty && (await tombstones.has(track.binding.timeline, anchor, signal))) return "deleted";
    const address = addressAt(items.addresses, position);
    const bucket = items.form === "event" ? anchor : (items.buckets[position] ?? anchor);
    return { object: { key: itemKey(track.binding, bucket, address), address }, offset: 0 };
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
      if (index.form !== "constant") throw wrongKind(this.info, "has an Item per anchor: read(anchor)");
      if (index.address === undefined) return undefined;
      const object = { key: constantKey(this.access.track.binding, index.address), address: index.address };
      return await decode<V>(this.info, this.access, object, {}, newCall(signal));
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }
}

/** Fetches an Item and makes it a value. */
async function decode<V>(info: ArrayFieldInfo, access: FieldAccess, object: ObjectId, where: { anchor?: bigint }, call: Call): Promise<Item<V>> {
  const { bytes, verified } = await access.objects.item(object, call);
  const { type, typeCbor } = info;
  const value = decodeOwned({ type, cbor: typeCbor }, bytes);
  return { ...value, ...where, verified, type } as unknown as Item<V>;
}

/** Each Item is an object of its own; only the size of raw dense ones is known by their type. */
function costOf({ type }: ArrayFieldInfo, items: number): PlanSum {
  const sized = type.family === "dense-array" && type.codec === "raw";
  const size = sized ? Number(type.shape.reduce((product, extent) => product * extent, BigInt(bytesPerElement(type.dtype)))) : 0;
  const bytes = items * size;
  return { ...emptyPlan(), items, requests: items, bytesWanted: bytes, bytes, unsized: sized ? 0 : items };
}

function anchored(info: ArrayFieldInfo, index: CoreIndex): AnchoredIndex {
  if (index.form === "constant") throw wrongKind(info, "is a Constant, which has no anchors: ds.constant(name).read()");
  if (index.form === "fragments") throw new DreamDbError("Internal", "an array Track has fragment entries");
  return index;
}

function wrongKind({ name }: ArrayFieldInfo, what: string): DreamDbError {
  return new DreamDbError("WrongKind", `field ${JSON.stringify(name)} ${what}`, { field: name });
}

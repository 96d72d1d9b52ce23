/** Fields of typed arrays: from an anchor to a value (0025). */
import type { ItemType } from "../codec/item-type.js";
import { decodeOwned } from "../codec/payload.js";
import type { ArrayValue, DenseArray } from "../codec/values.js";
import { withContext } from "../error-context.js";
import { DreamDbError } from "../errors.js";
import { type Call, newCall } from "../io/call.js";
import type { CheckedBytes, Verified } from "../io/verifier.js";
import { AnchoredField } from "./anchored-field.js";
import type { ColumnOf, ColumnOptions } from "./column/columns.js";
import { denseColumn, type DenseColumnOptions } from "./column/dense.js";
import { csrColumn, raggedColumn } from "./column/structured.js";
import type { FieldAccess, ItemReadOptions } from "./field.js";
import { type ArrayFieldInfo, isFamily } from "./fields.js";
import { ItemBytes } from "./item-bytes.js";
import { constantKey } from "./keys.js";
import type { Selection } from "./selection.js";
import type { Located } from "./rows-by-range.js";

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

/** Options of the column of a field with values `V`. */
export type ArrayColumnOptions<V extends ArrayValue> = V extends DenseArray<infer D> ? DenseColumnOptions<D> : ColumnOptions;

/**
 * A field of event or continuous array Items, each an object of its own: one request an Item. `V` is the value of its family and dtype.
 *
 * Codes of its Items: those of their payloads, as `codec.decode` has them.
 */
export class ArrayField<V extends ArrayValue = ArrayValue> extends AnchoredField<ArrayFieldInfo, Item<V>, ColumnOf<V>, ArrayColumnOptions<V>> {
  /** @internal */
  constructor(info: ArrayFieldInfo, access: FieldAccess) {
    const items = new ItemBytes(access.objects, access.track.place);
    super(info, access, {
      fetch: (selection, call) => items.read(selection, call, (at, read) => valueOf<V>(info, read, { anchor: selection.anchors[at] ?? 0n })),
      cost: (selection) => items.plan(selection, info),
      column: (selection, options) => columnOf(info, access, selection, options) as Promise<ColumnOf<V>>,
    });
  }

  /** @internal Where the Item at an anchor lies. */
  protected async located(anchor: bigint, call: Call): Promise<Located | "absent" | "deleted"> {
    const { track, tombstones, objects } = this.access;
    const { signal } = call;
    const [found] = await track.find([anchor], signal);
    if (found === undefined) return "absent";
    if (!tombstones.isEmpty && (await tombstones.has(track.binding.timeline, anchor, signal))) return "deleted";
    return new ItemBytes(objects, track.place).locate(found, call);
  }

  /**
   * The value of a Constant (0025 §9). Costs two requests.
   *
   * @throws {DreamDbError} `WrongKind` unless the field is a Constant; `EntryTooShort` if its Track has no Item, since an array Constant is
   * written with its declaration; as {@link read}
   */
  async readConstant({ signal }: ItemReadOptions = {}): Promise<Item<V> | undefined> {
    const { objects, track } = this.access;
    try {
      const content = await track.content(signal);
      if (content.form !== "constant") {
        const message = `field ${JSON.stringify(this.name)} has an Item per anchor: read(anchor)`;
        throw new DreamDbError("WrongKind", message, { field: this.name });
      }
      const { address } = content;
      if (address === undefined) return undefined;
      const read = await objects.item({ key: constantKey(track.place, address), address }, newCall(signal));
      return valueOf<V>(this.info, read, {});
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }
}

function valueOf<V>({ type, typeCbor: cbor }: ArrayFieldInfo, { bytes, verified }: CheckedBytes, where: { anchor?: bigint }): Item<V> {
  return { ...decodeOwned({ type, cbor }, bytes), ...where, verified, type } as unknown as Item<V>;
}

function columnOf(info: ArrayFieldInfo, access: FieldAccess, selection: Selection, options: DenseColumnOptions): Promise<unknown> {
  if (isFamily(info, "dense-array")) return denseColumn(info, access, selection, options);
  if (isFamily(info, "ragged-array")) return raggedColumn(info, access, selection, options);
  if (isFamily(info, "sparse-csr")) return csrColumn(info, access, selection, options);
  throw new DreamDbError("Internal", "a field has a type of an unknown family");
}

/** The fields of a manifest with their bindings, as those who read and write them need them. Reading a field's Items is array-field.ts's matter and others'. */
import type { CoreBinding, CoreField, CoreManifest } from "../../pkg/dreamdb_arrays.js";
import type { DType } from "../codec/dtype.js";
import { type ItemType, itemTypeOf } from "../codec/item-type.js";
import type { ArrayFieldInfo, CommonInfo, FieldInfo } from "./fields.js";

/** A field and its Track's binding. */
export interface BoundField {
  readonly info: FieldInfo;
  readonly binding: CoreBinding;
  /** Address of the descriptor of a scalar column's index. */
  readonly scalarIndex?: string | undefined;
}

/** The fields of a manifest by name, in the schema's order. */
export function boundFields({ fields, bindings }: CoreManifest): Map<string, BoundField> {
  const bound = new Map<string, BoundField>();
  for (const field of fields) {
    const binding = bindings[field.binding];
    if (binding !== undefined) bound.set(field.name, { info: describe(field, binding), binding, scalarIndex: field.scalarIndex });
  }
  return bound;
}

function describe(field: CoreField, { modality, kind, start, end }: CoreBinding): FieldInfo {
  const { name, required, mime, packItems, chunkSize, valueType } = field;
  const common: CommonInfo = {
    name,
    ...(required === undefined ? {} : { required }),
    modality,
    trackKind: kind,
    coverage: Object.freeze({ start, end }),
  };
  if (field.type !== undefined && field.typeCbor !== undefined && field.itemId !== undefined && field.objectKind !== undefined) {
    const { typeCbor, itemId, objectKind } = field;
    return arrayInfo(common, { type: itemTypeOf(field.type), typeCbor, itemId, objectKind });
  }
  return Object.freeze({
    ...common,
    kind: field.kind,
    ...(mime === undefined ? {} : { mime }),
    ...(packItems === undefined ? {} : { packItems }),
    ...(chunkSize === undefined ? {} : { chunkSize }),
    ...(valueType === undefined ? {} : { valueType }),
  });
}

/** What is said of a field of typed arrays. Reads go by what stands here, so nobody may change it; and bytes cannot be frozen, only copied. */
export function arrayInfo(
  common: CommonInfo,
  { type, typeCbor, itemId, objectKind }: Pick<ArrayFieldInfo, "type" | "typeCbor" | "itemId" | "objectKind">,
): ArrayFieldInfo {
  Object.freeze(type);
  const extents = type.family === "ragged-array" ? { innerShape: Object.freeze(type.innerShape) } : { shape: Object.freeze(type.shape) };
  const { family, dtype }: { family: ItemType["family"]; dtype: DType } = type;
  return Object.freeze({
    ...common,
    kind: "array",
    family,
    dtype,
    ...extents,
    type,
    get typeCbor() {
      return new Uint8Array(typeCbor);
    },
    itemId,
    objectKind,
  });
}

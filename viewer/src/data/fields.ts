/** Readers of fields, whatever their kind. */
import { type AnchoredField, type ArrayField, type Dataset, type FieldInfo, isArrayField, isMediaField, isScalarField, type ScalarField } from "dreamdb-arrays";

/** A field with something at anchors. */
export type Anchored = ArrayField | AnchoredField<FieldInfo, object, unknown> | ScalarField;

/** The reader of a field that has anchors; `undefined` for Constants and for kinds that cannot be read. */
export function anchoredField(ds: Dataset, info: FieldInfo): Anchored | undefined {
  if (info.trackKind === "constant") return undefined;
  if (isMediaField(info)) return ds.media(info.name);
  if (isScalarField(info)) return ds.scalar(info.name);
  if (!isArrayField(info)) return undefined;
  if (info.family === "ragged-array") return ds.ragged(info.name) as Anchored;
  if (info.family === "sparse-csr") return ds.csr(info.name) as Anchored;
  return ds.array(info.name) as Anchored;
}

/**
 * What a `.npy` or `.csv` file cannot say, as a JSON file beside it: units, axes, frame, which Item it is, and the whole type document.
 *
 * Integers are digits of any length, as the type document has them; anchors are texts, since few readers of JSON keep 64 bits.
 */
import { isArrayField, isScalarField } from "dreamdb-arrays";
import type { Shown } from "../state/shown.js";
import { axisNames, exactJson } from "./describe.js";

/** The text of the file. */
export function sidecarOf({ info, anchor, window, what, verified, array, table, axes }: Shown): string {
  const declared = isArrayField(info) ? { units: info.type.units, frame: info.type.frame, semanticType: info.type.semanticType, axisOrder: info.type.axisOrder, itemTypeId: info.itemId, itemType: info.type } : {};
  const ofAll = isArrayField(info) && array !== undefined && String(info.shape) === String(array.shape) ? axisNames(info) : undefined;
  return exactJson({
    field: info.name,
    modality: info.modality,
    ...(anchor === undefined ? {} : { anchor: String(anchor) }),
    ...(window === undefined ? {} : { window: window.map(String) }),
    what,
    verified,
    ...(array === undefined ? {} : { npy: { dtype: array.dtype, shape: array.shape, fortranOrder: array.order === "f", axes: axes ?? ofAll } }),
    ...(table === undefined ? {} : { csv: { columns: table.names } }),
    ...(isScalarField(info) ? { valueType: info.valueType } : {}),
    ...declared,
  });
}

/** Fields in the words of a person: their types, where their anchors lie, what their numbers mean. */
import type { Dataset } from "../dataset/dataset.js";
import { type ArrayFieldInfo, type FieldInfo, isArrayField, isMediaField, isScalarField } from "../dataset/fields.js";
import { bytesPerElement } from "../codec/dtype.js";
import type { Json } from "./manners/json.js";

/** Items of media whose sizes are added up in the index without being asked for. */
const SUMMED = 100_000;

/** `f32 [4, 4]`, `f32 rows of [3]`, `f32 [1000, 50000] sparse`, `png`, `int`. */
export function typeText(info: FieldInfo): string {
  if (isArrayField(info)) {
    const extents = (shape: readonly bigint[] | undefined) => `[${(shape ?? []).join(", ")}]`;
    if (info.family === "ragged-array") return `${info.dtype} rows${info.innerShape?.length ? ` of ${extents(info.innerShape)}` : ""}`;
    return `${info.dtype} ${extents(info.shape)}`;
  }
  if (isMediaField(info)) return info.mime;
  if (isScalarField(info)) return info.valueType;
  return info.kind === "constant" ? "text" : "";
}

/** What a field holds: `dense-array`, `image`, `scalar`. */
export function familyText(info: FieldInfo): string {
  return isArrayField(info) ? info.family : info.kind;
}

/** Codec and byte order: `raw big f`. */
export function codecText(info: FieldInfo): string {
  if (!isArrayField(info)) return "";
  const { codec, endianness, layout } = info.type;
  return [codec, endianness, ...(layout === "f" ? ["f"] : [])].join(" ");
}

/** What the numbers mean, as far as it was declared. */
export function meaningText(info: FieldInfo): string {
  if (!isArrayField(info)) return "";
  const { semanticType, units, frame, axisOrder } = info.type;
  const said = [
    [semanticType, (text: string) => text],
    [units, (text: string) => `in ${text}`],
    [frame, (text: string) => `frame ${text}`],
    [axisOrder, (text: string) => `axes ${text}`],
  ] as const;
  return said.flatMap(([text, words]) => (text === "none" ? [] : [words(text)])).join(", ");
}

/** Kind of Track and how its Items are stored. */
export function storageText(info: FieldInfo): string {
  return isArrayField(info) && info.objectKind !== "constant" ? `${info.trackKind}/${info.objectKind}` : info.trackKind;
}

/** What can be counted of a field. */
export interface Extent {
  /** Stored Items; `undefined` for kinds that cannot be read. */
  readonly count: number | undefined;
  /** Anchors, half-open; `undefined` for Constants and fields without Items. */
  readonly window: readonly [start: bigint, end: bigint] | undefined;
  /** Bytes of all payloads, where type or index tell. */
  readonly bytes: bigint | undefined;
}

/** Counts a field. Costs its index. */
export async function extentOf(ds: Dataset, info: FieldInfo, signal: AbortSignal): Promise<Extent> {
  if (info.trackKind === "constant") return { count: 1, window: undefined, bytes: bytesOfArrays(info, 1) };
  if (isScalarField(info)) {
    const anchors = await ds.scalar(info.name).anchors({ signal });
    return { count: anchors.length, window: windowOf(info, anchors.length), bytes: undefined };
  }
  if (isMediaField(info)) {
    const field = ds.media(info.name);
    const count = await field.count({ signal });
    const sizes = count > 0 && count <= SUMMED ? await field.plan(await field.anchors({ signal }), { signal }) : undefined;
    const bytes = count === 0 ? 0n : sizes === undefined || sizes.unsized > 0 ? undefined : BigInt(sizes.bytesWanted);
    return { count, window: windowOf(info, count), bytes };
  }
  if (!isArrayField(info)) return { count: undefined, window: windowOf(info, 1), bytes: undefined };
  const count = await arrayFieldOf(ds, info).count({ signal });
  return { count, window: windowOf(info, count), bytes: bytesOfArrays(info, count) };
}

/** Stored Items of a field, counted by its index; `undefined` for kinds that cannot be read. Costs the index. */
export function countOf(ds: Dataset, info: FieldInfo, signal: AbortSignal): Promise<number> | undefined {
  if (info.trackKind === "constant") return Promise.resolve(1);
  if (isScalarField(info)) return ds.scalar(info.name).anchors({ signal }).then(({ length }) => length);
  if (isMediaField(info)) return ds.media(info.name).count({ signal });
  return isArrayField(info) ? arrayFieldOf(ds, info).count({ signal }) : undefined;
}

/** The door to an array field of any family. */
export function arrayFieldOf(ds: Dataset, { name, family }: ArrayFieldInfo) {
  if (family === "ragged-array") return ds.ragged(name);
  return family === "sparse-csr" ? ds.csr(name) : ds.array(name);
}

/** A field as `ls --json` and `show --json` have it. */
export function fieldJson(info: FieldInfo): Record<string, Json> {
  const common = { name: info.name, kind: info.kind, ...(info.required === undefined ? {} : { required: info.required }), modality: info.modality, trackKind: info.trackKind };
  if (isArrayField(info)) {
    const { family, dtype, shape, innerShape, objectKind, itemId, type } = info;
    const { codec, endianness, layout, semanticType, units, frame, axisOrder } = type;
    const extents = innerShape === undefined ? { shape: [...(shape ?? [])] } : { innerShape: [...innerShape] };
    return { ...common, family, dtype, ...extents, objectKind, codec, endianness, layout, semanticType, units, frame, axisOrder, itemId };
  }
  if (isMediaField(info)) return { ...common, mime: info.mime, packItems: info.packItems, chunkSize: info.chunkSize };
  return isScalarField(info) ? { ...common, valueType: info.valueType } : common;
}

function windowOf({ coverage }: FieldInfo, count: number): readonly [bigint, bigint] | undefined {
  return count === 0 ? undefined : [coverage.start, coverage.end];
}

/** Of raw dense Items, whose sizes the type tells. */
function bytesOfArrays(info: FieldInfo, count: number): bigint | undefined {
  if (!isArrayField(info) || info.family !== "dense-array" || info.type.codec !== "raw") return undefined;
  const elements = (info.shape ?? []).reduce((product, extent) => product * extent, 1n);
  return BigInt(count) * elements * BigInt(bytesPerElement(info.dtype));
}

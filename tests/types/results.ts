/**
 * What the compiler knows of results. Nothing here runs: `tsc` checks it with everything else.
 */

import {
  type AnyTypedArray, type ArrayValue, at, checkRegistries, codec, type CsrArray, type CsrRowView, type Dataset, type DenseArray, type DreamDbError, type DType, type DTypeArrays,
  type FieldInfo, isArrayField, isMediaField, type ItemType, type Nested, type RaggedArray, type ReadPlan, row, sameType, type ShapedArray, toDense, toNested, toNpy, type Verified,
} from "dreamdb-arrays";
import { expectTypeOf } from "vitest";

declare const ds: Dataset;
declare const payload: Uint8Array;

/** A dtype that was asked for is that of the values. */
export async function narrowed(): Promise<void> {
  const pose = await ds.array("pose", { dtype: "f32" }).read(1000n);
  expectTypeOf(pose).extract<undefined>().toEqualTypeOf<undefined>();
  if (pose === undefined) return;
  expectTypeOf(pose.data).toEqualTypeOf<Float32Array<ArrayBuffer>>();
  expectTypeOf(pose.dtype).toEqualTypeOf<"f32">();
  expectTypeOf(pose.family).toEqualTypeOf<"dense-array">();
  expectTypeOf(pose.shape).toEqualTypeOf<number[]>();
  expectTypeOf(pose.strides).toEqualTypeOf<number[]>();
  expectTypeOf(pose.order).toEqualTypeOf<"c" | "f">();
  expectTypeOf(pose.verified).toEqualTypeOf<Verified>();
  expectTypeOf(pose.type).toEqualTypeOf<ItemType>();

  expectTypeOf((await ds.array("t", { dtype: "u64" }).read(0n))?.data).toEqualTypeOf<BigUint64Array<ArrayBuffer> | undefined>();
  expectTypeOf((await ds.array("t", { dtype: "i64", shape: [3, 4n] }).read(0))?.data).toEqualTypeOf<BigInt64Array<ArrayBuffer> | undefined>();

  const hits = await ds.ragged("hits", { dtype: "i16" }).read(0n);
  expectTypeOf(hits?.values).toEqualTypeOf<Int16Array<ArrayBuffer> | undefined>();
  expectTypeOf(hits?.rowOffsets).toEqualTypeOf<BigUint64Array<ArrayBuffer> | undefined>();
  expectTypeOf(hits?.innerShape).toEqualTypeOf<number[] | undefined>();

  const hit = await ds.ragged("hits", { dtype: "i16" }).readRow(0n, 3);
  expectTypeOf(hit?.data).toEqualTypeOf<Int16Array<ArrayBuffer> | undefined>();
  expectTypeOf(hit?.shape).toEqualTypeOf<number[] | undefined>();
  const some = await ds.ragged("hits", { dtype: "i16" }).readRows(0n, { start: 3, end: 5n });
  expectTypeOf(some?.values).toEqualTypeOf<Int16Array<ArrayBuffer> | undefined>();
  expectTypeOf(some?.rows.start).toEqualTypeOf<bigint | undefined>();
  expectTypeOf(some?.checked.size).toEqualTypeOf<"index" | "outboard" | "object" | "answer" | "none" | undefined>();

  const edges = await ds.csr("graph", { dtype: "f64" }).readRow(0n, 3);
  expectTypeOf(edges?.values).toEqualTypeOf<Float64Array<ArrayBuffer> | undefined>();
  expectTypeOf(edges?.columnIndices).toEqualTypeOf<BigUint64Array<ArrayBuffer> | undefined>();
  expectTypeOf((await ds.csr("graph", { dtype: "f64" }).readRows(0n, { start: 0, end: 1 }))?.shape).toEqualTypeOf<
    readonly [rows: bigint, columns: bigint] | undefined
  >();

  const graph = await ds.csr("graph", { dtype: "f64" }).read(0n);
  expectTypeOf(graph?.values).toEqualTypeOf<Float64Array<ArrayBuffer> | undefined>();
  expectTypeOf(graph?.columnIndices).toEqualTypeOf<BigUint64Array<ArrayBuffer> | undefined>();
  expectTypeOf(graph?.shape).toEqualTypeOf<readonly [rows: bigint, columns: bigint] | undefined>();
}

/** Every dtype has its TypedArray. */
expectTypeOf<DTypeArrays>().toEqualTypeOf<{
  f32: Float32Array<ArrayBuffer>;
  f64: Float64Array<ArrayBuffer>;
  i8: Int8Array<ArrayBuffer>;
  i16: Int16Array<ArrayBuffer>;
  i32: Int32Array<ArrayBuffer>;
  i64: BigInt64Array<ArrayBuffer>;
  u8: Uint8Array<ArrayBuffer>;
  u16: Uint16Array<ArrayBuffer>;
  u32: Uint32Array<ArrayBuffer>;
  u64: BigUint64Array<ArrayBuffer>;
}>();

/** Without being asked for, a dtype is any of them. */
export async function unions(): Promise<void> {
  expectTypeOf((await ds.array("pose").read(0n))?.data).toEqualTypeOf<AnyTypedArray | undefined>();
  expectTypeOf((await ds.ragged("hits").read(0n))?.values).toEqualTypeOf<AnyTypedArray | undefined>();
  expectTypeOf((await ds.csr("graph").read(0n))?.dtype).toEqualTypeOf<DType | undefined>();
  const chosen = ds.array("pose", { dtype: "f32" as "f32" | "u8" });
  expectTypeOf((await chosen.read(0n))?.data).toEqualTypeOf<Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | undefined>();

  // The family tells which of the three it is.
  const value = await ds.readArrayItem("anything", 0n);
  if (value?.family === "dense-array") expectTypeOf(value).toExtend<DenseArray>();
  if (value?.family === "ragged-array") expectTypeOf(value).toExtend<RaggedArray>();
  if (value?.family === "sparse-csr") expectTypeOf(value).toExtend<CsrArray>();
}

/** Anchors and counts. */
export async function numbers(): Promise<void> {
  expectTypeOf(await ds.array("pose").anchors()).toEqualTypeOf<BigUint64Array<ArrayBuffer>>();
  expectTypeOf(await ds.array("pose").count()).toEqualTypeOf<number>();
  expectTypeOf(ds.manifest.timestamp).toEqualTypeOf<bigint>();
  // @ts-expect-error an anchor is no text
  await ds.array("pose").read("1000");
  // @ts-expect-error there is no such dtype
  ds.array("pose", { dtype: "f16" });
  // @ts-expect-error an extent is no text
  ds.array("pose", { shape: ["3"] });
}

/** Media bytes go wherever bytes go. */
export async function media(): Promise<void> {
  const image = await ds.media("image").read(0n);
  if (image === undefined) return;
  expectTypeOf(image.bytes).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
  expectTypeOf(image.kind).toEqualTypeOf<"image" | "audio" | "video">();
  expectTypeOf(image.form).toEqualTypeOf<"single" | "chunked" | "packed">();
  expectTypeOf(new Blob([image.bytes], { type: `image/${image.mime}` })).toEqualTypeOf<Blob>();
  expectTypeOf(new Response(image.bytes)).toEqualTypeOf<Response>();
  await crypto.subtle.digest("SHA-256", image.bytes);
}

/** The values of a scalar column are those of its type. */
export async function scalars(): Promise<void> {
  const label = ds.scalar("label", { valueType: "categorical" });
  expectTypeOf(await label.read(0n)).toEqualTypeOf<string | undefined>();
  const column = await label.column({ start: 0, end: 10n });
  expectTypeOf(column.values).toEqualTypeOf<string[]>();
  expectTypeOf(column.codes).toEqualTypeOf<Uint32Array<ArrayBuffer>>();
  expectTypeOf(column.anchors).toEqualTypeOf<BigUint64Array<ArrayBuffer>>();
  expectTypeOf(await ds.scalar("n", { valueType: "int" }).read(0n)).toEqualTypeOf<bigint | undefined>();
  expectTypeOf((await ds.scalar("n", { valueType: "float" }).column()).values).toEqualTypeOf<Float64Array<ArrayBuffer>>();
  expectTypeOf((await ds.scalar("n", { valueType: "bool" }).column()).values).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
  for (const outcome of await ds.scalar("n", { valueType: "timestamp" }).readMany([0n])) {
    if (outcome.status === "value") expectTypeOf(outcome.value).toEqualTypeOf<bigint>();
  }
  const any = await ds.scalar("n").column();
  if (any.valueType === "categorical") expectTypeOf(any.categories).toEqualTypeOf<readonly string[]>();
  // @ts-expect-error there is no such type
  ds.scalar("n", { valueType: "decimal" });
}

/** Constants are arrays or text. */
export async function constants(): Promise<void> {
  const value = await ds.constant("title").read();
  if (value?.family === "text") {
    expectTypeOf(value.text).toEqualTypeOf<string>();
    expectTypeOf(value.bytes).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
  }
  const gravity = await ds.getArrayConstant("gravity");
  expectTypeOf(gravity).exclude<undefined>().toExtend<ArrayValue>();
}

/** What a field is, its kind tells. */
export function fields(info: FieldInfo): void {
  expectTypeOf(info.coverage.end).toEqualTypeOf<bigint>();
  if (isArrayField(info)) {
    expectTypeOf(info.dtype).toEqualTypeOf<DType>();
    expectTypeOf(info.shape).toEqualTypeOf<readonly bigint[] | undefined>();
    expectTypeOf(info.type.units).toEqualTypeOf<string>();
  }
  if (isMediaField(info)) {
    expectTypeOf(info.mime).toEqualTypeOf<string>();
    expectTypeOf(info.packItems).toEqualTypeOf<bigint | undefined>();
  }
  // @ts-expect-error facts are not to be changed
  info.name = "other";
  // @ts-expect-error nor is the list of them
  ds.fields[0] = info;
}

/** Many Items: each has an outcome, which says what else there is. */
export async function many(): Promise<void> {
  for (const outcome of await ds.array("pose", { dtype: "f32" }).readMany([1n, 2])) {
    expectTypeOf(outcome.anchor).toEqualTypeOf<bigint>();
    if (outcome.status === "value") expectTypeOf(outcome.value.data).toEqualTypeOf<Float32Array<ArrayBuffer>>();
    if (outcome.status === "error") expectTypeOf(outcome.error).toEqualTypeOf<DreamDbError>();
    // @ts-expect-error only a value has one
    void outcome.value;
  }
  for (const outcome of await ds.media("image").readMany(new BigUint64Array(3))) {
    if (outcome.status === "value") expectTypeOf(outcome.value.verified).toEqualTypeOf<"object" | "range" | "none">();
  }
  const plan = await ds.plan([{ field: "pose", anchors: [1n] }, { field: "image", anchors: new Set([2, 3]) }]);
  expectTypeOf(plan.requests).toEqualTypeOf<number>();
  expectTypeOf(plan).toEqualTypeOf<ReadPlan>();
}

/** The synchronous door knows the same. */
export function synchronous(): void {
  const value = codec.decode({ dtype: "f32", shape: [3] }, payload);
  if (value.family === "dense-array") expectTypeOf(value.data).toEqualTypeOf<Float32Array<ArrayBuffer>>();
  else expectTypeOf(value.values).toEqualTypeOf<Float32Array<ArrayBuffer>>();
  expectTypeOf(codec.decode(codec.encodeItemType({ dtype: "u8", shape: [] }), payload)).toEqualTypeOf<ArrayValue>();
  expectTypeOf(codec.decodeItemType(payload)).toEqualTypeOf<ItemType>();
  expectTypeOf(codec.addressOf(payload)).toEqualTypeOf<string>();
  // What was decoded can be encoded again.
  codec.encodeItemType(codec.decodeItemType(payload));
  codec.modalityOf(codec.decodeItemType(payload), "event");
  // @ts-expect-error there is no such kind
  codec.modalityOf(payload, "always");
  // @ts-expect-error a type needs a dtype
  codec.encodeItemType({ shape: [3] });
  // @ts-expect-error a text of a type is no number
  codec.encodeItemType({ dtype: "u8", shape: [3], units: 5 });
}

/** A shape that was asked for is that of the values: its rank, and its literals. */
export async function shapes(extents: number[], narrow: { dtype: "f64"; shape: number[] }): Promise<void> {
  const x = await ds.array("x", { dtype: "f64", shape: [3] }).read(0n);
  if (x === undefined) return;
  expectTypeOf(x).toExtend<DenseArray<"f64", [3]>>();
  expectTypeOf(x.data).toEqualTypeOf<Float64Array<ArrayBuffer>>();
  expectTypeOf(x.shape).toEqualTypeOf<[3]>();
  expectTypeOf(x.strides).toEqualTypeOf<[number]>();
  // A value of a known shape is one of any.
  expectTypeOf(x).toExtend<DenseArray>();
  expectTypeOf(x).toExtend<ArrayValue>();
  // @ts-expect-error nor is it one of another
  expectTypeOf<DenseArray<"f64", [4]>>(x);
  // @ts-expect-error nor of another dtype
  expectTypeOf<DenseArray<"f32", [3]>>(x);
  // @ts-expect-error it has one axis
  expectTypeOf(x.shape[1]).toBeNumber();

  expectTypeOf((await ds.array("x", { shape: [4, 4n] }).read(0n))?.shape).toEqualTypeOf<[4, number] | undefined>();
  expectTypeOf((await ds.array("x", { shape: [] }).read(0n))?.shape).toEqualTypeOf<[] | undefined>();
  expectTypeOf((await ds.array("x", { shape: extents }).read(0n))?.shape).toEqualTypeOf<number[] | undefined>();
  expectTypeOf((await ds.array("x", narrow).read(0n))?.shape).toEqualTypeOf<number[] | undefined>();
  expectTypeOf((await ds.array<"u8">("x", { dtype: "u8" }).read(0n))?.shape).toEqualTypeOf<number[] | undefined>();
  for (const outcome of await ds.array("x", { dtype: "f64", shape: [3] }).readMany([1n])) {
    if (outcome.status === "value") expectTypeOf(outcome.value.shape).toEqualTypeOf<[3]>();
  }
}

/** Elements, rows and lists follow dtype and rank. */
export function shaped(matrix: DenseArray<"f32", readonly [4, 4]>, ticks: DenseArray<"u64">, hits: RaggedArray<"i16", readonly [2]>, graph: CsrArray<"i64">, value: DenseArray): void {
  expectTypeOf(at(matrix, 1, 2n)).toEqualTypeOf<number>();
  expectTypeOf(at(ticks, 1, 2, 3)).toEqualTypeOf<bigint>();
  expectTypeOf(at(graph, 1n, 2)).toEqualTypeOf<bigint>();
  expectTypeOf(at(value)).toEqualTypeOf<number | bigint>();
  // @ts-expect-error a matrix has two axes
  at(matrix, 1);
  // @ts-expect-error and no third
  at(matrix, 1, 2, 3);
  // @ts-expect-error a sparse one too
  at(graph, 1);
  // @ts-expect-error a ragged array has rows
  at(hits, 1, 2);

  expectTypeOf(row(matrix, 1)).toEqualTypeOf<ShapedArray<Float32Array<ArrayBuffer>, [4]>>();
  expectTypeOf(row(ticks, 1n).data).toEqualTypeOf<BigUint64Array<ArrayBuffer>>();
  expectTypeOf(row(ticks, 1n).shape).toEqualTypeOf<number[]>();
  expectTypeOf(row(hits, 0).shape).toEqualTypeOf<[number, 2]>();
  expectTypeOf(row(hits, 0).data).toEqualTypeOf<Int16Array<ArrayBuffer>>();
  expectTypeOf(row(graph, 0)).toEqualTypeOf<CsrRowView<"i64">>();
  expectTypeOf(at(row(matrix, 1), 2)).toEqualTypeOf<number>();

  expectTypeOf(toNested(matrix)).toEqualTypeOf<number[][]>();
  expectTypeOf(toNested(row(matrix, 1))).toEqualTypeOf<number[]>();
  expectTypeOf(toNested({ data: new BigInt64Array(1), shape: [], order: "c" } as const)).toEqualTypeOf<bigint>();
  expectTypeOf(toNested(hits)).toEqualTypeOf<number[][][]>();
  expectTypeOf(toNested(ticks)).toEqualTypeOf<Nested<bigint>>();
  // @ts-expect-error the zeros of a sparse matrix are nobody's
  toNested(graph);

  expectTypeOf(toDense(graph)).toEqualTypeOf<DenseArray<"i64", [number, number]>>();
  expectTypeOf(toDense(graph, { maxBytes: Infinity }).data).toEqualTypeOf<BigInt64Array<ArrayBuffer>>();
  // @ts-expect-error it is dense already
  toDense(matrix);

  expectTypeOf(toNpy(matrix)).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
  toNpy(toDense(graph));
  toNpy(row(hits, 0));
  toNpy({ data: new Float32Array(6), shape: [2, 3], order: "c" });
  // @ts-expect-error a file has one array
  toNpy(hits);
  // @ts-expect-error the order is not guessed
  toNpy({ data: new Float32Array(6), shape: [2, 3] });
}

/** A column goes where a value goes. */
export async function columns(): Promise<void> {
  const column = await ds.array("pose", { dtype: "i64" }).column();
  expectTypeOf(at(column, 0, 1)).toEqualTypeOf<bigint>();
  expectTypeOf(row(column, 0)).toEqualTypeOf<ShapedArray<BigInt64Array<ArrayBuffer>>>();
  toNpy(column);
}

/** Identity of types and of registries. */
export function identity(other: Dataset, info: FieldInfo, object: Uint8Array): void {
  expectTypeOf(sameType(info, "array.f32.kind=event")).toEqualTypeOf<boolean>();
  // @ts-expect-error a document is no tag
  sameType(info, object);
  expectTypeOf(checkRegistries(ds, other)).toBeVoid();
  checkRegistries(object, other);
  // @ts-expect-error an address is no manifest
  checkRegistries("d2xr", other);
}

/** What the compiler makes of writing: refused here is what the package would refuse when it runs. Compiled, never run. */
import { codec, Dataset, type DenseInit, httpStore, memoryStore, openDataset, Schema, type WritableDataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";

const F32 = { dtype: "f32", shape: [2] } as const;

codec.encodeDense(F32, new Float32Array(2));
codec.encodeDense(F32, { data: new Float32Array(2), order: "f" });
codec.encodeDense(F32, [1, 2]);
codec.encodeDense({ dtype: "u64", shape: [] }, 1n);
// @ts-expect-error: another dtype is not converted
codec.encodeDense(F32, new Float64Array(2));
// @ts-expect-error: nor are bytes
codec.encodeDense(F32, { data: new Uint8Array(8) });
// @ts-expect-error: a text is no number
codec.encodeDense(F32, ["1", "2"]);

codec.encodeRagged({ dtype: "u16", family: "ragged-array", innerShape: [] }, { rowOffsets: [0, 1n], values: new Uint16Array(1) });
codec.encodeRagged({ dtype: "u16", family: "ragged-array", innerShape: [] }, { kind: "ragged-array", rowOffsets: new BigUint64Array(1), values: new Uint8Array(0) });
// @ts-expect-error: the offsets are missing
codec.encodeRagged({ dtype: "u16", family: "ragged-array", innerShape: [] }, { values: new Uint16Array(1) });
// @ts-expect-error: so are the columns
codec.encodeCsr({ dtype: "u16", family: "sparse-csr", shape: [1, 1] }, { rowOffsets: [0, 0], values: new Uint16Array(0) });

const anything: DenseInit = [[1, 2], [3, 4]];
export { anything };

export const schema = new Schema({ a: { kind: "array", dtype: "f32", shape: [] }, b: { kind: "image", mime: "png", packItems: 3 } });
// @ts-expect-error: no dtype of this name
new Schema().array("a", { dtype: "f16", shape: [] });
// @ts-expect-error: a Constant is added with its value
new Schema().array("a", { dtype: "f32", shape: [], trackKind: "constant" });
// @ts-expect-error: media have a mime
new Schema().image("a", {});
// @ts-expect-error: spelt in another way
new Schema().image("a", { mime: "png", pack_items: 3 });

new Schema({ c: { kind: "scalar", type: "categorical", required: false } }).scalar("i", { type: "int" });
// @ts-expect-error: no type of this name
new Schema().scalar("a", { type: "i64" });
// @ts-expect-error: spelt in another way
new Schema().scalar("a", { valueType: "int" });

/** Scalar columns, as they are read, too. */
export async function labelled(source: Dataset, target: WritableDataset): Promise<void> {
  await target.append([{ anchor: 1, values: { label: "left", step: 2n ** 60n, count: 3, force: 0.5, ok: true } }]);
  const column = await source.scalar("step", { valueType: "int" }).column();
  await target.appendColumns({ anchors: column.anchors, fields: { step: column, force: new Float64Array(column.anchors.length) } });
  // @ts-expect-error: what is absent is left out
  await target.append([{ values: { label: null } }]);
}

/** Reading gives what writing takes. */
export async function copied(source: Dataset, target: WritableDataset): Promise<readonly bigint[]> {
  for await (const { anchor, values } of source.rows({ fields: ["pose", "frame"] })) {
    const { pose, frame } = values;
    if (pose !== undefined && typeof pose === "object" && "family" in pose) await target.append([{ anchor, values: { pose } }]);
    if (frame !== undefined && typeof frame === "object" && "mime" in frame) await target.append([{ anchor, values: { frame } }]);
  }
  const column = await source.array("pose").column();
  const { anchors, manifest } = await target.appendColumns({ anchors: column.anchors, fields: { pose: column } }, { rebase: true });
  const read: Dataset = target.current;
  return manifest === read.manifest.address ? anchors : [];
}

export async function opened(): Promise<WritableDataset[]> {
  const made = await Dataset.create(memoryStore(), "main", new Schema(), { nonce: new Uint8Array(16), clock: () => 1n });
  // @ts-expect-error: what a Ref says is not written to
  made.name = "other";
  // @ts-expect-error: a version that is read has no such door
  (await openDataset(memoryStore())).append([]);
  return [made, await Dataset.open(fsStore("folder", { durable: false })), await Dataset.open(httpStore("https://a.example")), await Dataset.open("https://a.example", "main")];
}

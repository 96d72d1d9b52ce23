/**
 * Writes a dataset into a folder, and reads it back.
 *
 *     node node-write.mjs FOLDER
 *
 * For an object store that takes conditional PUTs, give `Dataset.create` its URL in place of `fsStore(folder)`.
 */
import { Dataset, openDataset, Schema } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";

const [folder = "episodes"] = process.argv.slice(2);
const store = fsStore(folder);

// What the dataset will hold. Values must be what is declared: nothing is converted on the way.
const schema = new Schema()
  .array("pose", { dtype: "f32", shape: [4, 4], units: "m", frame: "camera" })
  .ragged("hits", { dtype: "f32", innerShape: [3] })
  .image("frame", { mime: "png", packItems: 32, required: false });
const ds = await Dataset.create(store, "main", schema);

// Row by row. The frame may be left out, since it is not required.
const identity = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
await ds.append([
  { anchor: 1000n, values: { pose: identity, hits: { rowOffsets: [0, 1, 3], values: new Float32Array(9) }, frame: Uint8Array.of(1, 2, 3) } },
  { anchor: 2000n, values: { pose: identity, hits: { rowOffsets: [0], values: new Float32Array(0) } } },
]);

// Or as columns, which is the faster way for many rows: two poses in one array, [2, 4, 4].
const poses = new Float32Array(32).fill(0.5);
const hits = { itemOffsets: BigUint64Array.of(0n, 1n, 1n), rowOffsets: BigUint64Array.of(0n, 2n), values: new Float32Array(6) };
const { manifest } = await ds.appendColumns({ anchors: [3000n, 4000n], fields: { pose: poses, hits } });
console.log(`written: version ${manifest}`);

// Deleted rows stay stored, in older versions as well, and are read no more.
await ds.delete([2000n], "blurred");

// Anybody who opens it now sees this.
const version = await openDataset(store, "main");
for (const { anchor, status } of await version.array("pose").readMany([1000n, 2000n, 3000n, 5000n])) console.log(`pose at ${anchor}: ${status}`);
const row = await version.ragged("hits").readRow(1000n, 1n);
console.log(`hits at 1000, row 1: ${row?.shape.join(" x ")}`);

// Every stored byte, checked.
const { items, faults } = await version.audit();
console.log(`${items} Items, ${faults.length} faults`);

/**
 * Reads a dataset from Node, over HTTP: fields, one Item, a whole column, an image, a row of a sparse matrix.
 *
 *     node node-read.mjs URL [REF]
 *
 * It expects the fields of the dataset that `npm run demo` shows; put your own names in their places.
 */
import { isDreamDbError, openDataset } from "dreamdb-arrays";

const [url = "https://data.example.org/episodes", ref = "main"] = process.argv.slice(2);

try {
  // Two small requests. From here on everything that is read is checked against its content address.
  const ds = await openDataset(url, ref);
  console.log(`version ${ds.manifest.address}`);
  for (const { name, kind } of ds.fields) console.log(`field ${name}: ${kind}`);

  // What you expect of a field is checked here, once; afterwards `data` is a Float32Array, for the compiler as well.
  const pose = ds.array("pose", { dtype: "f32", shape: [4, 4] });
  const [first] = await pose.anchors();
  if (first === undefined) throw new Error("the dataset has no poses");

  // An anchor is a bigint: nanoseconds do not fit into a number. Where there is no Item, `read` gives undefined.
  const item = await pose.read(first);
  if (item !== undefined) {
    const { data, shape } = item;
    console.log(`pose at ${first}: ${shape.join(" x ")}, translation ${[data[3], data[7], data[11]].join(", ")}`);
  }

  // All Items of a field in one array, [n, 3], with as few requests as possible.
  const force = await ds.array("force", { dtype: "f64" }).column();
  console.log(`force: ${force.shape.join(" x ")}, ends with ${force.data.slice(-3).join(", ")}`);

  // Media are bytes of a declared type.
  const image = await ds.media("image").read(first);
  console.log(`image: ${image?.bytes.byteLength} bytes of ${image?.mime}`);

  // A sparse row, without the rest of its matrix.
  const row = await ds.csr("contacts").readRow(first, 2n);
  console.log(`contacts, row 2: columns ${row?.columnIndices.join(", ")}, values ${row?.values.join(", ")}`);

  const { requests, bytesFetched } = ds.stats();
  console.log(`${requests} requests, ${bytesFetched} bytes`);
} catch (error) {
  // Every failure has a code; docs/troubleshooting.md says of each what to do.
  if (!isDreamDbError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}

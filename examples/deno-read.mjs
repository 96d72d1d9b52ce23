/**
 * Reads a dataset from Deno, batch by batch, as a training loop does. The permission to reach the host is all that it needs.
 *
 *     deno add npm:dreamdb-arrays
 *     deno run --allow-net=data.example.org deno-read.mjs URL [REF]
 */
import { openDataset } from "dreamdb-arrays";

// @ts-expect-error this repository is checked by Node's types, which know no Deno
const [url = "https://data.example.org/episodes", ref = "main"] = /** @type {string[]} */ (Deno.args);
const ds = await openDataset(url, ref);

// Five Items at a time, while the next five are on their way already. Leaving the loop stops the requests.
for await (const { anchors, shape, data } of ds.array("joints", { dtype: "f32" }).batches({ batchSize: 5 })) {
  const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
  console.log(`${anchors.length} Items, ${shape.join(" x ")}, mean ${mean.toFixed(4)}`);
}

// Rows over all fields; what a field does not have at an anchor is not among its values.
let [rows, forces] = [0, 0];
for await (const { values } of ds.rows({ fields: ["pose", "force"] })) {
  rows++;
  if ("force" in values) forces++;
}
console.log(`${rows} rows, ${forces} with a force`);

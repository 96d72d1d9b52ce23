/** A Worker in workerd that reads a window of a pack and single rows by range, with no more requests than one invocation may send. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { itemsOf } from "../../scripts/lib/dataset-check/sidecar.mjs";
import { root } from "../../scripts/lib/paths.mjs";
import { bundleWorker } from "./worker.mjs";

/** What Cloudflare's free plan allows an invocation. */
const LIMIT = 50;
const ITEMS = 200;
/** The first Item of the window: in the middle of a page of the index and of a chunk of the pack. */
const FROM = 9100;
/** The Item of the ragged and of the sparse field whose rows are read, and which. */
const AT = 6;
const ROWS = [0, 2];

/** The Worker: it sends nothing but what the package sends. */
const WORKER = `import { openDataset } from "dreamdb-arrays";
const text = (value) => JSON.stringify(value, (_, v) => (typeof v === "bigint" ? String(v) : ArrayBuffer.isView(v) ? [...v] : v));
export default { async fetch(request) {
  try {
    const { fixtures, limit, start, end, anchor, rows } = await request.json();
    const images = await openDataset(fixtures + "/paged-image-reference/data", "main", { maxRequests: limit });
    const column = await images.media("im").column({ start: BigInt(start), end: BigInt(end) });
    const stats = [images.stats()];
    const read = [];
    for (const verify of ["always", "never"]) {
      const left = limit - stats.reduce((sum, { requests }) => sum + requests, 0);
      const arrays = await openDataset(fixtures + "/episode/data", "main", { verify, maxRequests: left });
      for (const row of rows) {
        read.push({ row, hits: await arrays.ragged("hits").readRow(BigInt(anchor), row), contacts: await arrays.csr("contacts").readRow(BigInt(anchor), row) });
      }
      stats.push(arrays.stats());
    }
    return new Response(text({ column, read, stats }));
  } catch (error) {
    return new Response(text({ code: error.code, message: String(error) }), { status: 500 });
  }
} };
`;

/** @param {string} name */
async function factsOf(name) {
  return JSON.parse(await readFile(join(root, "tests/fixtures", name, "expected.json"), "utf8")).refs.main.fields;
}

/**
 * @param {import("./runtimes.mjs").Context} context
 * @returns {Promise<string>}
 */
export async function subrequests({ project, origin, requests }) {
  await writeFile(join(project, "subrequests.mjs"), WORKER);
  const modules = await bundleWorker(project, "subrequests.mjs");
  const images = itemsOf((await factsOf("paged-image-reference")).im)?.slice(FROM, FROM + ITEMS) ?? [];
  const { hits, contacts } = await factsOf("episode");
  const { Miniflare } = await import("miniflare");
  const miniflare = new Miniflare({ modules, modulesRoot: "/", compatibilityDate: "2026-01-01" });
  /** @param {number} limit */
  const ask = async (limit) => {
    const from = requests.length;
    const body = { fixtures: `${origin}/fixtures`, limit, start: String(images[0]?.anchor), end: String((images.at(-1)?.anchor ?? 0n) + 1n), anchor: hits.items[AT].anchor.int, rows: ROWS };
    const response = await miniflare.dispatchFetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
    return { status: response.status, answer: /** @type {any} */ (await response.json()), sent: requests.slice(from) };
  };
  try {
    const { status, answer, sent } = await ask(LIMIT);
    assert.equal(status, 200, answer.message);
    checkColumn(answer.column, images);
    for (const { row, ...read } of answer.read) checkRows(row, read, hits.items[AT].value, contacts.items[AT].value);
    assert.equal(answer.read.length, 2 * ROWS.length);
    // Ref, manifest and Track; root and leaf of the index; length of the outboard, all of it, and the chunks with the window. Then, per dataset:
    // Ref and manifest; per field its Track, the length in the outboard, and the parts of one small Item, which is taken whole if it must be verified.
    assert.deepEqual(answer.stats.map((/** @type {any} */ stats) => [stats.requests, stats.ranges]), [[8, 3], [10, 4], [18, 14]]);
    assert.equal(answer.stats[0].rangesVerified, 1);
    assert.equal(sent.length, 36, sent.join(" "));
    assert.ok(sent.length <= LIMIT);

    const scarce = await ask(6);
    assert.deepEqual([scarce.status, scarce.answer.code], [500, "RequestBudget"]);
    assert.ok(scarce.sent.length <= 6, `${scarce.sent.length} requests where 6 were allowed`);
    return `${ITEMS} Items of a pack, ${answer.read.length * 2} rows, ${sent.length} requests`;
  } finally {
    await miniflare.dispose();
  }
}

/**
 * @param {any} column as the Worker tells it
 * @param {{ anchor: bigint, value: any }[]} expected
 */
function checkColumn({ anchors, items, verified }, expected) {
  assert.deepEqual(anchors, expected.map(({ anchor }) => String(anchor)));
  assert.deepEqual(items.map((/** @type {any} */ item) => Buffer.from(item.bytes).toString("hex")), expected.map(({ value }) => value.hex));
  assert.equal(items.length, ITEMS);
  assert.equal(verified, "range");
}

/**
 * @param {number} row
 * @param {any} read as the Worker tells it
 * @param {any} ragged the Item as the reference reads it
 * @param {any} sparse the same
 */
function checkRows(row, { hits, contacts }, ragged, sparse) {
  const ends = ragged.row_offsets.values;
  const [, width] = ragged.values.shape;
  assert.deepEqual([hits.shape, hits.data], [[ends[row + 1] - ends[row], width], ragged.values.values.slice(ends[row] * width, ends[row + 1] * width)]);
  const offsets = sparse.row_offsets.values;
  const part = (/** @type {{ values: number[] }} */ { values }) => values.slice(offsets[row], offsets[row + 1]);
  assert.deepEqual([contacts.columnIndices, contacts.values], [part(sparse.column_indices).map(String), part(sparse.values)]);
}

/** The example of a Worker over an R2 bucket, bundled from the packed package and run by workerd: what it answers, by what the reference reads. */
import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { addressOfDigest, integer, typeOfDocument } from "../../scripts/lib/dataset-check/sidecar.mjs";
import { root } from "../../scripts/lib/paths.mjs";
import { bundleWorker } from "./worker.mjs";

const FIXTURE = join(root, "tests/fixtures/arrays-basic");

/** Fields of the fixture: dense ones in both byte orders and of 64 bits, and ragged ones. */
const FIELDS = ["be", "i64", "pose", "rag", "ragr"];

/**
 * @param {{ project: string }} context
 * @returns {Promise<string>}
 */
export async function edgeWorker({ project }) {
  await copyFile(join(root, "examples/edge-worker.mjs"), join(project, "edge-worker.mjs"));
  const modules = await bundleWorker(project, "edge-worker.mjs");
  const sidecar = JSON.parse(await readFile(join(FIXTURE, "expected.json"), "utf8"));
  let answers = 0;
  for (const name of FIELDS) answers += await answersOf(modules, sidecar.refs.main, name);
  return `${FIELDS.length} fields, ${answers} answers`;
}

/**
 * @param {Awaited<ReturnType<typeof bundleWorker>>} modules
 * @param {any} facts what the reference says of the dataset
 * @param {string} name of a field
 */
async function answersOf(modules, { timeline, fields }, name) {
  const { items, item_type: document, modality } = fields[name];
  const path = `${timeline}/${modality}`;
  const stored = items.map((/** @type {any} */ item) => {
    const [anchor, address] = [integer(item.anchor), addressOfDigest(item.payload.blake3)];
    return { anchor, address, key: `${path}/${anchor.toString(16).padStart(16, "0")}/${address}`, value: item.value };
  });
  const entries = stored.map((/** @type {any} */ { anchor, address }) => ({ anchor: String(anchor), address }));
  const itemType = JSON.parse(JSON.stringify(typeOfDocument(document), (_, value) => (typeof value === "bigint" ? Number(value) : value)));
  const { Miniflare } = await import("miniflare");
  const miniflare = new Miniflare({
    modules,
    modulesRoot: "/",
    compatibilityDate: "2026-01-01",
    r2Buckets: ["BUCKET"],
    bindings: { FIELD: { itemType, path, entries } },
  });
  let answers = 0;
  /** @type {(url: string, status: number, accept?: string) => Promise<any>} */
  const get = async (url, status, accept = "application/json") => {
    const response = await miniflare.dispatchFetch(`http://worker${url}`, { headers: { accept } });
    const body = accept === "application/json" ? await response.text() : new Uint8Array(await response.arrayBuffer());
    assert.equal(response.status, status, `${name} ${url}: ${String(body)}`);
    answers++;
    return typeof body === "string" ? JSON.parse(body) : body;
  };
  try {
    const bucket = /** @type {any} */ (await miniflare.getR2Bucket("BUCKET"));
    for (const { key } of stored) await bucket.put(key, new Uint8Array(await readFile(join(FIXTURE, "data", key))).buffer);
    for (const { anchor, value } of stored) {
      const item = await get(`/item/${anchor}`, 200);
      assert.equal(item.anchor, String(anchor));
      assert.equal(item.verified, "object");
      const elements = (value.row_offsets === undefined ? value : value.values).values.map(plain);
      if (value.row_offsets === undefined) {
        assert.deepEqual([item.shape, item.data.map(plain)], [value.shape, elements]);
        const bytes = await get(`/item/${anchor}`, 200, "application/octet-stream");
        assert.equal(bytes.byteLength % Math.max(1, elements.length), 0);
        assert.equal((await get(`/item/${anchor}/row/0`, 400)).code, "WrongFamily");
        continue;
      }
      assert.deepEqual(item.values.map(plain), elements);
      assert.deepEqual(item.rowOffsets.map(plain), value.row_offsets.values.map(plain));
      const ends = value.row_offsets.values.map(Number);
      const cell = elements.length / Math.max(1, ends.at(-1));
      for (let row = 0; row + 1 < ends.length; row++) {
        const { data, shape, verified } = await get(`/item/${anchor}/row/${row}`, 200);
        assert.deepEqual(data.map(plain), elements.slice(ends[row] * cell, ends[row + 1] * cell));
        assert.deepEqual([shape[0], verified], [ends[row + 1] - ends[row], "object"]);
      }
      assert.equal((await get(`/item/${anchor}/row/${ends.length - 1}`, 400)).code, "InvalidArgument");
    }
    assert.equal((await get("/item/5", 404)).code, "Absent");
    assert.equal((await get("/item/99999999999999999999", 400)).code, "InvalidArgument");
    assert.equal((await get("/items", 404)).code, "NoSuchRoute");
    const [first, second] = stored;
    await bucket.put(first.key, new ArrayBuffer(1));
    assert.deepEqual(await get(`/item/${first.anchor}`, 502), { code: "HashMismatch", anchor: String(first.anchor) });
    if (second !== undefined) {
      await bucket.delete(second.key);
      assert.equal((await get(`/item/${second.anchor}`, 502)).code, "NotFound");
    }
  } finally {
    await miniflare.dispose();
  }
  return answers;
}

/** @param {any} value a number as the sidecar or the Worker writes it */
function plain(value) {
  return typeof value === "object" ? String(value.int ?? value.float) : String(value);
}

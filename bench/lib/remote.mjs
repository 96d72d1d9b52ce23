/**
 * Reading over loopback HTTP: a column, Items of packs here and there, rows of a sparse matrix. Beside the reference on the same files, zarrita and
 * hyparquet on the same numbers, and requests without a reader.
 *
 * The server is nginx over a folder, and everything is opened anew before the clock starts. What comes is verified by ours alone, unless it says
 * otherwise; none of the others can. Zarr and Parquet hold what their readers like best, uncompressed.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codec, Dataset, openArrayField, openDataset, Schema } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { asyncBufferFromUrl, parquetMetadataAsync, parquetRead } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { poseKeys, readColumn, SIZES } from "./columns.mjs";
import { filesOf } from "./files.mjs";
import { atMost } from "./measurements.mjs";
import { NginxServer } from "./nginx-server.mjs";
import { byFetch, byNodeHttp, CONCURRENCY } from "./plain.mjs";
import { Reference, writeByReference } from "./reference.mjs";
import { right } from "./topic.mjs";
import { Turns } from "./turns.mjs";
import { openZarr, readZarr, slice, writeZarr } from "./zarr.mjs";

/** Items that are read here and there, and how many of them by the reference, which takes as long for each as for a pack. */
const RANDOM = { full: 1000, quick: 250 };
const BY_REFERENCE = 5;
const POSE = /** @type {const} */ ({ family: "dense-array", dtype: "f32", shape: [4, 4] });
const WITHOUT_CACHE = { concurrency: CONCURRENCY, cacheBytes: 0 };

/** @typedef {import("./measurements.mjs").Measurement} Measurement */
/** @typedef {{ url: string, zarrs: string, reference: Reference }} Place */

/**
 * @param {import("./topic.mjs").Context} context
 * @returns {Promise<import("./topic.mjs").Topic>}
 */
export async function remote({ quick, folder: home, python, say, atEnd }) {
  const folder = join(home, "remote");
  say("the reference writes the data");
  await writeByReference(python, folder, SIZES);
  const reference = new Reference(python);
  atEnd(() => reference.close());
  const keys = poseKeys(filesOf(folder));
  say("the same numbers as Zarr and Parquet have them");
  const poses = await (await openDataset(fsStore(folder), "main")).array("pose", { dtype: "f32" }).column();
  const frames = await (await openDataset(fsStore(folder), "main")).media("frame").column();
  if (!quick) writeZarr(join(folder, "zarr/apart"), { ...posesIn(poses.data), rows: 1 });
  const parquet = writeNumbers(folder, poses.data, frames.items.map(({ bytes }) => bytes));
  const packs = writePacks(folder, poses.data);
  const matrix = await writeMatrix(folder, quick);
  const nginx = await NginxServer.start(folder);
  atEnd(() => nginx.close());
  // A server of their own for so many files: of one, all would not stay open.
  const others = await NginxServer.start(join(folder, "zarr"), "joined/zarr.json");
  atEnd(() => others.close());
  const place = { url: nginx.url, zarrs: others.url, reference };
  const random = await chosen(place, quick);
  return {
    title: "Over loopback HTTP",
    // With an object for each Item, bench:column has the reference beside ours, and the others take seconds.
    measurements: [...(quick ? [] : [apart(place, keys)]), joined(place, poses.data, packs, parquet), random.measurement, rows(place, matrix)],
    facts: random.facts,
  };
}

/**
 * @param {string} path
 * @param {Uint8Array} bytes
 */
function write(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

/**
 * The dense field as an array.
 * @param {Float32Array} poses
 */
function posesIn(poses) {
  return { data: poses, dtype: /** @type {const} */ ("f32"), shape: [SIZES.items, 4, 4] };
}

/**
 * The numbers as Zarr and Parquet; the Parquet file.
 * @param {string} folder
 * @param {Float32Array} poses
 * @param {readonly Uint8Array[]} frames
 */
function writeNumbers(folder, poses, frames) {
  writeZarr(join(folder, "zarr/joined"), { ...posesIn(poses), rows: TOGETHER });
  const frame = { data: Buffer.concat(frames), dtype: /** @type {const} */ ("u8"), shape: [SIZES.items, SIZES.mediaBytes] };
  writeZarr(join(folder, "zarr/frames"), { ...frame, rows: 1, perShard: SIZES.packItems });
  const file = parquetWriteBuffer({ columnData: [{ name: "pose", data: poses, type: "FLOAT" }], codec: "UNCOMPRESSED", rowGroupSize: poses.length });
  write(join(folder, "pose.parquet"), new Uint8Array(file));
  return { byteLength: file.byteLength };
}

/** Items of a pack, and of a chunk, where they are joined. */
const TOGETHER = 1000;

/**
 * The same Items in packs, as `openArrayField` takes them.
 * @param {string} folder
 * @param {Float32Array} poses
 */
function writePacks(folder, poses) {
  const bytes = new Uint8Array(poses.buffer, poses.byteOffset, poses.byteLength);
  const items = Array.from({ length: SIZES.items }, (_, anchor) => ({ anchor, bytes: bytes.subarray(anchor * 64, anchor * 64 + 64) }));
  const packs = Array.from({ length: SIZES.items / TOGETHER }, (_, at) => codec.packItems(items.slice(at * TOGETHER, (at + 1) * TOGETHER)));
  const asked = packs.map(({ address, body, outboard }) => {
    const target = `packed/0000000000000000/${address}`;
    write(join(folder, target), body);
    write(join(folder, "bao-outboard", address), outboard);
    return { target: `/${target}`, bytes: body.byteLength };
  });
  return { entries: packs.flatMap(({ entries }) => entries), asked };
}

/** A sparse matrix: `[rows, columns]`, and as many elements in each row. */
const MATRIX = { full: { shape: [100_000, 100_000], perRow: 40 }, quick: { shape: [50_000, 100_000], perRow: 40 } };

/**
 * A dataset of a large matrix, and the same as three arrays of Zarr, as annotated matrices are kept there.
 * @param {string} folder
 * @param {boolean} quick
 */
async function writeMatrix(folder, quick) {
  const { shape, perRow } = quick ? MATRIX.quick : MATRIX.full;
  const [rows = 0, columns = 0] = shape;
  const gap = columns / perRow;
  const rowOffsets = BigUint64Array.from({ length: rows + 1 }, (_, row) => BigInt(row * perRow));
  const columnIndices = BigUint64Array.from({ length: rows * perRow }, (_, index) => BigInt((index % perRow) * gap + (index % gap)));
  const values = Float32Array.from(columnIndices, (_, index) => index);
  const schema = new Schema().csr("matrix", { dtype: "f32", shape });
  const dataset = await Dataset.create(fsStore(join(folder, "matrix")), "main", schema);
  await dataset.append([{ anchor: 0n, values: { matrix: { rowOffsets, columnIndices, values } } }]);
  const zarr = /** @type {const} */ (["zarr/offsets", "zarr/columns", "zarr/values"]).map((name) => join(folder, name));
  for (const [at, data] of [rowOffsets, columnIndices, values].entries()) {
    writeZarr(zarr[at] ?? "", { data, dtype: data instanceof Float32Array ? "f32" : "u64", shape: [data.length], rows: 8192 });
  }
  // Rows all over the matrix.
  return { rows: Array.from({ length: 10 }, (_, at) => Math.floor(((at + 0.5) * rows) / 10)), perRow };
}

/**
 * Every Item an object, and a chunk.
 * @param {Place} place
 * @param {readonly string[]} keys
 * @returns {Measurement}
 */
function apart({ url, zarrs, reference }, keys) {
  const requests = keys.map((key) => ({ target: `/${key}`, bytes: 64 }));
  return {
    name: "10,000 Items of 64 B, an object each",
    count: SIZES.items,
    per: "Item",
    rounds: { least: 3, most: 9, budgetMs: 20_000, warmUps: 1 },
    turns: new Turns({
      ours: () => readColumn(url, "pose"),
      reference: () => reference.read(url, "pose", SIZES.items),
      zarrita: async () => {
        const array = await openZarr(`${zarrs}/apart`);
        return clock(() => readZarr(array), ({ length }) => length === 16 * SIZES.items);
      },
      fetch: () => byFetch(url, requests),
      "node:http": () => byNodeHttp(url, requests),
    }),
    budgets: [
      { side: "reference", limit: 1, gate: 1.5, what: "ratio" },
      { side: "zarrita", limit: 0.8, gate: 1.2, what: "ratio" },
      { side: "fetch", limit: 0.8, gate: 1.2, what: "ratio" },
    ],
  };
}

/**
 * All Items in one object, or few.
 * @param {Place} place
 * @param {Float32Array} poses
 * @param {ReturnType<typeof writePacks>} packs
 * @param {{ byteLength: number }} parquet
 * @returns {Measurement}
 */
function joined({ url, zarrs }, poses, { entries, asked }, { byteLength }) {
  const ours = (/** @type {"always" | "never"} */ verify) => async () => {
    const field = await openArrayField(url, { itemType: POSE, entries, path: "packed", verify, ...WITHOUT_CACHE });
    return clock(() => field.column(), ({ data }) => data.length === poses.length && data[777] === poses[777]);
  };
  return {
    name: `10,000 Items of 64 B, ${TOGETHER.toLocaleString("en")} together`,
    count: SIZES.items,
    per: "Item",
    turns: new Turns({
      ours: ours("always"),
      "ours, unverified": ours("never"),
      zarrita: async () => {
        const array = await openZarr(`${zarrs}/joined`);
        return clock(() => readZarr(array), (data) => data.length === poses.length && data[777] === poses[777]);
      },
      hyparquet: async () => {
        const file = await asyncBufferFromUrl({ url: `${url}/pose.parquet`, byteLength });
        const metadata = await parquetMetadataAsync(file);
        let values = 0;
        return clock(() => parquetRead({ file, metadata, columns: ["pose"], onChunk: ({ columnData }) => (values += columnData.length) }), () => values === poses.length);
      },
      fetch: () => byFetch(url, asked),
      "node:http": () => byNodeHttp(url, asked),
    }),
    budgets: [],
  };
}

/**
 * Items of packs, chosen at random.
 * @param {Place} place
 * @param {boolean} quick
 */
async function chosen({ url, zarrs, reference }, quick) {
  let state = 1;
  // A generator of Lehmer's: the same anchors in every run.
  const all = Array.from({ length: quick ? RANDOM.quick : RANDOM.full }, () => (state = (state * 48_271) % 2_147_483_647) % SIZES.items);
  const anchors = [...new Set(all)];
  const ours = (/** @type {"always" | "never"} */ verify, /** @type {import("dreamdb-arrays").DatasetObserver} */ onEvent = () => undefined) => async () => {
    const ds = await openDataset(url, "main", { verify, ...WITHOUT_CACHE, onEvent });
    const field = ds.media("frame");
    await field.count();
    return clock(() => field.readMany(anchors), (outcomes) => outcomes.every((outcome) => outcome.status === "value" && outcome.value.bytes.byteLength === SIZES.mediaBytes));
  };
  /** @type {import("dreamdb-arrays").RequestEvent[]} */
  const sent = [];
  await ours("never", (event) => void (event.type === "request" && sent.push(event)))();
  const tracks = sent.filter(({ key }) => key.includes("/track/")).length;
  const requests = sent
    .filter(({ kind }) => kind === "range")
    .map(({ key, offset = 0, bytes }) => ({ target: `/${key}`, range: `bytes=${offset}-${offset + bytes - 1}`, bytes }));
  const few = anchors.slice(0, BY_REFERENCE);
  /** @type {Measurement} */
  const measurement = {
    name: `${anchors.length} Items of 8 KiB out of ${Math.ceil(SIZES.items / SIZES.packItems)} packs`,
    count: anchors.length,
    per: "Item",
    turns: new Turns({
      ours: ours("always"),
      "ours, unverified": ours("never"),
      "reference, one by one": async () => ((await reference.readSome(url, "frame", few)) * anchors.length) / few.length,
      "reference, the whole field": () => reference.read(url, "frame", SIZES.items),
      "zarrita, shards": async () => {
        const array = await openZarr(`${zarrs}/frames`);
        const chunks = anchors.values();
        const lane = async () => {
          for (const anchor of chunks) right((await readZarr(array, [anchor, null])).length === SIZES.mediaBytes, "a chunk of zarrita's");
        };
        return clock(() => Promise.all(Array.from({ length: CONCURRENCY }, lane)), () => true);
      },
      fetch: () => byFetch(url, requests),
      "node:http": () => byNodeHttp(url, requests),
    }),
    budgets: [
      { side: "reference, one by one", limit: 0.1, gate: 0.5, what: "ratio" },
      { side: "zarrita, shards", limit: 1, gate: 1.5, what: "ratio" },
      { side: "fetch", limit: 1.25, gate: 3, what: "ratio" },
    ],
  };
  return { measurement, facts: [atMost("Items of packs: requests for the Track", tracks, 1)] };
}

/**
 * Rows of a sparse matrix, each by a reader that has seen nothing of it yet.
 * @param {Place} place
 * @param {Awaited<ReturnType<typeof writeMatrix>>} matrix
 * @returns {Measurement}
 */
function rows({ url, zarrs, reference }, { rows: numbers, perRow }) {
  const matrix = `${url}/matrix`;
  /**
   * The times of all rows together.
   * @param {(row: number) => Promise<number>} read
   */
  const each = (read) => async () => {
    let ms = 0;
    for (const row of numbers) ms += await read(row);
    return ms;
  };
  /** @type {Map<number, import("./plain.mjs").Asked[]>} */
  const asked = new Map();
  const ours = (/** @type {"always" | "never"} */ verify) =>
    each(async (row) => {
      /** @type {import("./plain.mjs").Asked[]} */
      const requests = [];
      const onEvent = (/** @type {import("dreamdb-arrays").DatasetEvent} */ event) => {
        if (event.type === "request" && event.kind === "range") requests.push({ target: `/matrix/${event.key}`, range: `bytes=${event.offset ?? 0}-${(event.offset ?? 0) + event.bytes - 1}`, bytes: event.bytes });
      };
      const field = (await openDataset(matrix, "main", { verify, ...WITHOUT_CACHE, onEvent })).csr("matrix");
      await field.count();
      const ms = await clock(() => field.readRow(0n, row), (read) => read?.columnIndices.length === perRow && read.values.length === perRow);
      if (verify === "never") asked.set(row, requests);
      return ms;
    });
  return {
    name: "a row of a sparse matrix",
    count: numbers.length,
    per: "call",
    turns: new Turns({
      "ours, unverified": ours("never"),
      ours: ours("always"),
      "reference, whole Item": () => reference.readRows(matrix, "matrix", 0, numbers),
      zarrita: each(async (row) => {
        const [offsets, columns, values] = await Promise.all([openZarr(`${zarrs}/offsets`), openZarr(`${zarrs}/columns`), openZarr(`${zarrs}/values`)]);
        const read = async () => {
          const [start, end] = [...(await readZarr(offsets, [slice(row, row + 2)]))].map(Number);
          return Promise.all([columns, values].map((array) => readZarr(array, [slice(start ?? 0, end ?? 0)])));
        };
        return clock(read, (found) => found.every(({ length }) => length === perRow));
      }),
      // The requests of ours, unverified, which went first.
      fetch: each(async (row) => byFetch(url, asked.get(row) ?? [])),
      "node:http": each(async (row) => byNodeHttp(url, asked.get(row) ?? [])),
    }),
    budgets: [
      { side: "reference, whole Item", limit: 0.1, gate: 1, what: "ratio" },
      { side: "zarrita", limit: 2, gate: 4, what: "ratio" },
    ],
  };
}

/**
 * Milliseconds of a read that must give what is right.
 * @template T
 * @param {() => Promise<T>} read
 * @param {(result: T) => boolean} isRight
 */
async function clock(read, isRight) {
  const start = performance.now();
  const result = await read();
  const ms = performance.now() - start;
  right(isRight(result), "what was read");
  return ms;
}

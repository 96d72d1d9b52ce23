/**
 * The demo: a dataset, read over HTTP and shown as a person would want to see it.
 *
 *   npm run demo                 serves a fixture that the reference implementation wrote, and reads it
 *   npm run demo -- URL [REF]    does the same for any dataset
 *
 * Everything here goes through the public API of the package; how values are printed is in demo-print.mjs.
 */
import { isArrayField, isDreamDbError, isMediaField, openDataset } from "dreamdb-arrays";
import { serveDirectory } from "../dist/cli/server/serve.js";
import { bytesText, fieldTable, heading, showImage, showText, showValue } from "./demo-print.mjs";

const FIXTURE = new URL("../tests/fixtures/episode/data", import.meta.url);

const [givenUrl, ref = "main"] = process.argv.slice(2);
const server = givenUrl === undefined ? await serveDirectory(FIXTURE.pathname) : undefined;
const url = givenUrl ?? server?.url ?? "";

try {
  await show(url, ref);
} catch (error) {
  if (!isDreamDbError(error)) throw error;
  console.error(`\n${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await server?.close();
}

/**
 * @param {string} source
 * @param {string} version
 */
async function show(source, version) {
  const ds = await openDataset(source, version);
  heading(`${source}  ${version}`);
  console.log(`manifest ${ds.manifest.address}`);
  console.log(`written  ${new Date(Number(ds.manifest.timestamp / 1_000_000n)).toISOString()} by ${ds.manifest.writer.split(";")[0]}`);
  for (const [key, text] of ds.manifest.notes) console.log(`${key.replace("dreamdb.", "").padEnd(8)} ${text}`);

  heading("Fields");
  const rows = [];
  for (const info of ds.fields) rows.push({ info, count: await countOf(ds, info) });
  console.log(fieldTable(rows));

  heading("One Item of each kind");
  for (const info of firstOfEachKind(ds.fields)) await showOne(ds, info);

  const { requests, bytesFetched, objectsVerified, rangesVerified, bytesVerified, cacheHits } = ds.stats();
  heading("In total");
  console.log(`${requests} requests, ${bytesText(bytesFetched)} fetched; ${cacheHits} reads served from verified memory`);
  console.log(`${objectsVerified} objects and ${rangesVerified} ranges (${bytesText(bytesVerified)}) found to be what their addresses say: all but the Ref`);

  const media = ds.fields.find(isMediaField);
  if (media !== undefined) await showMany(source, version, media.name);

  heading("The same in your code");
  console.log(code(source, version, ds.fields.find((info) => isArrayField(info) && info.family === "dense-array" && info.trackKind !== "constant")));
}

/**
 * @param {import("dreamdb-arrays").Dataset} ds
 * @param {import("dreamdb-arrays").FieldInfo} info
 */
async function countOf(ds, info) {
  if (info.trackKind === "constant") return "one";
  if (isMediaField(info)) return ds.media(info.name).count();
  return isArrayField(info) ? anyArray(ds, info).count() : "";
}

/**
 * @param {import("dreamdb-arrays").Dataset} ds
 * @param {import("dreamdb-arrays").ArrayFieldInfo} info
 * @returns {import("dreamdb-arrays").ArrayField}
 */
function anyArray(ds, { name, family }) {
  if (family === "ragged-array") return ds.ragged(name);
  return family === "sparse-csr" ? ds.csr(name) : ds.array(name);
}

/** @param {readonly import("dreamdb-arrays").FieldInfo[]} fields */
function firstOfEachKind(fields) {
  const seen = new Map();
  for (const info of fields) {
    const kind = [info.trackKind === "constant", info.kind, isArrayField(info) ? info.family : ""].join();
    if (!seen.has(kind)) seen.set(kind, info);
  }
  return seen.values();
}

/**
 * @param {import("dreamdb-arrays").Dataset} ds
 * @param {import("dreamdb-arrays").FieldInfo} info
 */
async function showOne(ds, info) {
  if (info.trackKind === "constant") {
    const value = await ds.constant(info.name).read();
    if (value === undefined) console.log(`${info.name}: a Constant that was never written`);
    else if (value.family === "text") showText(info.name, value);
    else showValue(info.name, "Constant", value);
  } else if (isArrayField(info)) {
    const item = await someItem(anyArray(ds, info));
    if (item === undefined) console.log(`\n${info.name}: nothing there`);
    else showValue(info.name, `anchor ${item.anchor}`, item);
  } else if (isMediaField(info)) {
    const item = await someItem(ds.media(info.name), (media) => media.bytes.byteLength > 0);
    if (item === undefined) console.log(`\n${info.name}: nothing there`);
    else showImage(info.name, item);
  } else {
    console.log(`${info.name}: a field of kind ${info.kind}, which this version lists but does not read`);
  }
}

/**
 * Neighbouring media Items in one call: what it would cost, what it did cost, and what was checked.
 *
 * @param {string} source
 * @param {string} version
 * @param {string} name
 */
async function showMany(source, version, name) {
  const ds = await openDataset(source, version);
  const field = ds.media(name);
  const all = await field.anchors();
  const some = all.slice(all.length >> 2, (all.length >> 2) + 6);
  const plan = await field.plan(some);
  const before = ds.stats();
  const outcomes = await field.readMany(some);
  const after = ds.stats();
  heading(`${some.length} Items of ${name} in one call`);
  const planned = `${plan.requests} requests, ${bytesText(plan.bytes)} for ${bytesText(plan.bytesWanted)} of Items`;
  console.log(`planned  ${planned}, ${bytesText(plan.bytesOfProofs)} of these to prove them`);
  console.log(`sent     ${after.requests - before.requests} requests, ${bytesText(after.bytesFetched - before.bytesFetched)}`);
  for (const outcome of outcomes) {
    const what = outcome.status === "value" ? `${bytesText(outcome.value.bytes.byteLength)}  verified: ${outcome.value.verified}` : outcome.status;
    console.log(`${outcome.anchor}  ${what}`);
  }
}

/**
 * An Item from about the middle of a field; rows may be deleted there, so some neighbours are tried.
 *
 * @template T
 * @param {{ anchors(): Promise<BigUint64Array>, read(anchor: bigint): Promise<T | undefined> }} field
 * @param {(item: T) => boolean} [fits]
 * @returns {Promise<T | undefined>}
 */
async function someItem(field, fits = () => true) {
  const anchors = await field.anchors();
  const start = anchors.length >> 1;
  for (let at = 0; at < Math.min(anchors.length, 16); at++) {
    const anchor = anchors[(start + at) % anchors.length];
    const item = anchor === undefined ? undefined : await field.read(anchor);
    if (item !== undefined && fits(item)) return item;
  }
  return undefined;
}

/**
 * @param {string} source
 * @param {string} version
 * @param {import("dreamdb-arrays").FieldInfo | undefined} dense
 */
function code(source, version, dense) {
  const open = `import { openDataset } from "dreamdb-arrays";
const ds = await openDataset(${JSON.stringify(source)}, ${JSON.stringify(version)});`;
  if (dense === undefined) return `${open}\nconsole.log(ds.fields);`;
  return `${open}
const field = ds.array(${JSON.stringify(dense.name)});
const item = await field.read((await field.anchors())[0]);
console.log(item?.shape, item?.data, item?.type.units, item?.verified);`;
}

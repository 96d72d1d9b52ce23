/** Reading everything of one version through the package's public API. What it must be is compare.mjs's matter. */
import { recorded } from "./recorder.mjs";

/** @typedef {import("dreamdb-arrays").Dataset} Dataset */
/** @typedef {import("dreamdb-arrays").FieldInfo} FieldInfo */
/** @typedef {import("dreamdb-arrays").Store} Store */
/** @typedef {import("dreamdb-arrays").Outcome<any>} Outcome */

/**
 * What came of some work: its value, or its error.
 * @template T
 * @typedef {{ value: T, error?: undefined } | { value?: undefined, error: unknown }} Attempt
 */

/**
 * What a field gave.
 * @typedef {object} FieldReading
 * @property {any} [constant] value of a Constant
 * @property {number} [count] stored Items
 * @property {readonly bigint[]} [stored] anchors of stored Items
 * @property {ReadonlyMap<bigint, Outcome>} [outcomes] what became of each anchor, stored ones and others
 * @property {Attempt<{ items: bigint, faults: readonly unknown[] }>} [audit] of array fields
 */

/**
 * What a version gave.
 * @typedef {object} Reading
 * @property {Dataset["manifest"]} manifest
 * @property {string} timeline
 * @property {Dataset["fields"]} fields
 * @property {ReadonlyMap<string, Attempt<FieldReading>>} readings by the field's name
 * @property {Attempt<readonly bigint[]>} rows anchors that an iteration over all fields gives
 * @property {ReadonlySet<string>} asked keys that were asked for
 * @property {ReadonlyMap<string, Uint8Array>} objects whole objects that came, by their addresses
 */

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<Attempt<T>>}
 */
async function attempt(work) {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/**
 * What to ask for.
 * @typedef {object} Extent
 * @property {readonly bigint[]} [probes] anchors to ask of every field, whether it has them or not
 * @property {number} [most] of a field's Items read some so many, evenly, and not all
 */

/**
 * @param {Pick<typeof import("dreamdb-arrays"), "openDataset">} api
 * @param {Store} store
 * @param {import("dreamdb-arrays").Version} version
 * @param {Extent} extent
 * @returns {Promise<Reading>}
 */
export async function readVersion({ openDataset }, store, version, extent) {
  const record = recorded(store);
  const ds = await openDataset(record.store, version);
  /** @type {Map<string, Attempt<FieldReading>>} */
  const readings = new Map();
  for (const info of ds.fields) readings.set(info.name, await attempt(() => readField(ds, info, extent)));
  const rows = await attempt(() => rowsOf(ds));
  const objects = new Map(Array.from(record.objects, ([key, bytes]) => [key.slice(key.lastIndexOf("/") + 1), bytes]));
  return { manifest: ds.manifest, timeline: ds.timeline, fields: ds.fields, readings, rows, asked: record.asked, objects };
}

/**
 * @param {Dataset} ds
 * @param {FieldInfo} info
 * @param {Extent} extent
 * @returns {Promise<FieldReading>}
 */
async function readField(ds, info, { probes = [], most = Infinity }) {
  const { name, kind, trackKind } = info;
  const isArray = kind === "array";
  const audit = isArray ? { audit: await attempt(() => auditOf(ds, name)) } : {};
  if (trackKind === "constant") return { constant: await ds.constant(name).read(), ...audit };
  if (kind === "scalar") return await readScalar(ds, name);
  const field = isArray ? arrayField(ds, info) : ds.media(name);
  const stored = [...(await field.anchors())];
  const step = Math.max(1, Math.ceil(stored.length / most));
  const asked = [...new Set([...stored.filter((_, at) => at % step === 0), ...probes])];
  const outcomes = new Map((await field.readMany(asked)).map((outcome) => [outcome.anchor, outcome]));
  return { count: await field.count(), stored, outcomes, ...audit };
}

/**
 * A field of typed arrays by the door of its family.
 * @param {Dataset} ds
 * @param {FieldInfo} info
 */
function arrayField(ds, { name, ...info }) {
  const { family } = /** @type {import("dreamdb-arrays").ArrayFieldInfo} */ (info);
  if (family === "dense-array") return ds.array(name);
  return family === "ragged-array" ? ds.ragged(name) : ds.csr(name);
}

/** @param {string} what */
function missing(what) {
  return new Error(`the package has no ${what}`);
}

/**
 * @param {any} ds
 * @param {string} name
 * @returns {Promise<{ items: bigint, faults: readonly unknown[] }>}
 */
async function auditOf(ds, name) {
  if (typeof ds.audit !== "function") throw missing("ds.audit");
  const { items, faults } = await ds.audit(name);
  return { items: BigInt(items), faults };
}

/**
 * @param {any} ds
 * @returns {Promise<readonly bigint[]>}
 */
async function rowsOf(ds) {
  if (typeof ds.rows !== "function") throw missing("ds.rows");
  const anchors = [];
  for await (const { anchor } of ds.rows()) anchors.push(anchor);
  return anchors;
}

/**
 * @param {any} ds
 * @param {string} name
 * @returns {Promise<FieldReading>}
 */
async function readScalar(ds, name) {
  if (typeof ds.scalar !== "function") throw missing("ds.scalar");
  const { anchors, values } = await ds.scalar(name).column({});
  const stored = [...anchors];
  const outcomes = new Map(stored.map((anchor, at) => [anchor, { anchor, status: /** @type {const} */ ("value"), value: values[at] }]));
  return { stored, count: stored.length, outcomes };
}

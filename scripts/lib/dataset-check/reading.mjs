/** Reading everything of one version through the package's public API. What it must be is compare.mjs's matter. */
import { cellsOf } from "./columns.mjs";
import { recorded } from "./recorder.mjs";

/** @typedef {import("dreamdb-arrays").Dataset} Dataset */
/** @typedef {import("dreamdb-arrays").FieldInfo} FieldInfo */
/** @typedef {import("dreamdb-arrays").Store} Store */
/** @typedef {import("dreamdb-arrays").Outcome<any>} Outcome */
/** @typedef {import("./columns.mjs").Cell} Cell */

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
 * @property {Attempt<Cell[]>} [column] the values of one column of all Items
 * @property {Attempt<Cell[]>} [batches] those of an iteration by batches
 * @property {Attempt<Cell[]>} [window] those of a column of a window
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
 * @property {ReadonlyMap<string, readonly [bigint, bigint]>} [windows] windows to read, by field
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
async function readField(ds, info, { probes = [], most = Infinity, windows }) {
  const { name, kind, trackKind } = info;
  const audit = kind === "array" ? { audit: await attempt(() => auditOf(ds, name)) } : {};
  if (trackKind === "constant") return { constant: await ds.constant(name).read(), ...audit };
  const field = fieldOf(ds, info);
  const stored = [...(await field.anchors())];
  const step = Math.max(1, Math.ceil(stored.length / most));
  const asked = [...new Set([...stored.filter((_, at) => at % step === 0), ...probes])];
  const outcomes = new Map((await field.readMany(asked)).map((/** @type {Outcome} */ outcome) => [outcome.anchor, outcome]));
  const whole = step > 1 ? {} : { column: await attempt(async () => cellsOf(info, await field.column())), batches: await attempt(() => batchesOf(field, info)) };
  const [start, end] = windows?.get(name) ?? [];
  const window = start === undefined ? {} : { window: await attempt(async () => cellsOf(info, await field.column({ start, end }))) };
  return { count: await field.count(), stored, outcomes, ...whole, ...window, ...audit };
}

/**
 * A field with anchors, by the door of its kind and family.
 * @param {any} ds
 * @param {FieldInfo} info
 */
function fieldOf(ds, { name, kind, ...info }) {
  if (kind === "scalar") return ds.scalar === undefined ? missing("ds.scalar") : ds.scalar(name);
  if (kind !== "array") return ds.media(name);
  const { family } = /** @type {import("dreamdb-arrays").ArrayFieldInfo} */ (info);
  if (family === "dense-array") return ds.array(name);
  return family === "ragged-array" ? ds.ragged(name) : ds.csr(name);
}

/**
 * @param {any} field
 * @param {FieldInfo} info
 * @returns {Promise<Cell[]>}
 */
async function batchesOf(field, info) {
  const cells = [];
  // Scalars are whole columns or single values.
  if (info.kind === "scalar") return cellsOf(info, await field.column());
  for await (const batch of field.batches({ batchSize: 7 })) cells.push(...cellsOf(info, batch));
  return cells;
}

/**
 * @param {string} what
 * @returns {never}
 */
function missing(what) {
  throw new Error(`the package has no ${what}`);
}

/**
 * @param {any} ds
 * @param {string} name
 * @returns {Promise<{ items: bigint, faults: readonly unknown[] }>}
 */
async function auditOf(ds, name) {
  if (typeof ds.audit !== "function") missing("ds.audit");
  const { items, faults } = await ds.audit(name);
  return { items: BigInt(items), faults };
}

/**
 * @param {any} ds
 * @returns {Promise<readonly bigint[]>}
 */
async function rowsOf(ds) {
  if (typeof ds.rows !== "function") missing("ds.rows");
  const anchors = [];
  for await (const { anchor } of ds.rows()) anchors.push(anchor);
  return anchors;
}

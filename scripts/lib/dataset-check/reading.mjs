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
 * @property {Attempt<{ items: number, faults: readonly any[] }>} [audit]
 */

/**
 * What the fields gave together.
 * @typedef {object} Together
 * @property {readonly bigint[]} anchors of the rows
 * @property {ReadonlyMap<string, Cell[]>} cells by field
 */

/**
 * What a version gave.
 * @typedef {object} Reading
 * @property {Dataset["manifest"]} manifest
 * @property {string} timeline
 * @property {Dataset["fields"]} fields
 * @property {ReadonlyMap<string, Attempt<FieldReading>>} readings by the field's name
 * @property {Record<string, Attempt<Together>>} together all fields, row by row, by batches, and in one call
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
  const anchored = ds.fields.filter(({ trackKind }) => trackKind !== "constant");
  /** @type {Record<string, Attempt<Together>>} */
  const together = {};
  if (extent.most === undefined) {
    for (const [way, read] of Object.entries({ rows: rowsOf, batches: batchesOfRows, readMany })) together[way] = await attempt(() => read(ds, anchored));
  }
  const objects = new Map(Array.from(record.objects, ([key, bytes]) => [key.slice(key.lastIndexOf("/") + 1), bytes]));
  return { manifest: ds.manifest, timeline: ds.timeline, fields: ds.fields, readings, together, asked: record.asked, objects };
}

/**
 * @param {Dataset} ds
 * @param {FieldInfo} info
 * @param {Extent} extent
 * @returns {Promise<FieldReading>}
 */
async function readField(ds, info, { probes = [], most = Infinity, windows }) {
  const { name, kind, trackKind } = info;
  const audit = kind === "scalar" ? {} : { audit: await attempt(() => ds.audit(name)) };
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
  if (kind === "scalar") return ds.scalar(name);
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

/** @type {(ds: Dataset, fields: readonly FieldInfo[]) => Promise<Together>} */
async function rowsOf(ds) {
  /** @type {bigint[]} */
  const anchors = [];
  /** @type {Map<string, Cell[]>} */
  const cells = new Map();
  for await (const { anchor, values } of ds.rows()) {
    anchors.push(anchor);
    for (const [name, value] of Object.entries(values)) append(cells, name, [{ anchor, value }]);
  }
  return { anchors, cells };
}

/** @type {(ds: Dataset, fields: readonly FieldInfo[]) => Promise<Together>} */
async function batchesOfRows(ds, fields) {
  const infos = new Map(fields.map((info) => [info.name, info]));
  /** @type {bigint[]} */
  const anchors = [];
  /** @type {Map<string, Cell[]>} */
  const cells = new Map();
  for await (const batch of ds.batches({ batchSize: 5 })) {
    anchors.push(...batch.anchors);
    for (const [name, column] of Object.entries(batch.columns)) append(cells, name, cellsOf(/** @type {FieldInfo} */ (infos.get(name)), column));
  }
  return { anchors, cells };
}

/** @type {(ds: Dataset, fields: readonly FieldInfo[]) => Promise<Together>} */
async function readMany(ds, fields) {
  const wanted = await Promise.all(fields.map(async (info) => ({ field: info.name, anchors: /** @type {bigint[]} */ ([...(await fieldOf(ds, info).anchors())]) })));
  /** @type {Map<string, Cell[]>} */
  const cells = new Map();
  const outcomes = await ds.readMany(wanted);
  for (const [at, { field }] of wanted.entries()) {
    for (const outcome of outcomes[at] ?? []) {
      if (outcome.status === "error") throw outcome.error;
      // A replaced Item is asked for once for each time that it was stored.
      const before = cells.get(field)?.at(-1)?.anchor;
      if (outcome.status === "value" && outcome.anchor !== before) append(cells, field, [{ anchor: outcome.anchor, value: outcome.value }]);
    }
  }
  const anchors = [...new Set([...cells.values()].flat().map(({ anchor }) => anchor))].sort((a, b) => (a < b ? -1 : Number(a > b)));
  return { anchors, cells };
}

/**
 * @param {Map<string, Cell[]>} cells
 * @param {string} name
 * @param {Cell[]} more
 */
function append(cells, name, more) {
  const own = cells.get(name);
  if (own === undefined) cells.set(name, more);
  else own.push(...more);
}

/** What the viewer is measured with: a dataset of large Items, of long columns, and of many Items, written by the package. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Dataset, Schema } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";

/** How much there is of each. */
export const SIZES = { rows: 1_000_000, points: 100_000, values: 100_000, items: 100_000 };
/** Items as many as the page reads without asking. */
export const UNASKED = 20_000;
/** Anchors lie so far apart. */
const STEP = 10;

/**
 * Writes a dataset into a folder of its own.
 * @param {string} folder
 * @param {Schema} schema
 * @param {bigint[] | BigUint64Array<ArrayBuffer>} anchors
 * @param {Record<string, import("dreamdb-arrays").AnyTypedArray>} fields
 */
async function write(folder, schema, anchors, fields) {
  mkdirSync(folder, { recursive: true });
  const ds = await Dataset.create(fsStore(folder, { durable: false }), "main", schema);
  await ds.appendColumns({ anchors: BigUint64Array.from(anchors), fields });
  return folder;
}

/** @param {number} count */
const spaced = (count) => BigUint64Array.from({ length: count }, (_, at) => BigInt(STEP * at));

/**
 * The address of an Item in the window of many.
 * @param {number} item
 */
export function anchorOf(item) {
  return String(STEP * item);
}

/**
 * Large Items: a table and a cloud.
 * @param {string} folder
 */
export function writeLarge(folder) {
  const schema = new Schema().array("table", { dtype: "f32", shape: [SIZES.rows, 3], units: "m" }).array("cloud", { dtype: "f32", shape: [SIZES.points, 3], units: "m" });
  return write(join(folder, "large"), schema, [0n], {
    table: Float32Array.from({ length: 3 * SIZES.rows }, (_, at) => at / 8),
    // Scattered: the low digits of sines know no order.
    cloud: Float32Array.from({ length: 3 * SIZES.points }, (_, at) => (Math.sin(at * 12.9898) * 43_758.5453) % 1),
  });
}

/**
 * A long scalar column.
 * @param {string} folder
 */
export function writeValues(folder) {
  const schema = new Schema().scalar("value", { type: "float" });
  return write(join(folder, "values"), schema, spaced(SIZES.values), { value: Float64Array.from({ length: SIZES.values }, (_, at) => 100 * Math.sin(at / 700) + 9 * Math.sin(at * 3)) });
}

/**
 * Many small Items, an object each: the writer packs media alone.
 * @param {string} folder
 */
export function writeItems(folder) {
  const schema = new Schema().array("force", { dtype: "f32", shape: [3], units: "N" });
  return write(join(folder, "items"), schema, spaced(SIZES.items), { force: Float32Array.from({ length: 3 * SIZES.items }, (_, at) => Math.sin(at / 900)) });
}

/** What the arm was about, row by row: scalar columns, which are the cheapest of all to read whole. */
import { ease, Noise, sin } from "./exact.mjs";
import { anchorsOf, phaseAt, timesOf } from "./time.mjs";

/** It is held from when the fingers have closed to when they open. */
const HELD = { from: 41, to: 87 };

/**
 * Adds the columns to a schema.
 * @param {import("dreamdb-arrays").Schema} schema
 */
export function withLabels(schema) {
  return schema
    .scalar("phase", { type: "categorical", required: false })
    .scalar("held", { type: "bool", required: false })
    .scalar("temperature", { type: "float", required: false })
    .scalar("note", { type: "string", required: false });
}

/**
 * The columns, at anchors of their own: a phase at each tick of ten a second, and a remark now and then.
 * @returns {[name: string, column: import("dreamdb-arrays").ColumnInit & { readonly anchors: BigUint64Array }][]}
 */
export function labelColumns() {
  const [ticks, remarked] = [timesOf(10), [8, 35, 42.5, 71, 90]];
  const noise = new Noise(19);
  return [
    ["phase", { anchors: anchorsOf(ticks), values: ticks.map(phaseAt) }],
    ["held", { anchors: anchorsOf(ticks), values: Uint8Array.from(ticks, (t) => (t >= HELD.from && t < HELD.to ? 1 : 0)) }],
    // Of the motor that lifts, in °C: whole 64ths, as its sensor tells them.
    ["temperature", { anchors: anchorsOf(ticks), values: Float64Array.from(ticks, (t) => Math.round(64 * (31 + 6 * ease(t, 42, 80) + 0.2 * sin(0.3 * t) + 0.05 * noise.normal())) / 64) }],
    ["note", { anchors: anchorsOf(remarked), values: ["to the cup", "first contact, force out of range", "the cup is off the table", "somebody walks by", "back home"] }],
  ];
}

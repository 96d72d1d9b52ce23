/** What is measured: which Items of which field, verified and not. */
import { FIELDS } from "./data.mjs";

/**
 * @typedef {object} Choice Items of a field
 * @property {string} name
 * @property {import("./data.mjs").FieldName} field
 * @property {readonly number[]} anchors
 * @property {"neighbours" | "apart" | "single"} lie neighbours touch; those that lie apart have more than `maxGap` between them
 * @property {number} packs packs that hold them
 */

/** @typedef {Choice & { verify: "always" | "never" }} Case */

const list = (/** @type {number} */ count, /** @type {(at: number) => number} */ anchor) => Array.from({ length: count }, (_, at) => anchor(at));
const count = (/** @type {number} */ items) => items.toLocaleString("en");
/** Anchors in a pack of `many`. */
const PACK = FIELDS.many.perPack;

/** @type {readonly Choice[]} */
const CHOICES = [
  { name: "1 of one pack", field: "pack3", anchors: [500], lie: "neighbours", packs: 1 },
  ...[10, 100, 1000].flatMap((items) => [
    { name: `${count(items)} of one pack, neighbours`, field: "pack3", anchors: list(items, (at) => (1000 - items) / 2 + at), lie: "neighbours", packs: 1 },
    // For 1,000 the pack of twice as many.
    { name: `${count(items)} of one pack, apart`, field: items === 1000 ? "pack4" : "pack3", anchors: list(items, (at) => at * Math.max(2, 1000 / items)), lie: "apart", packs: 1 },
  ]),
  { name: "10 of 10 packs", field: "many", anchors: list(10, (at) => 50 + 10 * PACK * at), lie: "neighbours", packs: 10 },
  { name: "100 of 100 packs", field: "many", anchors: list(100, (at) => 50 + PACK * at), lie: "neighbours", packs: 100 },
  { name: "1,000 of 100 packs, neighbours", field: "many", anchors: list(1000, (at) => 40 + PACK * Math.floor(at / 10) + (at % 10)), lie: "neighbours", packs: 100 },
  { name: "1,000 of 100 packs, apart", field: "many", anchors: list(1000, (at) => 5 + 10 * at), lie: "apart", packs: 100 },
  { name: "1,000 of 300 bytes, neighbours", field: "small", anchors: list(1000, (at) => 4500 + at), lie: "neighbours", packs: 1 },
  { name: "1,000 of 300 bytes, apart", field: "small", anchors: list(1000, (at) => 10 * at), lie: "apart", packs: 1 },
  { name: "1,000 objects of their own", field: "singles", anchors: list(1000, (at) => at), lie: "single", packs: 0 },
].map((choice) => /** @type {Choice} */ (choice));

/** @type {readonly Case[]} */
export const CASES = /** @type {const} */ (["never", "always"]).flatMap((verify) => CHOICES.map((choice) => ({ ...choice, verify })));

/** One Item from the middle of packs of all sizes. */
export const PACKS = /** @type {const} */ (["pack1", "pack2", "pack3", "pack4", "pack5"]).map((field) => {
  const { perPack, itemBytes } = FIELDS[field];
  return { field, bytes: perPack * itemBytes, anchors: [perPack / 2], verify: /** @type {const} */ ("always") };
});

/** Calls that are larger than what may be in flight, for the cap and for memory. */
export const LARGE = /** @type {const} */ (["never", "always"]).flatMap((verify) => [
  { name: "5,000 objects of their own", field: /** @type {const} */ ("singles"), anchors: list(5000, (at) => at), verify },
  { name: "5,000 spans of a pack, apart", field: /** @type {const} */ ("pack5"), anchors: list(5000, (at) => 3 * at), verify },
]);

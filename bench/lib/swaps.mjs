/**
 * Byte order and index tables, beside loops in JavaScript and native code.
 *
 * What datasets do is `decodeOwned`: the payload is theirs, so it is checked and turned in place. `codec.decode` leaves its argument alone and
 * copies it first, which takes longer than all else. The loops make new arrays, as such loops do, or change the bytes in place where it says so.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codec } from "dreamdb-arrays";
import { decodeOwned, swapValues } from "../../dist/codec/payload.js";
import { csrByDataView, csrByPairs, doublesByDataView, floatsByDataView, offsetsByDataView, offsetsByPairs, swap32InPlace, swap64InPlace } from "./loops.mjs";
import { right, sizeOf, timed, timedAfter } from "./topic.mjs";
import { Turns } from "./turns.mjs";

/** Row offsets, and stored elements of a sparse matrix. */
const INDICES = 2 ** 20;
const COLUMNS = 2 ** 20;

/** @typedef {import("./measurements.mjs").Measurement} Measurement */
/** @typedef {ReturnType<typeof typed>} Typed */

/**
 * @param {import("./topic.mjs").Context} context
 * @returns {Promise<import("./topic.mjs").Topic>}
 */
export async function tables({ quick, folder, native }) {
  const program = await native();
  mkdirSync(join(folder, "payloads"), { recursive: true });
  const at = (/** @type {string} */ name) => join(folder, "payloads", name);
  const values = quick ? 2 ** 22 : 2 ** 25;
  return {
    title: "Index tables and byte order",
    measurements: [ragged(program, at("ragged")), csr(program, at("csr"), 64), ...(quick ? [] : [csr(program, at("csr-long"), 4096)]), swap(program, values, 4), swap(program, values, 8)],
  };
}

/** @param {import("dreamdb-arrays").ItemTypeInit} init */
function typed(init) {
  const cbor = codec.encodeItemType(init);
  return { type: codec.decodeItemType(cbor), cbor, hex: Buffer.from(cbor).toString("hex") };
}

/**
 * The row offsets of a ragged Item of few values.
 * @param {import("./native.mjs").Native} program
 * @param {string} path for the payload
 * @returns {Measurement}
 */
function ragged(program, path) {
  const declared = typed({ family: "ragged-array", dtype: "u8", innerShape: [] });
  const payload = codec.encodeRagged(declared.cbor, { rowOffsets: BigUint64Array.from({ length: INDICES }, (_, row) => BigInt(row >> 6)), values: new Uint8Array((INDICES - 1) >> 6) });
  writeFileSync(path, payload);
  const start = payload.byteLength - ((INDICES - 1) >> 6) - INDICES * 8;
  const expected = codec.decode(declared.cbor, payload);
  for (const loop of [offsetsByDataView, offsetsByPairs]) {
    const found = loop(payload, start, INDICES);
    right(expected.family === "ragged-array" && found.every((offset, row) => offset === expected.rowOffsets[row]), "a loop over offsets");
  }
  const own = new Uint8Array(payload);
  return {
    name: `${INDICES.toLocaleString("en")} row offsets`,
    count: INDICES * 8,
    per: "byte",
    turns: new Turns({
      ours: () => timedAfter(2, () => own.set(payload), () => decodeOwned(declared, own)),
      "codec.decode": () => timed(2, () => codec.decode(declared.cbor, payload)),
      "DataView loop": () => timed(2, () => offsetsByDataView(payload, start, INDICES)),
      "Uint32 pairs": () => timed(2, () => offsetsByPairs(payload, start, INDICES)),
      native: () => program.run("decode", declared.hex, path, 2),
    }),
    budgets: [
      { side: "DataView loop", what: "times as fast", limit: 3, gate: 2 },
      { side: "Uint32 pairs", what: "times as fast", limit: 1.5, gate: 1 },
    ],
  };
}

/**
 * A sparse matrix with rows of so many elements.
 * @param {import("./native.mjs").Native} program
 * @param {string} path for the payload
 * @param {number} perRow
 * @returns {Measurement}
 */
function csr(program, path, perRow) {
  const rows = INDICES / perRow;
  const declared = typed({ family: "sparse-csr", dtype: "u8", shape: [rows, COLUMNS] });
  const gap = COLUMNS / perRow;
  const payload = codec.encodeCsr(declared.cbor, {
    rowOffsets: BigUint64Array.from({ length: rows + 1 }, (_, row) => BigInt(row * perRow)),
    columnIndices: BigUint64Array.from({ length: INDICES }, (_, index) => BigInt((index % perRow) * gap + (index % gap))),
    values: new Uint8Array(INDICES),
  });
  writeFileSync(path, payload);
  const place = { rows, offsets: payload.byteLength - 9 * INDICES - 8 * (rows + 1), columns: payload.byteLength - 9 * INDICES };
  const expected = codec.decode(declared.cbor, payload);
  for (const loop of [csrByDataView, csrByPairs]) {
    const found = loop(payload, place);
    right(expected.family === "sparse-csr" && found.every((column, index) => column === expected.columnIndices[index]), "a loop over columns");
  }
  const own = new Uint8Array(payload);
  return {
    name: `CSR, ${rows.toLocaleString("en")} rows of ${perRow.toLocaleString("en")}`,
    count: 8 * (INDICES + rows + 1),
    per: "byte",
    turns: new Turns({
      ours: () => timedAfter(2, () => own.set(payload), () => decodeOwned(declared, own)),
      "codec.decode": () => timed(2, () => codec.decode(declared.cbor, payload)),
      "DataView loop": () => timed(2, () => csrByDataView(payload, place)),
      "Uint32 pairs": () => timed(2, () => csrByPairs(payload, place)),
      native: () => program.run("decode", declared.hex, path, 2),
    }),
    budgets: [
      { side: "DataView loop", what: "times as fast", limit: 3, gate: 2 },
      { side: "Uint32 pairs", what: "times as fast", limit: 1.3, gate: 1 },
    ],
  };
}

/**
 * Values of `width` bytes, which are floating-point numbers to the loop.
 * @param {import("./native.mjs").Native} program
 * @param {number} bytes
 * @param {4 | 8} width
 * @returns {Measurement}
 */
function swap(program, bytes, width) {
  const dtype = width === 4 ? "f32" : "f64";
  const cbor = codec.encodeItemType({ family: "dense-array", dtype, shape: [bytes / width], endianness: "big" });
  const given = Uint8Array.from({ length: bytes }, (_, at) => (at % width === 0 ? 0x3f : at));
  const own = new Uint8Array(given);
  const buffer = Buffer.from(given);
  return {
    name: `big-endian ${dtype}, ${sizeOf(bytes)}`,
    count: bytes,
    per: "byte",
    turns: new Turns({
      ours: () => timed(1, () => swapValues(own, width)),
      "codec.decode": () => timed(1, () => codec.decode(cbor, given)),
      "DataView loop": () => timed(1, () => (width === 4 ? floatsByDataView(given) : doublesByDataView(given))),
      "Uint32, in place": () => timed(1, () => (width === 4 ? swap32InPlace(own) : swap64InPlace(own))),
      "Buffer.swap": () => timed(1, () => (width === 4 ? buffer.swap32() : buffer.swap64())),
      native: () => program.run("swap", bytes, width, 1),
    }),
    budgets: [
      { side: "DataView loop", what: "times as fast", limit: 3, gate: 2 },
      { side: "Uint32, in place", what: "times as fast", limit: 1.5, gate: 1 },
    ],
  };
}

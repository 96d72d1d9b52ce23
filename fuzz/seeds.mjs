/**
 * First inputs for the fuzz targets, out of the vectors and the fixtures: what a mutation begins with is nearly right.
 *
 *     node fuzz/seeds.mjs
 *
 * Writes `fuzz/corpus/TARGET/seed-N`, which is not committed; what a run found there stays.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, root } from "../scripts/lib/paths.mjs";

/** Larger ones slow every step down. */
const LONGEST = 32_768;

/** More than these of one target add nothing that a mutation would not find. */
const MOST = 1500;

const hex = (/** @type {string} */ text) => Buffer.from(text, "hex");

/**
 * An input of several parts, as `parts` of `src/lib.rs` takes it apart.
 * @param {Buffer[]} all
 */
function parts(...all) {
  const last = all.pop() ?? Buffer.alloc(0);
  const framed = all.flatMap((part) => {
    const length = Buffer.alloc(2);
    length.writeUInt16LE(part.length);
    return [length, part];
  });
  return Buffer.concat([...framed, last]);
}

/**
 * Numbers, as `number` of `src/lib.rs` reads them.
 * @param {(string | number | bigint)[]} all
 */
function numbers(...all) {
  const bytes = all.map((value) => {
    const wide = Buffer.alloc(9, 8);
    wide.writeBigUInt64LE(BigInt(value), 1);
    return wide;
  });
  return Buffer.concat(bytes);
}

const byte = (/** @type {number} */ value) => Buffer.from([value]);

/** @typedef {Record<string, any>} Vector */ // oxlint-disable-line no-explicit-any -- a vector has one of twenty forms

/**
 * The seeds of one vector.
 * @param {Vector} vector
 * @returns {[target: string, seed: Buffer][]}
 */
function ofVector(vector) {
  /** @type {[string, Buffer][]} */
  const seeds = [];
  const type = vector["type_cbor_hex"] === undefined ? undefined : hex(vector["type_cbor_hex"]);
  const modality = Buffer.from(vector["modality"] ?? "");
  if (type !== undefined) seeds.push(["item_type", type], ["cbor", type]);
  if (modality.length > 0) seeds.push(["modality", modality]);
  if (vector["payload_hex"] !== undefined && type !== undefined) {
    const payload = hex(vector["payload_hex"]);
    const text = type.toString("latin1");
    const target = text.includes("ragged-array") ? "ragged" : text.includes("sparse-csr") ? "csr" : text.includes("cnpy") ? "npy" : "";
    if (target !== "") seeds.push([target, parts(type, payload)]);
  }
  if (vector["operation"] === "resolve-tag" && type !== undefined) {
    // A registry of the one entry: {modality: {"item_type": document}}.
    const key = Buffer.concat([Buffer.from([0x79, modality.length >> 8, modality.length & 255]), modality]);
    const registry = Buffer.concat([byte(0xa1), key, byte(0xa1), byte(0x69), Buffer.from("item_type"), type]);
    seeds.push(["registry", parts(modality, registry, registry)]);
  }
  if (vector["registry_cbor_hex"] !== undefined) {
    const registry = hex(vector["registry_cbor_hex"]);
    seeds.push(["registry", parts(modality, registry, registry)], ["cbor", registry]);
  }
  const index = vector["object_index_cbor_hex"] ?? vector["expected_object_index_cbor_hex"];
  if (index !== undefined) {
    for (const form of [0, 1, 2]) seeds.push(["entries", Buffer.concat([byte(form), hex(index)])]);
  }
  if (vector["track_cbor_hex"] !== undefined) seeds.push(["track", hex(vector["track_cbor_hex"])]);
  if (vector["operation"] === "plan-requests") {
    const proof = vector["proof"];
    const kind = proof === undefined ? 0n : (BigInt(proof.max_gap) << 8n) % 2n ** 64n;
    const asked = proof === undefined ? 0n : kind - (kind % 3n) + (proof.known ? 2n : 1n);
    seeds.push(["plan", numbers(vector["length"], vector["max_gap"], vector["max_request"], asked, ...vector["spans"].flat())]);
  }
  if (vector["operation"] === "plan-range" || vector["operation"] === "verify-range") {
    const length = BigInt(vector["length"] ?? vector["data"]?.length ?? 5000) % 20_000n;
    for (const what of [0, 1, 2, 16]) seeds.push(["outboard", numbers(length, vector["range"][0], vector["range"][1], 700, 1, what)]);
  }
  return seeds;
}

/**
 * The seeds of an object of a dataset, by what stands in it.
 * @param {string} path
 * @param {Buffer} object
 * @returns {[target: string, seed: Buffer][]}
 */
function ofObject(path, object) {
  const has = (/** @type {string} */ key) => object.includes(key);
  /** @type {[string, Buffer][]} */
  const seeds = object.length <= 4096 ? [["cbor", object]] : [];
  const none = Buffer.alloc(0);
  if (/[/\\]manifests[/\\]/.test(path)) seeds.push(["manifest", object]);
  else if (has("object_index")) seeds.push(["track", object]);
  else if (has("t_min") && has("entries")) {
    for (const [level, bounds] of [[0, 0], [1, 1], [0, 1], [1, 0]]) seeds.push(["page", Buffer.concat([Buffer.from([level ?? 0, 255, bounds ?? 0]), object])]);
  } else if (has("dreamdb.tombstone-page")) {
    seeds.push(["tombstones", parts(none, object)]);
  } else if (has("dreamdb.tombstone")) {
    seeds.push(["tombstones", parts(object, none)]);
  } else if (has("total_size") && has("chunks")) {
    const size = Buffer.alloc(8);
    const at = object.indexOf("total_size") + 10;
    const width = (object[at] ?? 0) - 0x18;
    size.writeBigUInt64LE(width < 0 ? BigInt(object[at] ?? 0) : BigInt(`0x${object.subarray(at + 1, at + 1 + 2 ** width).toString("hex")}`));
    seeds.push(["item_manifest", Buffer.concat([size, object])]);
  }
  return seeds;
}

/**
 * Write all seeds.
 * @returns {Map<string, number>} how many there are of each target
 */
export function writeSeeds() {
  /** @type {Map<string, Map<string, Buffer>>} */
  const all = new Map();
  const take = (/** @type {[string, Buffer][]} */ seeds) => {
    for (const [target, seed] of seeds) {
      const own = all.get(target) ?? new Map();
      all.set(target, own);
      if (seed.length <= LONGEST && own.size < MOST) own.set(seed.toString("latin1"), seed);
    }
  };
  for (const path of files(join(root, "vectors")).filter((path) => path.endsWith(".json"))) {
    const read = JSON.parse(readFileSync(path, "utf8"));
    /** @type {Vector[]} */
    const vectors = Array.isArray(read) ? read : [read];
    for (const vector of vectors) if (vector["operation"] !== undefined) take(ofVector(vector));
  }
  for (const name of readdirSync(join(root, "tests/fixtures")).toSorted()) {
    const paths = files(join(root, "tests/fixtures", name)).filter((path) => /[/\\]data[/\\]/.test(path) && statSync(path).size <= LONGEST);
    for (const path of paths) take(ofObject(path, readFileSync(path)));
  }
  for (const [target, seeds] of all) {
    const folder = join(root, "fuzz/corpus", target);
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder)) if (old.startsWith("seed-")) rmSync(join(folder, old));
    [...seeds.values()].forEach((seed, at) => writeFileSync(join(folder, `seed-${at}`), seed));
  }
  return new Map([...all].map(([target, seeds]) => [target, seeds.size]));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function files(folder) {
  if (!statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

if (isMain(import.meta.url)) {
  for (const [target, count] of writeSeeds()) process.stdout.write(`${target}: ${count}\n`);
}

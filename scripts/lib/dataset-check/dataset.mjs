/** One dataset over one medium: every version of its sidecar by name and by address, its Refs, and its objects. */
import { bytesToHex } from "@noble/hashes/utils.js";
import { compareVersion, comparePinned, onlyKnown } from "./compare.mjs";
import { readVersion } from "./reading.mjs";
import { addressOfDigest, addressOfHex, anchorsOf, byVersions, digestOf, integer, isError, itemsOf } from "./sidecar.mjs";
import { Tally } from "./tally.mjs";
import { errorLine } from "./words.mjs";

/** @typedef {import("dreamdb-arrays").Store} Store */
/** @typedef {import("./reading.mjs").Reading} Reading */
/** @typedef {import("./sidecar.mjs").Facts} Facts */

/** What a sidecar may hold; the first three say where it comes from. */
const OF_SIDECARS = ["produced_by", "note", "read_back_by", "refs", "ref_bytes", "objects"];

/**
 * @param {typeof import("dreamdb-arrays")} api
 * @param {Store} store
 * @param {Facts} stated the sidecar
 * @param {string} [only] the one version to check
 * @returns {Promise<Tally>}
 */
export async function checkDataset(api, store, stated, only) {
  const tally = new Tally();
  const sidecar = byVersions(stated);
  onlyKnown(tally, sidecar, OF_SIDECARS);
  const names = Object.keys(sidecar["refs"] ?? {});
  const asked = only === undefined ? names : names.filter((name) => name === only);
  if (asked.length === 0) tally.fail(`the sidecar has no version ${only ?? "at all"}; it has ${names.join(", ") || "none"}`);
  for (const name of asked) await checkVersion(tally, api, store, name, sidecar["refs"][name]);
  if (only === undefined) {
    await checkRefs(tally, store, sidecar);
    await checkObjects(tally, store, sidecar["objects"] ?? {});
  }
  return tally;
}

/**
 * @param {Tally} tally
 * @param {typeof import("dreamdb-arrays")} api
 * @param {Store} store
 * @param {string} name
 * @param {Facts} facts
 */
async function checkVersion(tally, api, store, name, facts) {
  const extent = { probes: probesOf(facts), windows: windowsOf(facts) };
  const read = (/** @type {import("dreamdb-arrays").Version} */ version) => readVersion(api, store, version, extent);
  const place = `version ${name}`;
  let named;
  try {
    named = await read(name);
  } catch (error) {
    return tally.at(place, () => tally.fail(`could not be opened: ${errorLine(error)}`));
  }
  const reading = named;
  tally.at(place, () => compareVersion(tally, reading, facts));
  try {
    const pinned = await read({ manifest: facts["manifest"] ?? reading.manifest.address });
    tally.at(`${place} by its address`, () => comparePinned(tally, reading, pinned));
  } catch (error) {
    tally.at(`${place} by its address`, () => tally.fail(`could not be opened: ${errorLine(error)}`));
  }
}

/**
 * Anchors at which some field has a value, or had one.
 * @param {Facts} facts
 */
function probesOf({ fields, anchors, tombstones }) {
  const rows = [anchors, tombstones].flatMap((fact) => (fact === undefined || isError(fact) ? [] : anchorsOf(fact)));
  const items = Object.values(fields).flatMap((field) => itemsOf(field)?.map(({ anchor }) => anchor) ?? []);
  return [...new Set([...rows, ...items, 0n, 2n ** 64n - 1n])];
}

/**
 * Windows of which the sidecar says what is in them.
 * @param {Facts} facts
 * @returns {Map<string, [bigint, bigint]>}
 */
function windowsOf({ fields }) {
  const stated = Object.entries(fields).filter(([, { window }]) => window !== undefined);
  return new Map(stated.map(([name, { window }]) => [name, [integer(window.extent[0]), integer(window.extent[1])]]));
}

/**
 * @param {Tally} tally
 * @param {Store} store
 * @param {Facts} sidecar
 */
async function checkRefs(tally, store, sidecar) {
  for (const [name, hex] of Object.entries(sidecar["ref_bytes"] ?? {})) {
    try {
      const bytes = await store.get(`refs/${name}`);
      tally.equal(`bytes of the Ref ${name}`, bytesToHex(bytes), hex);
    } catch (error) {
      tally.fail(`the Ref ${name}: ${errorLine(error)}`);
    }
    const version = sidecar["refs"]?.[name];
    if (version !== undefined) tally.equal(`the address in the Ref ${name}`, addressOfHex(hex), version.manifest);
  }
}

/**
 * Every object has its size and is what its name says.
 * @param {Tally} tally
 * @param {Store} store
 * @param {Record<string, number>} sizes
 */
async function checkObjects(tally, store, sizes) {
  for (const [key, size] of Object.entries(sizes)) {
    try {
      const bytes = await store.get(key);
      const named = key.startsWith("refs/") || key.startsWith("bao-outboard/") || key.endsWith(`/${addressOfDigest(digestOf(bytes))}`);
      const wrong = bytes.byteLength === size ? "its bytes have another address" : `${bytes.byteLength} bytes, expected ${size}`;
      tally.count(`object ${key}`, named && bytes.byteLength === size ? undefined : wrong);
    } catch (error) {
      tally.fail(`object ${key}: ${errorLine(error)}`);
    }
  }
}

/** What lies in a dataset's folder, to be compared byte for byte. */
import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cbor, CborMap, decode } from "../../conformance/naive/cbor.js";
import { base32 } from "../../conformance/support/address.js";

/** Objects that say who wrote them, and when; and what moves. */
const DATED = ["manifests/", "tombstones/", "refs/", ".dreamdb-cas-locks/"];

/** Objects of a dataset by their keys, but those in which writers and clocks differ. */
export function objectsIn(folder: string): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const walk = (prefix: string): void => {
    for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
      const key = `${prefix}${entry.name}`;
      if (DATED.includes(`${key}/`)) continue;
      if (entry.isDirectory()) walk(`${key}/`);
      else found.set(key, readFileSync(join(folder, key)));
    }
  };
  walk("");
  return found;
}

/** What one has and the other has not, or has with other bytes. */
export function differences(theirs: ReadonlyMap<string, Buffer>, ours: ReadonlyMap<string, Buffer>): string[] {
  const wrong = [...ours.keys()].filter((key) => !theirs.has(key)).map((key) => `only ours: ${key}`);
  for (const [key, bytes] of theirs) {
    const own = ours.get(key);
    if (own === undefined) wrong.push(`only theirs: ${key}`);
    else if (!bytes.equals(own)) wrong.push(`other bytes: ${key}`);
  }
  return wrong.sort();
}

/** The nonce of a dataset's timeline. */
export async function nonceOf(folder: string): Promise<Uint8Array> {
  const [genesis, ...others] = await readdir(join(folder, "genesis"));
  if (genesis === undefined || others.length > 0) throw new Error(`${folder} has not one timeline`);
  const nonce = mapOf(decode(await readFile(join(folder, "genesis", genesis)))).get("nonce");
  if (!(nonce instanceof Uint8Array)) throw new Error("a genesis object without a nonce");
  return nonce;
}

/** The newest manifest's `tracks` and `registry`: all of it that two writers have in common. Repeated pairs are the same pair. */
export async function contentsOfManifest(folder: string, ref: string): Promise<unknown> {
  const address = base32(await readFile(join(folder, "refs", ref)));
  const manifest = mapOf(decode(await readFile(join(folder, "manifests", address)), true));
  // The head of tombstones says when rows were deleted.
  const registry = mapOf(manifest.get("registry")).pairs.filter(([key]) => key !== "dreamdb.tombstones");
  return { tracks: plain(manifest.get("tracks")), registry: plain(new CborMap(registry)), timelines: plain(manifest.get("timelines")) };
}

function mapOf(value: Cbor | undefined): CborMap {
  if (value instanceof CborMap) return value;
  throw new Error("expected a map");
}

function plain(value: Cbor | undefined): unknown {
  if (value instanceof Uint8Array) return base32(value);
  if (typeof value === "bigint") return String(value);
  if (value instanceof CborMap) return Object.fromEntries(value.pairs.map(([key, item]) => [`key ${String(key)}`, plain(item)]));
  return Array.isArray(value) ? value.map((item: Cbor) => plain(item)) : value;
}

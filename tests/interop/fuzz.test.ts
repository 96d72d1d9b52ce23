/**
 * Random documents, tags and payloads before both implementations: both accept them, or both refuse them for the same reason.
 *
 * `scripts/fuzz-reference.mjs` asks for more of them, and for other ones. What is known to differ is in `DEPARTURES`, with its group of
 * `vectors/divergences.json`.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { rm } from "node:fs/promises";
import { init, isArrayField, isDreamDbError, memoryStore, openDataset } from "dreamdb-arrays";
import { afterAll, beforeAll, expect, test } from "vitest";
import { meaningOf } from "../conformance/cases/messages.js";
import { put, testDir } from "../support/temp-dir.js";
import { ANCHOR, type Case, type CaseKind, FIELD, nextCase } from "./support/fuzz-cases.js";
import { Random } from "./support/random.js";
import { Reference, ReferenceError } from "./support/reference.js";

const COUNT = Number(process.env["FUZZ_COUNT"] ?? 200);
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
/** More of them help nobody to find out what is wrong. */
const MOST_SHOWN = 10;

const PLACES = [
  /^schema mismatch: decode persisted schema: typed-array item_type: /, /^protocol: array field `x`: /, /^protocol: typed-array field `x` anchor \d+: /,
  /^connector: open ref: manifest fetch error: decode error in manifest: /, /^protocol: /, /^schema mismatch: decode persisted schema: /,
];

/** What differs, and why that is right: groups of `vectors/divergences.json`. */
const DEPARTURES: readonly { readonly group: string; readonly ours: string; readonly theirs: string }[] = [
  { group: "npy-beyond-numpy", ours: "InvalidNpyHeader", theirs: "ok" },
];

let reference: Reference;
beforeAll(async () => {
  await init();
  reference = new Reference();
});
afterAll(() => reference.close());

async function oursOf({ objects, reads }: Case): Promise<string> {
  try {
    const ds = await openDataset(memoryStore(objects), "main");
    const info = ds.fields[0];
    const family = info !== undefined && isArrayField(info) ? info.family : "dense-array";
    if (reads) await (family === "ragged-array" ? ds.ragged(FIELD) : family === "sparse-csr" ? ds.csr(FIELD) : ds.array(FIELD)).read(ANCHOR);
    return "ok";
  } catch (error) {
    if (isDreamDbError(error)) return error.code;
    throw error;
  }
}

async function theirsOf({ objects, reads }: Case, folder: string): Promise<string> {
  for (const [key, object] of objects) await put(folder, key, object);
  try {
    await reference.judge(folder, "main", reads ? FIELD : undefined);
    return "ok";
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const core = PLACES.reduce((text, place) => text.replace(place, ""), error.text);
    return meaningOf(error.text)?.code ?? meaningOf(core)?.code ?? `unknown: ${error.type}: ${error.text}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function agree(ours: string, theirs: string): boolean {
  return ours === theirs || DEPARTURES.some((departure) => departure.ours === ours && departure.theirs === theirs);
}

test.each(["documents", "tags", "payloads"] as const)("random %s", { timeout: 30_000 + 60 * COUNT }, async (kind: CaseKind) => {
  const random = new Random(SEED, kind.length);
  const folder = await testDir();
  const differ: string[] = [];
  const verdicts = new Map<string, number>();
  for (let at = 0; at < COUNT; at++) {
    const made = nextCase(kind, random);
    const [ours, theirs] = [await oursOf(made), await theirsOf(made, join(folder, String(at)))];
    verdicts.set(ours, (verdicts.get(ours) ?? 0) + 1);
    if (!agree(ours, theirs)) differ.push(`${kind} ${at}: ours ${ours}, the reference's ${theirs}; ${made.about}`);
  }
  const report = process.env["FUZZ_REPORT"];
  if (report !== undefined) appendFileSync(report, `${JSON.stringify({ kind, count: COUNT, failed: differ.length, verdicts: [...verdicts] })}\n`);
  expect(differ.slice(0, MOST_SHOWN)).toEqual([]);
  // Valid ones and refusals of several kinds are among them, or nothing was compared.
  expect(verdicts.get("ok")).toBeGreaterThan(0);
  expect(verdicts.size).toBeGreaterThan(3);
});

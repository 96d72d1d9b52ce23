/** The checker of datasets itself: it takes what is right, and whatever single value of a sidecar is wrong, it says so. */

import { fileURLToPath } from "node:url";
import * as api from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { beforeAll, describe, expect, test } from "vitest";
import { comparePinned, compareVersion } from "../../scripts/lib/dataset-check/compare.mjs";
import { checkDataset } from "../../scripts/lib/dataset-check/dataset.mjs";
import { type Extent, readVersion, type Reading } from "../../scripts/lib/dataset-check/reading.mjs";
import { equal } from "../../scripts/lib/dataset-check/equal.mjs";
import { Tally } from "../../scripts/lib/dataset-check/tally.mjs";
import { type Fixture, loadSidecar } from "../support/fixtures.js";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where a value stands in JSON. */
type Path = readonly (string | number)[];

/**
 * What the package does not tell, so that nothing can be compared with it: roles, a paged index as it is declared, and deletions of rows that never
 * were.
 */
const UNTOLD = [/\.role$/, /\.object_index\.(form|fanout|tree_height)$/, /\.error$/];
const NEVER_STORED = 999;

/** Of a list that is longer, its ends stand for all. */
const LONG = 2;

/** Every single value in some JSON, with its place. */
function* leaves(json: Json, path: Path = []): Generator<readonly [Path, Json]> {
  if (typeof json !== "object" || json === null) {
    yield [path, json];
    return;
  }
  const entries: [string | number, Json][] = Array.isArray(json) ? json.map((part: Json, at) => [at, part]) : Object.entries(json);
  const some = Array.isArray(json) && json.length > LONG ? [0, json.length - 1].flatMap((at) => [entries[at]].filter((entry) => entry !== undefined)) : entries;
  for (const [key, part] of some) yield* leaves(part, [...path, key]);
}

/** The JSON with another value at one place. */
function replaced(json: Json, [key, ...rest]: Path, value: Json): Json {
  if (key === undefined) return value;
  const copy = structuredClone(json) as Record<string | number, Json>;
  copy[key] = replaced(copy[key] ?? null, rest, value);
  return copy;
}

/** Another value of the same kind, as near as can be. */
function another(value: Json): Json {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value !== "string") throw new Error(`the sidecar has ${String(value)}`);
  if (/^-?\d+$/.test(value)) return String(BigInt(value) + 1n);
  if (/^(-0\.0|nan|inf|-inf)$/.test(value)) return value === "inf" ? "nan" : "inf";
  return value === "" ? "x" : `${value.slice(0, -1)}${value.endsWith("a") ? "b" : "a"}`;
}

function failures(reading: Reading, facts: Json): string[] {
  const tally = new Tally();
  compareVersion(tally, reading, facts as Record<string, unknown>);
  return tally.failures;
}

const folder = (fixture: Fixture) => fsStore(fileURLToPath(new URL(`../fixtures/${fixture}/data`, import.meta.url)));

/** One fixture of each kind of thing that a sidecar can say. */
describe.each([
  ["arrays-continuous", "main"], ["chunked", "main"], ["constants", "main"], ["hand-minimal", "tomb-legacy"], ["layers", "main"],
  ["packs", "main"], ["paged-small", "refappend"], ["scalars", "main"], ["tombstones", "ta"],
] as const)("%s, version %s", (fixture, version) => {
  let reading: Reading;
  let facts: Json;
  beforeAll(async () => {
    facts = (await loadSidecar(fixture)).refs[version] as unknown as Json;
    reading = await readVersion(api, folder(fixture), version, {} satisfies Extent);
  });

  test("as it is, nothing is told", () => {
    expect(failures(reading, facts)).toEqual([]);
  });

  test("every single value that is changed in the sidecar is told", () => {
    const untold: string[] = [];
    let changed = 0;
    for (const [path, value] of leaves(facts)) {
      const name = path.join(".");
      if (UNTOLD.some((pattern) => pattern.test(`.${name}`)) || (path[0] === "tombstones" && value === NEVER_STORED)) continue;
      changed++;
      if (failures(reading, replaced(facts, path, another(value))).length === 0) untold.push(name);
    }
    expect(untold).toEqual([]);
    expect(changed).toBeGreaterThan(40);
  });

  test("a field, a value, a fact that is unknown is told", () => {
    for (const [name, field] of Object.entries((facts as { fields: Record<string, Json> }).fields)) {
      const without = structuredClone(facts) as { fields: Record<string, Json> };
      delete without.fields[name];
      expect(failures(reading, without)).not.toEqual([]);
      const { items } = field as { items?: readonly Json[] };
      if (items !== undefined) expect(failures(reading, replaced(facts, ["fields", name, "items"], items.slice(1)))).not.toEqual([]);
      expect(failures(reading, replaced(facts, ["fields", name, "colour"], "red"))).not.toEqual([]);
    }
    expect(failures(reading, replaced(facts, ["colour"], "red"))).not.toEqual([]);
  });
});

test("a rule, a page, a window that is wrong is told", async () => {
  const { refs } = await loadSidecar("paged-image-reference");
  const facts = refs["main"] as unknown as Json;
  const start = 10n ** 15n;
  const windows = new Map([["im", [start + 9_000_000n, start + 9_003_000n] as const]]);
  const reading = await readVersion(api, folder("paged-image-reference"), "main", { windows });
  expect(failures(reading, facts)).toEqual([]);
  for (const [path, value] of [
    ["series.start", Number(start) + 1], ["series.count", 18_499], ["object_index.page_count", 55], ["object_index.total_items", 18_499],
    ["object_index.root", "d"], ["window.values.1.hex", "28"], ["window.extent.0", Number(start) + 9_000_001],
  ] as const) {
    expect([path, failures(reading, replaced(facts, ["fields", "im", ...path.split(".")], value)).length]).not.toEqual([path, 0]);
  }
});

test("equal is what is the same to the bit", () => {
  const error = (message: string) => new Error(message);
  const pairs: (readonly [unknown, unknown, boolean])[] = [
    [-0, 0, false], [1n, 1, false], [Number.NaN, Number.NaN, true], [null, {}, false], [undefined, null, false], ["a", "a", true],
    [[1, [2]], [1, [2]], true], [[1], [1, 2], false], [[], {}, false], [{ a: 1 }, { a: 1 }, true], [{ a: undefined }, { b: undefined }, false], [{ a: 1 }, { a: 1, b: 2 }, false],
    [Float32Array.of(-0), Float32Array.of(0), false], [Uint8Array.of(1), Uint8Array.of(1), true], [Uint8Array.of(1), Int8Array.of(1), false],
    [Uint8Array.of(1), Uint8Array.of(1, 2), false], [Uint8Array.of(1), [1], false], [new Map([[1n, "a"]]), new Map([[1n, "a"]]), true],
    [new Map([[1n, "a"]]), new Map([[1n, "b"]]), false], [new Map([[1, 2], [3, 4]]), new Map([[3, 4], [1, 2]]), true], [new Map(), {}, false], [error("a"), error("a"), true], [error("a"), error("b"), false], [error("a"), {}, false],
  ];
  for (const [a, b, same] of pairs) expect([a, b, equal(a, b), equal(b, a)]).toEqual([a, b, same, same]);
  expect([equal({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, "b"), equal({ a: [{ c: 1, b: 1 }] }, { a: [{ c: 2, b: 1 }] }, "b")]).toEqual([true, false]);
});

test("a version that differs when it is pinned is told", async () => {
  const { refs } = await loadSidecar("branches");
  const [main, other] = await Promise.all(["main", "main@v1"].map((ref) => readVersion(api, folder("branches"), ref, {})));
  if (main === undefined || other === undefined || refs["main@v1"] === undefined) throw new Error("the fixture lacks a version");
  const pinned = await readVersion(api, folder("branches"), { manifest: refs["main@v1"].manifest }, {});
  const same = new Tally();
  comparePinned(same, other, pinned);
  expect(same.failures).toEqual([]);
  const wrong = new Tally();
  comparePinned(wrong, main, pinned);
  expect(wrong.failures.length).toBeGreaterThan(2);
});

test("a Ref, an object, a version of another name is told", async () => {
  const sidecar = await loadSidecar("layers");
  const check = async (facts: object, only?: string) => (await checkDataset(api, folder("layers"), { ...sidecar, ...facts }, only)).failures;
  const [key = "", size = 0] = Object.entries(sidecar.objects)[0] ?? [];
  expect(await check({ ref_bytes: { main: sidecar.ref_bytes["main"]?.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) } })).toHaveLength(2);
  expect(await check({ objects: { [key]: size + 1 } })).toEqual([expect.stringContaining(key)]);
  expect(await check({ objects: { "genesis/absent": 1 } })).toEqual([expect.stringContaining("genesis/absent")]);
  expect(await check({}, "absent")).toEqual([expect.stringContaining("absent")]);
  expect(await check({ refs: {} })).toHaveLength(1);
  expect(await check({ colour: "red" })).toHaveLength(1);
});

/** Scalar columns: the same rows make the same objects, whoever writes them, in turns as well; and the reference reads what was written. */
import { Dataset, type RowInit, type ScalarType, Schema, type WritableDataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDir } from "../support/temp-dir.js";
import { contentsOfManifest, differences, nonceOf, objectsIn } from "./support/objects.js";
import { Random } from "./support/random.js";
import { Reference } from "./support/reference.js";

const TYPES: readonly ScalarType[] = ["categorical", "bool", "int", "float", "string", "timestamp"];
const PYTHON: Readonly<Record<ScalarType, string>> = { categorical: "str", bool: "bool", int: "int", float: "float", string: "str", timestamp: "int" };

type Value = string | boolean | bigint | number;
type Row = { readonly anchor: bigint; readonly values: Readonly<Partial<Record<ScalarType, Value>>> };

let reference: Reference;
beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

/** A value as the reference's process takes it, and gives it. */
function told(type: ScalarType, value: Value): { scalar: string; text: string } {
  return { scalar: PYTHON[type], text: Object.is(value, -0) ? "-0.0" : String(value) };
}

/** Floats come back in hexadecimal, of which every bit is looked at. */
function bitsOf({ scalar, text }: { scalar: string; text: string }): Value {
  if (scalar !== "float") return text;
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = /^(-?)0x([01])\.?([0-9a-f]*)p([+-]\d+)$/.exec(text) ?? [];
  const digits = Number.parseInt(`${whole}${fraction}`, 16);
  // In two steps, as powers of the least floats are none.
  const size = digits * 2 ** (-4 * fraction.length) * (Number(exponent) < -1000 ? 2 ** -1000 * 2 ** (Number(exponent) + 1000) : 2 ** Number(exponent));
  return sign === "-" ? -size : size;
}

/** The same dataset twice, one of each writer. */
class Twins {
  readonly deleted = new Set<bigint>();
  readonly rows = new Map<bigint, Row["values"]>();

  private constructor(
    readonly theirs: string,
    readonly own: string,
    readonly ds: WritableDataset,
    readonly types: readonly ScalarType[],
  ) {}

  static async of(types: readonly ScalarType[]): Promise<Twins> {
    const [theirs, own] = [await testDir(), await testDir()];
    const schema = new Schema();
    for (const type of types) schema.scalar(`f_${type}`, { type, required: false });
    const fields = types.map((type) => ({ kind: "scalar", name: `f_${type}`, type, required: false }));
    await reference.ask({ do: "create", backend: `file://${theirs}`, ref: "main", fields });
    const ds = await Dataset.create(fsStore(own, { durable: false }), "main", schema, { nonce: await nonceOf(theirs) });
    return new Twins(theirs, own, ds, types);
  }
}

/** Both append the same rows. */
async function append(twins: Twins, rows: readonly Row[]): Promise<void> {
  await theirAppend(twins.theirs, rows);
  await twins.ds.append(ownRows(rows));
  for (const { anchor, values } of rows) twins.rows.set(anchor, values);
  expect(await contentsOfManifest(twins.own, "main")).toEqual(await contentsOfManifest(twins.theirs, "main"));
}

/** Objects that both have stored. */
function compare(twins: Twins): number {
  const stored = objectsIn(twins.theirs);
  expect(differences(stored, objectsIn(twins.own))).toEqual([]);
  return stored.size;
}

/** What the reference reads of a folder is what was written; and so what we read of it. */
async function readBack(twins: Twins, folder: string): Promise<void> {
  const dataset = await reference.ask({ do: "open", backend: `file://${folder}`, ref: "main" });
  const reading = (await reference.ask({ do: "read", dataset, arrays: [], constants: [], anchors: [] })) as {
    batches: { anchors: string[]; columns: [string, ({ scalar: string; text: string } | null)[]][] }[];
  };
  const read = new Map<string, Record<string, Value>>();
  for (const { anchors, columns } of reading.batches) {
    for (const [at, anchor] of anchors.entries()) {
      const values = columns.flatMap(([name, column]): [string, Value][] => (column[at] ? [[name, bitsOf(column[at])]] : []));
      read.set(anchor, Object.fromEntries(values));
    }
  }
  const wanted = [...twins.rows].filter(([anchor, values]) => !twins.deleted.has(anchor) && Object.keys(values).length > 0);
  const written = wanted.map(([anchor, values]): [string, Record<string, Value>] => {
    const texts = Object.entries(values).map(([type, value]): [string, Value] => [`f_${type}`, type === "float" ? value : String(value)]);
    return [String(anchor), Object.fromEntries(texts)];
  });
  expect(read).toEqual(new Map(written));

  const ours = (await Dataset.open(fsStore(folder), "main")).current;
  for (const type of twins.types) {
    const { anchors, values } = await ours.scalar(`f_${type}`).column();
    const has = wanted.filter(([, row]) => row[type] !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
    expect([...anchors]).toEqual(has.map(([anchor]) => anchor));
    expect(Array.from(values as ArrayLike<unknown>)).toEqual(has.map(([, row]) => (type === "bool" ? Number(row[type]) : row[type])));
  }
}

function ownRows(rows: readonly Row[]): RowInit[] {
  return rows.map(({ anchor, values }) => ({ anchor, values: Object.fromEntries(Object.entries(values).map(([type, value]) => [`f_${type}`, value])) }));
}

async function theirAppend(folder: string, rows: readonly Row[]): Promise<void> {
  const dataset = await reference.ask({ do: "open", backend: `file://${folder}`, ref: "main" });
  const said = rows.map(({ anchor, values }) => {
    return { anchor, values: Object.entries(values).map(([type, value]) => [`f_${type}`, told(type as ScalarType, value)]) };
  });
  await reference.ask({ do: "append", dataset, rows: said });
}

const EDGES: Readonly<Record<ScalarType, readonly Value[]>> = {
  categorical: ["", "a", "aa", "b", "släp", "😀", "a\0b", "x".repeat(9000)],
  bool: [true, false],
  int: [0n, 1n, -1n, 23n, 24n, -24n, -25n, 255n, 256n, -257n, 65536n, 2n ** 32n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n],
  float: [0, -0, 1.5, -1.1, 5e-324, 65504, 65505, 2 ** -24, 2 ** -25, 3 * 2 ** -24, 1e-5, 3.4028234663852886e38, 1e300, -1.7976931348623157e308],
  string: ["", "a", "aa", "b", "é", "😀", "a\0b", "x".repeat(8192)],
  timestamp: [0n, -1n, 1_700_000_000_000_000_000n, 2n ** 63n - 1n],
};

/** `count` rows at different anchors, each with most of the values. */
function randomRows(random: Random, taken: Set<bigint>, count: number, types: readonly ScalarType[], draw: (type: ScalarType) => Value): Row[] {
  return Array.from({ length: count }, () => {
    let anchor = BigInt(random.integer(0, 1_000_000 - 1));
    while (taken.has(anchor)) anchor += 2n ** 31n;
    taken.add(anchor);
    const values = types.filter(() => random.integer(0, 10 - 1) > 0).map((type): [ScalarType, Value] => [type, draw(type)]);
    return { anchor, values: Object.fromEntries(values) };
  });
}

describe("both write the same", () => {
  test.each([1, 2, 3])("values of every type, in several appends, with a deletion (%d)", { timeout: 60_000 }, async (seed) => {
    const random = new Random(seed, 0);
    const twins = await Twins.of(TYPES);
    const taken = new Set<bigint>();
    const draw = (type: ScalarType): Value => EDGES[type][random.integer(0, EDGES[type].length - 1)] as Value;
    const rows: Row[] = [];
    for (const count of [40, 1, 3, 25]) rows.push(...randomRows(random, taken, count, TYPES, draw));
    for (const [from, to] of [[0, 40], [40, 41], [41, 44], [44, 69]] as const) await append(twins, rows.slice(from, to));
    expect(compare(twins)).toBeGreaterThan(30);
    const anchors = rows.filter((_, at) => at % 7 === 0).map(({ anchor }) => anchor);
    for (const anchor of anchors) twins.deleted.add(anchor);
    await twins.ds.delete(anchors, "wrong");
    await readBack(twins, twins.own);
  });

  test("columns of 12,000 rows, whose trees are divided into pages, and what is added to these", { timeout: 120_000 }, async () => {
    const types = ["int", "string", "bool", "categorical"] as const;
    const random = new Random(5, 0);
    const twins = await Twins.of(types);
    const draw = (type: ScalarType): Value => {
      if (type === "bool") return random.integer(0, 2 - 1) === 0;
      if (type === "int") return BigInt(random.integer(0, 2 - 1) === 0 ? random.integer(0, 3000 - 1) : random.integer(0, 2 ** 31 - 1)) - 1500n;
      return type === "string" ? `${"é".repeat(random.integer(0, 200 - 1))}${random.integer(0, 100 - 1)}` : `label ${random.integer(0, 40 - 1)}`;
    };
    const taken = new Set<bigint>();
    for (const count of [12_000, 200, 1]) await append(twins, randomRows(random, taken, count, types, draw));
    compare(twins);
    expect([...objectsIn(twins.own).keys()].filter((key) => key.includes("/index/")).length).toBeGreaterThan(50);
    await readBack(twins, twins.own);
  });

  test("rows side by side, of which a bitmap is a bitmap, and anchors far apart", async () => {
    const twins = await Twins.of(["bool"]);
    await append(twins, Array.from({ length: 5000 }, (_, at) => ({ anchor: 65_000n + BigInt(at), values: { bool: at !== 4200 } })));
    await append(twins, [0n, 2n ** 32n, 2n ** 62n].map((anchor) => ({ anchor, values: { bool: true } })));
    compare(twins);
    await readBack(twins, twins.own);
  });

  test("each goes on where the other stopped", async () => {
    const random = new Random(9, 0);
    const twins = await Twins.of(TYPES);
    const taken = new Set<bigint>();
    const draw = (type: ScalarType): Value => EDGES[type][random.integer(0, EDGES[type].length - 1)] as Value;
    await append(twins, randomRows(random, taken, 30, TYPES, draw));
    // From here on both folders change hands.
    const [mine, yours] = [await Dataset.open(fsStore(twins.theirs), "main"), randomRows(random, taken, 20, TYPES, draw)];
    await mine.append(ownRows(yours));
    await theirAppend(twins.own, yours);
    expect(await contentsOfManifest(twins.own, "main")).toEqual(await contentsOfManifest(twins.theirs, "main"));
    expect(compare(twins)).toBeGreaterThan(20);
  });
});

/** Every scalar value of datasets that the reference wrote, as it reads them back. */
import { describe, expect, inject, test } from "vitest";
import { type Dataset, httpStore, isScalarField, openDataset, type ScalarFieldInfo, type VerifyPolicy } from "dreamdb-arrays";
import { recording } from "../support/recording.js";
import { integer, type SidecarNumber } from "../support/sidecar.js";

/** A value of a sidecar: integers beyond 2^53, and -0.0, are spelled out. */
type ScalarFact = string | boolean | SidecarNumber;

interface FieldFact {
  readonly kind: string;
  readonly value_type?: string;
  readonly modality: string;
  readonly track: string;
  readonly role: string;
  readonly items?: readonly { readonly anchor: SidecarNumber; readonly value: ScalarFact }[];
}

interface RefFact {
  readonly anchors: readonly SidecarNumber[];
  readonly fields: Readonly<Record<string, FieldFact>>;
}

const FIXTURES = { scalars: ["bo", "cat", "fl", "in", "st", "ts"], layers: ["s2"], "lineage-v4-entity": ["n"] } as const;

const urlOf = (fixture: string) => `${inject("fixturesUrl")}/${fixture}`;

async function sidecar(fixture: string): Promise<RefFact> {
  const answer = await fetch(`${urlOf(fixture)}/expected.json`);
  const { refs } = (await answer.json()) as { refs: { main: RefFact } };
  return refs.main;
}

function valueOf(type: string | undefined, fact: ScalarFact): string | boolean | number | bigint {
  if (type === "int" || type === "timestamp") return integer(fact as SidecarNumber);
  if (type === "float") return typeof fact === "object" && "float" in fact ? Number(fact.float) : Number(fact);
  return fact as string | boolean;
}

/** A column's values as they are read one by one. */
function plain(values: Iterable<string | number | bigint>, type: string): (string | boolean | number | bigint)[] {
  return Array.from(values, (value) => (type === "bool" ? value === 1 : value));
}

async function open(fixture: string, verify: VerifyPolicy): Promise<{ ds: Dataset; keys: () => readonly string[] }> {
  const store = recording(httpStore(`${urlOf(fixture)}/data`));
  return { ds: await openDataset(store, "main", { verify }), keys: () => store.keys() };
}

describe.each(Object.entries(FIXTURES))("%s", (fixture, names) => {
  describe.each(["always", "available", "never"] as const)("verify %s", (verify) => {
    test.each(names)("%s", async (name) => {
      const fact = await sidecar(fixture);
      const field = fact.fields[name];
      if (field?.items === undefined) throw new Error(`the sidecar lacks ${name}`);
      const { ds } = await open(fixture, verify);
      const info = ds.fields.find((candidate) => candidate.name === name);
      if (info === undefined || !isScalarField(info)) throw new Error(`${name} is no scalar field`);
      expect(info satisfies ScalarFieldInfo).toMatchObject({ kind: "scalar", valueType: field.value_type, modality: field.modality, trackKind: "event" });

      const anchors = field.items.map(({ anchor }) => integer(anchor));
      const values = field.items.map(({ value }) => valueOf(field.value_type, value));
      const scalar = ds.scalar(name);
      const column = await scalar.column();
      expect([...column.anchors]).toEqual(anchors);
      // -0 is told from 0.
      expect(plain(column.values, info.valueType)).toStrictEqual(values);
      // Small packs are taken whole.
      expect(verify === "never" ? ["none"] : ["object", "range"]).toContain(column.verified);
      if ("codes" in column) {
        expect(Array.from(column.codes, (code) => column.categories[code])).toEqual(values);
        expect(new Set(column.categories).size).toBe(column.categories.length);
      }
      expect(await scalar.count()).toBe(anchors.length);
      expect([...(await scalar.anchors())]).toEqual(anchors);

      // One by one, in any order, with rows that have no value.
      const fresh = (await open(fixture, verify)).ds.scalar(name);
      const asked = [...fact.anchors.map(integer), 0n, 1n, 15n, (1n << 64n) - 1n].toReversed();
      const expected = asked.map((anchor) => values[anchors.indexOf(anchor)]);
      for (const [at, anchor] of asked.entries()) expect(await fresh.read(anchor)).toBe(expected[at]);
      const outcomes = await fresh.readMany(asked);
      expect(outcomes.map((outcome) => (outcome.status === "value" ? outcome.value : undefined))).toStrictEqual(expected);
      expect(outcomes.every(({ status }) => status === "value" || status === "absent")).toBe(true);

      // Windows: every pair of neighbouring anchors.
      for (const [at, anchor] of anchors.entries()) {
        const part = await fresh.column({ start: anchor, end: (anchors[at + 1] ?? anchor) + 1n });
        expect([...part.anchors]).toEqual(anchors.slice(at, at + 2));
        expect(plain(part.values, info.valueType)).toStrictEqual(values.slice(at, at + 2));
      }
    });
  });
});

interface TreeSidecar {
  readonly deleted: readonly number[];
  readonly categories: readonly string[];
  readonly fields: Readonly<Record<string, { readonly stored: number; readonly anchors: readonly number[]; readonly values: readonly ScalarFact[] }>>;
}

describe("scalar-tree", () => {
  const load = async (): Promise<TreeSidecar> => (await fetch(`${urlOf("scalar-tree")}/expected.json`)).json() as Promise<TreeSidecar>;

  test.each(["state", "step", "force"])("%s: thousands of rows, an index of several levels, deleted rows", async (name) => {
    const { fields, deleted, categories } = await load();
    const fact = fields[name];
    if (fact === undefined) throw new Error(`the sidecar lacks ${name}`);
    const { ds, keys } = await open("scalar-tree", "always");
    const scalar = ds.scalar(name);
    const type = scalar.info.valueType;
    const values = fact.values.map((value) => (type === "categorical" ? categories[Number(value)] : valueOf(type, value)));
    const anchors = fact.anchors.map(BigInt);

    const column = await scalar.column();
    expect(column.anchors).toEqual(BigUint64Array.from(anchors));
    expect(Array.from<unknown>(column.values)).toStrictEqual(values);
    if (name === "step") expect(keys().filter((key) => key.includes("/index/")).length).toBe(24);
    expect(await scalar.count()).toBe(fact.stored);

    const outcomes = await scalar.readMany(anchors);
    expect(outcomes.map((outcome) => outcome.status === "value" && outcome.value)).toStrictEqual(values);
    const gone = new Set((await scalar.readMany(deleted)).map(({ status }) => status));
    expect(gone).toEqual(new Set(name === "state" ? ["deleted"] : ["deleted", "absent"]));
    for (const at of [0, 1, 77, anchors.length - 1]) {
      expect(await scalar.read(anchors[at] ?? 0n)).toBe(values[at]);
      expect(await scalar.read((anchors[at] ?? 0n) + 1n)).toBeUndefined();
    }

    const [start, end] = [1001n, 1501n];
    const part = await scalar.column({ start, end });
    const inside = anchors.flatMap((anchor, at) => (anchor >= start && anchor < end ? [at] : []));
    expect([...part.anchors]).toEqual(inside.map((at) => anchors[at]));
    expect(Array.from<unknown>(part.values)).toStrictEqual(inside.map((at) => values[at]));
  });
});

/** Every way of reading many Items against a naive reader that takes them one by one: any anchors, windows, batches, deletions, trees of pages. */

import * as fc from "fast-check";
import { init } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { raggedPayload } from "../support/built-arrays.js";
import { build, f32, type FieldInit, openBuilt } from "../support/built-pages.js";

await init();

const DENSE = { dtype: "f32", shape: [1] } as const;
const RAGGED = { family: "ragged-array", dtype: "f32", innerShape: [] } as const;
const LAST = (1n << 64n) - 1n;

/** Few anchors, so that windows meet them, and some near the end of all. */
const anchor = fc.oneof({ weight: 8, arbitrary: fc.bigInt(0n, 60n) }, { weight: 1, arbitrary: fc.bigInt(LAST - 20n, LAST - 4n) });
const fanout = fc.option(fc.integer({ min: 2, max: 5 }), { nil: undefined });

const fieldOf = (name: string) =>
  fc
    .record({
      kind: fc.constantFrom("event", "continuous", "ragged", "single", "packed"),
      anchors: fc.uniqueArray(anchor, { maxLength: 25, comparator: (a, b) => a === b }),
      fanout,
      perPack: fc.integer({ min: 1, max: 6 }),
    })
    .map(({ kind, anchors, fanout: children, perPack }): FieldInit => {
      const sorted = [...anchors].sort((a, b) => (a < b ? -1 : 1));
      const value = (own: bigint) => Number(own % 1000n);
      const items = sorted.map((own) => ({ anchor: own, body: kind === "ragged" ? raggedPayload([[value(own)], []]) : f32(...(kind.length === 6 ? [value(own), 1] : [value(own)])) }));
      const paged = children === undefined ? {} : { fanout: children };
      if (kind === "single") return { name, items, ...paged };
      if (kind === "packed") return { name, items, perPack, ...paged };
      if (kind === "ragged") return { name, type: { ...RAGGED, semanticType: name }, items, ...paged };
      return { name, type: { ...DENSE, semanticType: name }, kind: kind === "event" ? "event" : "continuous", items, ...paged };
    });

const inputs = fc.record({
  fields: fc.tuple(fieldOf("a"), fieldOf("b")),
  deleted: fc.uniqueArray(anchor, { maxLength: 8 }),
  start: anchor,
  end: fc.option(fc.oneof(anchor, fc.constant(LAST)), { nil: undefined }),
  batchSize: fc.integer({ min: 1, max: 12 }),
  asked: fc.array(anchor, { maxLength: 12 }),
  verify: fc.constantFrom("always" as const, "never" as const),
});

test("columns, batches, rows and many reads are what reading Item by Item gives", async () => {
  await fc.assert(
    fc.asyncProperty(inputs, async ({ fields, deleted, start, end, batchSize, asked, verify }) => {
      const { ds } = await openBuilt(build(fields, deleted), { verify });
      const isMedia = (name: string): boolean => ds.fields.some((info) => info.name === name && info.kind === "image");
      const fieldAt = (name: string) => (isMedia(name) ? ds.media(name) : fields.some((own) => own.name === name && own.type?.family === "ragged-array") ? ds.ragged(name) : ds.array(name));
      const gone = new Set(deleted);
      const isWanted = (own: bigint): boolean => own >= start && (end === undefined || own < end) && !gone.has(own);
      const rows = new Map<bigint, Record<string, unknown>>();
      for (const { name, items } of fields) {
        const field = fieldAt(name);
        const anchors = items.map((item) => BigInt(item.anchor));
        expect([...(await field.anchors())]).toEqual(anchors);
        expect(await field.count()).toBe(anchors.length);
        const values = new Map<bigint, unknown>();
        for (const own of anchors.filter(isWanted)) {
          const value = await field.read(own);
          expect(value).toBeDefined();
          values.set(own, value);
          rows.set(own, { ...rows.get(own), [name]: value });
        }
        // Outcomes, in the order asked for.
        const many = [...asked, ...anchors.slice(0, 3)];
        const outcomes = await field.readMany(many);
        for (const [at, own] of many.entries()) {
          const status = !anchors.includes(own) ? "absent" : gone.has(own) ? "deleted" : "value";
          expect([outcomes[at]?.anchor, outcomes[at]?.status]).toEqual([own, status]);
          if (outcomes[at]?.status === "value") expect(outcomes[at]).toEqual({ anchor: own, status, value: await field.read(own) });
        }
        // The window as a column, and as batches of it.
        const column = await field.column({ start, end });
        expect([...column.anchors]).toEqual([...values.keys()]);
        const pieces = [];
        for await (const batch of field.batches({ start, end, batchSize })) pieces.push(batch);
        expect(pieces.flatMap(({ anchors: own }) => [...own])).toEqual([...values.keys()]);
        expect(pieces.slice(0, -1).every((batch) => batch.anchors.length === batchSize)).toBe(true);
        for (const whole of [[column], pieces]) {
          const found = whole.flatMap((own): unknown[] => ("items" in own ? [...own.items] : "values" in own ? [...own.values] : [...own.data]));
          const expected = [...values.values()].flatMap((value): unknown[] => {
            const item = value as { data?: Float32Array; values?: Float32Array };
            return item.data ? [...item.data] : item.values ? [...item.values] : [value];
          });
          expect(JSON.stringify(found, plain)).toBe(JSON.stringify(expected, plain));
        }
      }
      const listed = [];
      for await (const row of ds.rows({ start, end, batchSize })) listed.push(row);
      const expected = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(listed.map((row) => row.anchor)).toEqual(expected.map(([own]) => own));
      for (const [at, [, values]] of expected.entries()) {
        expect({ ...listed[at]?.values }).toEqual(values);
      }
      expect(await ds.audit()).toMatchObject({ items: fields.reduce((sum, { items }) => sum + items.length, 0), faults: [] });
    }),
    { numRuns: 60, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false },
  );
}, 60_000);

/** How an Item was verified depends on how its bytes came. */
function plain(key: string, value: unknown): unknown {
  if (key === "verified") return undefined;
  return typeof value === "bigint" ? `${value}n` : value;
}

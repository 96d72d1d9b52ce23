/** Audits: what there is, what is wrong with it, and how it is gone about. */

import { type AuditProgress, codec, type ErrorCode, init, memoryStore, openDataset } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { TIMELINE } from "../../ts/cli/vectors/documents.js";
import { address, multihash } from "../conformance/support/address.js";
import { array, bytes, FALSE, uint } from "../conformance/support/cbor-writer.js";
import { raggedPayload } from "../support/built-arrays.js";
import { build, f32, type FieldInit, itemKeyOf, type Objects, openBuilt, pagedIndex, placeOf, putItems, putLeaf, putManifest } from "../support/built-pages.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { ALL_FIXTURES, fixtureUrl, loadSidecar } from "../support/fixtures.js";
import { steered } from "../support/recording.js";

await init();

const TYPE = { dtype: "f32", shape: [1] } as const;
const RAGGED = { family: "ragged-array", dtype: "f32", innerShape: [] } as const;
const stored = (count: number) => Array.from({ length: count }, (_, at) => ({ anchor: at, body: f32(at) }));

test.each(ALL_FIXTURES.filter((name) => name !== "episode"))("of %s counts what the reference counts and finds nothing", async (name) => {
  const { refs } = await loadSidecar(name);
  for (const [ref, facts] of Object.entries(refs)) {
    const ds = await openDataset(fixtureUrl(name), ref);
    for (const [field, fact] of Object.entries(facts.fields)) {
      if (fact.audit_physical_items === undefined) continue;
      expect(await ds.auditArrayField(field)).toMatchObject({ field, items: fact.audit_physical_items, faults: [] });
    }
    const audit = await ds.audit();
    expect(audit.faults).toEqual([]);
    expect(audit.items).toBe(audit.fields.reduce((sum, { items }) => sum + items, 0));
  }
});

describe.each([undefined, 3])("what is wrong is told (fan-out %s)", (fanout) => {
  const init: FieldInit = { name: "a", type: TYPE, items: stored(10), ...(fanout && { fanout }) };
  const key = itemKeyOf(init, { anchor: 6, body: f32(6) });

  test.each<readonly [string, (objects: Objects) => void, ErrorCode]>([
    ["a wrong byte", (objects) => objects.set(key, f32(7)), "HashMismatch"],
    ["no object", (objects) => objects.delete(key), "NotFound"],
    ["a wrong length", (objects) => objects.set(key, f32(6, 6)), "HashMismatch"],
  ])("%s, even of a deleted Item", async (_, spoil, code) => {
    const built = build([init], [6]);
    spoil(built.objects);
    const { ds } = await openBuilt(built);
    const audit = await ds.auditArrayField("a");
    expect([audit.items, audit.bytes]).toEqual([10, 36]);
    expect(audit.faults).toMatchObject([{ field: "a", anchor: 6n, code, error: { code, key } }]);
  });

  test("a payload that is none of its type, though the hash is right", async () => {
    const items = [{ anchor: 0, body: raggedPayload([[1]]) }, { anchor: 1, body: raggedPayload([[1]]).fill(9, 0, 4) }, { anchor: 2, body: f32(1, 2, 3) }];
    const { ds } = await openBuilt(build([{ name: "r", type: RAGGED, items, ...(fanout && { fanout }) }]));
    const { faults, bytes: right } = await ds.auditArrayField("r");
    expect(faults.map(({ anchor }) => anchor)).toEqual([1n, 2n]);
    expect(right).toBe(items[0]?.body.byteLength);
    for (const { anchor, code } of faults) await expectFailure(ds.ragged("r").read(anchor ?? 0n), code);
  });
});

test("counts of a tree that are not right are told", async () => {
  const objects: Objects = new Map();
  const modality = codec.modalityOf(TYPE, "event");
  const leaf = putLeaf(objects, modality, putItems(objects, { name: "a", type: TYPE, items: stored(3) }));
  for (const [facts, expected] of [[{}, []], [{ items: 4n }, [["4", "3"]]], [{ pages: 2n }, [["2", "1"]]]] as const) {
    const index = pagedIndex(leaf.hash, { fanout: 2n, height: 1n, pages: 1n, items: 3n, ...facts });
    const { ds } = await openBuilt({ objects, manifest: putManifest(objects, [{ field: { name: "a", type: TYPE }, index }]) });
    const { faults, items } = await ds.auditArrayField("a");
    expect(items).toBe(3);
    expect(faults.map(({ code, error }) => [code, error.expected, error.actual])).toEqual(expected.map((numbers) => ["IndexPage", ...numbers]));
  }
});

test("packs that are not what their entries say", async () => {
  const pack = Uint8Array.from({ length: 10 }, (_, at) => at);
  const place = `${TIMELINE}/image.png/0000000000000000`;
  for (const [spans, code] of [
    [[[0, 4], [4, 6]], undefined],
    [[[0, 4], [5, 5]], "PackInvariant"],
    [[[0, 4], [4, 7]], "PackSliceOutOfBounds"],
    [[[0, 4], [4, 5]], "PackLength"],
  ] as const) {
    const objects: Objects = new Map();
    const single = putItems(objects, { name: "m", items: [{ anchor: 9, body: Uint8Array.of(7) }] }).map(({ entry }) => entry());
    const key = `${place}/${address(pack)}`;
    objects.set(key, pack);
    const packed = spans.map(([offset, size], at) => array([uint(at), uint(at + 1), uint(size), bytes(multihash(pack)), FALSE, uint(offset)]));
    const { ds } = await openBuilt({ objects, manifest: putManifest(objects, [{ field: { name: "m" }, index: array([...packed, ...single]) }]) });
    const audit = await ds.audit("m");
    expect(audit.items).toBe(3);
    expect(audit.faults.map((fault) => [fault.anchor, fault.code, fault.error.key])).toEqual(code === undefined ? [] : [0n, 1n].map((anchor) => [anchor, code, key]));
  }
});

test("an index that cannot be read is a fault of its field, and the others are looked at", async () => {
  const built = build([{ name: "a", type: TYPE, items: stored(2) }, { name: "r", type: RAGGED, items: [{ anchor: 1, body: raggedPayload([[1]]) }] }]);
  for (const key of built.objects.keys()) if (key.startsWith(`${placeOf({ type: TYPE })}/track/`)) built.objects.set(key, Uint8Array.of(0));
  const { ds } = await openBuilt(built);
  const audit = await ds.audit();
  expect(audit.fields.map(({ items }) => items)).toEqual([0, 1]);
  expect(audit.faults).toMatchObject([{ field: "a", code: "HashMismatch" }]);
  expect(audit.faults[0]).not.toHaveProperty("anchor");
  await expectFailure(ds.audit("zz"), "NoSuchField");
  await expectFailure(ds.auditArrayField("zz"), "NoSuchField");
});

test("progress is told Item by Item, few are asked for at once, and an abort ends it", async () => {
  const built = build([{ name: "a", type: TYPE, items: stored(40), fanout: 4 }]);
  let [now, most] = [0, 0];
  const store = steered(memoryStore(built.objects), async (key) => {
    if (!/\/[0-9a-f]{16}\//.test(key)) return;
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
  });
  const ds = await openDataset(store, { manifest: built.manifest }, { concurrency: 3 });
  const told: AuditProgress[] = [];
  await ds.audit(undefined, { onProgress: (progress) => told.push(progress) });
  expect(told.map(({ items }) => items)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(told.at(-1)).toEqual({ field: "a", items: 40, total: 40, bytes: 160, faults: 0 });
  expect(most).toBe(3);
  const controller = new AbortController();
  const reason = new Error("enough");
  const onProgress = ({ items }: AuditProgress) => {
    if (items === 5) controller.abort(reason);
  };
  expect(await expectRejection(ds.auditArrayField("a", { signal: controller.signal, onProgress }))).toBe(reason);
});

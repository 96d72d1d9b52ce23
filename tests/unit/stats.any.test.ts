/** Counters of a dataset: exact for a whole session, by the sizes that the sidecars give. */

import { type Dataset, init, memoryStore, openDataset, type Stats } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { expectFailure } from "../support/failure.js";
import { type Fixture, fixtureUrl, loadObjects, loadSidecar } from "../support/fixtures.js";

await init();

/** What was counted between two looks. */
function watch(ds: Dataset): () => Stats {
  let last = ds.stats();
  return () => {
    const now = ds.stats();
    const passed = Object.entries(now).map(([name, value]) => [name, value - last[name as keyof Stats]]);
    last = now;
    return Object.fromEntries(passed);
  };
}

const NOTHING: Stats = {
  requests: 0,
  ranges: 0,
  retries: 0,
  bytesWanted: 0,
  bytesFetched: 0,
  bytesOfProofs: 0,
  bytesVerified: 0,
  objectsVerified: 0,
  rangesVerified: 0,
  cacheHits: 0,
};

/** One object of so many bytes, fetched whole and verified. */
const object = (bytes: number): Stats => ({ ...NOTHING, requests: 1, bytesFetched: bytes, bytesVerified: bytes, objectsVerified: 1 });
/** One that is an Item. */
const item = (bytes: number): Stats => ({ ...object(bytes), bytesWanted: bytes });
/** The outboard of an object of so many bytes: 64 for each chunk but the first, and 8. */
const outboard = (bytes: number): number => 8 + 64 * (Math.ceil(bytes / 1024) - 1);

async function sizes(fixture: Fixture) {
  const sidecar = await loadSidecar(fixture);
  const fact = sidecar.refs["main"];
  if (fact === undefined) throw new Error(`${fixture} has no main`);
  const track = (name: string) => {
    const { modality = "", track = "" } = fact.fields[name] ?? {};
    return sidecar.objects[`${fact.timeline}/${modality}/track/${track}`] ?? Number.NaN;
  };
  return { sidecar, fact, manifest: sidecar.objects[`manifests/${fact.manifest}`] ?? Number.NaN, track };
}

test("a session over arrays", async () => {
  const { manifest, track } = await sizes("arrays-basic");
  const ds = await openDataset(fixtureUrl("arrays-basic"));
  // The Ref is 33 bytes that nothing verifies but the manifest that they lead to.
  expect(ds.stats()).toEqual({ ...object(manifest), requests: 2, bytesFetched: manifest + 33 });
  const counted = watch(ds);

  const pose = ds.array("pose");
  expect(counted()).toEqual(NOTHING);
  await pose.count();
  expect(counted()).toEqual(object(track("pose")));
  await pose.anchors();
  await pose.count();
  expect(await pose.read(5n)).toBeUndefined();
  expect(counted()).toEqual(NOTHING);

  await pose.read(1700000000033333333n);
  expect(counted()).toEqual(item(24));
  // Items are not kept: reading one again is fetching it again.
  await pose.read(1700000000033333333n);
  expect(counted()).toEqual(item(24));

  await ds.csr("csr").read(1700000000033333333n);
  const both = object(track("csr") + 112);
  expect(counted()).toEqual({ ...both, requests: 2, objectsVerified: 2, bytesWanted: 112 });
});

test("a session over packs: ranges, and the proof once", async () => {
  const { track } = await sizes("packs");
  const ds = await openDataset(fixtureUrl("packs"));
  const images = ds.media("im2");
  await images.count();
  const counted = watch(ds);
  await images.read(200n);
  const proof = outboard(19_320);
  const range = { ...NOTHING, requests: 1, ranges: 1, rangesVerified: 1 };
  expect(counted()).toEqual({ ...range, requests: 2, bytesWanted: 1200, bytesFetched: 2048 + proof, bytesOfProofs: proof, bytesVerified: 2048 });
  // The Item at 215 is the last 1,215 bytes, from byte 18,105 on: two chunks, the last one not full.
  await images.read(215n);
  expect(counted()).toEqual({ ...range, bytesWanted: 1215, bytesFetched: 19_320 - 17_408, bytesVerified: 19_320 - 17_408 });
  await images.read(215n);
  expect(counted()).toEqual({ ...NOTHING, bytesWanted: 1215, cacheHits: 1 });
  await images.read(300n);
  expect(counted()).toEqual(NOTHING);
  // Two packs of several Items, one of a single Item, and the Track, which is fetched once for all four: packs that are hardly more than
  // their Items come whole, without a proof.
  await ds.media("im").readMany([40n, 10n, 0n, 30n]);
  const { requests, objectsVerified, bytesFetched, bytesOfProofs } = counted();
  expect(objectsVerified).toBeGreaterThanOrEqual(2);
  expect(requests).toBeLessThanOrEqual(6);
  expect(bytesFetched - bytesOfProofs).toBeLessThanOrEqual(track("im") + 2200 + 3009 + 23);
});

test("a session by range, without verification", async () => {
  const ds = await openDataset(fixtureUrl("packs"), "main", { verify: "never" });
  const images = ds.media("im2");
  await images.count();
  const counted = watch(ds);
  await images.read(200n);
  await images.read(215n);
  expect(counted()).toEqual({ ...NOTHING, requests: 2, ranges: 2, bytesWanted: 1200 + 1215, bytesFetched: 1200 + 1215 });
  await images.read(300n);
  expect(counted()).toEqual(NOTHING);
  await ds.media("none").count();
  counted();
  await ds.media("none").read(100n);
  expect(counted()).toEqual({ ...NOTHING, requests: 1, bytesWanted: 1025, bytesFetched: 1025 });
});

test("a session without verification", async () => {
  const { manifest, track } = await sizes("arrays-basic");
  const ds = await openDataset(fixtureUrl("arrays-basic"), "main", { verify: "never" });
  expect(ds.stats().bytesVerified).toBe(manifest);
  const counted = watch(ds);
  await ds.array("pose").read(1700000000033333333n);
  expect(counted()).toEqual({ ...object(track("pose")), requests: 2, bytesFetched: track("pose") + 24, bytesWanted: 24 });
});

test("failures are requests that gave no bytes, and wrong bytes are fetched but not verified", async () => {
  const { sidecar, track, fact } = await sizes("arrays-basic");
  const objects = await loadObjects("arrays-basic", sidecar);
  const store = memoryStore(objects);
  const ds = await openDataset(store);
  const counted = watch(ds);
  const { modality = "", track: address = "" } = fact.fields["pose"] ?? {};
  const key = `${fact.timeline}/${modality}/track/${address}`;

  store.delete(key);
  await expectFailure(ds.array("pose").count(), "NotFound");
  expect(counted()).toEqual({ ...NOTHING, requests: 1 });
  store.set(key, new Uint8Array(track("pose")));
  await expectFailure(ds.array("pose").count(), "HashMismatch");
  expect(counted()).toEqual({ ...NOTHING, requests: 1, bytesFetched: track("pose") });
});

test("what was handed out does not go on counting, nor can it be used to change the counters", async () => {
  const ds = await openDataset(fixtureUrl("arrays-basic"));
  const before = ds.stats();
  const copy = { ...before };
  await ds.array("pose").count();
  expect(before).toEqual(copy);
  Object.assign(before, { requests: 1000 });
  expect(ds.stats().requests).toBe(copy.requests + 1);
});

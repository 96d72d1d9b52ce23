/** A bucket that anybody may read, from Node and from a page of another origin: every value, exact ranges, refusals. */

import { httpStore, openDataset } from "dreamdb-arrays";
import { describe, expect, inject, test } from "vitest";
import { expectFailure } from "../support/failure.js";
import { integer } from "../support/sidecar.js";
import { describeEpisode, describeFixture, type Episode, mainOf, sidecarOf } from "./support/reads.js";
import { BUCKETS, bucketUrl, REF_COPY } from "./support/s3.js";

const packs = await sidecarOf("packs");
const arrays = await sidecarOf("arrays-basic");
const singles = await sidecarOf("singles-bao");
const episode = await sidecarOf<Episode>("episode");

describe("every value", () => {
  describeFixture("packs", packs, () => httpStore(bucketUrl("open", "packs")));
  describeFixture("arrays-basic", arrays, () => httpStore(bucketUrl("open", "arrays-basic")));
  describeFixture("singles-bao", singles, () => httpStore(bucketUrl("open", "singles-bao")));
  describeEpisode(episode, () => httpStore(bucketUrl("open", "episode")));
});

test("keys are stored as they are, with = and @", async () => {
  const listed = async (prefix: string) => {
    const query = new URLSearchParams({ "list-type": "2", "prefix": prefix });
    const list = await (await fetch(`${inject("s3").url}/${BUCKETS.open}?${query}`)).text();
    return [...list.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key.slice(prefix.length)).sort();
  };
  const keys = Object.keys(arrays.objects);
  expect(keys.filter((key) => key.includes("=")).length).toBeGreaterThan(50);
  expect(await listed("arrays-basic/data/")).toEqual(keys.sort());
  expect(await listed("packs/data/refs/")).toEqual(["main", REF_COPY]);
});

test("a Ref with @ in its name is found", async () => {
  const ds = await openDataset(bucketUrl("open", "packs"), REF_COPY);
  expect(ds.manifest.address).toBe(mainOf(packs).manifest);
});

describe("a range", () => {
  // The largest object, by the sidecar.
  const [key = "", size = 0] = Object.entries(packs.objects).sort(([, a], [, b]) => b - a)[0] ?? [];
  const store = httpStore(bucketUrl("open", "packs"));

  test.each([
    ["at the beginning", 0, 1],
    ["in the middle", 1000, 777],
    ["of the last byte", size - 1, 1],
    ["of everything", 0, size],
  ])("%s is answered exactly", async (_, offset, length) => {
    const whole = new Uint8Array(await (await fetch(`${inject("fixturesUrl")}/packs/data/${key}`)).arrayBuffer());
    const totals: number[] = [];
    const events: unknown[] = [];
    const watched = httpStore(bucketUrl("open", "packs"), { onRequest: (event) => events.push(event) });
    const bytes = await watched.getRange(key, offset, length, { onTotal: (total) => totals.push(total) });
    expect(bytes).toEqual(whole.slice(offset, offset + length));
    expect(events).toMatchObject([{ kind: "range", key, offset, length, status: 206, bytes: length, ok: true }]);
    // Content-Range is exposed to pages.
    expect(totals).toEqual([size]);
  });

  test("that ends behind the end of the object is an error that says so", async () => {
    const error = await expectFailure(store.getRange(key, size - 10, 20), "BodyLength");
    expect(error).toMatchObject({ expected: "20", actual: "10", key });
  });

  test("that begins there is another one", async () => {
    // With a query that no other test has, a browser's cache knows nothing of the object.
    const cold = httpStore(`${bucketUrl("open", "packs")}?cold`);
    const error = await expectFailure(cold.getRange(key, size, 1), "RangeNotSatisfiable");
    expect(error).toMatchObject({ status: 416, key });
  });
});

test("a missing object is told as such", async () => {
  const error = await expectFailure(httpStore(bucketUrl("open", "packs")).get("a/b=c@1"), "NotFound");
  expect(error).toMatchObject({ status: 404, actual: "NoSuchKey", key: "a/b=c@1", url: `${bucketUrl("open", "packs")}/a/b=c@1` });
});

test("reads of one pack at once give each its own bytes", async () => {
  const { items = [] } = mainOf(packs).fields["im2"] ?? {};
  const media = (await openDataset(bucketUrl("open", "packs"), "main", { verify: "never" })).media("im2");
  const read = await Promise.all(items.map(({ anchor }) => media.read(integer(anchor))));
  expect(read.map((item) => item?.bytes.byteLength)).toEqual(items.map(({ value }) => (value as { len: number }).len));
});

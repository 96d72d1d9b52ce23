/** Presigned URLs through the `resolve` hook: read, really expired in the middle, made anew once for all, and never told to anybody. */

import { type Dataset, DreamDbError, httpStore, openDataset, type Resolve, type ResolveContext } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { expectFailure } from "../support/failure.js";
import { type BytesFact, expectBytes, integer } from "../support/sidecar.js";
import { expectNoSecret, Told } from "./support/disclosure.js";
import { describeFixture, mainOf, sidecarOf } from "./support/reads.js";
import { bucketUrl, signer } from "./support/s3.js";
import { openPresigned, presign } from "./support/signing.js";

const packs = await sidecarOf("packs");
const arrays = await sidecarOf("arrays-basic");
const { items = [] } = mainOf(packs).fields["im2"] ?? {};
const filled = items.filter(({ value }) => (value as BytesFact).len > 0);

const HOUR = 3600;
/** Signatures tell whole seconds, so this lasts for one at least. */
const SHORT = 2;

/** Whoever gives out URLs, and what was asked of him. */
class Desk {
  readonly asked: { readonly key: string; readonly reason: ResolveContext["reason"] }[] = [];
  readonly given: string[] = [];
  /** How long the next URLs last. */
  seconds = HOUR;

  constructor(readonly base: string) {}

  readonly resolve: Resolve = async (key, { reason }) => {
    this.asked.push({ key, reason });
    const url = await presign(signer(), this.base, key, this.seconds);
    this.given.push(url);
    return url;
  };
}

/** Wait until the store refuses every URL that was given so far. */
async function expired({ given }: Desk): Promise<void> {
  for (const url of given) {
    await expect.poll(async () => (await fetch(url, { cache: "no-store" })).status, { timeout: 20_000, interval: 200 }).toBe(403);
  }
}

describe("every value", () => {
  describeFixture("packs", packs, () => httpStore(bucketUrl("closed", "packs"), { resolve: new Desk(bucketUrl("closed", "packs")).resolve }));
  describeFixture("arrays-basic", arrays, () => httpStore(bucketUrl("closed", "arrays-basic"), { resolve: new Desk(bucketUrl("closed", "arrays-basic")).resolve }), ["always"]);
});

test("a page opens a dataset by the URLs that a server makes for it", async () => {
  const base = bucketUrl("closed", "packs");
  const asked: string[] = [];
  const ds = await openPresigned(base, (key) => {
    asked.push(key);
    return presign(signer(), base, key, HOUR);
  });
  expect(ds.manifest.address).toBe(mainOf(packs).manifest);
  expect(asked).toEqual(["refs/main", `manifests/${mainOf(packs).manifest}`]);
});

test("each object is asked for once, and the = of its key stays", async () => {
  const base = bucketUrl("closed", "arrays-basic");
  const desk = new Desk(base);
  const store = httpStore(base, { resolve: desk.resolve });
  const key = Object.keys(arrays.objects).find((name) => name.includes("=") && (arrays.objects[name] ?? 0) > 20) ?? "";
  const wholes = await Promise.all([store.get(key), store.get(key), store.getRange(key, 0, 1)]);
  expect(wholes.map(({ byteLength }) => byteLength)).toEqual([arrays.objects[key], arrays.objects[key], 1]);
  expect(desk.asked).toEqual([{ key, reason: "read" }]);
  expect(new URL(desk.given[0] ?? "").pathname).toBe(new URL(`${base}/${key}`).pathname);
});

/** The dataset, opened and its Tracks read through URLs that last; those of Items last as the desk is told afterwards. */
async function opened(told: Told): Promise<{ readonly ds: Dataset; readonly desk: Desk }> {
  const desk = new Desk(bucketUrl("closed", "packs"));
  const store = httpStore(desk.base, { resolve: desk.resolve, onRequest: told.event });
  const ds = await openDataset(store, "main", { verify: "never", onEvent: told.event });
  await ds.media("im2").count();
  desk.asked.splice(0);
  desk.given.splice(0);
  return { ds, desk };
}

test("URLs that expire in the middle are made anew, once for all reads that wait, and every read succeeds", async () => {
  const told = new Told();
  const { ds, desk } = await opened(told);
  const images = ds.media("im2");
  desk.seconds = SHORT;
  const [first] = filled;
  if (first === undefined) throw new Error("no Item has bytes");
  expectBytes((await images.read(integer(first.anchor)))?.bytes ?? new Uint8Array(1), first.value as BytesFact);
  const [pack] = desk.asked;
  expect(pack?.reason).toBe("read");

  await expired(desk);
  desk.seconds = HOUR;
  // On a slow machine the first read itself may have come too late.
  desk.asked.splice(0);
  const read = await Promise.all(filled.map(({ anchor }) => images.read(integer(anchor))));
  for (const [at, { value }] of filled.entries()) expectBytes(read[at]?.bytes ?? new Uint8Array(1), value as BytesFact);
  // All Items lie in one pack.
  expect(desk.asked).toEqual([{ key: pack?.key, reason: "refused" }]);
  await images.read(integer(first.anchor));
  expect(desk.asked.length).toBe(1);
  told.addDataset(ds);
  expectNoSecret(told);
});

test("objects expire each for itself", async () => {
  const desk = new Desk(bucketUrl("closed", "packs"));
  const told = new Told();
  const store = httpStore(desk.base, { resolve: desk.resolve, onRequest: told.event });
  const keys = Object.keys(packs.objects).slice(0, 3);
  desk.seconds = SHORT;
  for (const key of keys) await store.getRange(key, 0, 1);
  await expired(desk);
  desk.seconds = HOUR;
  desk.asked.splice(0);
  await Promise.all(keys.flatMap((key) => [store.getRange(key, 1, 1), store.get(key)]));
  expect([...desk.asked].sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual(keys.sort().map((key) => ({ key, reason: "refused" })));
  expectNoSecret(told);
});

test("a second refusal is the caller's: Forbidden, after two requests", async () => {
  const told = new Told();
  const statuses: number[] = [];
  const desk = new Desk(bucketUrl("closed", "packs"));
  const counting = async (url: string, init: RequestInit) => {
    const answer = await fetch(url, init);
    statuses.push(answer.status);
    return answer;
  };
  // A clock that runs a day late signs what has expired already.
  const late: Resolve = async (key, context) => {
    await desk.resolve(key, context);
    const url = new URL(`${desk.base}/${key}`);
    url.searchParams.set("X-Amz-Expires", "1");
    const datetime = new Date(Date.now() - 86_400_000).toISOString().replace(/[:-]|\.\d{3}/g, "");
    return (await signer().sign(url, { aws: { signQuery: true, datetime } })).url;
  };
  const error = await expectFailure(httpStore(desk.base, { resolve: late, fetch: counting, onRequest: told.event }).get("refs/main"), "Forbidden");
  expect(error).toMatchObject({ status: 403, key: "refs/main", url: `${desk.base}/refs/main` });
  expect(statuses).toEqual([403, 403]);
  expect(desk.asked.map(({ reason }) => reason)).toEqual(["read", "refused"]);
  told.add(error);
  expectNoSecret(told);
});

describe("nothing tells a presigned URL", () => {
  const base = bucketUrl("closed", "packs");
  const cases: [string, Resolve, string, string][] = [
    ["of a missing object", (key) => presign(signer(), base, key, HOUR), "refs/none", "NotFound"],
    ["of a server that is gone", async (key) => (await presign(signer(), base, key, HOUR)).replace(/^http:..[^/]*/, "http://127.0.0.1:9"), "refs/main", "Network"],
    ["that is no address", async (key) => (await presign(signer(), base, key, HOUR)).replace(/^http:/, "ftp:"), "refs/main", "ResolveFailed"],
    ["in an error of the hook", async (key) => { throw new Error(`cannot sign ${await presign(signer(), base, key, HOUR)}`); }, "refs/main", "ResolveFailed"],
  ];
  test.each(cases)("%s", async (_, resolve, key, code) => {
    const told = new Told();
    const store = httpStore(base, { resolve, onRequest: told.event });
    for (const read of [() => store.get(key), () => store.getRange(key, 0, 1)]) {
      const error = await read().then(() => undefined, (error: unknown) => error);
      expect(error).toBeInstanceOf(DreamDbError);
      expect(error).toMatchObject({ code, key });
      told.add(error);
    }
    told.add(store.describe(key));
    expectNoSecret(told);
  });
});

/** A bucket that nobody reads without a signature: refusals, and SigV4 in headers through the `fetch` hook, signed by aws4fetch. */

import { type Fetch, httpStore, openDataset } from "dreamdb-arrays";
import { describe, expect, inject, test } from "vitest";
import { expectFailure } from "../support/failure.js";
import { type BytesFact, expectBytes, integer } from "../support/sidecar.js";
import { expectNoSecret, Told } from "./support/disclosure.js";
import { describeFixture, mainOf, sidecarOf } from "./support/reads.js";
import { BUCKETS, bucketUrl, type S3, signer } from "./support/s3.js";
import { openSigned } from "./support/signing.js";

const packs = await sidecarOf("packs");
const arrays = await sidecarOf("arrays-basic");

/** A hook that signs with some key. */
function signing(s3?: S3): Fetch {
  const aws = signer(s3);
  return async (url, init) => fetch(await aws.sign(url, init));
}

describe("without a signature", () => {
  test("opening is refused, in words that help", async () => {
    const error = await expectFailure(openDataset(bucketUrl("closed", "packs")), "Forbidden");
    expect(error).toMatchObject({ status: 403, actual: "AccessDenied", url: `${bucketUrl("closed", "packs")}/refs/main`, key: "refs/main" });
    expect(error.message).toMatch(/answered 403 \(AccessDenied\): the request lacks credentials/);
  });

  test("what exists cannot be told from what does not", async () => {
    const store = httpStore(bucketUrl("closed", "packs"));
    for (const key of ["refs/main", "refs/none"]) {
      const error = await expectFailure(store.getRange(key, 0, 1), "Forbidden");
      expect(error.actual).toBe("AccessDenied");
    }
  });
});

describe("signed in headers, every value", () => {
  describeFixture("packs", packs, () => httpStore(bucketUrl("closed", "packs"), { fetch: signing() }));
  describeFixture("arrays-basic", arrays, () => httpStore(bucketUrl("closed", "arrays-basic"), { fetch: signing() }), ["always"]);
});

test("whoever has the key opens a dataset with it", async () => {
  const { accessKeyId, secretAccessKey } = inject("s3");
  const ds = await openSigned(bucketUrl("closed", "packs"), accessKeyId, secretAccessKey);
  expect(ds.manifest.address).toBe(mainOf(packs).manifest);
});

test("the range and the = of keys come through the signing", async () => {
  const sent: Request[] = [];
  const told = new Told();
  const aws = signer();
  const watched: Fetch = async (url, init) => {
    const request = await aws.sign(url, init);
    sent.push(request.clone());
    return fetch(request);
  };
  const store = httpStore(bucketUrl("closed", "arrays-basic"), { fetch: watched, onRequest: told.event });
  const key = Object.keys(arrays.objects).find((name) => name.includes("=") && (arrays.objects[name] ?? 0) > 20) ?? "";
  const bytes = await store.getRange(key, 7, 13);
  const whole = await fetch(`${inject("fixturesUrl")}/arrays-basic/data/${key}`);
  expect(bytes).toEqual(new Uint8Array(await whole.arrayBuffer()).slice(7, 20));
  expect(sent.map(({ url, headers }) => ({ url, range: headers.get("range"), signed: headers.get("authorization")?.slice(0, 16) }))).toEqual([
    { url: `${bucketUrl("closed", "arrays-basic")}/${key}`, range: "bytes=7-19", signed: "AWS4-HMAC-SHA256" },
  ]);
  expectNoSecret(told);
});

test("a cancelled read ends with its reason although the request is another object", async () => {
  const store = httpStore(bucketUrl("closed", "packs"), { fetch: signing() });
  const reason = new Error("enough");
  await expect(store.get("refs/main", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("packed Items cost one request of their bytes, and nothing tells the key or a signature", async () => {
  const told = new Told();
  const store = httpStore(bucketUrl("closed", "packs"), { fetch: signing(), onRequest: told.event });
  const ds = await openDataset(store, "main", { verify: "never", onEvent: told.event });
  const { items = [] } = mainOf(packs).fields["im2"] ?? {};
  await ds.media("im2").count();
  const before = ds.stats();
  for (const { anchor, value } of items) {
    const item = await ds.media("im2").read(integer(anchor));
    expectBytes(item?.bytes ?? new Uint8Array(1), value as BytesFact);
  }
  const some = items.filter(({ value }) => (value as BytesFact).len > 0);
  expect(ds.stats().requests - before.requests).toBe(some.length);
  told.addDataset(ds);
  expectNoSecret(told);
});

describe("refused although signed", () => {
  const wrong: [string, Partial<S3>, string][] = [
    ["an unknown key", { accessKeyId: "AKIAUNKNOWNUNKNOWN00" }, "InvalidAccessKeyId"],
    ["a wrong secret", { secretAccessKey: "wrong" }, "SignatureDoesNotMatch"],
  ];
  test.each(wrong)("with %s: the store's own code is told, the key is not", async (_, change, said) => {
    const s3 = { ...inject("s3"), ...change };
    const told = new Told();
    // A browser's cache gives what was read before to any signature.
    const store = httpStore(bucketUrl("closed", "packs"), { fetch: signing(s3), cache: "no-store", onRequest: told.event });
    const error = await expectFailure(openDataset(store), "Forbidden");
    expect(error.actual).toBe(said);
    told.add(error);
    expectNoSecret(told);
    expect(JSON.stringify(error)).not.toContain(s3.accessKeyId);
  });

  test.each([
    ["object", () => bucketUrl("closed", "packs"), "NoSuchKey"],
    ["bucket", () => `${inject("s3").url}/nowhere`, "NoSuchBucket"],
  ])("a missing %s is NotFound to who may see it", async (_, base, said) => {
    const error = await expectFailure(httpStore(base(), { fetch: signing() }).get("refs/none"), "NotFound");
    expect(error).toMatchObject({ status: 404, actual: said });
  });
});

test("a server that is gone is a Network error without the signature", async () => {
  const told = new Told();
  // Port 9 (discard) is not served by anything, and browsers refuse to ask.
  const store = httpStore(`http://127.0.0.1:9/${BUCKETS.closed}`, { fetch: signing(), onRequest: told.event });
  told.add(await expectFailure(store.getRange("a=b", 0, 1), "Network"));
  expectNoSecret(told);
});

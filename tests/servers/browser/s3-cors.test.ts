/** A page whose origin a bucket's CORS rule does not name: the browser hides the answers, and the error says what may be the matter. */

import { httpStore, openDataset } from "dreamdb-arrays";
import { expect, inject, test } from "vitest";
import { expectFailure } from "../../support/failure.js";
import { APP_ORIGIN, BUCKETS, bucketUrl, signer } from "../support/s3.js";

test("this page has another origin than the store, and than the rule", () => {
  expect(location.origin).not.toBe(new URL(inject("s3").url).origin);
  expect(location.origin).not.toBe(APP_ORIGIN);
});

test("opening fails with the hint to CORS", async () => {
  const error = await expectFailure(openDataset(bucketUrl("app", "packs")), "Network");
  expect(error.message).toContain("does not allow this origin (CORS)");
  expect(error.url).toBe(`${inject("s3").url}/${BUCKETS.app}/packs/data/refs/main`);
});

test("so do ranges, and requests whose signature makes the browser ask first", async () => {
  const plain = httpStore(bucketUrl("app", "packs"));
  const signed = httpStore(bucketUrl("app", "packs"), { fetch: async (url, init) => fetch(await signer().sign(url, init)) });
  for (const store of [plain, signed]) {
    const error = await expectFailure(store.getRange("refs/main", 0, 5), "Network");
    expect(error.message).toContain("(CORS)");
  }
});

/** A range behind the end of an object that the browser's HTTP cache holds: Chromium hands out the whole, and no server is asked. */

import { httpStore } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { expectFailure } from "../../support/failure.js";
import { bucketUrl } from "../support/s3.js";

test("is refused by its length, not taken for data", async () => {
  const store = httpStore(`${bucketUrl("open", "packs")}?cached`);
  const ref = await store.getRange("refs/main", 0, 33);
  expect(ref.byteLength).toBe(33);
  const error = await expectFailure(store.getRange("refs/main", 33, 1), "BodyLength", "RangeNotSatisfiable");
  expect(error.key).toBe("refs/main");
});

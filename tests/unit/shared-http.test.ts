/** Ranges of one object that are cancelled alone, as only Node shows it: browsers let the requests for one URL wait for each other. */

import { openDataset } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { openBroken, rangesOf } from "../support/broken.js";
import { expectRejection } from "../support/failure.js";

test("ranges of their own are requests of their own, and end alone", async () => {
  const broken = await openBroken({ fixture: "packs" });
  const images = (await openDataset(broken.base("exact206"), "main", { verify: "never" })).media("im2");
  // Until a server has shown that it has ranges, those of one object are asked for one by one.
  await images.read(208n);
  await broken.forget();
  await broken.rules({ key: "/0000000000000000/", mode: "stall-in-body" });
  const controllers = [new AbortController(), new AbortController()] as const;
  const reads = controllers.map(({ signal }, at) => expectRejection(images.read(at === 0 ? 200n : 215n, { signal })));
  const { requests } = await broken.until(({ requests }) => requests.filter(({ sent }) => sent > 0).length === 2);
  const first = rangesOf(requests).indexOf("bytes=0-1199");
  expect(first).not.toBe(-1);

  controllers[0].abort();
  await reads[0];
  const after = await broken.until(({ requests }) => requests[first]?.clientLeft === true);
  expect(after.requests[1 - first]?.clientLeft).toBe(false);
  controllers[1].abort();
  await reads[1];
  await broken.until(({ requests }) => requests[1 - first]?.clientLeft === true);
});

/** Cancelled reads on a real connection: it closes when nobody wants the answer any more, and not before. */

import { type Dataset, init, openDataset } from "dreamdb-arrays";
import { beforeAll, expect, test } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { expectFailure, expectRejection } from "../support/failure.js";

/** What all packs of the fixture have in their keys, and nothing else has. */
const PACKS = "/0000000000000000/";

let broken: Broken;
beforeAll(async () => {
  await init();
  broken = await openBroken({ fixture: "packs" });
});

/** A dataset whose index is known, so that the next requests are for packs. */
async function opened(verify: "always" | "available"): Promise<Dataset> {
  await broken.rules();
  const ds = await openDataset(broken.base("exact206"), "main", { verify });
  await ds.media("im2").count();
  await broken.forget();
  return ds;
}

/** From here on packs are answered like this. */
const packs = (mode: Mode) => broken.rules({ key: PACKS, mode });

test("two readers of one pack are one request, which ends when both have left", async () => {
  const images = (await opened("always")).media("im2");
  await packs("stall-in-body");
  const controllers = [new AbortController(), new AbortController()] as const;
  const reads = controllers.map(({ signal }, at) => expectRejection(images.read(BigInt(200 + at), { signal })));
  const { requests } = await broken.until(({ requests }) => (requests[0]?.sent ?? 0) > 0);
  expect(requests.length).toBe(1);

  controllers[0].abort();
  expect(await reads[0]).toBe(controllers[0].signal.reason);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await broken.requests())[0]?.clientLeft).toBe(false);

  controllers[1].abort();
  expect(await reads[1]).toBe(controllers[1].signal.reason);
  await broken.until(({ requests }) => requests[0]?.clientLeft === true);

  await broken.rules();
  expect((await images.read(200n))?.bytes.byteLength).toBe(1200);
  expect(await broken.requests()).toHaveLength(2);
});

test("a server that failed once is asked again", async () => {
  for (const verify of ["always", "available"] as const) {
    const images = (await opened(verify)).media("im2");
    await packs("404");
    const errors = await Promise.all([200n, 201n].map((anchor) => expectFailure(images.read(anchor), "NotFound")));
    expect(errors.map(({ status, field }) => [status, field])).toEqual([[404, "im2"], [404, "im2"]]);
    await broken.rules();
    expect((await images.read(200n))?.bytes.byteLength).toBe(1200);
  }
});

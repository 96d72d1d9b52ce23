/** Cancelled reads on a real connection: it closes when nobody wants the answer any more, and not before. */

import { type Dataset, init, openDataset, type VerifyPolicy } from "dreamdb-arrays";
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
async function opened(verify: VerifyPolicy): Promise<Dataset> {
  await broken.rules();
  const ds = await openDataset(broken.base("exact206"), "main", { verify, retry: { attempts: 1 } });
  await ds.media("im2").count();
  await broken.forget();
  return ds;
}

/** From here on packs are answered like this. */
const packs = (mode: Mode) => broken.rules({ key: PACKS, mode });

const packRequests = (requests: readonly { key: string }[]) => requests.filter(({ key }) => key.includes(PACKS));

test.each(["always", "available", "never"] as const)("two readers of one Item are one request, which ends when both have left, verified %s", async (verify) => {
  const images = (await opened(verify)).media("im2");
  await packs("stall-in-body");
  const controllers = [new AbortController(), new AbortController()] as const;
  const reads = controllers.map(({ signal }) => expectRejection(images.read(205n, { signal })));
  const before = await broken.until(({ requests }) => requests.some(({ key, sent }) => key.includes(PACKS) && sent > 0));
  expect(packRequests(before.requests)).toHaveLength(1);

  controllers[0].abort();
  expect(await reads[0]).toBe(controllers[0].signal.reason);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(packRequests((await broken.log()).requests)).toMatchObject([{ clientLeft: false }]);

  controllers[1].abort();
  expect(await reads[1]).toBe(controllers[1].signal.reason);
  await broken.until(({ requests }) => requests.some(({ key, clientLeft }) => key.includes(PACKS) && clientLeft));

  await broken.rules();
  expect((await images.read(205n))?.bytes.byteLength).toBe(1205);
  expect(packRequests((await broken.log()).requests)).toHaveLength(2);
});

test.each(["always", "available", "never"] as const)("a reader that leaves takes nothing from the one that stays, verified %s", async (verify) => {
  const images = (await opened(verify)).media("im2");
  await packs("held");
  const controller = new AbortController();
  const first = expectRejection(images.read(205n, { signal: controller.signal }));
  const second = images.read(205n);
  await broken.until(({ requests }) => packRequests(requests).length === 1);
  controller.abort(new Error("another view"));
  expect(await first).toBe(controller.signal.reason);
  await broken.release();
  expect(await second).toMatchObject({ anchor: 205n, verified: { always: "range", available: "range", never: "none" }[verify] });
  expect((await second)?.bytes.byteLength).toBe(1205);
  expect(packRequests((await broken.log()).requests)).toMatchObject([{ clientLeft: false }]);
});

test("a server that failed once is asked again", async () => {
  for (const verify of ["always", "available", "never"] as const) {
    const images = (await opened(verify)).media("im2");
    await packs("500");
    const errors = await Promise.all([200n, 201n].map((anchor) => expectFailure(images.read(anchor), "HttpStatus")));
    expect(errors.map(({ status, field }) => [status, field])).toEqual([[500, "im2"], [500, "im2"]]);
    await broken.rules();
    expect((await images.read(200n))?.bytes.byteLength).toBe(1200);
  }
});

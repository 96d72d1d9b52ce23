/** Cancelled reads on a real connection: it closes when nobody wants the answer any more, and not before. */

import { type Dataset, type Fetch, openDataset } from "dreamdb-arrays";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type BrokenServer, startBrokenServer } from "../support/broken-server.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { loadObjects, loadSidecar } from "../support/fixtures.js";

let server: BrokenServer;
beforeAll(async () => {
  server = await startBrokenServer(Object.fromEntries(await loadObjects("packs", await loadSidecar("packs"))));
});
afterEach(() => server.forget());
afterAll(() => server.close());

/** How the server treats packs; everything else it serves well. */
let mode: "exact206" | "stall-in-body" | "500" = "exact206";
const toPack = ({ target }: { target: string }) => target.includes("/0000000000000000/");

const toPacks: Fetch = (url, options) =>
  fetch(/\/0000000000000000\//.test(url) ? url.replace("/exact206/", `/${mode}/`) : url, options);

async function opened(verify: "always" | "available"): Promise<Dataset> {
  mode = "exact206";
  const ds = await openDataset(server.base("exact206"), "main", { verify, fetch: toPacks, retry: { attempts: 1 } });
  await ds.media("im2").count();
  server.forget();
  return ds;
}

test("two readers of one Item are one request, which ends when both have left", async () => {
  const images = (await opened("always")).media("im2");
  mode = "stall-in-body";
  const controllers = [new AbortController(), new AbortController()] as const;
  const reads = controllers.map(({ signal }) => expectRejection(images.read(200n, { signal })));
  const packs = () => server.seen.filter(toPack);
  await server.until(() => (packs()[0]?.sent ?? 0) > 0);
  expect(packs().length).toBe(1);

  controllers[0].abort();
  await reads[0];
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(packs()[0]?.clientLeft).toBe(false);

  controllers[1].abort();
  await reads[1];
  await server.until(() => packs()[0]?.clientLeft === true);

  mode = "exact206";
  expect((await images.read(200n))?.bytes.byteLength).toBe(1200);
  expect(packs().length).toBe(2);
});

test("ranges of their own are requests of their own, and end alone", async () => {
  const images = (await opened("available")).media("im2");
  // From now on the server is known to have ranges, so that none waits for another.
  await images.read(215n);
  server.forget();
  mode = "stall-in-body";
  const controllers = [new AbortController(), new AbortController()] as const;
  const reads = controllers.map(({ signal }, at) => expectRejection(images.read(BigInt(200 + 5 * at), { signal })));
  await server.until(() => server.seen.filter((request) => toPack(request) && request.sent > 0).length === 2);
  const [first, second] = server.seen.filter(toPack).sort((a, b) => Number(/\d+/.exec(a.headers["range"] ?? "")) - Number(/\d+/.exec(b.headers["range"] ?? "")));

  controllers[0].abort();
  await reads[0];
  await server.until(() => first?.clientLeft === true);
  expect(second?.clientLeft).toBe(false);
  controllers[1].abort();
  await reads[1];
  await server.until(() => second?.clientLeft === true);
});

test("a server that failed once is asked again", async () => {
  for (const verify of ["always", "available"] as const) {
    const images = (await opened(verify)).media("im2");
    mode = "500";
    const errors = await Promise.all([200n, 201n].map((anchor) => expectFailure(images.read(anchor), "HttpStatus")));
    expect(errors.map(({ status, field }) => [status, field])).toEqual([[500, "im2"], [500, "im2"]]);
    mode = "exact206";
    expect((await images.read(200n))?.bytes.byteLength).toBe(1200);
  }
});

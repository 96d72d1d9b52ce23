/** What reading packs costs, by the log of a real server. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Dataset, openDataset } from "dreamdb-arrays";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RequestLogEntry, serveDirectory, type StaticServer } from "../../ts/cli/serve.js";
import { loadSidecar } from "../support/fixtures.js";
import { blake3Hex, type BytesFact, integer } from "../support/sidecar.js";

const folder = fileURLToPath(new URL("../fixtures/packs/data", import.meta.url));

const fields = Object.entries((await loadSidecar("packs")).refs["main"]?.fields ?? {});
/** Every Item, with what is expected of it. */
const items = fields.flatMap(([name, { items = [], pack_items }]) =>
  items.map(({ anchor, value }) => ({ name, anchor: integer(anchor), value: value as BytesFact, packed: (pack_items ?? 1) > 1 })),
);

let server: StaticServer;
beforeAll(async () => {
  server = await serveDirectory(folder);
});
afterAll(() => server.close());

/** The requests of some work, once all of them are answered. */
async function requestsOf(work: () => Promise<unknown>): Promise<readonly RequestLogEntry[]> {
  const before = server.requests.length;
  await work();
  await expect.poll(() => server.requests.every(({ status }) => status !== 0)).toBe(true);
  return server.requests.slice(before);
}

/** The dataset with every Track read. */
async function opened(options: Parameters<typeof openDataset>[2]): Promise<Dataset> {
  const ds = await openDataset(server.url, "main", options);
  for (const [name] of fields) await ds.media(name).count();
  return ds;
}

test("the fixture packs most Items, some of them empty, and leaves some single", () => {
  expect(items.filter(({ packed }) => packed).length).toBe(33);
  expect(items.filter(({ packed, value }) => packed && value.len === 0).length).toBe(4);
  expect(items.filter(({ packed }) => !packed).length).toBe(8);
});

describe.each(["available", "never"] as const)("verify: %s", (verify) => {
  test("each packed Item is one request of exactly its bytes, an empty one none", async () => {
    const ds = await opened({ verify });
    for (const { name, anchor, value } of items.filter(({ packed }) => packed)) {
      const requests = await requestsOf(() => ds.media(name).read(anchor));
      expect(requests.length).toBe(value.len === 0 ? 0 : 1);
      for (const { method, status, bytes, target, headers } of requests) {
        const [first = Number.NaN, last = Number.NaN] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")?.slice(1).map(Number) ?? [];
        expect({ method, status, bytes, asked: last - first + 1 }).toEqual({ method: "GET", status: 206, bytes: value.len, asked: value.len });
        // The pack holds the Item there, and the range is inside it.
        const pack = await readFile(`${folder}${target}`);
        expect(last).toBeLessThan(pack.byteLength);
        expect(blake3Hex(pack.subarray(first, last + 1))).toBe(value.blake3);
      }
    }
  });

  test("a single Item is one request of its whole object", async () => {
    const ds = await opened({ verify });
    for (const { name, anchor, value } of items.filter(({ packed }) => !packed)) {
      const requests = await requestsOf(() => ds.media(name).read(anchor));
      expect(requests.map(({ status, bytes, headers }) => ({ status, bytes, range: headers.range }))).toEqual([
        { status: 200, bytes: value.len, range: undefined },
      ]);
    }
  });
});

describe("verify: always", () => {
  /** How often each object was asked for, which must be whole. */
  function counts(requests: readonly RequestLogEntry[]): number[] {
    const times = new Map<string, number>();
    for (const { target, headers, status } of requests) {
      expect(headers.range).toBeUndefined();
      expect(status).toBe(200);
      times.set(target, (times.get(target) ?? 0) + 1);
    }
    return [...times.values()];
  }

  /** Packs by field, counted in the Tracks by hand: 3 of `au`, 6 of `im`, 1 of `im2`, whose second one has no byte to read. */
  const PACKS = 3 + 6 + 1;
  const SINGLES = 8;

  test("Items read one after another take each pack once", async () => {
    const ds = await opened({});
    const requests = await requestsOf(async () => {
      for (const { name, anchor } of items) await ds.media(name).read(anchor);
    });
    expect(counts(requests)).toEqual(Array.from({ length: PACKS + SINGLES }, () => 1));
  });

  test("so do Items read at once", async () => {
    const ds = await opened({});
    const requests = await requestsOf(() => Promise.all(items.map(({ name, anchor }) => ds.media(name).read(anchor))));
    expect(counts(requests)).toEqual(Array.from({ length: PACKS + SINGLES }, () => 1));
  });

  test("without room to keep packs, each Item takes its pack anew", async () => {
    const ds = await opened({ cacheBytes: 0 });
    const sixteen = items.filter(({ name, value }) => name === "im2" && value.len > 0);
    expect(sixteen.length).toBe(16);
    const requests = await requestsOf(async () => {
      for (const { name, anchor } of sixteen) await ds.media(name).read(anchor);
    });
    expect(counts(requests)).toEqual([16]);
  });
});

/** What reading packs costs, by the log of a real server. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Dataset, openDataset } from "dreamdb-arrays";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RequestLogEntry, serveDirectory, type StaticServer } from "../../ts/cli/server/serve.js";
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

/** What a request asked for, and the object it asked. */
function asked({ headers, target }: RequestLogEntry) {
  const [first = Number.NaN, last = Number.NaN] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")?.slice(1).map(Number) ?? [];
  return { first, last, target };
}

const isProof = ({ target }: RequestLogEntry) => target.startsWith("/bao-outboard/");
const sizeOf = async (target: string) => (await readFile(`${folder}${target}`)).byteLength;

/** Every byte of every pack that was asked for, counted. */
async function coverage(requests: readonly RequestLogEntry[]): Promise<Map<string, Uint8Array>> {
  const counts = new Map<string, Uint8Array>();
  for (const request of requests.filter((entry) => !isProof(entry))) {
    const { first, last, target } = asked(request);
    const count = counts.get(target) ?? new Uint8Array(await sizeOf(target));
    const [from, to] = request.headers.range === undefined ? [0, count.byteLength] : [first, last + 1];
    for (let at = from; at < to; at++) count[at] = (count[at] ?? 0) + 1;
    counts.set(target, count);
  }
  return counts;
}

describe("verify: never", () => {
  test("each packed Item is one request of exactly its bytes, an empty one none", async () => {
    const ds = await opened({ verify: "never" });
    for (const { name, anchor, value } of items.filter(({ packed }) => packed)) {
      const requests = await requestsOf(() => ds.media(name).read(anchor));
      expect(requests.length).toBe(value.len === 0 ? 0 : 1);
      for (const request of requests) {
        const { first, last, target } = asked(request);
        const { method, status, bytes } = request;
        expect({ method, status, bytes, asked: last - first + 1 }).toEqual({ method: "GET", status: 206, bytes: value.len, asked: value.len });
        // The pack holds the Item there, and the range is inside it.
        const pack = await readFile(`${folder}${target}`);
        expect(last).toBeLessThan(pack.byteLength);
        expect(blake3Hex(pack.subarray(first, last + 1))).toBe(value.blake3);
      }
    }
  });

  test("neighbours that are asked for together are one request of exactly their bytes", async () => {
    const ds = await opened({ verify: "never" });
    const requests = await requestsOf(() => ds.media("im2").readMany([204n, 202n, 203n, 204n]));
    expect(requests.map(({ bytes, headers }) => [bytes, headers.range])).toEqual([[1202 + 1203 + 1204, `bytes=2401-${2401 + 3608}`]]);
  });

  test("those that lie apart are a request each, and nothing between them is read", async () => {
    const ds = await opened({ verify: "never" });
    const requests = await requestsOf(() => ds.media("im2").readMany([215n, 200n]));
    expect(new Set(requests.map(({ bytes }) => bytes))).toEqual(new Set([1200, 1215]));
  });
});

describe.each(["available", "never"] as const)("verify: %s", (verify) => {
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
  test("a packed Item costs its chunks and the outboard; the next one of the pack its chunks alone", async () => {
    const ds = await opened({});
    const first = await requestsOf(() => ds.media("im2").read(205n));
    expect(first.filter(isProof).map(({ bytes }) => bytes)).toEqual([8 + 64 * 18]);
    expect(first.filter((entry) => !isProof(entry)).map(({ headers }) => headers.range)).toEqual(["bytes=5120-8191"]);
    const second = await requestsOf(() => ds.media("im2").read(210n));
    expect(second.map(({ headers }) => headers.range)).toEqual(["bytes=11264-13311"]);
  });

  test("any number of neighbours in one call is one request for data and one for the proof", async () => {
    for (const count of [2, 5, 9, 14]) {
      const ds = await opened({});
      const anchors = Array.from({ length: count }, (_, at) => BigInt(201 + at));
      const requests = await requestsOf(() => ds.media("im2").readMany(anchors));
      expect([count, requests.filter(isProof).length, requests.filter((entry) => !isProof(entry)).length]).toEqual([count, 1, 1]);
    }
  });

  test.each([
    ["one after another", async (ds: Dataset) => {
      for (const { name, anchor } of items) await ds.media(name).read(anchor);
    }],
    ["at once", (ds: Dataset) => Promise.all(items.map(({ name, anchor }) => ds.media(name).read(anchor)))],
    ["in one call a field", (ds: Dataset) =>
      Promise.all(fields.map(([name]) => ds.media(name).readMany(items.filter((item) => item.name === name).map(({ anchor }) => anchor)))),
    ],
  ] as const)("all Items, read %s, take each byte of each pack once, and each outboard once", async (_, readAll) => {
    const ds = await opened({});
    const requests = await requestsOf(() => readAll(ds));
    const counts = await coverage(requests);
    // Packs by field, counted in the Tracks by hand: 3 of `au`, 6 of `im`, 1 of `im2`, whose second one has no byte to read; and 8 single Items.
    expect(counts.size).toBe(3 + 6 + 1 + 8);
    for (const [target, count] of counts) expect([target, [...new Set(count)]]).toEqual([target, [1]]);
    const proofs = requests.filter(isProof).map(({ target }) => target);
    expect(new Set(proofs).size).toBe(proofs.length);
  });

  test("without room to keep anything, each Item costs its chunks and the proof anew", async () => {
    const ds = await opened({ cacheBytes: 0 });
    const sixteen = items.filter(({ name, value }) => name === "im2" && value.len > 0);
    expect(sixteen.length).toBe(16);
    const requests = await requestsOf(async () => {
      for (const { name, anchor } of sixteen) await ds.media(name).read(anchor);
    });
    expect([requests.filter(isProof).length, requests.filter((entry) => !isProof(entry)).length]).toEqual([16, 16]);
    for (const { bytes, headers } of requests) if (headers.range !== undefined) expect(bytes).toBeLessThanOrEqual(3072);
  });

  test("what a plan tells is what is then sent, for any choice of Items", async () => {
    for (let round = 0; round < 12; round++) {
      for (const verify of ["always", "available", "never"] as const) {
        const ds = await opened({ verify });
        const some = items.filter((_, at) => (at * 7 + round * 5) % (2 + (round % 4)) === 0);
        for (const [field] of fields) {
          const anchors = some.filter(({ name }) => name === field).map(({ anchor }) => anchor);
          const plan = await ds.plan({ field, anchors });
          const requests = await requestsOf(() => ds.media(field).readMany(anchors));
          const bytes = requests.reduce((sum, entry) => sum + entry.bytes, 0);
          expect([field, requests.length, bytes]).toEqual([field, plan.requests, plan.bytes]);
          expect(requests.filter(isProof).reduce((sum, entry) => sum + entry.bytes, 0)).toBe(plan.bytesOfProofs);
          expect(await ds.plan({ field, anchors: [] })).toMatchObject({ items: 0, requests: 0, bytes: 0 });
        }
      }
    }
  });
});

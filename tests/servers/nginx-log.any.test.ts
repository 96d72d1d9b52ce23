/** What reads cost, by the log of nginx: which requests came, and how each was answered. */

import { type Dataset, httpStore, openDataset, type VerifyPolicy } from "dreamdb-arrays";
import { describe, expect, inject, test } from "vitest";
import { expectFailure } from "../support/failure.js";
import { inPage } from "../support/host.js";
import { type BytesFact, expectBytes, integer } from "../support/sidecar.js";
import { type LoggedRequest, newMark, type NginxUrls, requestsWith } from "./support/nginx-log.js";
import { mainOf, POLICIES, sidecarOf } from "./support/reads.js";

const packs = await sidecarOf("packs");
const fields = Object.entries(mainOf(packs).fields);
/** Items that have bytes, with their field. */
const items = fields.flatMap(([name, { items = [], pack_items }]) =>
  items.map(({ anchor, value }) => ({ name, anchor: integer(anchor), value: value as BytesFact, packed: (pack_items ?? 1) > 1 })),
).filter(({ value }) => value.len > 0);
const packed = items.filter((item) => item.packed);

/** Size of the object that a path of a fixture leads to. */
function sizeOf(path: string): number | undefined {
  return packs.objects[path.replace("/packs/data/", "")];
}

interface Reading {
  readonly ds: Dataset;
  /** Requests since the Tracks were read. */
  readonly requests: () => Promise<LoggedRequest[]>;
}

/** The dataset over one server, its Tracks read. */
async function opened(server: keyof NginxUrls, verify: VerifyPolicy): Promise<Reading> {
  const mark = newMark();
  const ds = await openDataset(`${inject("nginx")[server]}/packs/data?${mark}`, "main", { verify });
  for (const [name] of fields) await ds.media(name).count();
  const before = (await requestsWith(mark)).length;
  return { ds, requests: async () => (await requestsWith(mark)).slice(before) };
}

/** Read some Items one after another, and compare. */
async function readAll(ds: Dataset, some: typeof items): Promise<void> {
  for (const { name, anchor, value } of some) expectBytes((await ds.media(name).read(anchor))?.bytes ?? new Uint8Array(0), value);
}

/** Packs with bytes, counted in the Tracks by hand: 3 of `au`, 6 of `im`, 1 of `im2`. */
const PACKS = 3 + 6 + 1;

describe.each(["plain", "gzip"] as const)("over %s", (server) => {
  test("each packed Item is one uncompressed range of exactly its bytes", async () => {
    const { ds, requests } = await opened(server, "never");
    await readAll(ds, packed);
    const log = await requests();
    expect(log.map(({ status, bytes, encoding }) => ({ status, bytes, encoding }))).toEqual(
      packed.map(({ value }) => ({ status: 206, bytes: value.len, encoding: "" })),
    );
    for (const { range, bytes } of log) {
      const [first = Number.NaN, last = Number.NaN] = /^bytes=(\d+)-(\d+)$/.exec(range)?.slice(1).map(Number) ?? [];
      expect(last - first + 1).toBe(bytes);
    }
  });
});

test("compressed are whole objects alone, and what is read with proofs is read right", async () => {
  const { ds, requests } = await opened("gzip", "always");
  await readAll(ds, items);
  const log = await requests();
  // Node's transport asks for nothing compressed.
  const whole = inPage ? "gzip" : "";
  for (const { status, range, encoding } of log) {
    expect({ status, encoding }).toEqual(range === "" ? { status: 200, encoding: whole } : { status: 206, encoding: "" });
  }
  expect(log.some(({ range }) => range === "")).toBe(true);
  expect(log.some(({ range }) => range !== "")).toBe(true);
});

describe("without ranges", () => {
  test.each(POLICIES)("verified %s, each pack is transferred once, or for each of its Items where nothing may be kept unverified", async (verify) => {
    const { ds, requests } = await opened("noRanges", verify);
    await readAll(ds, packed);
    const log = await requests();
    for (const { path, status, bytes } of log) expect({ status, bytes }).toEqual({ status: 200, bytes: sizeOf(path) });
    const paths = log.map(({ path }) => path).filter((path) => !path.includes("/bao-outboard/"));
    expect(new Set(paths).size).toBe(PACKS);
    if (verify === "never") expect(paths.length).toBeLessThanOrEqual(packed.length);
    else expect(paths.length).toBe(PACKS);
  });

  test("an object above the cap is refused by the name of the host", async () => {
    const [key = "", size = 0] = Object.entries(packs.objects).sort(([, a], [, b]) => b - a)[0] ?? [];
    const store = httpStore(`${inject("nginx").noRanges}/packs/data?${newMark()}`);
    const error = await expectFailure(store.getRange(key, 0, 10, { maxBytes: 1000 }), "RangeIgnored");
    expect(error).toMatchObject({ status: 200, subject: new URL(inject("nginx").noRanges).host, expected: "at most 1000", actual: String(size) });
  });

  test("the whole object is handed on for later ranges", async () => {
    const wholes: number[] = [];
    const store = httpStore(`${inject("nginx").noRanges}/packs/data?${newMark()}`);
    const bytes = await store.getRange("refs/main", 3, 4, { onWhole: (whole) => wholes.push(whole.byteLength) });
    expect({ length: bytes.byteLength, wholes }).toEqual({ length: 4, wholes: [33] });
  });
});

test("a redirect costs one request more each time, and the range goes along", async () => {
  const { ds, requests } = await opened("redirect", "never");
  await readAll(ds, packed);
  const log = await requests();
  const sent = log.map(({ status, range, path }) => ({ status, range, path }));
  expect(sent.length).toBe(2 * packed.length);
  for (let at = 0; at < sent.length; at += 2) {
    expect(sent[at]).toMatchObject({ status: 302, range: expect.stringMatching(/^bytes=\d+-\d+$/) as string });
    expect(sent[at + 1]).toEqual({ ...sent[at], status: 206 });
  }
});

describe("ranges of the documented server at the edges of an object", () => {
  const cases: [string, number, number, unknown, [status: number, bytes: unknown]][] = [
    ["the last byte", 32, 1, { byteLength: 1 }, [206, 1]],
    ["some behind the end", 30, 10, { code: "BodyLength", expected: "10", actual: "3" }, [206, 3]],
    ["all behind the end", 33, 1, { code: "RangeNotSatisfiable", status: 416 }, [416, expect.any(Number)]],
  ];
  test.each(cases)("%s", async (_, offset, length, outcome, logged) => {
    // Marks of their own, since Chromium joins what it has of an object with what it lacks.
    const mark = newMark();
    const store = httpStore(`${inject("nginx").plain}/packs/data?${mark}`);
    expect(await store.getRange("refs/main", offset, length).catch((error: unknown) => error)).toMatchObject(outcome as object);
    expect((await requestsWith(mark)).map(({ status, bytes }) => [status, bytes])).toEqual([logged]);
  });
});

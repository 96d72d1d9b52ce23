/**
 * A server that compresses, and a browser that has kept a compressed object: Chromium cuts later ranges out of the compressed bytes, asks
 * nobody, and hides the Content-Encoding that would tell.
 */

import { httpStore, isDreamDbError } from "dreamdb-arrays";
import { expect, inject, test } from "vitest";
import { newMark, requestsWith } from "../support/nginx-log.js";
import { sidecarOf } from "../support/reads.js";

const packs = await sidecarOf("packs");
/** The largest object. */
const [key = "", size = 0] = Object.entries(packs.objects).sort(([, a], [, b]) => b - a)[0] ?? [];

const RANGES: [offset: number, length: number][] = [[0, 1], [0, 1200], [10, 500], [777, 1], [5000, 3000], [size - 9, 9], [0, size]];

test("gives the right bytes or a typed error, and the right bytes when it is told to ask anew", async () => {
  const mark = newMark();
  const store = httpStore(`${inject("nginx").gzip}/packs/data?${mark}`);
  const whole = await store.get(key);
  expect(whole.byteLength).toBe(size);
  expect((await requestsWith(mark)).map(({ status, encoding }) => ({ status, encoding }))).toEqual([{ status: 200, encoding: "gzip" }]);

  for (const [offset, length] of RANGES) {
    const wanted = whole.slice(offset, offset + length);
    const got = await store.getRange(key, offset, length).catch((error: unknown) => error);
    if (!isDreamDbError(got, "BodyLength", "CompressedPartial", "Network")) expect(got).toEqual(wanted);
    expect(await store.getRange(key, offset, length, { fresh: true })).toEqual(wanted);
  }
  const fresh = (await requestsWith(mark)).filter(({ range }) => range !== "");
  expect(fresh.length).toBeGreaterThanOrEqual(RANGES.length);
  for (const { status, encoding } of fresh) expect({ status, encoding }).toEqual({ status: 206, encoding: "" });
});

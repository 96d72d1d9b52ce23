/** Packs whose Items stand on several pages of an index: no page tells all of a pack. */

import { init, type VerifyPolicy } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { build, openBuilt } from "../support/built-pages.js";
import { noise } from "../support/built-packs.js";
import { expectFailure } from "../support/failure.js";

await init();

const SIZES = [3000, 10, 0, 5000, 2500, 4000, 1, 7000, 900, 3333];
const items = SIZES.map((size, at) => ({ anchor: 10 * at, body: noise(size, at + 1) }));
const POLICIES: readonly VerifyPolicy[] = ["always", "available", "never"];

/** Packs of five Items, leaves of two: the third leaf has Items of both packs. */
const built = (outboards: boolean) => build([{ name: "m", items, perPack: 5, fanout: 2, outboards }]);
const packOf = ({ objects }: ReturnType<typeof built>): string => [...objects.keys()].find((key) => key.includes("/0000000000000000/")) ?? "";

describe.each(POLICIES)("verified %s", (verify) => {
  test.each([true, false])("every way of reading gives every Item (outboards: %s)", async (outboards) => {
    for (const cacheBytes of [0, 64 << 20]) {
      const { ds } = await openBuilt(built(outboards), { verify, cacheBytes });
      const field = ds.media("m");
      for (const { anchor, body } of items) expect((await field.read(anchor))?.bytes).toEqual(body);
      const { ds: again } = await openBuilt(built(outboards), { verify, cacheBytes });
      const outcomes = await again.media("m").readMany(items.map(({ anchor }) => anchor).toReversed());
      expect(outcomes.map((outcome) => outcome.status === "value" && outcome.value.bytes)).toEqual(items.map(({ body }) => body).toReversed());
      const { ds: third } = await openBuilt(built(outboards), { verify, cacheBytes });
      const column = await third.media("m").column();
      expect(column.items.map(({ bytes }) => bytes)).toEqual(items.map(({ body }) => body));
      if (verify === "always") expect(column.verified).not.toBe("none");
      expect(await third.audit()).toMatchObject({ items: 10, faults: [] });
    }
  });

  test.each([true, false])("a pack that is cut off is told (outboards: %s)", async (outboards) => {
    const whole = built(outboards);
    const key = packOf(whole);
    whole.objects.set(key, (whole.objects.get(key) ?? noise(1, 1)).slice(0, 8000));
    const { ds } = await openBuilt(whole, { verify, retry: { attempts: 1 } });
    // The fourth and fifth Items end beyond it.
    for (const anchor of [30, 40]) {
      const error = await expectFailure(ds.media("m").read(anchor), "HashMismatch", "PackSliceOutOfBounds", "BodyLength", "RangeNotSatisfiable");
      expect([error.field, error.anchor]).toEqual(["m", BigInt(anchor)]);
    }
    const { faults } = await ds.audit();
    expect(faults.map(({ anchor }) => anchor)).toEqual([0n, 10n, 20n, 30n, 40n]);
    expect(new Set(faults.map(({ code }) => code))).toEqual(new Set([verify === "never" ? "PackSliceOutOfBounds" : "HashMismatch"]));
  });
});

test("a wrong byte is that of its Item, if there is an outboard", async () => {
  const whole = built(true);
  const key = packOf(whole);
  whole.objects.set(key, (whole.objects.get(key) ?? noise(1, 1)).map((byte, at) => (at === 5000 ? byte ^ 4 : byte)));
  const { ds } = await openBuilt(whole);
  const outcomes = await ds.media("m").readMany(items.map(({ anchor }) => anchor));
  expect(outcomes.filter(({ status }) => status === "error").map(({ anchor }) => anchor)).toEqual([30n]);
  expect((await ds.audit()).faults.map(({ anchor, code }) => [anchor, code])).toEqual([0n, 10n, 20n, 30n, 40n].map((anchor) => [anchor, "HashMismatch"]));
});

test("an audit with a page missing does not blame the packs of what that page had", async () => {
  const whole = built(true);
  const { ds: first, store } = await openBuilt(whole);
  await first.media("m").read(20);
  const leaf = store.keys().filter((key) => key.includes("/index/")).at(-1) ?? "";
  whole.objects.delete(leaf);
  const { ds } = await openBuilt(whole);
  const audit = await ds.audit();
  expect(audit.faults.map(({ code, anchor, error }) => [code, anchor, error.key])).toEqual([["NotFound", undefined, leaf]]);
  expect(audit.items).toBe(8);
});

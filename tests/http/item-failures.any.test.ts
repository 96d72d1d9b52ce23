/** Items that cannot be read: each failure is told as what it is, at the Item that it befell, and none is absence or some other bytes. */

import { type Dataset, init, openDataset, type OpenOptions } from "dreamdb-arrays";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken, type Rule } from "../support/broken.js";
import { type Built, FIELD, packedDataset, singlesDataset } from "../support/built.js";
import { expectFailure } from "../support/failure.js";

/** No patience: what these tests are about is what comes out, not how long it was tried. */
const ONCE: OpenOptions = { retry: { attempts: 1 } };

async function served(built: Built): Promise<{ broken: Broken; open(options?: OpenOptions): Promise<Dataset> }> {
  const broken = await openBroken({ objects: built.objects });
  return { broken, open: (options) => openDataset(broken.base("exact206"), built.version, { ...ONCE, ...options }) };
}

beforeAll(() => init());

describe("an Item whose request fails", () => {
  const built = singlesDataset(4);
  let broken: Broken;
  let ds: Dataset;
  let hasty: Dataset;
  beforeAll(async () => {
    const session = await served(built);
    broken = session.broken;
    [ds, hasty] = await Promise.all([session.open(), session.open({ timeoutMs: 500 })]);
    await Promise.all([ds.media(FIELD).count(), hasty.media(FIELD).count()]);
  });
  beforeEach(() => broken.rules());

  const failures: [Mode, string, Record<string, unknown>][] = [
    ["stall", "Timeout", {}],
    ["stall-in-body", "Timeout", {}],
    ["403", "Forbidden", { status: 403 }],
    ["500", "HttpStatus", { status: 500 }],
    ["404", "NotFound", { status: 404 }],
    ["reset", "Network", {}],
    ["204", "HttpStatus", { status: 204 }],
      ];
  it.each(failures)("by %s is the error %s, alone and among others, and there is no value and no absence", async (mode, code, facts) => {
    const key = built.keys[1] ?? "";
    await broken.rules({ key, mode });
    const field = (code === "Timeout" ? hasty : ds).media(FIELD);
    const error = await expectFailure(field.read(1n));
    expect(error).toMatchObject({ code, key, field: FIELD, anchor: 1n, ...facts });
    const outcomes = await field.readMany([0n, 1n, 2n, 9n]);
    expect(outcomes.map(({ status }) => status)).toEqual(["value", "error", "value", "absent"]);
    expect(outcomes[1]).toMatchObject({ anchor: 1n, error: { code, key, field: FIELD, anchor: 1n, ...facts } });
    expect(outcomes[2]).toMatchObject({ anchor: 2n, value: { bytes: built.items[2] } });
  });

  it("is there again as soon as the server is", async () => {
    await broken.rules({ key: built.keys[3] ?? "", mode: "503-then-ok" });
    await expectFailure(ds.media(FIELD).read(3n), "HttpStatus");
    expect(await ds.media(FIELD).read(3n)).toMatchObject({ bytes: built.items[3] });
  });
});

describe("three of 64 Items", () => {
  it.each(["singles", "packs"] as const)("that fail are three errors at their anchors, and the other 61 are right (%s)", async (kind) => {
    const sizes = Array.from({ length: 4 }, (_, at) => 300 + at);
    const built = kind === "singles" ? singlesDataset(64) : packedDataset(Array.from({ length: 16 }, () => ({ sizes })));
    const { broken, open } = await served(built);
    const ds = await open();
    // Of packs one fails as a whole, and with it the Items that are asked for in it.
    const faulty = kind === "singles" ? [5, 30, 61] : [20, 21, 23];
    const modes: Mode[] = ["404", "403", "500"];
    const rules = kind === "singles" ? faulty.map((at, n): Rule => ({ key: built.keys[at] ?? "", mode: modes[n] ?? "404" })) : [{ key: built.keys[5] ?? "", mode: "403" } as Rule];
    await broken.rules(...rules);
    const anchors = Array.from({ length: 64 }, (_, at) => BigInt(at)).filter((at) => kind === "singles" || at !== 22n);
    anchors.reverse();
    const outcomes = await ds.media(FIELD).readMany(anchors);
    expect(outcomes.map(({ anchor }) => anchor)).toEqual(anchors);
    const failed = outcomes.filter(({ status }) => status === "error");
    expect(failed.map(({ anchor }) => Number(anchor)).toReversed()).toEqual(faulty);
    const codes = failed.map((outcome) => (outcome.status === "error" ? outcome.error.code : "")).toReversed();
    expect(codes).toEqual(kind === "singles" ? ["NotFound", "Forbidden", "HttpStatus"] : ["Forbidden", "Forbidden", "Forbidden"]);
    for (const outcome of outcomes) {
      if (outcome.status === "error") continue;
      expect(outcome).toMatchObject({ status: "value", value: { bytes: built.items[Number(outcome.anchor)] } });
    }
  });
});

describe("a pack that ends before its Items do", () => {
  it.each(["always", "available", "never"] as const)("is told alike by a server that cuts the range, one that refuses it and one that ignores it, verified %s", async (verify) => {
    for (const outboard of [true, false]) {
      const built = packedDataset([{ sizes: [1000, 2000, 10], lacks: 4, outboard }]);
      const { broken, open } = await served(built);
      for (const mode of ["exact206", "416-past-end", "200-full"] as const) {
        await broken.rules();
        const ds = await open({ verify });
        await ds.media(FIELD).count();
        await broken.rules({ key: built.keys[0] ?? "", mode });
        await broken.forget();
        const error = await expectFailure(ds.media(FIELD).read(2n));
        expect([mode, error.code, error.anchor]).toEqual([mode, "PackSliceOutOfBounds", 2n]);
        expect((await broken.requests()).length).toBeLessThanOrEqual(3);
      }
    }
  });

  it("because it was cut where it lies is another object than its address names", async () => {
    const built = packedDataset([{ sizes: [1000, 1000, 10], served: (pack) => pack.slice(0, 2006) }]);
    const { open } = await served(built);
    await expectFailure((await open()).media(FIELD).read(0n), "HashMismatch");
    const unchecked = (await open({ verify: "available" })).media(FIELD);
    await expectFailure(unchecked.read(2n), "PackSliceOutOfBounds");
  });
});

describe("shifted bytes under right headers", () => {
  const sizes = [4096, 3000, 5000, 2000];
  it("are found out wherever ranges or wholes are checked, and never handed out", async () => {
    for (const outboard of [true, false]) {
      const built = packedDataset([{ sizes, outboard }]);
      const { broken, open } = await served(built);
      const ds = await open({ verify: "always" });
      await broken.rules({ key: built.keys[0] ?? "", mode: "206-shifted" });
      const error = await expectFailure(ds.media(FIELD).read(1n));
      expect(["HashMismatch", "BodyLength"]).toContain(error.code);
      expect(error).toMatchObject({ key: built.keys[0], anchor: 1n });
    }
  });

  it("come through where nothing vouches for them, and the result says that nothing was checked", async () => {
    const built = packedDataset([{ sizes }]);
    const { broken, open } = await served(built);
    for (const verify of ["available", "never"] as const) {
      await broken.rules();
      const ds = await open({ verify });
      await broken.rules({ key: built.keys[0] ?? "", mode: "206-shifted", ranged: true });
      const item = await ds.media(FIELD).read(1n);
      expect(item).toMatchObject({ verified: "none" });
      expect(item?.bytes).not.toEqual(built.items[1]);
    }
  });

  it("are found out in an Item that is an object of its own", async () => {
    const built = singlesDataset(2);
    const { broken, open } = await served(built);
    const ds = await open();
    await broken.rules({ key: built.keys[1] ?? "", mode: "206-shifted" });
    const error = await expectFailure(ds.media(FIELD).read(1n));
    expect(["HashMismatch", "BodyLength"]).toContain(error.code);
  });
});

/** What is verified, by what, and at which cost: outboards that are there, missing, refused, broken or lies; never a check that did not happen. */

import { init, openDataset, type OpenOptions } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { manifest, mediaField, schema, TIMELINE, track } from "../../ts/cli/vectors/documents.js";
import { address, multihash } from "../conformance/support/address.js";
import { array, bytes, FALSE, map, uint } from "../conformance/support/cbor-writer.js";
import type { ObjectSpec } from "../support/broken-log.js";
import { type Broken, type Mode, openBroken, rangesOf } from "../support/broken.js";
import { base64Of, type Built, FIELD, finished, fragmentKey, outboardKey, packedDataset } from "../support/built.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

beforeAll(() => init());

const sizes = Array.from({ length: 12 }, (_, at) => 3000 + at);

async function served({ objects, version }: Pick<Built, "objects" | "version">, options: OpenOptions = {}) {
  const broken = await openBroken({ objects });
  const open = async (more: OpenOptions = {}) => {
    const ds = await openDataset(broken.base("exact206"), version, { retry: { attempts: 1 }, ...options, ...more });
    await ds.media(FIELD).count();
    await broken.forget();
    return ds.media(FIELD);
  };
  return { broken, open, field: await open() };
}

const keysOf = async (broken: Broken) => (await broken.requests()).map(({ key }) => key.replace(/\/.*/, ""));
const outboards = async (broken: Broken) => (await keysOf(broken)).filter((folder) => folder === "bao-outboard").length;

describe("an Item of a pack, by policy", () => {
  it.each([
    ["always", true, "range"], ["always", false, "object"],
    ["available", true, "range"], ["available", false, "none"],
    ["never", true, "none"], ["never", false, "none"],
  ] as const)("%s, outboard %s: says that it was verified by %s, and what was fetched bears that out", async (verify, outboard, verified) => {
    const built = packedDataset([{ sizes, outboard }]);
    const { broken, field } = await served(built, { verify });
    expect(await field.read(5)).toMatchObject({ bytes: built.items[5], verified });
    const packs = (await broken.requests()).filter(({ key }) => key === built.keys[0]);
    expect(packs.length).toBeGreaterThan(0);
    expect(packs.some(({ headers }) => headers["range"] === undefined)).toBe(verified === "object");
    expect(await outboards(broken)).toBe(verify === "never" ? 0 : 1);
  });
});

describe("a missing outboard", () => {
  it("is asked for once", async () => {
    for (const verify of ["always", "available"] as const) {
      const built = packedDataset([{ sizes }]);
      const { broken, field } = await served(built, { verify, cacheBytes: 0 });
      for (const anchor of [1, 5, 1, 9]) expect(await field.read(anchor)).toMatchObject({ bytes: built.items[anchor], verified: verify === "always" ? "object" : "none" });
      expect(await outboards(broken)).toBe(1);
    }
  });

  it("leaves the whole pack to be fetched once for many Items, if all must be verified", async () => {
    const built = packedDataset([{ sizes }]);
    const { broken, field } = await served(built);
    const outcomes = await Promise.all([field.readMany([0, 3, 7]), field.read(9), field.read(11)]);
    expect(outcomes[0]).toMatchObject([0, 3, 7].map((anchor) => ({ value: { bytes: built.items[anchor], verified: "object" } })));
    expect(outcomes.slice(1)).toMatchObject([9, 11].map((anchor) => ({ bytes: built.items[anchor], verified: "object" })));
    const packs = (await broken.requests()).filter(({ key }) => key === built.keys[0]);
    expect(rangesOf(packs)).toEqual([undefined]);
  });
});

describe("an outboard that cannot be had for another reason", () => {
  const failures: [Mode, string][] = [["403", "Forbidden"], ["500", "HttpStatus"], ["503-no-cors", ""], ["stall", "Timeout"], ["reset", "Network"], ["close-early", "BodyLength"]];
  it.each(failures)("(%s) is an error, not a reason to check less", async (mode, code) => {
    for (const verify of ["always", "available"] as const) {
      const built = packedDataset([{ sizes, outboard: true }]);
      const { broken, field } = await served(built, { verify, timeoutMs: mode === "stall" ? 500 : 30_000 });
      await broken.rules({ key: "bao-outboard/", mode });
      const error = await expectFailure(field.read(5));
      // Without CORS a page sees no answer at all.
      expect(code === "" ? ["Network", "HttpStatus"] : [code]).toContain(error.code);
      expect(error).toMatchObject({ field: FIELD, anchor: 5n });
      expect(error.key).toMatch(/^bao-outboard\//);
      await broken.rules();
      expect(await field.read(5)).toMatchObject({ bytes: built.items[5], verified: "range" });
    }
  });
});

describe("an outboard that proves nothing", () => {
  const twist = (at: number) => (outboard: Uint8Array) => outboard.map((byte, place) => (place === at ? byte ^ 1 : byte));
  const lies: [string, (outboard: Uint8Array) => Uint8Array, RegExp][] = [
    ["with a wrong bit in its root", twist(8), /^HashMismatch$/],
    ["that says another length", twist(1), /^(PackLength|PackSliceOutOfBounds)$/],
    ["that is cut", (outboard) => outboard.slice(0, -64), /^BodyLength$/],
    ["that is empty", () => new Uint8Array(0), /^BodyLength$/],
  ];
  it.each(lies)("%s is an error, and no bytes are handed out", async (_what, change, code) => {
    for (const verify of ["always", "available"] as const) {
      const built = packedDataset([{ sizes, outboard: true }]);
      const key = outboardKeyOf(built);
      const outboard = built.objects[key];
      if (outboard === undefined || !("base64" in outboard)) throw new Error("the outboard was not built");
      const raw = Uint8Array.from(atob(outboard.base64), (letter) => letter.charCodeAt(0));
      const { field } = await served({ ...built, objects: { ...built.objects, [key]: base64Of(change(raw)) } }, { verify });
      expect((await expectFailure(field.read(5))).code).toMatch(code);
    }
  });

  const outboardKeyOf = ({ objects }: Built) => Object.keys(objects).find((key) => key.startsWith("bao-outboard/")) ?? "";
});

describe("bytes that change between two ranges of a pack", () => {
  it("are found out, whatever their entity tag says; an entity tag that changes alone makes no difference", async () => {
    const built = packedDataset([{ sizes, outboard: true }]);
    const { broken, field } = await served(built, { maxGap: 0, cacheBytes: 0 });
    const key = built.keys[0] ?? "";
    await broken.rules({ key, mode: "etag-changing" });
    expect(await field.read(1)).toMatchObject({ bytes: built.items[1] });
    expect(await field.read(6)).toMatchObject({ bytes: built.items[6] });
    await broken.rules({ key, mode: "206-shifted" });
    await expectFailure(field.read(9), "HashMismatch");
  });

  it("are found out in the Items that they hit, and only there", async () => {
    const built = packedDataset([{ sizes, outboard: true }]);
    const { broken, field } = await served({ ...built, objects: { ...built.objects, [built.keys[0] ?? ""]: base64Of(corrupted()) } });
    const outcomes = await field.readMany([1, 2, 3, 4]);
    // They came in one range.
    expect((await broken.requests()).filter(({ key }) => key === built.keys[0])).toHaveLength(1);
    const failed = outcomes.filter(({ status }) => status === "error").map(({ anchor }) => anchor);
    expect(failed).toEqual([3n]);
    for (const outcome of outcomes) {
      if (outcome.status === "value") expect(outcome.value.bytes).toEqual(built.items[Number(outcome.anchor)]);
      else expect(outcome).toMatchObject({ error: { code: "HashMismatch", field: FIELD } });
    }
  });

  function corrupted(): Uint8Array {
    const pack = pattern(sizes.reduce((sum, size) => sum + size, 0));
    // The Item at 3 begins at 9003: its second chunk, from 10,240 on, is shared with no other.
    pack[10_500] = 255;
    return pack;
  }
});

describe("what is kept of one object", () => {
  it("is not taken for another that has the same address at another place", async () => {
    const built = packedDataset([{ sizes }]);
    const good = await served(built);
    const bad = await served({ ...built, objects: { ...built.objects, [built.keys[0] ?? ""]: { pattern: 5 } } });
    expect(await good.field.read(2)).toMatchObject({ bytes: built.items[2], verified: "object" });
    await expectFailure(bad.field.read(2), "HashMismatch");
    expect(await good.field.read(2)).toMatchObject({ bytes: built.items[2] });
  });

  it("is not taken for the same pack of another field, where something else lies", async () => {
    const pack = pattern(5000);
    const objects: Record<string, ObjectSpec> = {};
    const bindings = ["png", "jpeg"].map((mime) => {
      const modality = `image.${mime}`;
      const index = track(modality, array([array([uint(0), uint(1), uint(5000), bytes(multihash(pack)), FALSE, uint(0)])]));
      objects[`${TIMELINE}/${modality}/track/${address(index)}`] = base64Of(index);
      objects[`${TIMELINE}/${modality}/0000000000000000/${address(pack)}`] = mime === "png" ? { pattern: 5000 } : base64Of(new Uint8Array(5000));
      return { field: mime, kind: "continuous", modality, track: address(index) };
    });
    const root = manifest(bindings, map([["dreamdb.schema", schema(["jpeg", "png"].map((mime) => mediaField(mime, "image", mime)))]]));
    objects[`manifests/${address(root)}`] = base64Of(root);
    const broken = await openBroken({ objects });
    const ds = await openDataset(broken.base("exact206"), { manifest: address(root) });
    expect(await ds.media("png").read(0)).toMatchObject({ bytes: pack, verified: "object" });
    await expectFailure(ds.media("jpeg").read(0), "HashMismatch");
    expect(await ds.media("png").read(0)).toMatchObject({ bytes: pack });
  });

  it("belongs to nobody else: what a caller does to its bytes changes no later read", async () => {
    for (const outboard of [true, false]) {
      const built = packedDataset([{ sizes, outboard }]);
      const { field } = await served(built);
      for (let again = 0; again < 3; again++) {
        const item = await field.read(4);
        expect(item).toMatchObject({ bytes: built.items[4] });
        item?.bytes.fill(255);
      }
    }
  });
});

describe("the entries of a pack", () => {
  const pack = pattern(9000);
  const entry = (anchor: number, offset: number, size: number) => array([uint(anchor), uint(anchor + 1), uint(size), bytes(multihash(pack)), FALSE, uint(offset)]);
  const objects = { [fragmentKey(pack)]: { pattern: 9000 } };
  const span = (offset: number, size: number) => pack.slice(offset, offset + size);

  it.each(["always", "never"] as const)("may be listed twice, share an offset with an empty one, and stand in any order, verified %s", async (verify) => {
    const entries = [entry(0, 5000, 4000), entry(1, 0, 5000), entry(2, 5000, 0), entry(3, 0, 5000), entry(4, 5000, 4000), entry(5, 9000, 0)];
    const { field } = await served(finished(objects, entries), { verify });
    const outcomes = await field.readMany([0, 1, 2, 3, 4, 5]);
    expect(outcomes.map((outcome) => (outcome.status === "value" ? outcome.value.bytes : outcome))).toEqual([
      span(5000, 4000), span(0, 5000), span(0, 0), span(0, 5000), span(5000, 4000), span(0, 0),
    ]);
  });

  const faults: [string, Uint8Array[], string][] = [
    ["leave a gap", [entry(0, 0, 4000), entry(1, 5000, 4000)], "PackInvariant"],
    ["overlap", [entry(0, 0, 5000), entry(1, 4000, 5000)], "PackInvariant"],
    ["end before the pack does", [entry(0, 0, 5000), entry(1, 5000, 3999)], "PackLength"],
    ["end behind the pack", [entry(0, 0, 5000), entry(1, 5000, 4001)], "PackSliceOutOfBounds"],
  ];
  it.each(faults)("that %s are refused by name, whole or in part", async (_what, entries, code) => {
    for (const verify of ["always", "available", "never"] as const) {
      const { broken, field } = await served(finished(objects, entries), { verify });
      const outcomes = await field.readMany([1, 0]);
      expect(outcomes[0]).toMatchObject({ status: "error", error: { code, field: FIELD, anchor: 1n } });
      // The index alone tells it; at most one look at the pack says whether that is cut as well.
      if (code === "PackInvariant") expect((await broken.requests()).length).toBeLessThanOrEqual(verify === "always" ? 1 : 0);
    }
  });

  it("may lie behind 4 GiB, where the range has the numbers that the index has; an offset that needs 33 bits is refused", async () => {
    const far = 2 ** 32 - 6;
    const { broken, field } = await served(finished(objects, [entry(0, 0, far), entry(1, far, 10)]), { verify: "never" });
    await expectFailure(field.read(1), "PackSliceOutOfBounds");
    expect(rangesOf(await broken.requests())).toEqual(["bytes=4294967290-4294967299"]);
    await expectFailure(served(finished(objects, [entry(0, 0, 2 ** 32), entry(1, 2 ** 32, 10)])), "IntegerRange");
  });

  it("name the outboard of the pack by its address", () => {
    expect(outboardKey(pack)).toBe(`bao-outboard/${fragmentKey(pack).split("/").at(-1)}`);
  });
});

/** Opening datasets and fields: by every way, of every version, and what is said when it cannot be. */

import { codec, type Dataset, init, memoryStore, openDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFailure, expectThrown } from "../support/failure.js";
import { FIXTURES, fixtureUrl, loadObjects, loadSidecar } from "../support/fixtures.js";
import { recording } from "../support/recording.js";
import { hexBytes } from "../support/sidecar.js";

await init();

const ANCHOR = 1700000000033333333n;
const MISSING = "d2xrgsnz6x42djvaibg6unw4zfezxszfzgw4cevxzsnjhsxed4zge";

describe("sources", () => {
  test("may be text or URL, with a slash at the end or without, with a query or without", async () => {
    const url = fixtureUrl("arrays-basic");
    for (const source of [url, `${url}/`, new URL(url), `${url}?token=secret`, `${url}#part`]) {
      expect((await openDataset(source)).manifest.address).toBe("d2hxhfu7txnn3d5yudyw6mbj2vg7smiq5nprurbzuey5c6gfgbkim");
    }
  });

  test.each(["file:///data", "FILE:///data", "ftp://host/data", "data:,x", "http://", "https://host:99999/"])("%j is none, and says so before anything is asked", async (source) => {
    await expectFailure(openDataset(source), "InvalidArgument");
  });

  test("a folder's URL says which store opens folders", async () => {
    expect((await expectFailure(openDataset(new URL("file:///data")), "InvalidArgument")).message).toContain("fsStore");
  });
});

describe("versions", () => {
  let objects: Map<string, Uint8Array<ArrayBuffer>>;
  beforeAll(async () => {
    objects = await loadObjects("hand-minimal", await loadSidecar("hand-minimal"));
  });

  test.each(["main@v1", "a/b/c", "a-b_c", "0", `${"a".repeat(64)}/${"b".repeat(64)}`])("the Ref %j is read where it lies", async (name) => {
    const store = recording(memoryStore(new Map(objects).set(`refs/${name}`, objects.get("refs/hand") ?? new Uint8Array(0))));
    await openDataset(store, name);
    expect(store.keys()[0]).toBe(`refs/${name}`);
  });

  test.each(["", "/", "a/", "/a", "a//b", "..", "a/../b", "@v1", "Main", "a b", "a.b", "é", "a\n", "a".repeat(65), "a?b", "a%2fb", "a\\b"])(
    "%j names no Ref, and nothing is asked",
    async (name) => {
      const store = recording(memoryStore(objects));
      const error = await expectFailure(openDataset(store, name), "RefName");
      expect(error.subject).toBe(name);
      expect(store.reads.length).toBe(0);
    },
  );

  test.each([0, 1, 32, 34, 74])("a Ref of %i bytes is none", async (size) => {
    const body = new Uint8Array(size);
    const error = await expectFailure(openDataset(memoryStore([["refs/main", body]])), "RefBody");
    expect([error.key, error.expected, error.actual]).toEqual(["refs/main", "33", `${size}`]);
  });

  test("a Ref to nothing, and no Ref, are absent by name", async () => {
    expect((await expectFailure(openDataset(memoryStore()), "NotFound")).key).toBe("refs/main");
    const { ref_bytes, refs } = await loadSidecar("hand-minimal");
    const body = hexBytes(ref_bytes["hand"] ?? "");
    const { key } = await expectFailure(openDataset(memoryStore([["refs/main", body]])), "NotFound");
    expect(key).toBe(`manifests/${refs["hand"]?.manifest}`);
  });

  test("are fixed once open, whatever becomes of the Ref", async () => {
    const store = memoryStore(objects);
    const ds = await openDataset(store, "hand");
    store.set("refs/hand", objects.get("refs/tomb-legacy") ?? new Uint8Array(0));
    expect(await ds.array("dense").read(10n)).toBeDefined();
    expect(await (await openDataset(store, "hand")).array("dense").read(10n)).toBeUndefined();
  });

  test("a pinned manifest that is not there is absent", async () => {
    expect((await expectFailure(openDataset(memoryStore(), { manifest: MISSING }), "NotFound")).key).toBe(`manifests/${MISSING}`);
  });

  test("a manifest that is none is refused with its key", async () => {
    for (const body of [new Uint8Array(0), Uint8Array.of(0xa0), Uint8Array.of(0x80), Uint8Array.of(0xff)]) {
      const address = codec.addressOf(body);
      const error = await expectFailure(openDataset(memoryStore([[`manifests/${address}`, body]]), { manifest: address }));
      expect(error.key).toBe(`manifests/${address}`);
      expect(error.code).not.toBe("Internal");
    }
  });
});

describe.each(FIXTURES)("earlier versions of %s", (fixture) => {
  test("open by their manifests; in the first of a lineage nothing is written yet", async () => {
    const objects = await loadObjects(fixture, await loadSidecar(fixture));
    let opened = 0;
    for (const key of objects.keys()) {
      if (!key.startsWith("manifests/")) continue;
      const ds = await openDataset(memoryStore(objects), { manifest: key.slice("manifests/".length) });
      opened++;
      // What the reference wrote begins empty; what was built by hand begins full.
      if (ds.manifest.parents.length > 0 || !ds.manifest.writer.includes("operation=create")) continue;
      for (const info of ds.fields) await expectEmpty(ds, info.name);
    }
    expect(opened).toBeGreaterThan(1);
  });

  async function expectEmpty(ds: Dataset, name: string): Promise<void> {
    const info = ds.fields.find((field) => field.name === name);
    if (info?.trackKind === "constant") {
      expect(await ds.constant(name).read()).toBeUndefined();
      return;
    }
    expect(info?.coverage).toEqual({ start: 0n, end: 1n });
    const family = info !== undefined && "family" in info ? info.family : "media";
    const field = { "dense-array": () => ds.array(name), "ragged-array": () => ds.ragged(name), "sparse-csr": () => ds.csr(name), "media": () => ds.media(name) }[family]();
    expect(await field.count()).toBe(0);
    expect(await field.anchors()).toEqual(new BigUint64Array(0));
    expect(await field.read(0n)).toBeUndefined();
  }
});

describe("fields", () => {
  let arrays: Dataset;
  let constants: Dataset;
  let packs: Dataset;
  beforeAll(async () => {
    [arrays, constants, packs] = await Promise.all([
      openDataset(fixtureUrl("arrays-basic")),
      openDataset(fixtureUrl("constants")),
      openDataset(fixtureUrl("packs")),
    ]);
  });

  test("that are not there are named, beside those that are", () => {
    const error = expectThrown(() => arrays.array("nope"), "NoSuchField");
    expect(error.field).toBe("nope");
    expect(error.message).toContain('"pose"');
  });

  test("of another family are refused by each door", async () => {
    for (const call of [() => arrays.array("rag"), () => arrays.array("csr"), () => arrays.ragged("pose"), () => arrays.csr("rag"), () => arrays.media("pose")]) {
      expect(expectThrown(call, "WrongFamily").field).toEqual(expect.any(String));
    }
    for (const call of [() => packs.array("im"), () => packs.ragged("im"), () => packs.csr("im"), () => constants.array("title"), () => constants.media("title")]) {
      expectThrown(call, "WrongFamily");
    }
    await expectFailure(packs.readArrayItem("im", 0n), "WrongFamily");
    await expectFailure(packs.getArrayConstant("im"), "WrongFamily");
    await expectFailure(constants.getArrayConstant("title"), "WrongFamily");
  });

  test("of another kind are refused when they are read", async () => {
    expectThrown(() => arrays.constant("pose"), "WrongKind");
    expectThrown(() => packs.constant("im"), "WrongKind");
    await expectFailure(arrays.getArrayConstant("pose"), "WrongKind");
    expect((await expectFailure(constants.array("gravity").read(0n), "WrongKind")).field).toBe("gravity");
    await expectFailure(constants.readArrayItem("gravity", 0n), "WrongKind");
  });

  test("are narrowed by dtype and shape, or refused with both", () => {
    expect(arrays.array("pose", { dtype: "f32", shape: [2, 3n] }).info.dtype).toBe("f32");
    expect(arrays.array("scalar0d", { shape: [] }).name).toBe("scalar0d");
    expect(arrays.ragged("ragbe", { shape: [2, 2] }).name).toBe("ragbe");
    expect(arrays.csr("csr", { dtype: "f64", shape: [3, 4] }).name).toBe("csr");
    const dtype = expectThrown(() => arrays.array("pose", { dtype: "f64" }), "WrongDtype");
    expect([dtype.expected, dtype.actual, dtype.field]).toEqual(["f64", "f32", "pose"]);
    for (const shape of [[3, 2], [2], [2, 3, 1], [], [6]]) {
      expect(expectThrown(() => arrays.array("pose", { shape }), "WrongShape").field).toBe("pose");
    }
    expectThrown(() => arrays.ragged("ragbe", { shape: [] }), "WrongShape");
  });

  test("tell where a failed read failed: field, anchor and object", async () => {
    const sidecar = await loadSidecar("arrays-basic");
    const store = memoryStore(await loadObjects("arrays-basic", sidecar));
    for (const key of Object.keys(sidecar.objects)) if (key.includes(`/${ANCHOR.toString(16)}/`)) store.delete(key);
    const ds = await openDataset(store);
    const error = await expectFailure(ds.array("pose").read(ANCHOR), "NotFound");
    expect([error.field, error.anchor]).toEqual(["pose", ANCHOR]);
    expect(error.key).toContain(`/${ANCHOR.toString(16)}/`);
    expect(error.message.split(/field "pose"/).length).toBe(2);
  });

  test("of one name give one Track, each as a field of its own", () => {
    expect(arrays.array("pose")).not.toBe(arrays.array("pose"));
    expect(arrays.array("pose").info).toBe(arrays.array("pose").info);
  });
});

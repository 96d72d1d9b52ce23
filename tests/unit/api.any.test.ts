/** The public surface, name by name: whatever is added, renamed or dropped shows here. */

import * as api from "dreamdb-arrays";
import * as inline from "dreamdb-arrays/inline";
import * as slim from "dreamdb-arrays/slim";
import { describe, expect, inject, test } from "vitest";
import { CORE_CODES, IO_CODES } from "../../ts/errors.js";
import { call } from "../../ts/wasm.js";
import { fixtureUrl } from "../support/fixtures.js";

await api.init();

/** Names of an object's methods, accessors and own properties, those of its class included. */
function members(object: object): string[] {
  const names = new Set(Object.keys(object));
  for (let at = Object.getPrototypeOf(object) as object | null; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  names.delete("constructor");
  return [...names].sort();
}

describe("an entry", () => {
  test("exports these names", () => {
    expect(Object.keys(api).sort()).toEqual([
      "Dataset",
      "DreamDbError",
      "Schema",
      "at",
      "blobStore",
      "checkRegistries",
      "codec",
      "httpStore",
      "init",
      "isArrayField",
      "isDreamDbError",
      "isMediaField",
      "isScalarField",
      "memoryStore",
      "openArrayField",
      "openDataset",
      "row",
      "sameType",
      "toDense",
      "toNested",
      "toNpy",
    ]);
  });

  test("exports the same as every other", () => {
    for (const other of [inline, slim]) {
      expect(Object.keys(other).sort()).toEqual(Object.keys(api).sort());
      expect(other.DreamDbError).toBe(api.DreamDbError);
      expect(other.httpStore).toBe(api.httpStore);
    }
  });

  test("has these synchronous functions", () => {
    expect(Object.keys(api.codec).sort()).toEqual([
      "addressOf",
      "bindModality",
      "decode",
      "decodeItemType",
      "encodeCsr",
      "encodeDense",
      "encodeItemType",
      "encodeNpy",
      "encodeRagged",
      "itemTypeId",
      "modalityOf",
      "packItems",
      "parseModality",
      "validate",
      "verifyAddress",
    ]);
  });
});

describe("members", () => {
  test("of a dataset and of what it says of itself", async () => {
    const ds = await api.openDataset(fixtureUrl("constants"));
    expect(members(ds)).toEqual([
      "array",
      "audit",
      "auditArrayField",
      "batches",
      "constant",
      "csr",
      "deletedAnchors",
      "fields",
      "getArrayConstant",
      "manifest",
      "media",
      "plan",
      "ragged",
      "readArrayItem",
      "readMany",
      "rows",
      "scalar",
      "stats",
      "timeline",
    ]);
    expect(members(ds.manifest)).toEqual(["address", "deletions", "notes", "parents", "timelines", "timestamp", "tracksForm", "writer"]);
    expect(members(ds.stats())).toEqual([
      "bytesFetched",
      "bytesOfProofs",
      "bytesVerified",
      "bytesWanted",
      "cacheHits",
      "objectsVerified",
      "ranges",
      "rangesVerified",
      "requests",
      "retries",
    ]);
    expect(members(ds.constant("title"))).toEqual(expect.arrayContaining(["info", "name", "read"]));
    expect(members(ds.constant("gravity"))).toEqual(expect.arrayContaining(["info", "name", "read"]));
  });

  test("of a dataset that is written to, of its schema and of what a write comes to", async () => {
    const store = api.memoryStore();
    expect(members(store)).toEqual(["create", "delete", "describe", "get", "getRange", "getTagged", "replace", "set"]);
    expect(members(api.Dataset)).toEqual(["create", "open"]);
    const schema = new api.Schema().array("a", { dtype: "u8", shape: [] });
    expect(members(schema)).toEqual(["array", "audio", "csr", "field", "fields", "image", "ragged", "scalar", "video"]);
    const ds = await api.Dataset.create(store, "main", schema);
    expect(members(ds)).toEqual(["addArrayConstant", "addField", "append", "appendColumns", "branch", "current", "delete", "name", "refresh", "snapshot"]);
    const commit = await ds.append([{ anchor: 1, values: { a: 1 } }]);
    expect(members(commit)).toEqual(["anchors", "manifest", "stored", "tracksBytes"]);
    expect(members(commit.stored)).toEqual(["bytes", "objects", "totalBytes", "totalObjects"]);
    const pack = api.codec.packItems([{ anchor: 1, bytes: new Uint8Array(3) }]);
    expect(members(pack)).toEqual(["address", "body", "entries", "outboard"]);
    expect(members(pack.entries[0] ?? {})).toEqual(["address", "end", "packOffset", "size", "start"]);
  });

  test("of fields, with nothing public that is not meant to be", async () => {
    const [arrays, packs] = [await api.openDataset(fixtureUrl("arrays-basic")), await api.openDataset(fixtureUrl("packs"))];
    const ours = ["anchors", "batches", "column", "count", "info", "name", "plan", "read", "readMany"];
    const own = (field: object) => members(field).filter((name) => !INTERNAL.has(name));
    const ofArrays = [...ours, "readConstant"].sort();
    expect(own(arrays.array("pose"))).toEqual(ofArrays);
    for (const field of [arrays.ragged("rag"), arrays.csr("csr")]) expect(own(field)).toEqual([...ofArrays, "readRow", "readRows"].sort());
    expect(own(packs.media("im"))).toEqual(ours);
  });

  test("of a scalar column", async () => {
    const ds = await api.openDataset(`${inject("fixturesUrl")}/scalars/data`);
    expect(members(ds.scalar("cat")).filter((name) => !INTERNAL.has(name))).toEqual(["anchors", "column", "count", "info", "name", "read", "readMany"]);
    expect(members(ds.scalar("cat").info)).toEqual(["coverage", "kind", "modality", "name", "required", "trackKind", "valueType"]);
    expect(Object.keys(await ds.scalar("cat").column()).sort()).toEqual(["anchors", "categories", "codes", "valueType", "values", "verified"]);
    expect(Object.keys(await ds.scalar("in").column()).sort()).toEqual(["anchors", "valueType", "values", "verified"]);
  });

  /** Marked `@internal`: taken out of the package's types, though not of its JavaScript. */
  const INTERNAL = new Set(["access", "auditPlan", "columnOf", "cursor", "located", "prepare", "rowsAt", "scan"]);

  test("of Items", async () => {
    const [arrays, packs] = [await api.openDataset(fixtureUrl("arrays-basic")), await api.openDataset(fixtureUrl("packs"))];
    const at = 1700000000033333333n;
    const context = ["anchor", "type", "verified"];
    const own = async (read: Promise<object | undefined>) => Object.keys((await read) ?? {}).sort();
    expect(await own(arrays.array("pose").read(at))).toEqual(["data", "dtype", "family", "order", "shape", "strides", ...context].sort());
    expect(await own(arrays.ragged("rag").read(at))).toEqual(["dtype", "family", "innerShape", "kind", "rowOffsets", "values", ...context].sort());
    expect(await own(arrays.csr("csr").read(at))).toEqual(
      ["columnIndices", "dtype", "family", "kind", "rowOffsets", "shape", "values", ...context].sort(),
    );
    expect(await own(packs.media("im").read(0n))).toEqual(["anchor", "bytes", "form", "kind", "mime", "verified"]);
  });
});

describe("error codes", () => {
  test("of the core are those that the core has", () => {
    expect([...CORE_CODES].sort()).toEqual(call((core) => core.errorCodes()).sort());
  });

  test("stand in one table each, once", () => {
    const all = [...CORE_CODES, ...IO_CODES];
    expect(new Set(all).size).toBe(all.length);
    for (const code of all) expect(code).toMatch(/^[A-Z][A-Za-z]+$/);
  });
});

/** Arguments of every wrong kind, for every public function that takes bytes, text or numbers: a named refusal, and the next call works. */

import {
  blobStore,
  codec,
  type CsrArray,
  Dataset,
  httpStore,
  init,
  isDreamDbError,
  memoryStore,
  type OpenOptions,
  openDataset,
  Schema,
  type Store,
  toDense,
  type WritableOptions,
} from "dreamdb-arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFailure, expectRejection, expectThrown } from "../support/failure.js";
import { fixtureUrl } from "../support/fixtures.js";
import { NOT_BYTES, NOT_TEXT, NOT_U64 } from "../support/hostile.js";

await init();

const TYPE = { dtype: "u8", shape: [3] } as const;
const CBOR = codec.encodeItemType(TYPE);
const TAG = codec.modalityOf(TYPE, "event");
const EMPTY_MATRIX = codec.encodeCsr({ family: "sparse-csr", dtype: "u8", shape: [1, 1] }, { rowOffsets: [0, 0], columnIndices: [], values: new Uint8Array(0) });
/** BLAKE3 of one byte 0, as the specification's address. */
const ADDRESS = "dywtvxw76enwd4kmrbxdll5agzzw3tmhu5gspnobkebcluhvslrbg";

/** The core still answers, and answers right. */
function expectWorking(): void {
  codec.verifyAddress(new Uint8Array(1), ADDRESS);
  expect(codec.decode(TYPE, Uint8Array.of(1, 2, 3))).toMatchObject({ data: Uint8Array.of(1, 2, 3) });
}

/** A call with one argument replaced; the types are told nothing. */
type Call = (value: never) => unknown;

function refuses(calls: Readonly<Record<string, Call>>, values: readonly (readonly [string, unknown])[]): void {
  describe.each(Object.entries(calls))("%s", (_, call) => {
    test.each(values)("refuses %s", (_name, value) => {
      const error = expectThrown(() => call(value as never), "InvalidArgument");
      expect(error.message).not.toMatch(/unreachable|out of bounds|undefined \(reading/);
      expect(error.subject).toEqual(expect.any(String));
      expectWorking();
    });
  });
}

describe("bytes", () => {
  refuses(
    {
      "addressOf": (value) => codec.addressOf(value),
      "verifyAddress": (value) => codec.verifyAddress(value, ADDRESS),
      "decodeItemType": (value) => codec.decodeItemType(value),
      "the payload of decode": (value) => codec.decode(TYPE, value),
      "the payload of validate": (value) => codec.validate(CBOR, value),
    },
    NOT_BYTES,
  );

  /** An object is a type, if a faulty one; what it lacks is then said. */
  refuses(
    {
      "itemTypeId": (value) => codec.itemTypeId(value),
      "encodeItemType": (value) => codec.encodeItemType(value),
      "the type of modalityOf": (value) => codec.modalityOf(value, "event"),
      "the type of bindModality": (value) => codec.bindModality(TAG, value),
      "the type of decode": (value) => codec.decode(value, Uint8Array.of(1, 2, 3)),
      "the type of validate": (value) => codec.validate(value, Uint8Array.of(1, 2, 3)),
    },
    NOT_BYTES,
  );
});

describe("text", () => {
  refuses(
    {
      "the address of verifyAddress": (value) => codec.verifyAddress(new Uint8Array(1), value),
      "parseModality": (value) => codec.parseModality(value),
      "bindModality": (value) => codec.bindModality(value, TYPE),
      "the kind of modalityOf": (value) => codec.modalityOf(TYPE, value),
      "the dtype of a type": (value) => codec.itemTypeId({ ...TYPE, dtype: value }),
    },
    NOT_TEXT,
  );

  // Left out, these have values of their own.
  const given = NOT_TEXT.filter(([, value]) => value !== undefined);
  refuses(
    {
      "the family of a type": (value) => codec.itemTypeId({ ...TYPE, family: value }),
      "the byte order of a type": (value) => codec.itemTypeId({ ...TYPE, endianness: value }),
      "the layout of a type": (value) => codec.itemTypeId({ ...TYPE, layout: value }),
      "the codec of a type": (value) => codec.itemTypeId({ ...TYPE, codec: value }),
      "the semantic type of a type": (value) => codec.itemTypeId({ ...TYPE, semanticType: value }),
      "the units of a type": (value) => codec.itemTypeId({ ...TYPE, units: value }),
      "the frame of a type": (value) => codec.itemTypeId({ ...TYPE, frame: value }),
      "the axis order of a type": (value) => codec.itemTypeId({ ...TYPE, axisOrder: value }),
    },
    given,
  );

  test("texts that UTF-8 cannot tell apart get no identity, and whole surrogate pairs do", () => {
    const id = (units: string) => codec.itemTypeId({ ...TYPE, units });
    expectThrown(() => id("\ud83d"), "InvalidArgument");
    expectThrown(() => id("\ude00"), "InvalidArgument");
    expect(id("\ud83d\ude00")).not.toBe(id("\ufffd"));
    expect(id("\u00e9")).not.toBe(id("e\u0301"));
  });
});

describe("keys of a type", () => {
  test.each([
    ["a misspelt one", { ...TYPE, unit: "m" }],
    ["one spelt as on the wire", { ...TYPE, semantic_type: "pose" }],
    ["the cell of another family", { ...TYPE, innerShape: [2] }],
    ["the shape of another family", { family: "ragged-array", dtype: "u8", innerShape: [], shape: [3] }],
    ["the index dtype of another family", { ...TYPE, indexDtype: "u64" }],
    ["one that every object has", JSON.parse('{"dtype":"u8","shape":[3],"__proto__":1}') as object],
  ])("%s is refused, not dropped", (_, type) => {
    expectThrown(() => codec.itemTypeId(type as never), "UnknownField");
  });

  test.each([["version", 2], ["codecVersion", "1"], ["indexDtype", "u32"]])("%s has one value", (key, value) => {
    const type = { family: "sparse-csr", dtype: "u8", shape: [2, 3], [key]: value };
    expect(expectThrown(() => codec.itemTypeId(type as never), "InvalidValue").subject).toBe(key);
  });

  test("what is undefined counts as left out", () => {
    expect(codec.encodeItemType({ ...TYPE, units: undefined, innerShape: undefined, family: undefined })).toEqual(CBOR);
  });
});

describe("extents", () => {
  refuses(
    {
      "one extent of a shape": (value) => codec.itemTypeId({ dtype: "u8", shape: [2, value] }),
      "one extent of a cell": (value) => codec.itemTypeId({ family: "ragged-array", dtype: "u8", innerShape: [value] }),
    },
    NOT_U64,
  );
  refuses(
    {
      "a shape": (value) => codec.itemTypeId({ dtype: "u8", shape: value }),
      "the shape of a cell": (value) => codec.itemTypeId({ family: "ragged-array", dtype: "u8", innerShape: value }),
    },
    [...NOT_BYTES, ["a Uint8Array", Uint8Array.of(2, 3)] as const].filter(([, value]) => !Array.isArray(value)),
  );
});

describe("options", () => {
  /** What is no option's value, and what some of it cannot be made: a text. */
  const NO_OPTION: typeof NOT_U64 = [...NOT_U64.filter(([, value]) => Object(value) === value || typeof value === "symbol"), ["a function", () => "no"]];

  refuses(
    {
      timeoutMs: (timeoutMs) => httpStore("https://data.example.org", { timeoutMs }),
      "maxBytes of a dense copy": (maxBytes) => toDense(codec.decode({ family: "sparse-csr", dtype: "u8", shape: [1, 1] }, EMPTY_MATRIX) as CsrArray, { maxBytes }),
      "the order of a value": (order) => codec.encodeDense(TYPE, { data: new Uint8Array(3), order }),
      "the dtype of a value": (dtype) => codec.encodeDense(TYPE, { data: new Uint8Array(3), dtype }),
      "an Item of a pack": (item) => codec.packItems([item]),
    },
    NO_OPTION.filter(([name]) => name !== "an object"),
  );
  refuses({ "fields of a schema": (fields) => new Schema(fields) }, [["null", null], ["5", 5], ["a string", "a"], ["a symbol", Symbol("s")]]);

  test.each(NO_OPTION)("%s is none of a dataset", async (_, value) => {
    const empty = memoryStore();
    for (const options of [{ concurrency: value }, { cacheBytes: value }, { maxRequests: value }, { retry: { attempts: value } }, { retry: { maxDelayMs: value } }, { verify: value }]) {
      await expectFailure(openDataset(empty, "main", options as OpenOptions), "InvalidArgument");
    }
    const clock = typeof value === "function" ? 5n : value;
    await expectFailure(Dataset.create(empty, "main", new Schema().array("a", TYPE), { clock } as WritableOptions), "InvalidArgument");
  });

  test("a failure that no text can be made of is told all the same", async () => {
    const nothing: unknown = Object.create(null);
    const fetch = () => Promise.reject(nothing);
    await expectFailure(openDataset("https://data.example.org", "main", { fetch, retry: { attempts: 1 } }), "Network");
  });
});

describe("datasets", () => {
  let ds: Dataset;
  beforeAll(async () => {
    ds = await openDataset(fixtureUrl("arrays-basic"));
  });

  async function expectRejected(work: () => Promise<unknown>): Promise<void> {
    await expectFailure(work(), "InvalidArgument");
    expect((await ds.array("scalar0d").read(1700000000033333333n))?.data).toEqual(Float64Array.of(1.125));
  }

  test.each(NOT_BYTES.filter(([, value]) => typeof value !== "string"))("%s is no source", async (_, source) => {
    await expectRejected(() => openDataset(source as Store));
  });

  test.each(NOT_TEXT.filter(([, value]) => typeof value !== "string" && value !== undefined))("%s is no version", async (_, version) => {
    await expectRejected(() => openDataset(memoryStore(), version as string));
  });

  test.each(NOT_TEXT)("%s is no address of a manifest", async (_, manifest) => {
    await expectRejected(() => openDataset(memoryStore(), { manifest: manifest as string }));
  });

  test.each(NOT_TEXT.filter(([, value]) => value !== undefined))("%s is no policy", async (_, verify) => {
    await expectRejected(() => openDataset(memoryStore(), "main", { verify: verify as "always" }));
  });

  test.each([["null", null], ["−1", -1], ["NaN", Number.NaN], ["a string", "1"], ["a bigint", 1n]])("%s is no size of a cache", async (_, size) => {
    await expectRejected(() => openDataset(memoryStore(), "main", { cacheBytes: size as number }));
  });

  test.each(NOT_U64)("%s is no anchor", async (_, anchor) => {
    await expectRejected(() => ds.array("pose").read(anchor as bigint));
    await expectRejected(() => ds.readArrayItem("pose", anchor as bigint));
  });

  test.each([["an anchor", 1700000000033333333n], ["a number", 5], ["null", null], ["nothing", undefined], ["an object", {}]])("%s is no list of anchors", async (_, anchors) => {
    const list = anchors as bigint[];
    for (const call of [() => ds.array("pose").readMany(list), () => ds.array("pose").plan(list), () => ds.readMany([{ field: "pose", anchors: list }])]) await expectRejected(call);
  });

  test.each(NOT_BYTES.filter(([, value]) => value !== undefined))("%s is no signal", async (_, value) => {
    const signal = value as AbortSignal;
    const pose = ds.array("pose");
    const calls = [() => pose.read(1700000000033333333n, { signal }), () => pose.column({ signal }), () => ds.audit(["pose"], { signal }), () => openDataset(fixtureUrl("arrays-basic"), "main", { signal })];
    for (const call of calls) await expectRejected(call);
  });

  test.each(NOT_TEXT)("no field is named by %s", async (_, name) => {
    const field = name as string;
    for (const call of [() => ds.array(field), () => ds.ragged(field), () => ds.csr(field), () => ds.media(field), () => ds.constant(field)]) {
      expectThrown(call, "NoSuchField");
    }
    await expectFailure(ds.readArrayItem(field, 0n), "NoSuchField");
    await expectFailure(ds.getArrayConstant(field), "NoSuchField");
  });

  test("no field has a name that every object has", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) expectThrown(() => ds.array(name), "NoSuchField");
  });

  test.each([["5", 5], ["a string", "23"], ["an object", { length: 2 }], ["a Uint8Array", Uint8Array.of(2, 3)], ["a fraction", [1.5]], ["holes", [2, undefined]]])(
    "a field is not narrowed by the shape %s",
    (_, shape) => {
      expectThrown(() => ds.array("pose", { shape: shape as number[] }), "InvalidArgument");
    },
  );
});

describe("stores of a caller's own", () => {
  const answers = NOT_BYTES.filter(([name]) => name !== "a detached Uint8Array");

  test.each(answers)("one that gives %s is refused, and no defect of ours is claimed", async (_, answer) => {
    const store = { get: async () => answer, getRange: async () => answer, describe: (key: string) => key } as unknown as Store;
    const error = await expectFailure(openDataset(store), "InvalidArgument");
    expect(error.key).toBe("refs/main");
    expect(error.message).toContain("NotFound");
  });

  test("one that answers at once, without a promise, is read all the same", async () => {
    const memory = memoryStore([["k", Uint8Array.of(1)]]);
    const own = { ...memory, get: () => Uint8Array.of(1, 2) } as unknown as Store;
    for (const signal of [undefined, new AbortController().signal]) await expectFailure(openDataset(own, "main", { signal }), "RefBody");
  });

  test("what such a store throws comes out as it is", async () => {
    const reason = new Error("the disk is on fire");
    const fail = () => Promise.reject(reason);
    expect(await expectRejection(openDataset({ get: fail, getRange: fail, describe: (key) => key }))).toBe(reason);
  });

  test("stores of ours refuse what is no key", async () => {
    for (const store of [memoryStore(), blobStore([])]) {
      for (const key of ["", "/a", "a//b", "../a", "a/./b", "a\0b", 5, null, undefined]) {
        await expectFailure(store.get(key as string), "InvalidArgument");
      }
    }
  });
});

test("an error is recognised by name and code, whatever is asked about", () => {
  for (const [, value] of [...NOT_BYTES, ...NOT_TEXT, ...NOT_U64]) expect(isDreamDbError(value)).toBe(false);
});

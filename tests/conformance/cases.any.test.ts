/** Recorded cases of the reference as vectors: one of each form, as such files have them. */
import { init } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { readText, run } from "./cases/command.js";
import { objectsIn, parseJson } from "../../ts/cli/vectors/json.js";
import { vectorOfCase } from "./cases/read.js";
import { naive } from "./naive/implementation.js";
import { tagOf, readDocumentBytes } from "./naive/documents.js";
import { hexOf } from "../../ts/conformance/vector.js";

const TYPE = {
  family: "dense-array", version: 1, dtype: "f32", shape: [3n], endianness: "little", layout: "c", codec: "raw", codecVersion: 1,
  semanticType: "none", units: "none", frame: "none", axisOrder: "none",
};
const { typeCbor, itemId } = naive.encodeItemType({ itemType: TYPE, trackKind: undefined });
const MODALITY = tagOf(readDocumentBytes(typeCbor), "event");
const HEX = hexOf(typeCbor);
const ITEM_TYPE = {
  family: "dense-array", version: 1, dtype: "f32", shape: [3], endianness: "little", layout: "c", codec: "raw", codec_version: 1,
  semantic_type: "none", units: "none", frame: "none", axis_order: "none",
};
const PACK = "d2erlx45gqwmgyqrule6j5oaljuzsluqaxccstqdt76bcbft5ifla";
const PACK_HEX = "58211e8915df9d342cc36211a2c9e4f5c05a69992e9005c4294e039ffc1104b3ea0ab0";
const objects = [{ bucket: 0, bytes_hex: "616161626262626363", hash: PACK }];
const stored = { item_type: ITEM_TYPE, kind: "event", modality: MODALITY, item_id: itemId, type_cbor_hex_expected: HEX };

/** Cases, and what each of them asks for. */
const CASES: readonly (readonly [operation: string, expected: string, fields: object])[] = [
  ["encode-item-type", "ok", { id: "identity--a", expect: "ok", ...stored }],
  ["resolve-tag", "ok", { id: "tag--a", expect: "ok", modality: MODALITY, type_cbor_hex: HEX, item_id: itemId }],
  ["resolve-tag", "NotAMap", { id: "doc--a", expect: "typed-array declaration must be a map", modality: MODALITY, type_cbor_hex: "01" }],
  ["resolve-tag", "ProjectionMismatch", {
    id: "tag--b", expect: "some new words", variant: "ProjectionMismatch", modality: MODALITY.replace("shape=3", "shape=4"), type_cbor_hex: HEX,
  }],
  ["declare", "ok", { id: "declared--a", expect: "ok", api_args: { dtype: "f32", shape: [3] }, modality: MODALITY, type_cbor_hex_expected: HEX }],
  ["declare", "InvalidArgument", {
    id: "declared--b", expect: "TypeError: 'float' object cannot be interpreted as an integer", api_args: { dtype: "f32", shape: [3.5] },
  }],
  ["declare", "ok", {
    id: "declared--c", expect: "schema mismatch: field `z` is a Constant typed array and cannot be provisioned empty; write its value",
    api_args: { dtype: "f32", shape: [3], track_kind: "constant", object_kind: "constant" },
  }],
  ["decode-payload", "ok", {
    id: "payload--a", expect: "ok", ...stored, payload_hex: "0000803f000000800000c07f", decoded: { shape: [3], values_c_order: [1.0, "-0.0", "nan"] },
  }],
  ["check-payload", "ok", { id: "payload--b", expect: "ok", ...stored, payload_hex: "0000803f000000800000c07f" }],
  ["decode-payload", "PayloadLength", { id: "payload--c", expect: "typed-array payload length mismatch: expected 12, got 1", ...stored, payload_hex: "00" }],
  ["read-fragments", "ok", {
    id: "pack--a", expect: "ok", object_index_cbor_hex: `81860001 09${PACK_HEX}f400`.replace(" ", ""), objects, decoded: [[0, "616161626262626363"]],
  }],
  ["read-fragments", "PackLength", { id: "pack--b", expect: "ok", object_index_cbor_hex: `8186000108${PACK_HEX}f400`, objects, decoded: [[0, "6161616262626263"]] }],
  ["append-items", "RepeatedAnchor", {
    id: "dataset--repeat-anchor-in-call", group: "dataset", expect: "schema mismatch: typed-array append repeats time_anchor 6; and so on",
  }],
  ["verify-object", "HashMismatch", { id: "dataset--item-bytes-corrupt", group: "dataset", expect: "item content-address mismatch refused" }],
];

describe("a recorded case", () => {
  beforeAll(() => init());

  it.each(CASES)("of %s that expects %s is read by its fields", (operation, expected, fields) => {
    const vector = vectorOfCase(JSON.parse(JSON.stringify(fields)), new Map());
    expect(vector.operation).toBe(operation);
    expect(vector["expected_error"] ?? "ok").toBe(expected);
  });

  it("agrees with the package", async () => {
    const vectors = readText(CASES.map(([, , fields]) => JSON.stringify(fields)).join("\n"), new Map());
    const { disagreements, passed } = await run(vectors);
    expect(disagreements).toEqual([]);
    expect(passed).toBe(CASES.length);
  });

  it("whose words mean nothing is expected to do what nothing does", async () => {
    const text = JSON.stringify({ id: "tag--c", expect: "never heard", modality: MODALITY, type_cbor_hex: "01" });
    const { disagreements } = await run(readText(text, new Map()));
    expect(disagreements).toMatchObject([{ expected: "a text without a meaning: never heard" }]);
  });

  it("that tells too little passes nothing, and stops nothing", async () => {
    const [little, enough] = [{ id: "dataset--new", group: "dataset", expect: "ok" }, CASES[0]?.[2]].map((fields) => JSON.stringify(fields));
    const { passed, disagreements } = await run(readText(`${little}\n${enough}`, new Map()));
    expect(passed).toBe(1);
    expect(disagreements).toMatchObject([{ id: "dataset--new", operation: expect.stringContaining("not understood: there is no `modality`") }]);
  });

  it("that is listed among the divergences has the outcome that is listed", () => {
    const fields = { id: "tag--a", expect: "ok", modality: MODALITY, type_cbor_hex: HEX };
    expect(vectorOfCase(fields, new Map([["tag--a", "Cbor"]]))["expected_error"]).toBe("Cbor");
    const refused = { ...fields, expect: "typed-array declaration must be a map" };
    expect(vectorOfCase(refused, new Map([["tag--a", "ok"]]))["expected_error"]).toBeUndefined();
  });
});

describe("the text of a file", () => {
  it("is one object, an array, or one a line", () => {
    expect([`{"a":1}`, `[{"a":1}]`, `{"a":1}\n{"a":1}\n`].map((text) => objectsIn(text).length)).toEqual([1, 1, 2]);
    expect(() => objectsIn("[1]")).toThrow("neither a vector nor a case");
    expect(() => objectsIn("{")).toThrow(SyntaxError);
  });

  it("keeps integers that a number would not, and extents that are no integers", () => {
    const text = String.raw`{"a": 18446744073709551615, "b": "1\" 18446744073709551615", "c": -9007199254740993, "d": 1e300, "shape": [2.0, 3]}`;
    expect(parseJson(text)).toEqual({
      a: "18446744073709551615", b: '1" 18446744073709551615', c: "-9007199254740993", d: 1e300, shape: ["2.0", 3],
    });
  });
});

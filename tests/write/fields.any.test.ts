/** Declared fields as the wire has them: scalar columns as the reference declares them; and what cannot be meant, refused with its code and the field. */
import { codec, type ErrorCode, init } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { map, text } from "../../ts/cli/vectors/cbor.js";
import { checkScalarIndex } from "../../ts/dataset/scalars/index-objects.js";
import { call } from "../../ts/wasm.js";
import { declare } from "../../ts/write/declare.js";
import type { FieldDeclaration } from "../../ts/write/schema.js";
import { expectThrown } from "../support/failure.js";
import { first } from "../support/manifests.js";

beforeAll(() => init());

/** A declaration of any form, as callers without types give it. */
const declared = (name: string, declaration: object) => declare(name, declaration as FieldDeclaration);

/** Type, name, encoding of the tag, and the address that the reference gave the descriptor. */
const OBSERVED = [
  ["bool", "boo", "bool", "dz7thkhzlntizo52fdmu5ktbriy5hvvx6xgqc7on4h6tjql5hans6"],
  ["categorical", "cat", "cat", "dzzrw5sxs47eysx26wgugjiwmdtmwwnuwaxxnnrmost6cov6kqqny"],
  ["float", "flo", "f64", "dzl6toltpohf7i3snryqn6p6hrnjerthg6poderiquier6pwhsru6"],
  ["int", "int", "i64", "dzdgbu7t743pn36dqlgaadpzx5gdrk2w7bs7bs3n7p65p7ka6hil4"],
  ["string", "str", "str", "dyvip4iuqf7uiispzj3lo4joeksufdx2l57jzoednem5qjwmib4ms"],
  ["timestamp", "tim", "ts", "d27vcrkdt6xhxvcnmcitvbvmeqw7h3vwm57jx6w7erhj3p2tk62y6"],
] as const;

describe("scalar columns", () => {
  it.each(OBSERVED)("of type %s are the reference's", (type, name, encoding, address) => {
    const field = declared(name, { kind: "scalar", type, required: false });
    const modality = `scalar.${encoding}.field=${name}`;
    expect(field).toMatchObject({ name, kind: "event", modality });
    expect(field.schema).toEqual(map([["kind", text("scalar")], ["name", text(name)], ["required", Uint8Array.of(0xf4)], ["value_type", text(type)]]));
    const { descriptor = field.schema } = field;
    expect(codec.addressOf(descriptor)).toBe(address);
    expect(call((core) => checkScalarIndex(core, descriptor, modality, type, name))).toBeUndefined();
    expect(first(field).manifest.fields).toMatchObject([{ kind: "scalar", valueType: type, required: false, scalarIndex: address }]);
  });

  it.each(["", "_", "9", "a_9"])("may be called %j", (name) => {
    expect(first(declared(name, { kind: "scalar", type: "int" })).manifest.fields).toMatchObject([{ name, required: true }]);
  });

  it.each(["A", "a.b", "a/b", "é", "a b", "a-b", "a=b", "a\n"])("may not be called %j", (name) => {
    expect(expectThrown(() => declared(name, { kind: "scalar", type: "int" }), "InvalidSegment").field).toBe(name);
  });

  it("of a long name or an unknown type are refused", () => {
    expectThrown(() => declared("x".repeat(240), { kind: "scalar", type: "int" }), "ModalityTooLong");
    for (const type of ["decimal", "i64", "", "toString", "__proto__", undefined]) {
      expect(expectThrown(() => declared("s", { kind: "scalar", type }), "InvalidArgument")).toMatchObject({ field: "s", subject: "type" });
    }
  });
});

describe("media", () => {
  it.each<readonly [mime: string, code: ErrorCode]>([
    ["", "EmptySegment"], ["x..y", "EmptySegment"], ["PNG", "InvalidSegment"], ["a-b", "InvalidSegment"], ["image/png", "InvalidSegment"],
    // Parameters, which a tag could have; of the last one the path of an object could not.
    ["y.=z", "EmptyParameterKey"], ["y.x=é", "InvalidParameterValue"], ["x.y=Z", "InvalidSegment"],
    ["m".repeat(251), "ModalityTooLong"],
  ])("of type %j are refused", (mime, code) => {
    expect(expectThrown(() => declared("f", { kind: "video", mime }), code).field).toBe("f");
  });

  it("are packed and cut as they are declared", () => {
    const [packed, cut] = [{ packItems: 1 << 20, chunkSize: 1 }, { packItems: 0, chunkSize: 2n ** 64n - 1n }];
    const fields = [declared("a", { kind: "video", mime: "m".repeat(250), ...packed }), declared("b", { kind: "image", mime: "svg.xml", required: false, ...cut }), declared("c", { kind: "audio", mime: "wav" })];
    expect(first(...fields).manifest.fields).toMatchObject([
      { name: "a", kind: "video", required: true, packItems: 1n << 20n, chunkSize: 1n },
      { name: "b", kind: "image", mime: "svg.xml", required: false, packItems: 0n, chunkSize: 2n ** 64n - 1n },
      { name: "c", kind: "audio", mime: "wav", required: true },
    ]);
    expect(first(...fields).manifest.fields[2]).not.toHaveProperty("packItems");
    expect(fields.map(({ kind }) => kind)).toEqual(["continuous", "continuous", "continuous"]);
  });

  it.each([{ packItems: (1 << 20) + 1 }, { chunkSize: 0 }, { packItems: -1 }, { chunkSize: 2n ** 64n }, { pack_items: 2 }])("are not with %o", (more) => {
    expect(expectThrown(() => declared("f", { kind: "image", mime: "png", ...more }), "InvalidArgument").field).toBe("f");
  });
});

describe("arrays", () => {
  it.each(["event", "continuous"])("of kind %s have an entry with the whole type", (trackKind) => {
    const field = declared("a", { kind: "array", dtype: "f32", shape: [2, 3], units: "m", trackKind });
    const itemType = codec.encodeItemType({ dtype: "f32", shape: [2, 3], units: "m" });
    expect(field).toMatchObject({ kind: trackKind, modality: codec.modalityOf(itemType, trackKind as "event"), itemType });
    expect(first(field).manifest.fields).toMatchObject([{ name: "a", required: true, typeCbor: itemType, trackKind }]);
  });

  it.each<readonly [what: string, declaration: object, code: ErrorCode]>([
    ["of too many axes for a tag", { dtype: "f32", shape: Array.from({ length: 80 }, () => 1) }, "InvalidModality"],
    ["of an unknown dtype", { dtype: "f16", shape: [] }, "UnsupportedDtype"],
    ["that are Constants", { dtype: "f32", shape: [], trackKind: "constant" }, "InvalidArgument"],
    ["that may or may not be required", { dtype: "f32", shape: [], required: 1 }, "InvalidArgument"],
    ["with an unknown key", { dtype: "f32", shape: [], storage: "x" }, "UnknownField"],
  ])("%s are refused", (_, declaration, code) => {
    expect(expectThrown(() => declared("a", { kind: "array", ...declaration }), code).field).toBe("a");
  });
});

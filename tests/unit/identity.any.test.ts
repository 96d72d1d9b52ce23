/**
 * Identities of item types: canonical CBOR, address and modality tag, as the reference stores them.
 *
 * `identity-examples.json` holds 44 types read back from datasets of the reference; the vectors add what surrounds them.
 */

import { codec, init, type ItemTypeInit, type TrackKind } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import postV1 from "../../vectors/0025/post-v1-array/identity.json" with { type: "json" };
import dense from "../../vectors/0025/typed-array/identity.json" with { type: "json" };
import { addressOfDigest, blake3Hex, hexBytes, typeOfDocument } from "../support/sidecar.js";
import examples from "./identity-examples.json" with { type: "json" };

await init();

interface Example {
  readonly name: string;
  readonly item_type: Readonly<Record<string, unknown>>;
  readonly type_cbor_hex: string;
  readonly item_id: string;
  readonly modality: string;
  readonly track_kind: string;
}

const vectors = [...dense, ...postV1].map(
  (vector): Example => ({
    name: vector.id,
    item_type: vector.item_type,
    type_cbor_hex: vector.expected_type_cbor_hex,
    item_id: vector.expected_item_id,
    modality: vector.expected_modality,
    track_kind: vector.track_kind,
  }),
);

test("there are 44 examples, each a type and kind of its own, and all identity vectors beside them", () => {
  expect(examples.length).toBe(44);
  expect(new Set(examples.map(({ modality }) => modality)).size).toBe(44);
  expect(vectors.length).toBeGreaterThanOrEqual(100);
});

test.each([...examples, ...vectors])("$name", ({ item_type, type_cbor_hex, item_id, modality, track_kind }: Example) => {
  const type = typeOfDocument(item_type);
  const cbor = hexBytes(type_cbor_hex);
  const kind = track_kind as TrackKind;

  expect(codec.encodeItemType(type as unknown as ItemTypeInit)).toEqual(cbor);
  expect(codec.decodeItemType(cbor)).toEqual(type);
  expect(codec.encodeItemType(codec.decodeItemType(cbor))).toEqual(cbor);

  expect(codec.itemTypeId(cbor)).toBe(item_id);
  expect(codec.itemTypeId(type as unknown as ItemTypeInit)).toBe(item_id);
  expect(codec.addressOf(cbor)).toBe(item_id);
  expect(addressOfDigest(blake3Hex(cbor))).toBe(item_id);

  expect(codec.modalityOf(cbor, kind)).toBe(modality);
  expect(codec.bindModality(modality, cbor)).toBe(kind);
  const { class: name, encoding, array, trackKind } = codec.parseModality(modality);
  expect({ name, encoding, array, trackKind }).toEqual({ name: "array", encoding: type["dtype"], array: true, trackKind: kind });
});

describe("numbers that name one extent", () => {
  test.each([
    [[3n], [3], [3]],
    [[9007199254740991n], [9007199254740991], [9007199254740991n]],
  ])("%s, as bigint and as number, are one type", (...shapes) => {
    const [id] = shapes.map((shape) => codec.itemTypeId({ dtype: "u8", shape }));
    for (const shape of shapes) expect(codec.itemTypeId({ dtype: "u8", shape })).toBe(id);
  });

  test("what is left out has the value that the reference writes", () => {
    const short = { "dense-array": { dtype: "f32", shape: [3] }, "ragged-array": { dtype: "f32", innerShape: [] } } as const;
    const byName = new Map(examples.map((example) => [example.name, example.type_cbor_hex]));
    expect(codec.encodeItemType(short["dense-array"])).toEqual(hexBytes(byName.get("dense-f32-3") ?? ""));
    expect(codec.encodeItemType({ family: "ragged-array", ...short["ragged-array"] })).toEqual(hexBytes(byName.get("ragged-f32") ?? ""));
    expect(codec.encodeItemType({ family: "sparse-csr", dtype: "f32", shape: [2, 3] })).toEqual(hexBytes(byName.get("csr-f32-2x3") ?? ""));
  });
});

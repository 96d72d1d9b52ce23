/** Item types of every kind at random: the package and the naive implementation agree on bytes, identity, tag and refusal. */
import { codec, init, isDreamDbError } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { TrackKindName } from "../../ts/conformance/implementation.js";
import { hexOf } from "../../ts/conformance/vector.js";
import { naive } from "../conformance/naive/implementation.js";
import { Refusal } from "../conformance/naive/refusal.js";
import { ours } from "../../ts/cli/vectors/implementation.js";
import { anyItemType, BOUNDED, documentOf, mutation, PATIENCE } from "../conformance/support/arbitraries.js";

/** Results in the order in which they are shown. */
const NAMES = ["typeCbor", "itemId", "modality", "trackKind", "objectKind"];

/** What a function gives, or the code with which it refuses; bytes as hex. Any other error fails the property. */
function outcome(use: () => object): string {
  try {
    const result = Object.entries(use()).map(([name, value]: [string, unknown]) => [name, value instanceof Uint8Array ? hexOf(value) : value]);
    return JSON.stringify(Object.fromEntries(result), NAMES);
  } catch (error) {
    if (isDreamDbError(error) || error instanceof Refusal) return error.code;
    throw error;
  }
}

/** Tags with something wrong in them, now and then. */
const TAG_CHANGES: readonly ((tag: string) => string)[] = [
  (tag) => tag,
  (tag) => tag.replace(/storage=[a-z_]+/, "storage=time_batch"),
  (tag) => tag.replace(/kind=[a-z]+/, "kind=constant"),
  (tag) => tag.replace("array.", "array.f"),
  (tag) => tag.replace(/shape=/, "shape=0"),
  (tag) => tag.toUpperCase(),
  (tag) => `com.example.x.${tag}`,
  (tag) => tag.slice(0, -1),
  (tag) => `${tag.slice(0, -1)}b`,
  (tag) => tag.replace(".kind", ".x=y.kind"),
  (tag) => `${tag}.`,
];

describe("a random item type", () => {
  beforeAll(() => init());

  it("has the bytes, the identity and the tags that the naive implementation gives it", () => {
    const kinds = fc.constantFrom<TrackKindName | undefined>("event", "continuous", "constant", undefined);
    const property = fc.property(anyItemType, kinds, (itemType, trackKind) => {
      const expected = outcome(() => naive.encodeItemType({ itemType, trackKind }));
      const found = outcome(() => ours.encodeItemType({ itemType, trackKind }));
      // A tag over 256 bytes is refused by its writer; the naive one writes it.
      if (found !== "InvalidModality") expect(found).toBe(expected);
      else expect((JSON.parse(expected) as { modality: string }).modality.length).toBeGreaterThan(256);
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  it("comes back from its bytes, which name it", () => {
    const property = fc.property(anyItemType, (itemType) => {
      const written = outcome(() => ours.encodeItemType({ itemType, trackKind: undefined }));
      fc.pre(written !== "ShapeOverflow");
      const { typeCbor, itemId } = ours.encodeItemType({ itemType, trackKind: undefined });
      expect(codec.decodeItemType(typeCbor)).toEqual(itemType);
      expect(hexOf(codec.encodeItemType(codec.decodeItemType(typeCbor)))).toBe(hexOf(typeCbor));
      expect(codec.addressOf(typeCbor)).toBe(itemId);
      expect(codec.itemTypeId(typeCbor)).toBe(itemId);
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  it("with its bytes changed is refused as the naive implementation refuses it", () => {
    const property = fc.property(anyItemType, mutation, (itemType, change) => {
      fc.pre(outcome(() => [documentOf(itemType).family]) !== "ShapeOverflow");
      const typeCbor = change(documentOf(itemType).cbor);
      expect(outcome(() => ours.decodeItemType({ typeCbor }))).toBe(outcome(() => naive.decodeItemType({ typeCbor })));
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  it("is bound to a tag exactly if the naive implementation binds it", () => {
    const kinds = fc.constantFrom<TrackKindName>("event", "continuous", "constant");
    const bindings = fc.constantFrom("event", "continuous", "constant", undefined);
    const property = fc.property(anyItemType, kinds, bindings, fc.constantFrom(...TAG_CHANGES), (itemType, trackKind, bindingKind, change) => {
      fc.pre(outcome(() => [documentOf(itemType).family]) !== "ShapeOverflow");
      const { typeCbor, modality = "" } = naive.encodeItemType({ itemType, trackKind });
      const input = { modality: change(modality), typeCbor, bindingKind };
      expect(outcome(() => ours.resolveTag(input))).toBe(outcome(() => naive.resolveTag(input)));
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);
});

/**
 * Manifests, schemas and Tracks around the inputs of vectors, so that the package judges them on its own way.
 *
 * Inputs go in byte for byte. What must end the manifest, if it breaks off, comes last.
 */
import { array, bytes, map, TRUE, text, uint } from "./cbor.js";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** The 33 bytes of an address of ours: base32 by hand, as documents are made before the core is there. */
function addressBytes(address: string): Uint8Array {
  const bits = Array.from(address, (letter) => BigInt(ALPHABET.indexOf(letter))).reduce((sum, value) => (sum << 5n) | value, 0n);
  return Uint8Array.from({ length: 33 }, (_, at) => Number((bits >> BigInt(8 * (32 - at) + 1)) & 255n));
}

/** Address of any timeline. */
export const TIMELINE = "d3eb7q4erjvn5yeftdobowd6a7uajfw2f75xfkccf3cgxytd2yyh2";

/** A binding of a manifest. */
export interface BindingInit {
  readonly field: string;
  readonly kind: string;
  readonly modality: string;
  /** Address of the Track Object; of none that exists, unless given. */
  readonly track?: string;
}

function binding({ field, kind, modality, track = TIMELINE }: BindingInit): Uint8Array {
  return map([
    ["kind", text(kind)],
    ["role", text("base")],
    ["field", text(field)],
    ["address", bytes(addressBytes(track))],
    ["coverage", array([uint(0), uint(1)])],
    ["modality", text(modality)],
    ["timeline", bytes(addressBytes(TIMELINE))],
  ]);
}

/** A manifest of those bindings, in the order of their fields, and that registry, which comes last. */
export function manifest(bindings: readonly BindingInit[], registry: Uint8Array): Uint8Array<ArrayBuffer> {
  const order = [...bindings].sort((first, second) => compareUtf8(first.field, second.field));
  const tracks = map([
    ["form", text("lineage-v1")],
    ["edges", array([])],
    ["active", array(order.map(binding))],
    ["lineage", array([])],
  ]);
  return map([
    ["ts", uint(1)],
    ["tracks", tracks],
    ["writer", text("a test")],
    ["parents", array([])],
    ["timelines", array([bytes(addressBytes(TIMELINE))])],
    ["registry", registry],
  ]);
}

function compareUtf8(first: string, second: string): number {
  const [a, b] = [first, second].map((text) => Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

/** A schema of those fields. */
export function schema(fields: readonly Uint8Array[]): Uint8Array {
  return map([["v", uint(1)], ["fields", array(fields)]]);
}

/** An array field of a schema; its document comes last. */
export function arrayField(name: string, document: Uint8Array, trackKind: string, objectKind: string): Uint8Array {
  return map([
    ["kind", text("array")],
    ["name", text(name)],
    ["required", TRUE],
    ["track_kind", text(trackKind)],
    ["object_kind", text(objectKind)],
    ["item_type", document],
  ]);
}

/** A media field of a schema. */
export function mediaField(name: string, kind: string, mime: string): Uint8Array {
  return map([["kind", text(kind)], ["mime", text(mime)], ["name", text(name)]]);
}

/** A Track Object of coverage [0, 1) around an index. */
export function track(modality: string, objectIndex: Uint8Array): Uint8Array<ArrayBuffer> {
  return map([
    ["coverage", array([uint(0), uint(1)])],
    ["modality", text(modality)],
    ["timeline", bytes(addressBytes(TIMELINE))],
    ["object_index", objectIndex],
  ]);
}

/** Random documents, tags and payloads, valid ones mutated, each in a dataset of one array field that is built around it by hand. */
import type { Cbor } from "../../conformance/naive/cbor.js";
import { decode } from "../../conformance/naive/cbor.js";
import { readDocument, tagOf } from "../../conformance/naive/documents.js";
import { address, base32, multihash } from "../../conformance/support/address.js";
import { array, bytes, concat, head, map, TRUE, text, uint } from "../../conformance/support/cbor-writer.js";
import type { Random } from "./random.js";

/** The one field. */
export const FIELD = "x";
/** The one anchor. */
export const ANCHOR = 7n;

/** What is random about a dataset. */
export type CaseKind = "documents" | "tags" | "payloads";

/** A dataset that may be a wrong one. */
export interface Case {
  readonly objects: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** For people: what is in it. */
  readonly about: string;
  /** Whether its Item is to be read; what is wrong with others is seen when they are opened. */
  readonly reads: boolean;
}

type Pairs = (readonly [key: string, value: Uint8Array])[];

const OBJECT_KINDS = { event: "unbucketed", continuous: "time-batch", constant: "constant" } as const;
const GENESIS = map([["nonce", bytes(new Uint8Array(16))]]);
const TIMELINE = multihash(GENESIS);

const extents = (...all: (number | bigint)[]) => array(all.map(uint));

function documentOf(family: string, dtype: string, shape: readonly number[], changes: Readonly<Record<string, string>> = {}): Pairs {
  const texts = { endianness: "little", layout: "c", codec: family === "ragged-array" ? "offsets-values" : "raw", semantic_type: "none", units: "none", frame: "none", axis_order: "none", ...changes };
  return [
    ["codec", text(texts.codec)], ["dtype", text(dtype)], ["frame", text(texts.frame)],
    ...(family === "ragged-array" ? [] : [["shape", extents(...shape)] as const]),
    ["units", text(texts.units)], ["family", text(family)], ["layout", text(texts.layout)], ["version", uint(1)],
    ["axis_order", text(texts.axis_order)], ["endianness", text(texts.endianness)],
    ...(family === "ragged-array" ? [["inner_shape", extents(...shape)] as const] : []),
    ...(family === "sparse-csr" ? [["index_dtype", text("u64")] as const] : []),
    ["codec_version", uint(1)], ["semantic_type", text(texts.semantic_type)],
  ];
}

const BASES: readonly Pairs[] = [
  documentOf("dense-array", "f32", [3]),
  documentOf("dense-array", "u8", [2, 0], { layout: "f", codec: "npy", units: "m" }),
  documentOf("dense-array", "f64", [], { endianness: "big" }),
  documentOf("ragged-array", "i16", [2, 3]),
  documentOf("ragged-array", "f32", []),
  documentOf("sparse-csr", "f64", [4, 5]),
];
const KEYS = [...new Set(BASES.flatMap((base) => base.map(([key]) => key))), "zz", "aa", "Family", ""];
const WORDS = ["1", "x", "f32", "f64", "f16", "u8", "little", "big", "c", "f", "raw", "npy", "offsets-values", "dense-array", "ragged-array", "sparse-csr", "u64", "none", "", "ü"];
const VALUES: readonly Uint8Array[] = [
  ...[0, 1, 2, 24, 2n ** 63n, 2n ** 64n - 1n].map(uint), head(1, 0), ...WORDS.map(text), bytes(Uint8Array.of(120)), Uint8Array.of(0xf6), TRUE, Uint8Array.of(0xf4),
  array([]), extents(3), extents(0), extents(2, 3), extents(4, 5), extents(1, 2, 3), extents(2n ** 62n, 4), extents(2n ** 63n, 0), extents(0, 2n ** 63n, 2n ** 63n),
  array([text("3")]), array([head(1, 0)]), array([TRUE]), array([array([uint(1)])]), map([["a", uint(1)]]), concat(head(6, 1), uint(1)),
  concat(head(6, 2), bytes(Uint8Array.of(1))), concat(head(6, 2), bytes(new Uint8Array(9).fill(1))), Uint8Array.of(0x18, 1),
];

function mutated(base: Pairs, random: Random): Pairs {
  const pairs = [...base];
  for (let left = random.pick([0, 1, 1, 1, 2, 2, 3, 4]); left > 0; left--) {
    const at = random.integer(0, Math.max(0, pairs.length - 1));
    const [key] = pairs[at] ?? ["zz"];
    switch (random.integer(0, 4)) {
      case 0:
      case 1:
        pairs[at] = [key, random.pick(VALUES)];
        break;
      case 2:
        pairs.splice(at, 1);
        break;
      case 3:
        pairs.splice(at, 0, [random.pick(KEYS), random.pick(VALUES)]);
        break;
      default:
        pairs.splice(random.integer(0, pairs.length), 0, [key, random.chance(0.5) ? (pairs[at]?.[1] ?? TRUE) : random.pick(VALUES)]);
    }
  }
  return random.chance(0.5) ? random.shuffled(pairs) : pairs;
}

/** The tag of a document, if it is one. */
function tag(document: Uint8Array, kind: string): string | undefined {
  try {
    const value: Cbor = decode(document);
    return tagOf(readDocument(value), kind);
  } catch {
    return undefined;
  }
}

function tagOfBase(base: Pairs, kind: string): string {
  const made = tag(map(base), kind);
  if (made === undefined) throw new Error("a base document is not valid");
  return made;
}

interface Parts {
  readonly kind: "event" | "continuous";
  readonly bindingKind?: string;
  readonly modality: string;
  readonly document: Uint8Array;
  readonly declared?: Uint8Array;
  readonly payload?: Uint8Array<ArrayBuffer>;
}

/** A dataset around them, in the canonical order of keys. */
function dataset({ kind, bindingKind = kind, modality, document, declared = document, payload }: Parts): Map<string, Uint8Array<ArrayBuffer>> {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const timeline = base32(TIMELINE);
  objects.set(`genesis/${timeline}`, GENESIS);
  const entries = payload === undefined ? [] : [kind === "event" ? array([bytes(multihash(payload)), uint(ANCHOR)]) : array([uint(ANCHOR), uint(ANCHOR + 1n), uint(ANCHOR), bytes(multihash(payload))])];
  const coverage = payload === undefined ? extents(0, 1) : extents(ANCHOR, ANCHOR + 1n);
  const track = map([["coverage", coverage], ["modality", text(modality)], ["timeline", bytes(TIMELINE)], ["object_index", array(entries)]]);
  if (payload !== undefined) {
    const name = address(payload);
    objects.set(`${timeline}/${modality}/${ANCHOR.toString(16).padStart(16, "0")}/${name}`, payload);
    objects.set(`${timeline}/${modality}/track/${address(track)}`, track);
  }
  const binding = map([
    ["kind", text(bindingKind)], ["role", text("base")], ["field", text(FIELD)], ["address", bytes(multihash(track))], ["coverage", coverage],
    ["modality", text(modality)], ["timeline", bytes(TIMELINE)],
  ]);
  const field = map([
    ["kind", text("array")], ["name", text(FIELD)], ["required", TRUE], ["item_type", declared], ["track_kind", text(kind)], ["object_kind", text(OBJECT_KINDS[kind])],
  ]);
  const manifest = map([
    ["ts", uint(1)],
    ["tracks", map([["form", text("lineage-v1")], ["edges", array([])], ["active", array([binding])], ["lineage", array([])]])],
    ["writer", text("fuzz")], ["parents", array([])],
    ["registry", map([["dreamdb.schema", map([["v", uint(1)], ["fields", array([field])]])], [modality, map([["item_type", document]])]])],
    ["timelines", array([bytes(TIMELINE)])],
  ]);
  objects.set(`manifests/${address(manifest)}`, manifest);
  objects.set("refs/main", new Uint8Array(multihash(manifest)));
  return objects;
}

function documentCase(random: Random): Case {
  const base = random.pick(BASES);
  const document = map(mutated(base, random));
  const kind = random.pick(["event", "continuous"] as const);
  const own = tag(document, kind) ?? tagOfBase(base, kind);
  const modality = random.chance(0.15) ? tagOfBase(random.pick(BASES), kind) : own;
  const declared = random.chance(0.5) ? document : map(base);
  return { objects: dataset({ kind, modality, document, declared }), about: `${hex(document)} as ${modality}, declared ${hex(declared)}`, reads: false };
}

const SEGMENTS = [
  "foo", "foo=bar", "kind=event", "kind=continuous", "kind=constant", "storage=unbucketed", "storage=time_batch", "storage=constant", "shape=3", "shape=0d", "bucketed",
  "x=", "item=abc", "version=2", "f32", "kind", "storage", "array", "image", "=a", "", "A",
];

function tagCase(random: Random): Case {
  const base = random.pick(BASES);
  const kind = random.pick(["event", "continuous"] as const);
  const segments = tagOfBase(base, kind).split(".");
  for (let left = random.pick([0, 1, 1, 2, 3]); left > 0; left--) {
    const at = random.integer(0, segments.length - 1);
    const segment = segments[at] ?? "";
    const letter = random.integer(0, segment.length);
    switch (random.integer(0, 5)) {
      case 0:
        segments.splice(at, 0, random.pick(SEGMENTS));
        break;
      case 1:
        segments.splice(at, 1);
        break;
      case 2:
        segments.splice(at, 0, random.pick([...segments, "f32"]));
        break;
      case 3: {
        const other = random.integer(0, segments.length - 1);
        segments[at] = segments[other] ?? "";
        segments[other] = segment;
        break;
      }
      case 4:
        segments[at] = segment.slice(0, letter) + random.pick([..."abzx0123457_AZd=-"]) + segment.slice(letter + random.integer(0, 1));
        break;
      default:
        segments[at] = random.pick(SEGMENTS);
    }
  }
  const modality = segments.join(".");
  // A binding that disagrees with its tag would hide what is wrong with the tag.
  const named = segments.find((segment) => segment.startsWith("kind="))?.slice(5);
  const bindingKind = named !== undefined && Object.hasOwn(OBJECT_KINDS, named) ? named : kind;
  return { objects: dataset({ kind, bindingKind, modality, document: map(base) }), about: modality, reads: false };
}

/** Big-endian numbers. */
function u64s(...numbers: readonly number[]): Uint8Array<ArrayBuffer> {
  const out = new DataView(new ArrayBuffer(8 * numbers.length));
  for (const [at, number] of numbers.entries()) out.setBigUint64(8 * at, BigInt(number));
  return new Uint8Array(out.buffer);
}

const ascii = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));

function npyFile(descr: string, fortran: boolean, shape: string, values: Uint8Array): Uint8Array<ArrayBuffer> {
  const dictionary = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${shape}, }`;
  const header = `${dictionary.padEnd(117)}\n`;
  return concat(Uint8Array.of(0x93), ascii("NUMPY"), Uint8Array.of(1, 0, header.length & 255, header.length >> 8), ascii(header), values);
}

/** Rows of up to three things each: their offsets. */
function offsetsOf(rows: number, random: Random): number[] {
  let end = 0;
  return [0, ...Array.from({ length: rows }, () => (end += random.integer(0, 3)))];
}

/** A valid payload of a base document. */
function payloadOf(base: Pairs, random: Random): Uint8Array<ArrayBuffer> {
  const sample = (length: number) => Uint8Array.from(random.bytes(length));
  switch (BASES.indexOf(base)) {
    case 0:
      return sample(12);
    case 1:
      return npyFile("|u1", true, "(2, 0)", sample(0));
    case 2:
      return sample(8);
    case 5: {
      const rows = Array.from({ length: 4 }, () => [0, 1, 2, 3, 4].filter(() => random.chance(0.4)));
      let end = 0;
      const offsets = [0, ...rows.map((row) => (end += row.length))];
      return concat(ascii("CSR1"), Uint8Array.of(0, 0, 0, 1), u64s(4, 5, end), u64s(...offsets), u64s(...rows.flat()), sample(8 * end));
    }
    default: {
      const rows = random.integer(0, 4);
      const offsets = offsetsOf(rows, random);
      const cells = offsets.at(-1) ?? 0;
      const width = BASES.indexOf(base) === 3 ? 12 : 4;
      return concat(ascii("RAG1"), Uint8Array.of(0, 0, 0, 1), u64s(rows, cells), u64s(...offsets), sample(width * cells));
    }
  }
}

function payloadCase(random: Random): Case {
  const base = random.pick(BASES);
  let payload = payloadOf(base, random);
  for (let left = random.pick([0, 1, 1, 1, 2, 3]); left > 0; left--) {
    const at = random.integer(0, Math.max(0, Math.min(payload.byteLength - 1, random.chance(0.7) ? 90 : payload.byteLength)));
    switch (random.integer(0, 5)) {
      case 0:
      case 1:
        if (payload.byteLength > 0) payload[at] = random.pick([0, 1, 2, 3, 4, 5, 255, (payload[at] ?? 0) ^ (1 << random.integer(0, 7))]);
        break;
      case 2:
        payload = payload.slice(0, at);
        break;
      case 3:
        payload = concat(payload, Uint8Array.from(random.bytes(random.integer(1, 16))));
        break;
      case 4:
        payload = concat(payload.slice(0, at), Uint8Array.from(random.bytes(random.pick([1, 8]))), payload.slice(at));
        break;
      default: {
        // A whole number of the tables: another of them, or none.
        const place = 8 * Math.floor(at / 8);
        if (place + 8 <= payload.byteLength) payload.set(random.chance(0.5) ? payload.slice(Math.max(0, place - 8), Math.max(8, place)) : u64s(random.integer(0, 6)), place);
      }
    }
  }
  const kind = random.pick(["event", "continuous"] as const);
  const modality = tagOfBase(base, kind);
  return { objects: dataset({ kind, modality, document: map(base), payload }), about: `${hex(payload)} as ${modality}`, reads: true };
}

const hex = (data: Uint8Array) => Buffer.from(data).toString("hex");

/** The next case of a kind. */
export function nextCase(kind: CaseKind, random: Random): Case {
  return { documents: documentCase, tags: tagCase, payloads: payloadCase }[kind](random);
}

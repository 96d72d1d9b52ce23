/**
 * Manifests as a writer emits them: a first version, and versions that follow another.
 *
 * A version is made of its parent's bytes, not of what a reader understands of them: whatever the parent holds beyond that, unknown keys and repeated ones
 * included, stays as it was. What comes out is canonical, and has passed the core's decoder, so that nothing is published that would not be read. Clocks,
 * nonces and what `writer` says are the caller's, as is the order of uploads.
 */
import type { CoreManifest } from "../../../pkg/dreamdb_arrays.js";
import { addressBytesOf, addressOf } from "../../codec/hash.js";
import { DreamDbError } from "../../errors.js";
import { call } from "../../wasm.js";
import { body, bytes, changed, compared, isCanonical, type Item, itemsUnder, list, map, nothing, type Pair, pairs, text, uint, under } from "../cbor.js";
import { editedTracks, type TracksEdit } from "./bindings.js";
import { orderBy } from "./order.js";

/** What a version says beyond its parent. */
export interface Edit extends TracksEdit {
  /** When it is written, in nanoseconds since the epoch. */
  readonly timestamp: bigint;
  /** Who writes it. */
  readonly writer: string;
  /** Head of the tombstones, if it changes. */
  readonly tombstones?: string | undefined;
  /** Notes that it sets, by their keys. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** A manifest that is ready to be stored. */
export interface WrittenManifest {
  readonly address: string;
  readonly bytes: Uint8Array;
  /** What the core reads in it. */
  readonly manifest: CoreManifest;
  /** Bytes of its `tracks` container, of at most 1,048,576. */
  readonly tracksBytes: number;
}

/** Most bytes of a `tracks` container; a manifest with a larger one cannot be opened. */
const MOST_TRACKS_BYTES = 1_048_576;

const [SCHEMA, TOMBSTONES] = ["dreamdb.schema", "dreamdb.tombstones"] as const;

/**
 * The first version of a dataset, without a parent.
 *
 * A modality that several fields have is registered once; the reference repeats its key for each of them.
 *
 * @throws {DreamDbError} as {@link nextManifest}
 */
export function firstManifest(timeline: string, edit: Edit): WrittenManifest {
  const none = list([]);
  const tracks = map({ form: text("lineage-v1"), edges: none, active: none, lineage: none });
  const registry = map({ [SCHEMA]: map({ v: uint(1), fields: none }) });
  return written(pairs(map({ tracks, registry, timelines: none })), none, [], timeline, edit);
}

/**
 * The version that follows `parent`. Costs some passes over it, and decoding the result.
 *
 * If fields are added, the schema is sorted by name.
 *
 * @param manifest what the core read in `parent`
 * @throws {DreamDbError} `Cbor` if the parent is not canonical: who encodes it again, as the reference does, would not find what this version names as its
 * parent; `NotWritable` for a parent whose Tracks are a plain list or of a form from `lineage-v5` on, for new Tracks or tombstones where rows are keyed by
 * entities (`lineage-v4`), and for one without a timeline; as `editedTracks`; `InvalidArgument` for keys that are no notes'; `ManifestFull`; the codes of a
 * manifest
 */
export function nextManifest(parent: Uint8Array, manifest: CoreManifest, edit: Edit): WrittenManifest {
  if (!isCanonical(parent)) throw new DreamDbError("Cbor", "the manifest is not in canonical form, so no version can follow it");
  const { tracksForm: form, bindings } = manifest;
  const changesRows = edit.moved.length > 0 || edit.tombstones !== undefined;
  if (!["lineage-v1", "lineage-v2", changesRows ? "" : "lineage-v4"].includes(form)) {
    throw new DreamDbError("NotWritable", `the manifest's Tracks have the form \`${form}\`: this version does not write rows to it`, { subject: form });
  }
  const timeline = timelineOf(manifest);
  if (timeline === undefined) throw new DreamDbError("NotWritable", "the manifest names no timeline, so nothing can be added to it");
  return written(pairs(parent), list([bytes(addressBytesOf(addressOf(parent)))]), bindings, timeline, edit);
}

/** The timeline of a dataset's fields; without any, the first that its manifest names. */
export function timelineOf({ fields, bindings, timelines }: CoreManifest): string | undefined {
  return bindings[fields[0]?.binding ?? -1]?.timeline ?? timelines[0];
}

function written(root: readonly Pair[], parents: Item, bindings: CoreManifest["bindings"], timeline: string, edit: Edit): WrittenManifest {
  const part = (key: string): Item => under(root, key) ?? nothing();
  const tracks = editedTracks(part("tracks"), bindings, timeline, edit);
  const registry = editedRegistry(part("registry"), edit);
  const { byteLength: tracksBytes } = tracks;
  if (tracksBytes > MOST_TRACKS_BYTES) {
    const message =
      `the manifest's \`tracks\` would have ${tracksBytes} bytes, and nobody opens more than ${MOST_TRACKS_BYTES}: ` +
      "every version adds the Tracks that it replaces; write this one without lineage";
    throw new DreamDbError("ManifestFull", message, { expected: `${MOST_TRACKS_BYTES}`, actual: `${tracksBytes}` });
  }
  const timelines = list(withTimeline(itemsUnder(root, "timelines"), bytes(addressBytesOf(timeline))));
  const object = changed(root, { ts: uint(edit.timestamp), tracks, writer: text(edit.writer), parents, registry, timelines });
  return { address: addressOf(object), bytes: object, manifest: call((core) => core.decodeManifest(object)), tracksBytes };
}

/** The timelines that a manifest names, that of its Tracks among them, as the reference has it. */
function withTimeline(timelines: readonly Item[], timeline: Item): readonly Item[] {
  if (timelines.some((other) => compared(other, timeline) === 0)) return timelines;
  // In front of the first that is greater; nobody has seen that they are in order.
  const greater = timelines.findIndex((other) => compared(other, timeline) > 0);
  const at = greater < 0 ? timelines.length : greater;
  return [...timelines.slice(0, at), timeline, ...timelines.slice(at)];
}

/** The registry with what the version declares, deletes and notes. */
function editedRegistry(registry: Item, { added, tombstones, notes = {} }: Edit): Item {
  const there = pairs(registry);
  const values: Record<string, Item> = {};
  if (added.length > 0) {
    const schema = under(there, SCHEMA) ?? nothing();
    const byName = orderBy((entry) => [body(under(entry, "name") ?? entry)]);
    const entries = [...itemsUnder(schema, "fields"), ...added.map(({ field }) => field.schema)];
    values[SCHEMA] = changed(schema, { fields: list(entries.sort(byName)) });
    const known = new Set(there.map(([key]) => key.join()));
    for (const { field: { modality, itemType, descriptor } } of added) {
      // Whether an entry that is there declares the same is seen when the result is read.
      if (modality in values || known.has(text(modality).join())) continue;
      if (itemType !== undefined) values[modality] = map({ item_type: itemType });
      if (descriptor !== undefined) values[modality] = map({ scalar_index_hash: bytes(addressBytesOf(addressOf(descriptor))) });
    }
  }
  if (tombstones !== undefined) values[TOMBSTONES] = changed(under(there, TOMBSTONES) ?? [], { head: bytes(addressBytesOf(tombstones)) });
  for (const [key, note] of Object.entries(notes)) {
    const held = (under(there, key)?.[0] ?? 0x60) >> 5;
    if (!key.startsWith("dreamdb.") || [SCHEMA, TOMBSTONES, "dreamdb.entity_keys"].includes(key) || held !== 3) {
      throw new DreamDbError("InvalidArgument", `\`${key}\` is no key of a note: these begin with \`dreamdb.\`, and hold nothing but text`, { subject: key });
    }
    values[key] = text(note);
  }
  return changed(there, values);
}

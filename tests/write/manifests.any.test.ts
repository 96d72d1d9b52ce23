/** Manifests that the reference wrote, written again from their parents and what they changed: the same bytes. */
import { init, type TrackKind } from "dreamdb-arrays";
import { beforeAll, expect, test } from "vitest";
import { itemsOf, textOf, valueOf } from "../../ts/cli/vectors/cbor.js";
import { changed, mapOf, number, pairs } from "../../ts/write/cbor.js";
import { type Edit, firstManifest, nextManifest, type WrittenManifest } from "../../ts/write/manifests/edit.js";
import { arrayField, mediaField, type NewField, scalarField } from "../../ts/write/manifests/fields.js";
import { sameBytes } from "../support/bytes.js";
import { fixtureManifests, next, read } from "../support/manifests.js";
import chains from "./data/manifests.json" with { type: "json" };

beforeAll(() => init());

/** Operations of the reference that this package has as well. */
const OURS = ["commit", "add_field", "delete", "set_meta", "add_array_constant", "add_constant"];

/** The field that an entry of a schema declares; what is made of the declaration is that entry again. */
function fieldOf(entry: Uint8Array): NewField {
  const [name = "", kind = "", mime = "", trackKind, type = ""] = ["name", "kind", "mime", "track_kind", "value_type"].map((key) => textOf(valueOf(entry, key)));
  const required = valueOf(entry, "required")?.[0] === 0xf5;
  const count = (key: string): bigint | undefined => {
    const found = valueOf(entry, key);
    return found && number(found);
  };
  if (kind === "constant") return { name, kind, modality: textOf(valueOf(entry, "modality")) ?? "", schema: entry };
  const made =
    kind === "array"
      ? arrayField(name, required, trackKind as TrackKind, valueOf(entry, "item_type") ?? entry)
      : kind === "scalar"
        ? scalarField(name, required, type)
        : mediaField(name, required, kind, mime, count("pack_items"), count("chunk_size"));
  expect(made.schema).toEqual(entry);
  return made;
}

/** Writes a manifest again, from its parent and from what is in it that the parent has not. */
function again(parent: Uint8Array | undefined, child: Uint8Array): WrittenManifest {
  const after = read(child);
  const before = parent && read(parent);
  const bound = new Map(before?.bindings.map(({ field, track }) => [field, track]));
  const registry = valueOf(child, "registry") ?? child;
  const schema = itemsOf(valueOf(valueOf(registry, "dreamdb.schema") ?? child, "fields") ?? child);
  const edit: Edit = {
    timestamp: after.timestamp,
    writer: after.writer,
    moved: after.bindings.flatMap(({ field, track: address, start, end }) =>
      bound.has(field) && bound.get(field) !== address ? [{ field, track: { address, start, end } }] : [],
    ),
    added: after.bindings.flatMap(({ field, track: address, start, end }) => {
      const entry = bound.has(field) ? undefined : schema.find((one) => textOf(valueOf(one, "name")) === field);
      return entry === undefined ? [] : [{ field: fieldOf(entry), track: { address, start, end } }];
    }),
    tombstones: after.tombstones === before?.tombstones ? undefined : after.tombstones,
    notes: Object.fromEntries(after.notes.filter(([key, text]) => !before?.notes.some(([name, old]) => name === key && old === text))),
  };
  if (parent === undefined || before === undefined) return firstManifest(after.timelines[0] ?? "", edit);
  return nextManifest(parent, before, edit);
}

/** The manifest without what its registry repeats. */
function withoutRepeats(object: Uint8Array): Uint8Array {
  const registry = pairs(valueOf(object, "registry") ?? object);
  const kept = registry.filter(([key, value], at) => !(sameBytes(registry[at - 1]?.[0], key) && sameBytes(registry[at - 1]?.[1], value)));
  return changed(object, { registry: mapOf(kept) });
}

/** What the reference says that it did. */
const operationOf = (writer: string): string => /operation=([^;]*)/.exec(writer)?.[1] ?? writer;

test("versions of the fixtures", async () => {
  const all = await fixtureManifests();
  expect(all.size).toBeGreaterThanOrEqual(83);
  const same = new Map<string, number>();
  const others = new Set<string>();
  for (const [address, object] of all) {
    const { parents, writer } = read(object);
    const operation = operationOf(writer);
    const [parent, more] = parents;
    const known = all.get(parent ?? "");
    if (known !== undefined && more === undefined && OURS.includes(operation)) {
      const written = again(known, object);
      expect([operation, sameBytes(written.bytes, object)]).toEqual([operation, true]);
      expect(written).toMatchObject({ address, manifest: { parents } });
    } else if (parent === undefined && operation === "create") {
      expect(again(undefined, object).bytes).toEqual(withoutRepeats(object));
    } else {
      others.add(operation);
      continue;
    }
    same.set(operation, (same.get(operation) ?? 0) + 1);
  }
  const least = Object.entries({ commit: 34, create: 9, delete: 8, add_array_constant: 8, add_constant: 4, set_meta: 3, add_field: 1 });
  expect(least.filter(([operation, count]) => (same.get(operation) ?? 0) < count)).toEqual([]);
  // What this package does not write: layers, entities, merges; and one manifest that was made by hand.
  const unwritten = ["add_image_layer", "add_scalar_layer", "append_image_layer", "decommission_modality", "entity"];
  expect([...others].filter((name) => !unwritten.includes(name)).sort()).toEqual(["handbuild/0", "union-merge"]);
});

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** A Track as `make_writes.py` notes it. */
function trackOf({ track: address, coverage: [start = "", end = ""] }: { readonly track: string; readonly coverage: readonly string[] }) {
  return { address, start: BigInt(start), end: BigInt(end) };
}

test.each(chains)("a chain of versions of a manifest made by hand: $name", ({ first, steps }) => {
  let parent = bytesOf(first);
  for (const { ts, writer, moved, added, notes, address, ...more } of steps) {
    const written = next(parent, {
      timestamp: BigInt(ts),
      writer,
      moved: moved.map((one) => ({ field: one.field, track: trackOf(one) })),
      added: added.map((one) => ({ field: fieldOf(bytesOf(one.schema)), track: trackOf(one) })),
      tombstones: "tombstones" in more ? more.tombstones : undefined,
      notes: Object.fromEntries(Object.entries(notes)),
    });
    expect(written.address).toBe(address);
    parent = written.bytes;
  }
});

test("those chains have many versions", () => {
  expect(chains.flatMap(({ steps }) => steps).length).toBeGreaterThan(80);
});

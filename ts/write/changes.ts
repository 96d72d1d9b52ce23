/**
 * What a commit changes, computed before anything of it is stored: the objects to upload, in the order in which they point to each other, and what the
 * manifest that follows is to say. Moving the Ref is refs.ts's matter.
 */
import type { CoreManifest } from "../../pkg/dreamdb_arrays.js";
import type { BoundField } from "../dataset/bound-fields.js";
import { isScalarField } from "../dataset/fields.js";
import { placeOf, tombstoneKey } from "../dataset/keys.js";
import { Tombstones } from "../dataset/tombstones.js";
import { withContext } from "../error-context.js";
import { DreamDbError } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import type { ObjectId } from "../io/verifier.js";
import { deletedAnchors } from "./deletions.js";
import type { FieldItems } from "./items.js";
import type { NewField } from "./manifests/fields.js";
import type { NewObject } from "./objects.js";
import { grownScalars } from "./scalars-part.js";
import { type PackOptions, storedItems } from "./store-items.js";
import { appendedTrack, type EditedTrack } from "./tracks.js";

/** The version that a commit follows. */
export interface Base {
  readonly objects: ObjectReader;
  /** A Track, page or the like, checked against its address. */
  readonly read: (object: ObjectId, signal: AbortSignal | undefined) => Promise<Uint8Array>;
  readonly manifest: CoreManifest;
  readonly fields: ReadonlyMap<string, BoundField>;
  readonly timeline: string;
}

/** A field that a commit adds, with its Track. */
export interface AddedField {
  readonly field: NewField;
  readonly track: EditedTrack;
}

/** What is to be stored, and what the manifest is to say. */
export interface Change {
  /** What the reference's manifests call it. */
  readonly operation: "commit" | "add_field" | "add_array_constant" | "delete";
  /** Items, packs, chunks, outboards. */
  readonly items: readonly NewObject[];
  /** What points to them: Tracks and their pages, tombstones. */
  readonly indexes: readonly NewObject[];
  readonly moved: readonly { readonly field: string; readonly track: EditedTrack }[];
  readonly added: readonly AddedField[];
  readonly tombstones?: string;
}

/** Writes Items at the anchors that they have; `undefined` if there are none. */
export async function appendChange(base: Base, items: readonly FieldItems[], packs: PackOptions, signal: AbortSignal | undefined): Promise<Change | undefined> {
  if (items.length === 0) return undefined;
  await refuseDeleted(base, items, signal);
  const changes = await Promise.all(
    items.map(async (field) => {
      const bound = base.fields.get(field.info.name);
      if (bound === undefined) throw new DreamDbError("Internal", `field ${JSON.stringify(field.info.name)} is not bound`);
      try {
        const { info } = field;
        if (isScalarField(info)) {
          return { field: info.name, ...(await grownScalars(base.read, info.valueType, bound.binding, field.anchors, field.payloads, signal)) };
        }
        const { objects, entries } = storedItems(field, placeOf(bound.binding), packs);
        const track = await appendedTrack(base.read, bound.binding, entries, signal);
        return { field: field.info.name, objects, track };
      } catch (error) {
        throw withContext(error, { field: field.info.name });
      }
    }),
  );
  return {
    operation: "commit",
    items: changes.flatMap(({ objects }) => objects),
    indexes: changes.flatMap(({ track }) => track.objects),
    moved: changes.map(({ field, track }) => ({ field, track })),
    added: [],
  };
}

/** Adds a field without Items, or a Constant with its own. */
export function addedChange(operation: "add_field" | "add_array_constant", field: NewField, track: EditedTrack, items: readonly NewObject[]): Change {
  return { operation, items, indexes: track.objects, moved: [], added: [{ field, track }] };
}

/** Deletes rows. */
export async function deletedChange(base: Base, anchors: BigUint64Array, reason: string | undefined, nowMs: bigint, signal: AbortSignal | undefined): Promise<Change> {
  const { manifest, timeline } = base;
  const read = (address: string): Promise<Uint8Array> => base.read({ key: tombstoneKey(address), address }, signal);
  const { head, objects } = await deletedAnchors(read, manifest.tombstones, { timeline, anchors, reason, nowMs });
  return { operation: "delete", items: [], indexes: objects, moved: [], added: [], tombstones: head };
}

/** Refuses rows at deleted anchors: they would be stored, and nobody would ever see them. */
async function refuseDeleted({ objects, manifest, timeline }: Base, items: readonly FieldItems[], signal: AbortSignal | undefined): Promise<void> {
  if (manifest.tombstones === undefined) return;
  let [least, most] = [items[0]?.anchors[0] ?? 0n, 0n];
  for (const { anchors } of items) {
    for (const anchor of anchors) {
      if (anchor < least) least = anchor;
      if (anchor > most) most = anchor;
    }
  }
  const deleted = new Set(await new Tombstones(objects, manifest.tombstones).within(timeline, least, most + 1n, signal));
  for (const { info, anchors } of items) {
    const anchor = anchors.find((one) => deleted.has(one));
    if (anchor === undefined) continue;
    const message = `the row at anchor ${anchor} was deleted for good; choose another anchor`;
    throw new DreamDbError("DeletedAnchor", message, { field: info.name, anchor });
  }
}

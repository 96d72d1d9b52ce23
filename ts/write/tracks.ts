/** Tracks as a commit stores them: empty ones, Constants, and those that get new entries, with the pages that these take. */
import type { CoreBinding } from "../../pkg/dreamdb_arrays.js";
import { addressBytesOf, addressOf } from "../codec/hash.js";
import { indexPageKey, placeOf, scalarIndexKey, trackKey } from "../dataset/keys.js";
import { DreamDbError } from "../errors.js";
import { call } from "../wasm.js";
import { bytes, list } from "./cbor.js";
import type { Base } from "./changes.js";
import type { NewField } from "./manifests/fields.js";
import { type NewObject, withoutOutboard } from "./objects.js";
import type { NewEntries } from "./store-items.js";
import { grownTrack, trackObject } from "./tracks/append.js";

/** A Track as a manifest is to bind it, with the objects that it takes. */
export interface EditedTrack {
  readonly address: string;
  readonly start: bigint;
  readonly end: bigint;
  readonly objects: readonly NewObject[];
}

/** What is needed of a new field. */
type FieldOfTrack = Pick<NewField, "modality" | "descriptor">;

/**
 * The Track of a field that has no Items yet, with what describes the index of a scalar column.
 *
 * @throws {DreamDbError} the codes of modality tags; `InvalidArgument` for a Constant, which is written with its Item
 */
export function emptyTrack({ modality, descriptor }: FieldOfTrack, timeline: string): EditedTrack {
  if (isConstant(modality)) throw new DreamDbError("InvalidArgument", "a Constant has exactly one Item, and no anchor");
  const track = edited(placeOf({ timeline, modality }), trackObject(modality, timeline, [0n, 1n], list([])), 0n, 1n);
  if (descriptor === undefined) return track;
  return { ...track, objects: [...withoutOutboard(scalarIndexKey, descriptor).objects, ...track.objects] };
}

/**
 * The Track of a Constant.
 *
 * @throws {DreamDbError} the codes of modality tags; `InvalidArgument` for a Track of another kind
 */
export function constantTrack({ modality }: FieldOfTrack, timeline: string, item: string): EditedTrack {
  if (!isConstant(modality)) throw new DreamDbError("InvalidArgument", "a Track that is no Constant has Items at anchors");
  const end = 2n ** 64n - 1n;
  const track = trackObject(modality, timeline, [0n, end], list([bytes(addressBytesOf(item))]));
  return edited(placeOf({ timeline, modality }), track, 0n, end);
}

const isConstant = (modality: string): boolean => call((core) => core.parseModality(modality)).trackKind === "constant";

/**
 * A Track with more entries. Costs the Track, and of a paged index the pages in which they come to stand; those that are new are all that is made.
 *
 * @throws {DreamDbError} `RepeatedAnchor`; `InvalidArgument` for the anchor 2^64 − 1; the codes of Tracks and pages, the store's
 */
export async function appendedTrack(read: Base["read"], binding: CoreBinding, entries: NewEntries, signal: AbortSignal | undefined): Promise<EditedTrack> {
  const place = placeOf(binding);
  const track = await read({ key: trackKey(place, binding.track), address: binding.track }, signal);
  const grown = await grownTrack(binding, track, entries, (address) => read({ key: indexPageKey(place, address), address }, signal));
  const stored = edited(place, grown.track, grown.start, grown.end);
  const pages = grown.pages.map(({ address, object }) => ({ key: indexPageKey(place, address), bytes: object }));
  return { ...stored, objects: [...pages, ...stored.objects] };
}

/** A Track that is to be stored. */
export function edited(place: string, track: Uint8Array, start: bigint, end: bigint): EditedTrack {
  const address = addressOf(track);
  return { address, start, end, objects: [{ key: trackKey(place, address), bytes: track }] };
}

/** Tracks with new entries: which pages that takes is asked of the core step by step, and fetched here. */
import type { CoreBinding } from "../../pkg/dreamdb_arrays.js";
import { addressOf } from "../codec/hash.js";
import { indexPageKey, placeOf, scalarIndexKey, trackKey } from "../dataset/keys.js";
import { call } from "../wasm.js";
import type { Base } from "./changes.js";
import type { NewField } from "./manifests/fields.js";
import { joined, type NewObject, withoutOutboard } from "./objects.js";
import type { NewEntries } from "./store-items.js";

/** A Track as a manifest is to bind it, with the objects that it takes. */
export interface EditedTrack {
  readonly address: string;
  readonly start: bigint;
  readonly end: bigint;
  readonly objects: readonly NewObject[];
}

/** The Track of a field that has no Items yet, with what describes the index of a scalar column. */
export function emptyTrack({ modality, descriptor }: NewField, timeline: string): EditedTrack {
  const track = edited(placeOf({ timeline, modality }), call((core) => core.newTrack(modality, timeline)), 0n, 1n);
  if (descriptor === undefined) return track;
  return { ...track, objects: [...withoutOutboard(scalarIndexKey, descriptor).objects, ...track.objects] };
}

/** The Track of a Constant. */
export function constantTrack({ modality }: NewField, timeline: string, item: string): EditedTrack {
  const track = call((core) => core.constantTrack(modality, timeline, item));
  return edited(placeOf({ timeline, modality }), track, 0n, 2n ** 64n - 1n);
}

/**
 * A Track with more entries. Costs the Track, and of a paged index the pages in which they come to stand; those that are new are all that is made.
 *
 * @throws {DreamDbError} `RepeatedAnchor`; `InvalidArgument` for the anchor 2^64 − 1; the codes of Tracks and pages, the store's
 */
export async function appendedTrack(read: Base["read"], binding: CoreBinding, entries: NewEntries, signal: AbortSignal | undefined): Promise<EditedTrack> {
  const place = placeOf(binding);
  const track = await read({ key: trackKey(place, binding.track), address: binding.track }, signal);
  const { anchors, addresses, sizes, forms, offsets } = entries;
  const pages: Uint8Array[] = [];
  for (;;) {
    const { whole, ends } = run(pages);
    const step = call((core) => core.appendToTrack(track, whole, ends, anchors, addresses, sizes, forms, offsets));
    if (step.need === undefined) {
      const grown = edited(place, step.track, step.start, step.end);
      const written = step.pages.map(({ address, object }) => ({ key: indexPageKey(place, address), bytes: object }));
      return { ...grown, objects: [...written, ...grown.objects] };
    }
    pages.push(...(await Promise.all(step.need.map((address) => read({ key: indexPageKey(place, address), address }, signal)))));
  }
}

/** A Track that is to be stored. */
export function edited(place: string, track: Uint8Array, start: bigint, end: bigint): EditedTrack {
  const address = addressOf(track);
  return { address, start, end, objects: [{ key: trackKey(place, address), bytes: track }] };
}

/** Pages one after another, and where each ends. */
function run(pages: readonly Uint8Array[]): { whole: Uint8Array; ends: Uint32Array } {
  const ends = new Uint32Array(pages.length);
  let at = 0;
  for (const [page, { byteLength }] of pages.entries()) ends[page] = at += byteLength;
  return { whole: joined(pages), ends };
}

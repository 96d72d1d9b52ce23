/** The package's own way of writing Items: what is stored for them, and the Tracks that they come into. */
import * as codec from "../../codec.js";
import type { Implementation, MediaBatch, StoredObject } from "../../conformance/implementation.js";
import type { TrackKind } from "../../codec/item-type.js";
import { arrayInfo } from "../../dataset/bound-fields.js";
import type { MediaFieldInfo } from "../../dataset/fields.js";
import { placeOf } from "../../dataset/keys.js";
import { DreamDbError } from "../../errors.js";
import type { CoreBinding } from "../../../pkg/dreamdb_arrays.js";
import type { FieldItems } from "../../write/items.js";
import type { NewObject } from "../../write/objects.js";
import { type StoredItems, storedItems } from "../../write/store-items.js";
import { appendedTrack, constantTrack, emptyTrack } from "../../write/tracks.js";
import { text } from "./cbor.js";
import { TIMELINE } from "./documents.js";

/** A field that is written to: its Track, by the objects that were stored for it. */
class Writing {
  readonly #objects = new Map<string, Uint8Array>();
  readonly #modality: string;
  #binding: CoreBinding;

  constructor(kind: CoreBinding["kind"], modality: string) {
    this.#modality = modality;
    const { address: track, start, end, objects } = emptyTrack({ modality }, TIMELINE);
    this.#binding = { field: "x", kind, modality, timeline: TIMELINE, track, start, end };
    this.#keep(objects);
  }

  get place(): string {
    return placeOf({ timeline: TIMELINE, modality: this.#modality });
  }

  /** Adds what was stored; gives nothing, or the refusal of the Track. */
  async append({ entries }: StoredItems): Promise<void> {
    const read = async ({ address }: { readonly address: string }): Promise<Uint8Array> => {
      const object = this.#objects.get(address);
      if (object === undefined) throw new Error(`${address} was not stored`);
      return object;
    };
    const { address: track, start, end, objects } = await appendedTrack(read, this.#binding, entries, undefined);
    this.#keep(objects);
    this.#binding = { ...this.#binding, track, start, end };
  }

  #keep(objects: readonly NewObject[]): void {
    for (const { bytes } of objects) this.#objects.set(codec.addressOf(bytes), bytes);
  }

  /** The index, which is the last entry of a Track Object. */
  get index(): Uint8Array {
    return lastEntry(this.#objects.get(this.#binding.track) ?? new Uint8Array(0));
  }
}

/** What stands behind the key `object_index`. */
function lastEntry(track: Uint8Array): Uint8Array {
  const key = text("object_index");
  const at = track.findIndex((_, start) => key.every((byte, offset) => track[start + offset] === byte));
  if (at < 0) throw new Error("the Track has no index");
  return track.subarray(at + key.byteLength);
}

/** What is stored for media Items; outboards lie elsewhere. */
function mediaItems({ items, packItems, chunkSize }: MediaBatch, place: string): StoredItems {
  const info = {
    name: "x", kind: "image", mime: "png", modality: "image.png", trackKind: "continuous", coverage: { start: 0n, end: 1n },
    ...(packItems === undefined ? {} : { packItems: BigInt(packItems) }),
    ...(chunkSize === undefined ? {} : { chunkSize: BigInt(chunkSize) }),
  } as const satisfies MediaFieldInfo;
  return storedItems({ info, anchors: items.map(([anchor]) => anchor), payloads: items.map(([, bytes]) => bytes) }, place, {});
}

/** Operations of a writer. */
export const writes = {
  async appendItems({ typeCbor, modality, samples, existingAnchors }) {
    const kind: TrackKind = codec.bindModality(modality, typeCbor);
    for (const { payload } of samples) codec.validate(typeCbor, payload);
    if (kind === "constant") return { objectIndexCbor: constantIndex(modality, samples) };
    const type = codec.decodeItemType(typeCbor);
    const info = arrayInfo(
      { name: "x", modality, trackKind: kind, coverage: { start: 0n, end: 1n } },
      { type, typeCbor, itemId: codec.itemTypeId(typeCbor), objectKind: kind === "event" ? "unbucketed" : "time-batch" },
    );
    const [payloads, anchors] = [samples.map(({ payload }) => payload), samples.map(({ anchor }) => anchor ?? -1n)];
    const [alone, together] = [new Writing(kind, modality), new Writing(kind, modality)];
    const stored = (items: Omit<FieldItems, "info">): StoredItems => storedItems({ info, ...items }, alone.place, {});
    // Any payload will do for what is there already.
    if (existingAnchors.length > 0) await together.append(stored({ anchors: existingAnchors, payloads: existingAnchors.map(() => new Uint8Array(0)) }));
    await together.append(stored({ anchors, payloads }));
    await alone.append(stored({ anchors, payloads }));
    return { objectIndexCbor: alone.index };
  },
  async packItems({ batches }) {
    const writing = new Writing("continuous", "image.png");
    const objects = new Map<string, StoredObject>();
    for (const batch of batches) {
      const stored = mediaItems(batch, writing.place);
      for (const { key, bytes } of stored.objects) {
        const path = key.startsWith(`${writing.place}/`) ? key.slice(writing.place.length + 1) : undefined;
        if (path !== undefined) objects.set(path, { path, bytes });
      }
      await writing.append(stored);
    }
    const alternative = batches.some(({ packItems = 0, chunkSize }) => packItems > 1 && chunkSize !== undefined) ? { alternative: "chunked" } : {};
    return { objects: [...objects.values()], objectIndexCbor: writing.index, ...alternative };
  },
} as const satisfies Implementation;

/** A Constant has one Item, and no anchor. */
function constantIndex(modality: string, samples: readonly { readonly anchor: bigint | undefined; readonly payload: Uint8Array }[]): Uint8Array {
  const [sample, ...more] = samples;
  if (sample === undefined || more.length > 0 || sample.anchor !== undefined) {
    throw new DreamDbError("InvalidArgument", "a Constant has exactly one Item, and no anchor", { subject: "anchor" });
  }
  const { objects } = constantTrack({ modality }, TIMELINE, codec.addressOf(sample.payload));
  return lastEntry(objects[0]?.bytes ?? new Uint8Array(0));
}

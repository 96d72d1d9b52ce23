/** Fields of media: images, audio and video by their anchors (0022). */
import type { CoreFragments, CoreIndex } from "../../pkg/dreamdb_arrays.js";
import { DreamDbError } from "../errors.js";
import type { Call } from "../io/call.js";
import { AnchoredField, type WantedItem } from "./anchored-field.js";
import type { MediaFieldInfo } from "./fields.js";
import { type FragmentBytes, Fragments } from "./fragments.js";
import type { PlanSum } from "./plan.js";

/** One media Item. */
export interface MediaItem extends FragmentBytes {
  readonly kind: MediaFieldInfo["kind"];
  /** Media subtype as the schema spells it, for example `png`. */
  readonly mime: string;
  readonly anchor: bigint;
}

/**
 * A field of images, audio or video.
 *
 * A single Item is one request. Of a pack exactly an Item's bytes are asked for, by Range; where they are to be verified, whole chunks of
 * 1 KiB and, once, the pack's outboard; the whole pack, if that is less or there is no outboard. Verified bytes are kept, and what is there
 * is not asked for again. An empty Item of a pack costs no request. Items that are read from front to back, one by one, are read ahead.
 *
 * Codes of its Items: `PackInvariant`, `PackLength`, `PackSliceOutOfBounds`; `ChunkLength`; `PayloadLength` for a single Item of another size
 * than its entry says.
 */
export class MediaField extends AnchoredField<MediaFieldInfo, MediaItem> {
  /** @internal */
  protected override starts(index: CoreIndex): BigUint64Array {
    return fragmentsOf(index).starts;
  }

  /** @internal */
  protected override fetch(index: CoreIndex, wanted: readonly WantedItem[], call: Call): Promise<MediaItem>[] {
    const { kind, mime } = this.info;
    const reads = this.#fragments(index).read(
      wanted.map(({ position }) => position),
      call,
    );
    return wanted.map(async ({ anchor }, at) => {
      const read = await reads[at];
      if (read === undefined) throw new DreamDbError("Internal", "an Item was lost");
      return { kind, mime, anchor, ...read };
    });
  }

  /** @internal */
  protected override cost(index: CoreIndex, positions: readonly number[]): PlanSum {
    return this.#fragments(index).plan(positions, this.info.chunkSize);
  }

  #fragments(index: CoreIndex): Fragments {
    return new Fragments(this.access.objects, this.access.track.binding, fragmentsOf(index));
  }
}

function fragmentsOf(index: CoreIndex): CoreFragments {
  if (index.form !== "fragments") throw new DreamDbError("Internal", "a media Track has entries of another form");
  return index;
}

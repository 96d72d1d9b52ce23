/** Fields of media: images, audio and video by their anchors (0022). */
import type { CoreFragments, CoreIndex } from "../../pkg/dreamdb_arrays.js";
import { DreamDbError } from "../errors.js";
import { AnchoredField } from "./anchored-field.js";
import type { CheckedBytes } from "../io/verifier.js";
import type { FieldAccess } from "./field.js";
import type { MediaFieldInfo } from "./fields.js";
import { type Form, Fragments } from "./fragments.js";

/** One media Item. */
export interface MediaItem extends CheckedBytes {
  readonly kind: MediaFieldInfo["kind"];
  /** Media subtype as the schema spells it, for example `png`. */
  readonly mime: string;
  readonly anchor: bigint;
  /** How it is stored: an object of its own, chunks, or a span of a pack. */
  readonly form: Form;
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
  constructor(info: MediaFieldInfo, access: FieldAccess) {
    const fragments = (index: CoreIndex) => new Fragments(access.objects, access.track.binding, fragmentsOf(index));
    super(info, access, {
      starts: (index) => fragmentsOf(index).starts,
      fetch: (index, wanted, call) => {
        const { kind, mime } = info;
        const positions = wanted.map(({ position }) => position);
        return fragments(index).read(positions, call, (at, { bytes, verified }, form) => {
          return { kind, mime, anchor: wanted[at]?.anchor ?? 0n, form, bytes, verified };
        });
      },
      cost: (index, positions) => fragments(index).plan(positions, info.chunkSize),
    });
  }
}

function fragmentsOf(index: CoreIndex): CoreFragments {
  if (index.form !== "fragments") throw new DreamDbError("Internal", "a media Track has entries of another form");
  return index;
}

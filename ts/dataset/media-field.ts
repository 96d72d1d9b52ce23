/** Fields of media: images, audio and video by their anchors (0022). */
import type { CheckedBytes } from "../io/verifier.js";
import { AnchoredField } from "./anchored-field.js";
import { type MediaColumn, mediaColumn } from "./column/media.js";
import type { FieldAccess } from "./field.js";
import type { MediaFieldInfo } from "./fields.js";
import type { Form } from "./fragments.js";
import { ItemBytes } from "./item-bytes.js";

/** One media Item. */
export interface MediaItem extends CheckedBytes {
  /** Which media it is. */
  readonly kind: MediaFieldInfo["kind"];
  /** Media subtype as the schema spells it, for example `png`. */
  readonly mime: string;
  /** Its anchor. */
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
 * than its entry says. Where the index is paged, a page need not tell all Items of a pack: then the pack's length is that which its outboard or
 * its body proves, and the pack's invariants are held against all Items by an audit alone.
 */
export class MediaField extends AnchoredField<MediaFieldInfo, MediaItem, MediaColumn> {
  /** @internal */
  constructor(info: MediaFieldInfo, access: FieldAccess) {
    const { kind, mime, chunkSize } = info;
    const items = new ItemBytes(access.objects, access.track.place);
    super(info, access, {
      fetch: (selection, call) =>
        items.read(selection, call, (at, { bytes, verified }, form) => {
          return { kind, mime, anchor: selection.anchors[at] ?? 0n, form, bytes, verified };
        }),
      cost: (selection) => items.plan(selection, { chunkSize }),
      column: (selection, options) => mediaColumn(info, access, selection, options),
    });
  }
}

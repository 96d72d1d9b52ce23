/** Columns of media Items: a list, since images and the like do not join. */
import { newCall } from "../../io/call.js";
import { Slabs } from "../../io/slabs.js";
import type { Verified } from "../../io/verifier.js";
import type { FieldAccess } from "../field.js";
import { ItemBytes } from "../item-bytes.js";
import type { MediaItem } from "../media-field.js";
import type { Selection } from "../selection.js";
import { admit, type ColumnOptions, least, mostBytes, Teller } from "./columns.js";
import { inWindows } from "./windows.js";

/** Media Items one after another. */
export interface MediaColumn {
  /** Anchors of the Items, ascending. */
  readonly anchors: BigUint64Array<ArrayBuffer>;
  /** The Items; those of one pack share its body, and small ones that are read by themselves buffers of 1 MiB. */
  readonly items: readonly MediaItem[];
  /** The least that was checked of any Item; of none, everything. */
  readonly verified: Verified;
}

/** The column of these Items. */
export async function mediaColumn(
  { kind, mime }: Pick<MediaItem, "kind" | "mime">,
  { objects, track: { place } }: FieldAccess,
  selection: Selection,
  options: ColumnOptions,
): Promise<MediaColumn> {
  const { anchors } = selection;
  const limit = mostBytes(options);
  const expected = admit(selection, limit);
  const items = new Array<MediaItem>(anchors.length);
  const [reader, call] = [new ItemBytes(objects, place), newCall(options.signal, new Slabs(expected))];
  const teller = new Teller(items.length, options);
  let verified: Verified = "object";
  await inWindows(selection, async (window, from) => {
    let bytes = 0;
    await reader.readAll(window, call, (at, read, form) => {
      bytes += read.bytes.byteLength;
      verified = least(verified, read.verified);
      items[from + at] = { kind, mime, anchor: window.anchors[at] ?? 0n, form, bytes: read.bytes, verified: read.verified };
    });
    teller.done(window.anchors.length, bytes);
  });
  return { anchors, items, verified };
}

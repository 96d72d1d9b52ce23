/** Names of exported files. */
import type { Shown } from "../state/shown.js";

/** Bytes that a name may have: file systems take 255, and browsers add to it. */
const MOST_BYTES = 180;

/** Names that some systems keep for devices, whatever follows a dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** `pose_1000.npy`: field, anchor or window, extension. Whatever a file system may take amiss becomes `_`. */
export function fileName({ info, anchor, window }: Pick<Shown, "anchor" | "window"> & { readonly info: { readonly name: string } }, extension: string): string {
  const place = anchor ?? (window === undefined ? undefined : `${window[0]}-${window[1]}`);
  const end = place === undefined ? "" : `_${place}`;
  const name = cut(info.name.normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N}_.-]/gu, "_"), MOST_BYTES - end.length)
    .replace(/^[.-]+/, "_")
    .replace(/\.+$/, "_")
    .replace(DEVICE, "_$1");
  return `${name === "" ? "field" : name}${end}.${extension}`;
}

/** The beginning of a text that has no more bytes as UTF-8; no character is cut in two. */
function cut(text: string, most: number): string {
  const encoder = new TextEncoder();
  let [kept, bytes] = ["", 0];
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > most) break;
    kept += character;
  }
  return kept;
}

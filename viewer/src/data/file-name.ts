/** Names of exported files. */
import type { Shown } from "../state/shown.js";

/** `pose_1000.npy`: field, anchor or window, extension. Whatever a file system may take amiss becomes `_`. */
export function fileName({ info, anchor, window }: Shown, extension: string): string {
  const place = anchor ?? (window === undefined ? undefined : `${window[0]}-${window[1]}`);
  const stem = [info.name, place].filter((part) => part !== undefined).join("_");
  return `${stem.replaceAll(/[^\p{L}\p{N}_.-]/gu, "_").replace(/^\.+/, "_").slice(0, 120)}.${extension}`;
}

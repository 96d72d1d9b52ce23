/** A value as text on screen; one that is empty says so. */
import { Inert } from "../../ui/inert.js";

/** What stands for a text without characters. */
export const EMPTY = "(empty)";

/** The value. */
export function Value({ text, most }: { readonly text: string; readonly most: number }) {
  return text === "" ? <span class="label">{EMPTY}</span> : <Inert text={text} most={most} />;
}

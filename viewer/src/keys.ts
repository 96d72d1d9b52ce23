/** Keys that work wherever the focus is, but in what takes text. Those of single widgets stand with the widgets. */
import { playing, step, toEnd } from "./state/playhead.js";

/** Keys and what they do; the help shows the same list. */
export const KEYS: readonly (readonly [keys: string, purpose: string])[] = [
  ["← / →", "Item before, Item after (with Shift: ten)"],
  ["Home / End", "First Item, last Item"],
  ["Space", "Play, pause"],
  ["1 … 9", "View by its place"],
  ["[ / ]", "Field before, field after"],
  ["+ / − / 0", "Timeline: zoom in, out, all"],
  ["B", "Bytes"],
  ["?", "Keys"],
];

/** Told of keys that parts of the page take. */
const takers = new Map<string, () => void>();

/** Has a key do something while what says so is on the page; gives what takes it back. */
export function onKey(key: string, act: () => void): () => void {
  takers.set(key, act);
  return () => {
    if (takers.get(key) === act) takers.delete(key);
  };
}

/** Begins to listen. */
export function installKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || takesKeys(event.target, event.key)) return;
    const act = actionOf(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

function actionOf({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
  const items = shiftKey ? 10 : 1;
  if (key === "ArrowLeft") return () => step(-items);
  if (key === "ArrowRight") return () => step(items);
  if (key === "Home") return () => toEnd(false);
  if (key === "End") return () => toEnd(true);
  if (key === " ") {
    return () => {
      playing.value = !playing.peek();
    };
  }
  return takers.get(key.toLowerCase());
}

/** Whether a widget has its own use for a key. */
function takesKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "button"].includes(target.type) || key === " ";
  if (key === " ") return target instanceof HTMLButtonElement || target.tagName === "SUMMARY" || target instanceof HTMLAnchorElement || target instanceof HTMLMediaElement;
  return target.closest("[data-own-keys]") !== null && ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"].includes(key);
}

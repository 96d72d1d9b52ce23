/** Text that came with the data: shown as it is, never as anything else. */
import { visible } from "../data/visible.js";

/** Longer texts are cut on screen; all of it is in the title and in what is copied. */
const MOST = 120;

/** Such a text, set apart so that its direction is its own matter. */
export function Inert({ text, most = MOST }: { readonly text: string; readonly most?: number }) {
  const seen = visible(text);
  const isLong = seen.length > most;
  return (
    <bdi class="inert" title={isLong ? seen.slice(0, 2000) : undefined}>
      {isLong ? `${seen.slice(0, most)}…` : seen}
    </bdi>
  );
}

/** What stands where a plot would, when a window holds too much to be read unasked; and how far a long read is. */
import type { Dataset } from "dreamdb-arrays";
import type { FieldAnchors } from "../../data/anchors.js";
import { bytesText, countText } from "../../data/numbers.js";
import { chooseWindow } from "../../state/window.js";
import { type Admission, ASK_ITEMS, MOST_ITEMS, windowAround } from "./admit.js";

/** Items that the button zooms to. */
const PART = 2000;

interface Props {
  readonly ds: Dataset;
  readonly admission: Admission;
  readonly anchors: FieldAnchors;
  readonly anchor: bigint | undefined;
  /** Whether each Item may be a request. */
  readonly isRequest: boolean;
  agree(): void;
}

/** Says how much there is, and offers a part of it. */
export function Refusal({ ds, admission: { verdict, items, bytes }, anchors, anchor, isRequest, agree }: Props) {
  const part = anchor === undefined ? undefined : windowAround(anchors, anchor, Math.min(PART, ASK_ITEMS));
  return (
    <section class="refusal" data-refusal={verdict} role="status">
      <h3>{countText(items)} Items, nothing read yet</h3>
      <p>
        The window holds {countText(items)} Items with {bytesText(bytes)} of values{isRequest ? "; each Item may be a request of its own." : "."}
        {verdict === "too-many" && ` More than ${countText(MOST_ITEMS)} are not drawn at once.`}
      </p>
      <p class="buttons">
        {part !== undefined && (
          <button type="button" onClick={() => chooseWindow(ds, part)}>
            Zoom to {countText(Math.min(PART, anchors.live.length))} Items around the playhead
          </button>
        )}
        {verdict === "ask" && (
          <button type="button" onClick={agree}>
            Read all {countText(items)} Items ({bytesText(bytes)})
          </button>
        )}
      </p>
    </section>
  );
}

/** How far a read is that takes long; it can be ended. */
export function Progress({ done, items, withdraw }: { readonly done: number; readonly items: number; withdraw(): void }) {
  return (
    <p class="progress">
      <progress max={items} value={done} aria-label="Items read" /> {countText(done)} of {countText(items)} Items{" "}
      {items > ASK_ITEMS && (
        <button type="button" class="small" onClick={withdraw}>
          Stop
        </button>
      )}
    </p>
  );
}

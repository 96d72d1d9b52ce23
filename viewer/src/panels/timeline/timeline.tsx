/** The timeline: where each field has Items, and the playhead over all of them. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import type { Window } from "../../data/anchors.js";
import { anchorAt, placeOf, zoomed } from "../../data/scale.js";
import { viewsOf } from "../../data/views.js";
import { onKey } from "../../keys.js";
import { link } from "../../state/link.js";
import { indexOf, moveTo, track } from "../../state/playhead.js";
import { shown } from "../../state/shown.js";
import { boundsOf, chooseWindow, windowOf } from "../../state/window.js";
import { goToField } from "../field-list.js";
import { Inert } from "../../ui/inert.js";
import { reveal } from "../../ui/reveal.js";
import { useWidth } from "../../ui/width.js";
import { Strip } from "./strip.js";
import { Transport } from "./transport.js";

/** How much one step of zooming is. */
const ZOOM = 0.6;

/** Strips of all fields with anchors, one below the other. */
export function Timeline({ ds, chosen }: { readonly ds: Dataset; readonly chosen: FieldInfo | undefined }) {
  const fields = ds.fields.filter((info) => info.trackKind !== "constant" && viewsOf(info).offered.length > 0);
  const [lane, lanes] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  useEffect(() => reveal(lanes.current, lanes.current?.querySelector("[aria-current]")), [chosen]);
  const width = useWidth(lane, 1);
  const window = windowOf(ds);
  const playhead = link.value.anchor ?? (chosen?.trackKind === "constant" ? undefined : chosen?.coverage.start) ?? window.start;
  const zoom = (factor: number, about = link.peek().anchor): void => {
    const now = windowOf(ds);
    const middle = about !== undefined && about >= now.start && about < now.end ? about : now.start + (now.end - now.start) / 2n;
    chooseWindow(ds, zoomed(now, middle, factor, boundsOf(ds)));
  };
  useEffect(() => {
    const all = (): void => chooseWindow(ds, boundsOf(ds));
    const ends = [onKey("+", () => zoom(ZOOM)), onKey("=", () => zoom(ZOOM)), onKey("-", () => zoom(1 / ZOOM)), onKey("0", all)];
    return () => ends.forEach((end) => end());
  }, [ds]);
  const isDue = useDue(ds, chosen);
  const place = placeOf(playhead, window, width);
  return (
    <section class="timeline" aria-label="Timeline">
      <Transport ds={ds} playhead={playhead} zoom={zoom} />
      <div class="lanes" ref={lanes}>
        <div class="names">
          <div class="ruler-name" />
          {fields.map((info) => (
            <button type="button" key={info.name} aria-current={info.name === chosen?.name ? "true" : undefined} onClick={() => goToField(info.name)} tabIndex={-1}>
              <Inert text={info.name} most={24} />
            </button>
          ))}
        </div>
        <div class="strips" ref={lane} {...pointer(window, width, zoom)}>
          <Ruler window={window} playhead={playhead} />
          {fields.map((info) => (
            <Strip key={info.name} ds={ds} info={info} window={window} width={width} isDue={isDue} />
          ))}
          {place >= 0 && place <= width && <div class="playhead" style={{ transform: `translateX(${place}px)` }} />}
        </div>
      </div>
    </section>
  );
}

/** The slider: anchors at both ends of the window, and at the playhead. */
function Ruler({ window, playhead }: { readonly window: Window; readonly playhead: bigint }) {
  const anchors = track.value;
  const last = Math.max(0, (anchors?.live.length ?? 1) - 1);
  return (
    <div class="ruler" role="slider" tabIndex={0} aria-label="Playhead" aria-valuemin={0} aria-valuemax={last} aria-valuenow={indexOf(anchors, playhead)} aria-valuetext={`anchor ${playhead}`}>
      <span>{String(window.start)}</span>
      <span class="at">{String(playhead)}</span>
      <span>{String(window.end - 1n)}</span>
    </div>
  );
}

/** Dragging moves the playhead; the wheel zooms about the pointer. */
function pointer(window: Window, width: number, zoom: (factor: number, about: bigint) => void) {
  const at = (event: MouseEvent & { readonly currentTarget: HTMLElement }): bigint => anchorAt(event.clientX - event.currentTarget.getBoundingClientRect().left, window, width);
  return {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLDivElement }) {
      event.currentTarget.setPointerCapture(event.pointerId);
      moveTo(at(event));
    },
    onPointerMove(event: PointerEvent & { readonly currentTarget: HTMLDivElement }) {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(at(event));
    },
    onWheel(event: WheelEvent & { readonly currentTarget: HTMLDivElement }) {
      if (event.deltaY === 0 || event.shiftKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, at(event));
    },
  };
}

/** Strips wait for what is looked at, but not for long: it may be slow, or fail. */
const PATIENCE_MS = 1500;

/** Whether the strips are to be read: once something is on screen, or what should be takes long. Their requests would go before its own. */
function useDue(ds: Dataset, chosen: FieldInfo | undefined): boolean {
  const [due, setDue] = useState<Dataset>();
  const isShown = shown.value !== undefined;
  useEffect(() => {
    if (due === ds) return undefined;
    const timer = setTimeout(() => setDue(ds), isShown || chosen === undefined ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [ds, due, isShown]);
  return due === ds;
}

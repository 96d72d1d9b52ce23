/** The band: a piece for each run, in the colour of its value, along the window. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Window } from "../../data/anchors.js";
import { anchorAt, placeOf } from "../../data/scale.js";
import { moveTo } from "../../state/playhead.js";
import { visible } from "../../data/visible.js";
import { useWidth } from "../../ui/width.js";
import { fill, paintOf } from "./colours.js";
import { type Runs, type Span, spansOf } from "./runs.js";
import { EMPTY } from "./value.js";

interface Props {
  readonly runs: Runs;
  readonly anchors: BigUint64Array;
  readonly window: Window;
  readonly playhead: bigint | undefined;
  readonly label: string;
  readonly isDark: boolean;
  hover(run: number | undefined): void;
  ready(canvas: HTMLCanvasElement | null): void;
}

const HEIGHT = 64;
const FONT = "12px system-ui, sans-serif";
/** Text in a piece that is narrower says nothing. */
const LEAST_TEXT = 36;

/** The band. */
export function Band({ runs, anchors, window, playhead, label, isDark, hover, ready }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(frame, 100);
  useEffect(() => ready(canvas.current), []);
  const spans = useMemo(() => spansOf(runs.runs, (row) => placeOf(anchors[row] ?? 0n, window, width), width), [runs, anchors, window.start, window.end, width]);
  useEffect(() => {
    const request = requestAnimationFrame(() => canvas.current !== null && draw(canvas.current, spans, runs.values, width));
    return () => cancelAnimationFrame(request);
  }, [spans, width, isDark]);
  const place = playhead === undefined ? -1 : placeOf(playhead, window, width);
  const placeIn = (event: MouseEvent & { readonly currentTarget: HTMLElement }): number => event.clientX - event.currentTarget.getBoundingClientRect().left;
  return (
    <div
      ref={frame}
      class="band"
      onPointerMove={(event) => {
        const x = placeIn(event);
        hover(spans.find(({ left, right }) => x >= left && x < right)?.run);
      }}
      onPointerLeave={() => hover(undefined)}
      onClick={(event) => moveTo(anchorAt(placeIn(event), window, width))}
    >
      <canvas ref={canvas} role="img" aria-label={label} style={{ width: `${width}px`, height: `${HEIGHT}px` }} data-pieces={spans.length} />
      {place >= 0 && place <= width && <div class="band-head" style={{ transform: `translateX(${place}px)` }} />}
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, spans: readonly Span[], values: readonly string[], width: number): void {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(HEIGHT * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  context.font = FONT;
  context.textBaseline = "middle";
  for (const { left, right, value } of spans) {
    const paint = paintOf(value);
    fill(context, paint, left, 0, right - left, HEIGHT);
    if (value < 0 || right - left < LEAST_TEXT) continue;
    const text = fitted(context, visible((values[value] ?? "").slice(0, 200)) || EMPTY, right - left - 10);
    const wide = context.measureText(text).width;
    context.fillStyle = paint.colour;
    context.fillRect(left + 3, HEIGHT / 2 - 9, wide + 4, 18);
    context.fillStyle = paint.ink;
    context.fillText(text, left + 5, HEIGHT / 2);
  }
}

/** As much of a text as there is room for. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${text.slice(0, low)}…`;
}

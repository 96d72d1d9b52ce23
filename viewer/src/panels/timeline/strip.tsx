/** The strip of one field: how dense its Items lie, where there are none, and where rows were deleted. */
import { useEffect, useRef } from "preact/hooks";
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import { anchorsOf, type FieldAnchors, lowerBound, type Window } from "../../data/anchors.js";
import { failureOf } from "../../data/failure.js";
import { countText } from "../../data/numbers.js";
import { densityOf, placeOf } from "../../data/scale.js";
import { lastOf, useReading } from "../../reading.js";
import { isDark } from "../../state/theme.js";
import { visible } from "../../data/visible.js";

interface Props {
  readonly ds: Dataset;
  readonly info: FieldInfo;
  readonly window: Window;
  readonly width: number;
  /** Whether it is to be read now. */
  readonly isDue: boolean;
}

/** Colours that differ in lightness as well, for whoever sees no hues. */
const COLOURS = { light: { item: [20, 80, 140], deleted: "#c2410c", cover: "#00000014" }, dark: { item: [120, 190, 255], deleted: "#fdba74", cover: "#ffffff1a" } } as const;
const HEIGHT = 18;
/** Height of the marks of deleted rows, at the strip's foot. */
const MARK = 5;

/** The strip of a field. */
export function Strip({ ds, info, window, width, isDue }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const reading = useReading([ds, info], [isDue, window.start, window.end], async (signal): Promise<FieldAnchors | undefined> => (isDue ? anchorsOf(ds, info, window, signal) : undefined));
  const anchors = lastOf(reading);
  const colours = COLOURS[isDark.value ? "dark" : "light"];
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, { anchors, window, width, info, colours });
  }, [anchors, window.start, window.end, width, colours]);
  return <canvas ref={canvas} class="strip" role="img" aria-label={labelOf(info, anchors, window, reading.state === "failed" ? reading.error : undefined)} />;
}

function labelOf({ name }: FieldInfo, anchors: FieldAnchors | undefined, { start, end }: Window, error: unknown): string {
  const field = visible(name).slice(0, 60);
  if (error !== undefined) return `${field}: ${failureOf(error).code}`;
  if (anchors === undefined) return `${field}: not read yet`;
  const within = (list: BigUint64Array): number => lowerBound(list, end) - lowerBound(list, start);
  const gone = within(anchors.deleted);
  return `${field}: ${countText(within(anchors.live))} Items in the window${gone > 0 ? `, ${countText(gone)} deleted` : ""}`;
}

interface Drawn {
  readonly anchors: FieldAnchors | undefined;
  readonly window: Window;
  readonly width: number;
  readonly info: FieldInfo;
  readonly colours: (typeof COLOURS)[keyof typeof COLOURS];
}

function draw(canvas: HTMLCanvasElement, { anchors, window, width, info: { coverage }, colours }: Drawn): void {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(HEIGHT * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  const [from, to] = [placeOf(coverage.start, window, width), placeOf(coverage.end, window, width)];
  context.fillStyle = colours.cover;
  context.fillRect(Math.max(0, from), HEIGHT / 2 - 1, Math.min(width, to) - Math.max(0, from), 2);
  if (anchors === undefined) return;
  const density = densityOf(anchors.live, window, width);
  const most = density.reduce((a, b) => Math.max(a, b), 0);
  const [red, green, blue] = colours.item;
  for (const [x, count] of density.entries()) {
    if (count === 0) continue;
    // One Item can be seen among columns of thousands.
    context.fillStyle = `rgba(${red}, ${green}, ${blue}, ${most <= 1 ? 0.9 : 0.35 + (0.65 * Math.log1p(count)) / Math.log1p(most)})`;
    context.fillRect(x, 2, 1.5, HEIGHT - 4);
  }
  context.fillStyle = colours.deleted;
  for (const [x, count] of densityOf(anchors.deleted, window, width).entries()) if (count > 0) context.fillRect(x - 1, HEIGHT - MARK, 3, MARK);
}

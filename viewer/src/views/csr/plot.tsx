/** The spy plot: a canvas, and a cursor over its cells. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CsrArray } from "dreamdb-arrays";
import { aboutText, countText } from "../../data/numbers.js";
import { isDark } from "../../state/theme.js";
import { Inert } from "../../ui/inert.js";
import { binned, binOf, type Bins, cellsOf, firstIn, type Plot, plotOf } from "./bins.js";
import { binText, cellText, type MatrixCell, movedCell } from "./cursor.js";
import { colourAt, paint, pixelsOf, type Shade } from "./paint.js";

interface Props {
  readonly matrix: CsrArray;
  readonly names: readonly string[];
  readonly units: string;
  readonly shade: Shade;
  /** Told of the row at the cursor when it is chosen. */
  choose(row: bigint): void;
  /** Given the canvas once it is drawn. */
  drawn(canvas: HTMLCanvasElement): void;
}

/** The plot. */
export function SpyPlot({ matrix, names, units, shade, choose, drawn }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, ratio } = useRoom(place);
  const [rows, columns] = matrix.shape;
  const plot = useMemo(() => plotOf([rows, columns], width * ratio, height * ratio), [rows, columns, width, height, ratio]);
  const bins = useMemo(() => binned(matrix, plot), [matrix, plot]);
  const [chosen, setCursor] = useState<MatrixCell>({ row: 0n, column: 0n });
  const cursor = chosen.row < rows && chosen.column < columns ? chosen : { row: 0n, column: 0n };
  const dark = isDark.value;
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current === null) return;
      paint(canvas.current, plot, pixelsOf(bins, shade, dark));
      drawn(canvas.current);
    });
    return () => cancelAnimationFrame(frame);
  }, [bins, plot, shade, dark]);
  if (rows === 0n || columns === 0n) return <p class="note">The matrix has no cells.</p>;
  const point = (event: PointerEvent): MatrixCell | undefined => cellUnder(event, matrix, plot, canvas.current);
  const cells = binCells(plot);
  const more = binText(plot, bins.counts, cursor);
  return (
    <div class="spy-plot">
      <div class="spy-room" ref={place}>
        <Ends name={names[1] ?? "column"} last={columns - 1n} side="top" pixels={plot.width / ratio} />
        <Ends name={names[0] ?? "row"} last={rows - 1n} side="left" pixels={plot.height / ratio} />
        <div class="spy-canvas" style={{ width: `${plot.width / ratio}px`, height: `${plot.height / ratio}px` }}>
          <canvas
            ref={canvas}
            role="img"
            tabIndex={0}
            data-own-keys
            aria-label={`Spy plot of ${rows} by ${columns} cells, ${matrix.values.length} stored; a pixel is ${cells}`}
            onPointerMove={(event) => setCursor((before) => point(event) ?? before)}
            onPointerDown={(event) => choose((point(event) ?? cursor).row)}
            onKeyDown={(event) => {
              const next = event.key === "Enter" ? cursor : movedCell(matrix, plot, cursor, event.key, event.shiftKey);
              if (next === undefined) return;
              event.preventDefault();
              setCursor(next);
              if (event.key === "Enter") choose(next.row);
            }}
          />
          <div class="spy-cursor" style={markOf(plot, cursor, ratio)} />
        </div>
      </div>
      <p class="at">
        <output aria-live="polite" data-cursor={`${cursor.row},${cursor.column}`}>
          <Inert text={cellText(matrix, cursor, names, units)} most={200} />
        </output>
        {more !== "" && <span class="label"> {more}</span>}
      </p>
      <Legend bins={bins} shade={shade} cells={cells} units={units} />
    </div>
  );
}

/** The first and the last number along an axis, and what it is called. */
function Ends({ name, last, side, pixels }: { readonly name: string; readonly last: bigint; readonly side: "top" | "left"; readonly pixels: number }) {
  return (
    <p class={`ends ${side}`} aria-hidden="true" style={side === "top" ? { width: `${pixels}px` } : { height: `${pixels}px` }}>
      <span>0</span>
      <span class="label">
        <Inert text={name} most={24} />
      </span>
      <span>{last > 0n && String(last)}</span>
    </p>
  );
}

/** What colours mean. */
function Legend({ bins: { most, greatest }, shade, cells, units }: { readonly bins: Bins; readonly shade: Shade; readonly cells: string; readonly units: string }) {
  const bar = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = bar.current?.getContext("2d");
    if (shade !== "magnitude" || !context) return;
    for (let x = 0; x < 100; x++) {
      context.fillStyle = `rgb(${colourAt(x / 99).join(" ")})`;
      context.fillRect(x, 0, 1, 10);
    }
  }, [shade]);
  return (
    <p class="label legend">
      One dot: {cells}.{" "}
      {shade === "magnitude" ? (
        <>
          Greatest |value| in it: 0 <canvas ref={bar} width={100} height={10} aria-hidden="true" /> {aboutText(greatest)}
          <Inert text={units} most={24} />; NaN in pink.
        </>
      ) : most > 1 ? (
        `Stored elements in it: the darkest has ${countText(most)}.`
      ) : (
        "Coloured where an element is stored."
      )}
    </p>
  );
}

/** `one cell`, `up to 40 × 40 cells`. */
function binCells({ rows, columns, across, down }: Plot): string {
  const most = (extent: bigint, bins: number): bigint => (extent + BigInt(bins) - 1n) / BigInt(bins);
  const [high, wide] = [most(rows, down), most(columns, across)];
  return high <= 1n && wide <= 1n ? "one cell" : `up to ${countText(high)} × ${countText(wide)} cells`;
}

/** The cell under the pointer: of several the first that is stored. */
function cellUnder(event: PointerEvent, matrix: CsrArray, plot: Plot, canvas: HTMLCanvasElement | null): MatrixCell | undefined {
  if (canvas === null) return undefined;
  const box = canvas.getBoundingClientRect();
  const at = (place: number, bins: number): number => Math.min(bins - 1, Math.max(0, Math.floor(place * bins)));
  const [line, bin] = [at((event.clientY - box.top) / box.height, plot.down), at((event.clientX - box.left) / box.width, plot.across)];
  const first = firstIn(matrix, plot, line, bin);
  if (first !== undefined) return { row: BigInt(first[0]), column: first[1] };
  return { row: cellsOf(line, plot.rows, plot.down)[0], column: cellsOf(bin, plot.columns, plot.across)[0] };
}

/** Where the bin of the cursor is, in CSS pixels; dots get a mark that can be seen. */
function markOf({ rows, columns, across, down, width, height }: Plot, { row, column }: MatrixCell, ratio: number): Record<string, string> {
  const [binWidth, binHeight] = [width / across / ratio, height / down / ratio];
  const [w, h] = [Math.max(9, binWidth + 4), Math.max(9, binHeight + 4)];
  const x = (binOf(column, columns, across) + 0.5) * binWidth - w / 2;
  const y = (binOf(row, rows, down) + 0.5) * binHeight - h / 2;
  return { width: `${w}px`, height: `${h}px`, transform: `translate(${x}px, ${y}px)` };
}

/** Pixels beside the canvas, for what its axes are. */
const GUTTER = 24;
/** Part of the window's height that a plot may take, and pixels at least and at most. */
const [PART, LOW, HIGH] = [0.44, 220, 720];

/** Follows the room that there is. */
function useRoom(place: { readonly current: HTMLDivElement | null }): { width: number; height: number; ratio: number } {
  const [room, setRoom] = useState({ width: 320, height: 320, ratio: devicePixelRatio });
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const measure = (): void => setRoom({ width: Math.max(48, element.clientWidth - GUTTER), height: Math.min(HIGH, Math.max(LOW, innerHeight * PART)), ratio: devicePixelRatio });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    addEventListener("resize", measure);
    measure();
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return room;
}

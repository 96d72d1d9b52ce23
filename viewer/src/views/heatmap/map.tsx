/** The cells on a canvas: looked at with the pointer, walked over with the arrow keys, zoomed and moved. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { announce } from "../../ui/announce.js";
import { useWidth } from "../../ui/width.js";
import { cellsOf, marginsOf, type Layout, paint, type Painted } from "./surface.js";
import type { Part } from "./raster.js";
import { cellSides, movedPart, showing, whole, zoomedPart } from "./view-port.js";

/** A cell. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Props {
  readonly painted: Painted;
  readonly label: string;
  readonly cursor: Cell;
  setPart(part: Part): void;
  setCursor(cell: Cell): void;
  hover(cell: Cell | undefined): void;
  /** What is announced of a cell. */
  say(cell: Cell): string;
}

const ZOOM = 0.7;
/** The map has this height, or less where it needs less. */
const HEIGHT = { least: 160, most: 560, part: 0.42 };
const BELOW = 8;

/** The canvas. */
export function CellMap({ painted, label, cursor, setPart, setCursor, hover, say }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(frame, 160);
  const { slice, part, rowName } = painted;
  const { left, top } = marginsOf(slice, rowName);
  const most = Math.min(HEIGHT.most, Math.max(HEIGHT.least, innerHeight * HEIGHT.part));
  // As high as all cells need: zooming in must not move what stands below.
  const [, wholeDown] = cellSides(whole(slice.rows, slice.columns), width - left - 10, most - top - BELOW);
  const height = Math.ceil(Math.min(most, top + BELOW + Math.max(24, wholeDown * slice.rows)));
  const [across, down] = cellSides(part, width - left - 10, height - top - BELOW);
  const layout: Layout = { x: left, y: top, across, down };
  const ratio = devicePixelRatio;
  const { place, table, pick } = painted;
  const cells = useMemo(() => cellsOf(painted, layout, ratio), [slice, part.top, part.left, part.bottom, part.right, place, table, pick, across, down, ratio]);
  useEffect(() => {
    const request = requestAnimationFrame(() => {
      const element = canvas.current;
      if (element === null) return;
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      const context = element.getContext("2d");
      if (context === null) return;
      context.scale(ratio, ratio);
      paint(context, painted, layout, cells);
    });
    return () => cancelAnimationFrame(request);
  }, [painted, cells, width, height, ratio]);

  const cellAt = ({ clientX, clientY, currentTarget }: MouseEvent & { readonly currentTarget: HTMLElement }): Cell | undefined => {
    const box = currentTarget.getBoundingClientRect();
    const column = part.left + Math.floor((clientX - box.left - left) / across);
    const row = part.top + Math.floor((clientY - box.top - top) / down);
    return row >= part.top && row < part.bottom && column >= part.left && column < part.right ? { row, column } : undefined;
  };
  const zoom = (factor: number, { row, column }: Cell): void => setPart(zoomedPart(part, row, column, factor, slice.rows, slice.columns));
  const go = (down: number, across: number): void => {
    const clamp = (at: number, extent: number): number => Math.min(extent - 1, Math.max(0, at));
    const next = { row: clamp(cursor.row + down, slice.rows), column: clamp(cursor.column + across, slice.columns) };
    setCursor(next);
    setPart(showing(part, next.row, next.column, slice.rows, slice.columns));
    announce(say(next));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = keyOf(event, { go, zoom: (factor) => zoom(factor, cursor), all: () => setPart(whole(slice.rows, slice.columns)), slice });
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const drag = useRef<{ readonly cell: Cell; readonly part: Part; readonly x: number; readonly y: number; isMoved: boolean } | undefined>(undefined);
  return (
    <div
      ref={frame}
      class="map"
      role="group"
      aria-label="Cells: arrow keys move the cursor, + and − zoom, 0 shows all"
      tabIndex={0}
      data-own-keys
      onKeyDown={onKeyDown}
      onWheel={(event) => {
        // Of what scrolls the page, only what a person has gone into takes the wheel.
        if (event.deltaY === 0 || (document.activeElement !== event.currentTarget && !event.ctrlKey)) return;
        event.preventDefault();
        zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, cellAt(event) ?? cursor);
      }}
      onPointerDown={(event) => {
        const cell = cellAt(event);
        if (cell === undefined || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { cell, part, x: event.clientX, y: event.clientY, isMoved: false };
      }}
      onPointerMove={(event) => {
        hover(cellAt(event));
        const from = drag.current;
        if (from === undefined) return;
        const [right, below] = [event.clientX - from.x, event.clientY - from.y];
        if (Math.abs(right) + Math.abs(below) > 4) from.isMoved = true;
        if (from.isMoved) setPart(movedPart(from.part, -Math.round(below / down), -Math.round(right / across), slice.rows, slice.columns));
      }}
      onPointerUp={() => {
        const from = drag.current;
        drag.current = undefined;
        if (from === undefined || from.isMoved) return;
        setCursor(from.cell);
        announce(say(from.cell));
      }}
      onPointerCancel={() => (drag.current = undefined)}
      onPointerLeave={() => hover(undefined)}
    >
      <canvas ref={canvas} role="img" aria-label={label} style={{ width: `${width}px`, height: `${height}px` }} data-x={left} data-y={top} data-across={across} data-down={down} />
    </div>
  );
}

interface Moves {
  go(down: number, across: number): void;
  zoom(factor: number): void;
  all(): void;
  readonly slice: { readonly rows: number; readonly columns: number };
}

function keyOf({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent, { go, zoom, all, slice }: Moves): (() => void) | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  const far = shiftKey ? 10 : 1;
  switch (key) {
    case "ArrowLeft":
      return () => go(0, -far);
    case "ArrowRight":
      return () => go(0, far);
    case "ArrowUp":
      return () => go(-far, 0);
    case "ArrowDown":
      return () => go(far, 0);
    case "PageUp":
      return () => go(-slice.rows, 0);
    case "PageDown":
      return () => go(slice.rows, 0);
    case "Home":
      return () => go(0, -slice.columns);
    case "End":
      return () => go(0, slice.columns);
    case "+":
    case "=":
      return () => zoom(ZOOM);
    case "-":
      return () => zoom(1 / ZOOM);
    case "0":
      return all;
    default:
      return undefined;
  }
}

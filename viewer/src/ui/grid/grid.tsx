/**
 * A grid of as many cells as there are: only those in sight are elements of the page.
 *
 * What is in sight lies on a layer that stays where it is while the bars move, so that nothing is ever blank; where the bars are shorter than the
 * rows, see scroll.ts. Around it stand the panel's controls, panel.tsx.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { visible } from "../../data/visible.js";
import "./grid.css";
import { type Cell, moved } from "./keys.js";
import type { GridModel } from "./model.js";
import { type Axis, clampedTop, extentOf, inSight, isScaled, lastTop, revealing, scrolledTo, topAt } from "./scroll.js";

/** Pixels of a row and of the head. */
const ROW_PX = 24;
/** Pixels besides the characters of a cell. */
const PADDING_PX = 20;

interface Props {
  readonly model: GridModel;
  readonly label: string;
  readonly cursor: Cell;
  moveTo(cell: Cell): void;
  /** Told which rows are in sight, whenever these are others. */
  onSight?(first: number, last: number): void;
  /** Copies the cell at the cursor. */
  copy(): void;
}

interface Place {
  readonly top: number;
  readonly left: number;
}

/** The grid. */
export function Grid({ model, label, cursor, moveTo, onSight, copy }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [size, setSize] = useState({ width: 0, height: 0, character: 8 });
  const [place, setPlace] = useState<Place>({ top: 0, left: 0 });
  const headPx = Math.ceil(Math.min(40, Math.max(model.headWidth, model.corner.length)) * size.character) + PADDING_PX;
  const rows: Axis = { count: model.rows, size: ROW_PX, view: Math.max(ROW_PX, size.height - ROW_PX) };
  const pixels = (characters: number): number => Math.ceil(characters * size.character) + PADDING_PX;
  const unlike = model.widths?.map(pixels);
  // Of unlike columns, which are few, all are in sight, and the bar goes by their mean.
  const columnPx = unlike === undefined ? pixels(model.width) : unlike.reduce((sum, width) => sum + width, 0) / unlike.length;
  const columns: Axis = { count: model.columns, size: columnPx, view: Math.max(1, size.width - headPx) };
  const [top, left] = [clampedTop(place.top, rows), clampedTop(place.left, columns)];
  const [firstRow, lastRow] = inSight(top, rows);
  const [firstColumn, lastColumn] = unlike === undefined ? inSight(left, columns) : [0, unlike.length - 1];
  const isInSight = cursor.row >= firstRow && cursor.row <= lastRow && cursor.column >= firstColumn && cursor.column <= lastColumn;
  // What a listener that was installed once goes by.
  const now = { rows, columns, top, left };
  const latest = useRef(now);
  latest.current = now;

  useMeasure(box, setSize);
  useScrolling(box, latest, setPlace);
  useLayoutEffect(() => {
    // The bars follow, where it was not they that moved.
    const element = box.current;
    if (element === null) return;
    const [down, right] = [scrolledTo(top, rows), scrolledTo(left, columns)];
    if (Math.abs(element.scrollTop - down) >= 1) element.scrollTop = down;
    if (Math.abs(element.scrollLeft - right) >= 1) element.scrollLeft = right;
  }, [top, left, rows.count, rows.view, columns.count, columns.size, columns.view]);
  useEffect(() => onSight?.(firstRow, lastRow), [firstRow, lastRow, onSight]);
  useEffect(() => {
    if (size.height === 0) return;
    setPlace((before) => ({ top: revealing(cursor.row, before.top, latest.current.rows), left: revealing(cursor.column, before.left, latest.current.columns) }));
  }, [cursor, size.height, size.width]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const isCtrl = event.ctrlKey || event.metaKey;
    if (isCtrl && event.key.toLowerCase() === "c" && getSelection()?.isCollapsed !== false) {
      event.preventDefault();
      copy();
      return;
    }
    const page = Math.max(1, Math.floor(rows.view / ROW_PX) - 1);
    const next = moved(cursor, event.key, isCtrl, { rows: model.rows, columns: model.columns, page });
    if (next === undefined || event.altKey) return;
    event.preventDefault();
    moveTo(next);
  };
  const rowNumbers = range(firstRow, lastRow);
  const columnNumbers = range(firstColumn, lastColumn);
  const before = (column: number): number => unlike?.slice(0, column).reduce((sum, width) => sum + width, 0) ?? column * columnPx;
  const x = (column: number): number => headPx + Math.round(before(column) - left * columnPx);
  const widthOf = (column: number): number => unlike?.[column] ?? columnPx;
  const y = (row: number): number => ROW_PX + Math.round((row - top) * ROW_PX);
  // Elements are used again for the next cells: a place in a pool, not the number, is their key.
  const [rowPool, columnPool] = [Math.ceil(rows.view / rows.size) + 2, Math.ceil(columns.view / columns.size) + 2 + (unlike?.length ?? 0)];
  return (
    <div
      ref={box}
      class="grid-box"
      role="grid"
      aria-label={label}
      aria-rowcount={model.rows + 1}
      aria-colcount={model.columns + 1}
      aria-activedescendant={isInSight ? id : undefined}
      data-own-keys
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="grid-extent" style={{ width: `${headPx + extentOf(columns)}px`, height: `${ROW_PX + extentOf(rows)}px` }} />
      <div class="grid-layer" style={{ width: `${size.width}px`, height: `${size.height}px` }}>
        {rowNumbers.map((row) => (
          <div key={row % rowPool} role="row" aria-rowindex={row + 2} class={row % 2 === 1 ? "grid-row odd" : "grid-row"} style={{ transform: `translateY(${y(row)}px)`, width: `${rowEnd(columns, headPx, size.width)}px` }}>
            {columnNumbers.map((column) => {
              const text = model.cell(row, column);
              const isCursor = row === cursor.row && column === cursor.column;
              return (
                <div
                  key={column % columnPool}
                  role="gridcell"
                  aria-colindex={column + 2}
                  id={isCursor ? id : undefined}
                  aria-selected={isCursor}
                  class={`grid-cell${text === undefined ? " waiting" : ""}${model.isText?.(column) === true ? " running" : ""}`}
                  style={{ transform: `translateX(${x(column)}px)`, width: `${widthOf(column)}px` }}
                  onPointerDown={() => moveTo({ row, column })}
                >
                  {text === undefined ? "…" : visible(text)}
                </div>
              );
            })}
            <div key="head" role="rowheader" aria-colindex={1} class="grid-cell grid-name" style={{ width: `${headPx}px` }}>
              {visible(model.rowName(row))}
            </div>
          </div>
        ))}
        <div role="row" aria-rowindex={1} class="grid-row grid-head" style={{ width: `${rowEnd(columns, headPx, size.width)}px` }}>
          {columnNumbers.map((column) => (
            <div key={column % columnPool} role="columnheader" aria-colindex={column + 2} class={`grid-cell${model.isText?.(column) === true ? " running" : ""}`} title={visible(model.columnName(column))} style={{ transform: `translateX(${x(column)}px)`, width: `${widthOf(column)}px` }}>
              {visible(model.columnName(column))}
            </div>
          ))}
          <div key="head" role="columnheader" aria-colindex={1} class="grid-cell grid-name" style={{ width: `${headPx}px` }}>
            {visible(model.corner)}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Rows of few columns end with them. */
function rowEnd(columns: Axis, headPx: number, width: number): number {
  return Math.min(width, headPx + columns.count * columns.size);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/** Follows the size of the grid and of its characters. */
function useMeasure(box: { readonly current: HTMLDivElement | null }, tell: (size: { width: number; height: number; character: number }) => void): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const probe = document.createElement("span");
    probe.className = "grid-probe";
    probe.textContent = "0".repeat(100);
    element.append(probe);
    const character = probe.getBoundingClientRect().width / 100;
    probe.remove();
    const measure = (): void => tell({ width: element.clientWidth, height: element.clientHeight, character });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
}

interface Latest {
  readonly rows: Axis;
  readonly columns: Axis;
  readonly top: number;
  readonly left: number;
}

/** Bars and wheel. Of an axis whose bar is shorter than it the wheel moves rows, not the bar. */
function useScrolling(box: { readonly current: HTMLDivElement | null }, latest: { current: Latest }, setPlace: (change: (before: Place) => Place) => void): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const onScroll = (): void => {
      const { rows, columns, top, left } = latest.current;
      // Places are rounded by the browser: what it says back of our own is not taken for a move.
      const isOwn = (scrolled: number, at: number, axis: Axis): boolean => Math.abs(scrolled - scrolledTo(at, axis)) < 1;
      setPlace((before) => ({
        top: isOwn(element.scrollTop, top, rows) ? before.top : topAt(element.scrollTop, rows),
        left: isOwn(element.scrollLeft, left, columns) ? before.left : topAt(element.scrollLeft, columns),
      }));
    };
    const onWheel = (event: WheelEvent): void => {
      const { rows } = latest.current;
      if (event.ctrlKey || event.shiftKey || !isScaled(rows) || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? (event.deltaY * rows.view) / ROW_PX : event.deltaY / ROW_PX;
      setPlace((before) => ({ ...before, top: Math.min(lastTop(rows), Math.max(0, before.top + lines)) }));
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("wheel", onWheel);
    };
  }, []);
}

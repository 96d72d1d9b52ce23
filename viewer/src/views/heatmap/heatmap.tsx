/** Two axes of one Item as cells of colours, with the exact value of each under the pointer and the cursor. */
import { useMemo, useState } from "preact/hooks";
import { type ArrayFieldInfo, type DenseArray, type Item } from "dreamdb-arrays";
import { axisNames, meaning as declared, typeText, unitsText } from "../../data/describe.js";
import { countText, valueText } from "../../data/numbers.js";
import { choose, link } from "../../state/link.js";
import { isDark } from "../../state/theme.js";
import { visible } from "../../data/visible.js";
import { Read } from "../../ui/read.js";
import { useItem } from "../item.js";
import { useShown, type ViewProps } from "../props.js";
import { MAPS, tableOf } from "./colours.js";
import { ColourLegend, type Meaning } from "./legend.js";
import { type Cell, CellMap } from "./map.js";
import { AxisPickers, ColourPickers, type RangeChoice } from "./pickers.js";
import { pictureOf } from "./picture.js";
import { finiteRange, oddOnes, placing, type Range, typedRange } from "./range.js";
import { type Part, type Pick, PICKS } from "./raster.js";
import { shortText } from "./short.js";
import { type Axes, axesOf, cellOf, elementsOf, indexOfCell, type Slice, sliceOf } from "./slice.js";
import type { Painted } from "./surface.js";
import { whole } from "./view-port.js";
import "./heatmap.css";

/** The view. */
export function Heatmap(props: ViewProps<ArrayFieldInfo>) {
  const reading = useItem<DenseArray>(props);
  return <Read reading={reading}>{(item) => <Map info={props.info} item={item} />}</Read>;
}

function Map({ info, item }: { readonly info: ArrayFieldInfo; readonly item: Item<DenseArray> }) {
  const { choices } = link.value;
  const shape = item.shape;
  const names = useMemo(() => axisNames(info), [info]);
  const axes = useMemo(() => axesOf(shape, choices), [shape.join(), choices["rows"], choices["columns"], choices["index"]]);
  const slice = useMemo(() => sliceOf(item, axes), [item, axes]);
  const map = MAPS.find((name) => name === choices["map"]) ?? "viridis";
  const pick = PICKS.find((name) => name === choices["pick"]) ?? "greatest";
  const data = useMemo(() => elementsOf(slice), [slice]);
  const isWhole = slice.rows * slice.columns === item.data.length;
  const { range, choice } = useMemo(() => rangeOf(choices, data, item), [data, item, choices["range"], choices["min"], choices["max"]]);
  const table = useMemo(() => tableOf(map), [map]);
  const place = useMemo(() => placing(range ?? { least: 0, greatest: 0 }), [range]);
  const odd = useMemo(() => oddOnes(data), [data]);
  const [parts, setParts] = useState<{ readonly of: string; readonly part: Part }>();
  const [cursor, setCursor] = useState<Cell>({ row: 0, column: 0 });
  const [hovered, setHovered] = useState<Cell>();
  const kind = `${slice.rows}×${slice.columns}/${axes.rows}/${axes.columns}`;
  const part = parts?.of === kind ? parts.part : whole(slice.rows, slice.columns);
  const dark = isDark.value;
  const within = { row: Math.min(cursor.row, slice.rows - 1), column: Math.min(cursor.column, slice.columns - 1) };
  const text = (value: number | bigint | undefined): string => (value === undefined ? "none" : valueText(value, item.dtype));
  const nameOf = (axis: number | undefined): string => (axis === undefined ? "" : visible(names[axis] ?? "").slice(0, 40));
  const painted: Painted = useMemo(
    () => ({
      slice,
      part,
      place,
      table,
      pick,
      rowName: nameOf(axes.rows),
      columnName: nameOf(axes.columns),
      cursor: within,
      colours: dark ? { text: "#a9b6c3", ground: "#12171d" } : { text: "#4b5866", ground: "#ffffff" },
      short: (value) => shortText(value, item.dtype),
    }),
    [slice, part.top, part.left, part.bottom, part.right, place, table, pick, within.row, within.column, dark],
  );
  const units = unitsText(info);
  const meaning: Meaning = {
    least: range === undefined ? "nothing finite" : `${choice === "fixed" ? "≤ " : ""}${text(range.least)}`,
    greatest: range === undefined ? "" : `${choice === "fixed" ? "≥ " : ""}${text(range.greatest)}`,
    units,
    of: choice === "fixed" ? "fixed" : choice === "item" ? "of the whole Item" : isWhole ? "of the Item" : "of this slice",
    ...odd,
  };
  const what = whatText(axes, names, isWhole);
  const say = (cell: Cell): string => `${placeText(axes, names, cell)}: ${text(cellOf(slice, cell.row, cell.column))}${units}`;
  useShown(
    () => ({
      info,
      anchor: item.anchor,
      what,
      data,
      array: arrayOf(data, item, slice, axes),
      table: tableFor(slice, axes, names, item.dtype, units),
      verified: item.verified,
      picture: () => pictureOf(painted, { title: visible(info.name), facts: factsText(info, item.anchor, what), meaning }),
    }),
    [data, painted, map, meaning.least, meaning.greatest, meaning.of],
  );
  if (item.data.length === 0) return <p class="note">The Item has no elements: one of its extents is 0.</p>;
  const seen = hovered ?? within;
  const zoomed = part.bottom - part.top < slice.rows || part.right - part.left < slice.columns;
  return (
    <div class="heatmap">
      <div class="pickers">
        <AxisPickers shape={shape} names={names} axes={axes} />
        <ColourPickers map={map} range={choice} ends={[range === undefined ? "0" : text(range.least), range === undefined ? "1" : text(range.greatest)]} isWhole={isWhole} />
      </div>
      <ColourLegend table={table} meaning={meaning} />
      <p class="cell" data-cell={hovered === undefined ? "cursor" : "pointer"}>
        <span class="label">{hovered === undefined ? "cursor" : "pointer"}</span> <bdi>{placeText(axes, names, seen)}</bdi> <code>{indexText(indexOfCell(axes, seen.row, seen.column))}</code>{" "}
        <strong data-cell-value>{text(cellOf(slice, seen.row, seen.column))}</strong>
        <bdi>{visible(units)}</bdi>
      </p>
      <CellMap
        painted={painted}
        label={`${visible(info.name).slice(0, 60)}: ${slice.rows} × ${slice.columns} cells from ${meaning.least} to ${meaning.greatest}${units}${odd.nan > 0 ? `, ${odd.nan} NaN` : ""}`}
        cursor={within}
        setPart={(next) => setParts({ of: kind, part: next })}
        setCursor={setCursor}
        hover={setHovered}
        say={say}
      />
      <Coarseness part={part} pick={pick} zoomed={zoomed} all={() => setParts(undefined)} />
    </div>
  );
}

/** More cells in sight than this many along a side are more than a usual screen has pixels for. */
const MANY = 400;

/** What part of the cells is in sight, and which of several cells a pixel shows. */
function Coarseness({ part, pick, zoomed, all }: { readonly part: Part; readonly pick: Pick; readonly zoomed: boolean; all(): void }) {
  const [rows, columns] = [part.bottom - part.top, part.right - part.left];
  const isMany = rows > MANY || columns > MANY;
  if (!zoomed && !isMany) return null;
  return (
    <p class="coarse">
      {zoomed && (
        <>
          <span data-part>
            rows {part.top} to {part.bottom - 1}, columns {part.left} to {part.right - 1}
          </span>{" "}
          <button type="button" class="small" onClick={all}>
            All cells
          </button>{" "}
        </>
      )}
      {isMany && (
        <label>
          <span class="label">{countText(rows * columns)} cells; where several share a pixel it shows</span>{" "}
          <select aria-label="Of several cells" value={pick} onChange={({ currentTarget }) => choose("pick", currentTarget.value)}>
            {PICKS.map((name) => (
              <option value={name}>{name === "nearest" ? "the one in the middle" : `the ${name}`}</option>
            ))}
          </select>
        </label>
      )}
    </p>
  );
}

function rangeOf(choices: Readonly<Record<string, string>>, data: DenseArray["data"], item: DenseArray): { readonly range: Range | undefined; readonly choice: RangeChoice } {
  const fixed = choices["range"] === "fixed" ? typedRange(choices["min"], choices["max"]) : undefined;
  if (fixed !== undefined) return { range: fixed, choice: "fixed" };
  if (choices["range"] === "item") return { range: finiteRange(item.data), choice: "item" };
  return { range: finiteRange(data), choice: "slice" };
}

function arrayOf(data: DenseArray["data"], { dtype }: DenseArray, { rows, columns }: Slice, axes: Axes): DenseArray {
  const shape = axes.columns === undefined ? [] : axes.rows === undefined ? [columns] : [rows, columns];
  const strides = shape.length === 2 ? [columns, 1] : shape.map(() => 1);
  return { family: "dense-array", dtype, data, shape, strides, order: "c" };
}

function tableFor(slice: Slice, { rows, columns }: Axes, names: readonly string[], dtype: string, units: string) {
  const [down, across] = [rows === undefined ? "" : (names[rows] ?? ""), columns === undefined ? "" : (names[columns] ?? "value")];
  const unit = units === "" ? "" : ` (${units.trim()})`;
  return {
    names: [...(rows === undefined ? [] : [down]), ...Array.from({ length: slice.columns }, (_, column) => `${columns === undefined ? "value" : `${across} ${column}`}${unit}`)],
    *lines() {
      for (let row = 0; row < slice.rows; row++) {
        const cells = Array.from({ length: slice.columns }, (_, column) => valueText(cellOf(slice, row, column) ?? "", dtype));
        yield rows === undefined ? cells : [String(row), ...cells];
      }
    },
  };
}

/** `slice time = 3, layer = 0`. */
function whatText({ rows, columns, index }: Axes, names: readonly string[], isWhole: boolean): string {
  if (isWhole) return "Item";
  return `slice ${index.flatMap((number, axis) => (axis === rows || axis === columns ? [] : [`${names[axis]} = ${number}`])).join(", ")}`;
}

function placeText({ rows, columns }: Axes, names: readonly string[], { row, column }: Cell): string {
  const part = (axis: number | undefined, at: number): string[] => (axis === undefined ? [] : [`${visible(names[axis] ?? "").slice(0, 40)} ${at}`]);
  return [...part(rows, row), ...part(columns, column)].join(", ") || "scalar";
}

function indexText(index: readonly number[]): string {
  return index.length === 0 ? "" : `[${index.join(", ")}]`;
}

function factsText(info: ArrayFieldInfo, anchor: bigint | undefined, what: string): string {
  const facts = [typeText(info), ...declared(info).map(([, text]) => text), anchor === undefined ? "Constant" : `anchor ${anchor}`, what];
  return facts.map(visible).join("  ·  ");
}


/** Exact values of every kind of Item. What a table is of which family stands beside this file. */
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { type ArrayFieldInfo, type ArrayValue, type DenseArray, type FieldInfo, isArrayField, isScalarField, type Item, type ScalarFieldInfo } from "dreamdb-arrays";
import { axisNames, raggedNames, unitsText } from "../../data/describe.js";
import { lastOf, useReading } from "../../reading.js";
import { choose, link } from "../../state/link.js";
import { windowOfField } from "../../state/window.js";
import type { GridModel } from "../../ui/grid/model.js";
import { GridPanel } from "../../ui/grid/panel.js";
import { Read } from "../../ui/read.js";
import { useItem } from "../item.js";
import { useBusy, useShown, type ViewProps } from "../props.js";
import { LINE_UP_TO, scalarTable } from "./anchored.js";
import { AxisPickers } from "./axes.js";
import { rowOf } from "./chosen.js";
import { denseTable, slicedArray, sliceOf, sliceText } from "./dense.js";
import type { TableModel } from "./model.js";
import { csrTable, matrixNames, raggedTable } from "./structured.js";
import "./table.css";
import { WindowTable } from "./window.js";

/** The table of a field. */
export function Table(props: ViewProps<FieldInfo>) {
  const { info } = props;
  if (isScalarField(info)) return <ScalarTable {...props} info={info} />;
  if (!isArrayField(info)) return <p class="note">There is no table of this kind.</p>;
  const canLine = info.family === "dense-array" && info.trackKind !== "constant" && elementsOf(info) <= LINE_UP_TO;
  const isWindow = canLine && link.value.choices["of"] === "window";
  const modes = canLine && <Modes isWindow={isWindow} />;
  return <div class="table-view">{isWindow ? <WindowTable {...props} info={info} modes={modes} /> : <ItemTable {...props} info={info} modes={modes} />}</div>;
}

function elementsOf({ shape = [] }: ArrayFieldInfo): number {
  return shape.reduce((product, extent) => product * Number(extent), 1);
}

function Modes({ isWindow }: { readonly isWindow: boolean }) {
  return (
    <div class="modes" role="group" aria-label="Rows of the table">
      <button type="button" class="small" aria-pressed={!isWindow} onClick={() => choose("of", undefined)}>
        One Item
      </button>
      <button type="button" class="small" aria-pressed={isWindow} onClick={() => choose("of", "window")}>
        A row per Item
      </button>
    </div>
  );
}

function ItemTable(props: ViewProps<ArrayFieldInfo> & { readonly modes: ComponentChildren }) {
  const { info, anchor, modes } = props;
  const reading = useItem(props);
  const item = lastOf(reading);
  const { choices } = link.value;
  const made = useMemo(() => (item === undefined ? undefined : tableOf(item, info, choices)), [item, info, choices]);
  const width = useRef(0);
  useShown(() => {
    if (item === undefined || made === undefined || reading.state !== "value") return undefined;
    const { what, array, axes, model } = made;
    return { info, anchor: item.anchor, what, verified: item.verified, data: array?.data ?? ("values" in item ? item.values : undefined), array, axes, table: model };
  }, [made, reading.state]);
  return (
    <Read reading={reading}>
      {() => {
        if (made === undefined) return null;
        // Stepping from Item to Item must not make columns jump.
        width.current = Math.max(width.current, made.model.width);
        const isSparse = info.family === "sparse-csr";
        return (
          <Panel model={{ ...made.model, width: width.current }} label={`Values of ${info.name}${anchor === undefined ? "" : ` at ${anchor}`}`} goTo={isSparse ? "Go to stored element" : "Go to row"} units={unitsText(info)}>
            {modes}
            {info.family === "dense-array" && <AxisPickers info={info} shape={(item as Item<DenseArray>).shape} />}
          </Panel>
        );
      }}
    </Read>
  );
}

interface PanelProps {
  readonly model: GridModel;
  readonly label: string;
  readonly goTo: string;
  readonly units?: string;
  readonly children?: ComponentChildren;
}

function Panel({ children, ...props }: PanelProps) {
  const row = rowOf(link.value.choices["row"]);
  return (
    <GridPanel {...props} row={row} onGo={(found) => choose("row", String(found))}>
      {children}
    </GridPanel>
  );
}

interface Made {
  readonly model: TableModel;
  readonly what: string;
  readonly array?: DenseArray;
  readonly axes?: readonly string[];
}

function tableOf(item: Item<ArrayValue>, info: ArrayFieldInfo, choices: Readonly<Record<string, string>>): Made {
  const { units } = info.type;
  if (item.family === "dense-array") {
    const names = axisNames(info);
    const slice = sliceOf(item.shape, choices);
    return { model: denseTable(item, names, units, slice), what: sliceText(names, slice), ...slicedArray(item, slice, names) };
  }
  if (item.family === "ragged-array") return { model: raggedTable(item, raggedNames(info), units), what: "Item" };
  return { model: csrTable(item, matrixNames(info), units), what: "stored elements" };
}

function ScalarTable({ ds, info }: ViewProps<ScalarFieldInfo>) {
  const { start, end } = windowOfField(info);
  const reading = useReading([ds, info], [start, end], (signal) => ds.scalar(info.name).column({ start, end, signal }));
  useBusy(reading.state === "reading");
  const column = lastOf(reading);
  const model = useMemo(() => (column === undefined ? undefined : scalarTable(column)), [column]);
  useShown(() => {
    if (column === undefined || model === undefined || reading.state !== "value") return undefined;
    const { values, anchors, verified } = column;
    const [first, last] = [anchors[0], anchors.at(-1)];
    const array: DenseArray | undefined = values instanceof Float64Array || values instanceof BigInt64Array ? vector(values) : undefined;
    const window = first === undefined || last === undefined ? {} : { window: [first, last] as const };
    return { info, ...window, what: `column of ${anchors.length} rows`, verified, data: array?.data, array, axes: ["anchor"], table: model };
  }, [model, reading.state]);
  return (
    <Read reading={reading}>
      {() =>
        model !== undefined && (
          <div class="table-view">
            <Panel model={model} label={`Values of ${info.name}`} goTo="Go to anchor" />
          </div>
        )
      }
    </Read>
  );
}

function vector(data: Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>): DenseArray {
  const dtype = data instanceof Float64Array ? "f64" : "i64";
  return { family: "dense-array", dtype, data, shape: [data.length], strides: [1], order: "c" };
}

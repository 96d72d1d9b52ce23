/** One ragged Item: its rows with their lengths, one of them whole, and how many rows are how long. Of a large Item only the rows in sight are read. */
import type { ComponentChildren } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";
import type { ArrayFieldInfo, DenseArray, Item, RaggedArray } from "dreamdb-arrays";
import { raggedNames, unitsText } from "../../data/describe.js";
import { bytesText, countText } from "../../data/numbers.js";
import { lastOf, useReading } from "../../reading.js";
import { choose, link } from "../../state/link.js";
import { FailureCard } from "../../ui/failure-card.js";
import { GridPanel } from "../../ui/grid/panel.js";
import { Fact } from "../../ui/fact.js";
import { Read } from "../../ui/read.js";
import { useBlocks } from "../blocks.js";
import { useShown, type ViewProps } from "../props.js";
import { type RowItem, useRowItem } from "../row-item.js";
import { rowOf } from "../table/chosen.js";
import { cellsTable, raggedTable } from "../table/structured.js";
import { Histogram } from "./histogram.js";
import { lengthsOf } from "./lengths.js";
import { listOf, type RowStart, rowStart } from "./list.js";
import { type ReadRow, readRow, rowOfItem } from "./row.js";
import "./ragged.css";

type Props = ViewProps<ArrayFieldInfo>;

/** The rows of an Item. */
export function Rows(props: Props) {
  const { choices } = link.value;
  const reading = useRowItem<RaggedArray>(props, choices["whole"] === "1");
  return (
    <Read reading={reading}>
      {(item) => (item.whole === undefined ? <Large {...props} item={item} isCurrent={reading.state === "value"} /> : <Whole {...props} item={item.whole} isCurrent={reading.state === "value"} />)}
    </Read>
  );
}

function Whole({ info, item, isCurrent }: Props & { readonly item: Item<RaggedArray>; readonly isCurrent: boolean }) {
  const rows = item.rowOffsets.length - 1;
  const chosen = rowOf(link.value.choices["row"]);
  const isThere = chosen !== undefined && chosen < rows;
  const row = isThere ? chosen : 0;
  const lengths = useMemo(() => lengthsOf(item.rowOffsets), [item]);
  const list = useMemo(() => listOf(rows, raggedNames(info).row, (at) => rowStart(item, at)), [item, info]);
  const read = useMemo(() => (rows === 0 ? undefined : rowOfItem(item, row)), [item, row]);
  useShown(() => {
    if (!isCurrent) return undefined;
    const { anchor, verified, values } = item;
    if (isThere && read !== undefined) return shownRow(info, read, rows);
    return { info, anchor, what: `Item, ${rows} rows`, verified, data: values, table: raggedTable(item, raggedNames(info), info.type.units) };
  }, [item, read, isThere, isCurrent]);
  return (
    <div class="rows-view">
      <dl class="facts" data-totals>
        <Fact name="rows" text={countText(lengths.rows)} />
        <Fact name="cells" text={countText(lengths.cells)} />
        <Fact name="shortest" text={countText(lengths.least)} />
        <Fact name="longest" text={countText(lengths.greatest)} />
        <Fact name="without cells" text={countText(lengths.empty)} />
      </dl>
      <List info={info} model={list} row={row} />
      <Cells info={info} row={row} read={read} />
      <Histogram lengths={lengths} />
    </div>
  );
}

type LargeItem = Extract<RowItem<RaggedArray>, { rows: number }>;

/** Rows of a block are so many that they come to about as many bytes. */
const BLOCK_BYTES = 256_000;

function Large({ ds, info, item, isCurrent }: Props & { readonly item: LargeItem; readonly isCurrent: boolean }) {
  const { anchor, rows, bytes } = item;
  const chosen = rowOf(link.value.choices["row"]);
  const row = chosen !== undefined && chosen < rows ? chosen : 0;
  const [sight, setSight] = useState<readonly [number, number]>([0, 0]);
  const field = useMemo(() => ds.ragged(info.name), [ds, info]);
  const size = Math.max(1, Math.min(64, Math.floor(BLOCK_BYTES / Math.max(1, bytes / Math.max(1, rows)))));
  const blocks = useBlocks<RowStart>([field, anchor], { count: rows, size, most: 128 }, sight, async (start, end, signal) => {
    const read = await field.readRows(anchor, { start, end }, { signal });
    return Array.from({ length: end - start }, (_, at) => (read === undefined ? { cells: 0, begin: "" } : rowStart(read, at)));
  });
  const onSight = useCallback((first: number, last: number) => setSight([first, last]), []);
  const reading = useReading([field], [anchor, row], (signal) => readRow(field, anchor, row, signal));
  const read = lastOf(reading);
  useShown(() => (isCurrent && reading.state === "value" && reading.value !== undefined ? shownRow(info, reading.value, rows) : undefined), [reading, isCurrent]);
  return (
    <div class="rows-view">
      <dl class="facts" data-totals>
        <Fact name="rows" text={countText(rows)} />
        <Fact name="Item" text={bytesText(bytes)} />
        <div>
          <dd>
            Only the rows in sight are read.{" "}
            <button type="button" class="small" onClick={() => choose("whole", "1")}>
              Read all {bytesText(bytes)}
            </button>
          </dd>
        </div>
      </dl>
      <List info={info} model={listOf(rows, raggedNames(info).row, (at) => blocks.get(at))} row={row} onSight={onSight}>
        {blocks.failure !== undefined && <FailureCard error={blocks.failure} retry={() => blocks.retry()} />}
      </List>
      <Read reading={reading}>{() => <Cells info={info} row={row} read={read} />}</Read>
    </div>
  );
}

function shownRow(info: ArrayFieldInfo, { row, array, anchor, verified }: ReadRow, rows: number) {
  const names = raggedNames(info);
  const table = cellsTable({ data: array.data, dtype: array.dtype, cells: array.shape[0] ?? 0 }, array.shape.slice(1), names, info.type.units);
  return { info, anchor, what: `${names.row} ${row} of ${rows}`, verified, data: array.data, array, axes: [names.cell, ...names.inner], table };
}

function List({ info, model, row, onSight, children }: { readonly info: ArrayFieldInfo; readonly model: ReturnType<typeof listOf>; readonly row: number; onSight?(first: number, last: number): void; readonly children?: ComponentChildren }) {
  return (
    <section class="list" aria-label="Rows">
      {children}
      <GridPanel model={model} label={`Rows of ${info.name}`} goTo="Go to row" row={row} onCursor={(cell) => choose("row", String(cell.row))} {...(onSight === undefined ? {} : { onSight })} />
    </section>
  );
}

function Cells({ info, row, read }: { readonly info: ArrayFieldInfo; readonly row: number; readonly read: ReadRow | undefined }) {
  const model = useMemo(() => {
    const array: DenseArray | undefined = read?.array;
    return array && cellsTable({ data: array.data, dtype: array.dtype, cells: array.shape[0] ?? 0 }, array.shape.slice(1), raggedNames(info), info.type.units);
  }, [read, info]);
  if (model === undefined || read === undefined) return <p class="note">There are no rows.</p>;
  return (
    <section class="reader" aria-label={`Row ${row}`}>
      <GridPanel model={model} label={`Cells of row ${read.row}`} goTo="Go to cell" units={unitsText(info)}>
        <strong data-row={read.row}>
          Row {countText(read.row)}: {countText(model.rows)} {model.rows === 1 ? "cell" : "cells"}
        </strong>
      </GridPanel>
    </section>
  );
}

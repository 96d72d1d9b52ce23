/** One sparse matrix: where elements are stored, and one row exactly. It is never made dense. Of a large one only the chosen row is read. */
import { useMemo, useRef } from "preact/hooks";
import type { ArrayFieldInfo, CsrArray, Item } from "dreamdb-arrays";
import { unitsText } from "../../data/describe.js";
import { aboutText, bytesText, countText } from "../../data/numbers.js";
import { lastOf, useReading } from "../../reading.js";
import { choose, link } from "../../state/link.js";
import { GridPanel } from "../../ui/grid/panel.js";
import { Fact } from "../../ui/fact.js";
import { Read } from "../../ui/read.js";
import { useShown, type ViewProps } from "../props.js";
import { type RowItem, useRowItem } from "../row-item.js";
import { csrRowTable, csrTable, matrixNames } from "../table/structured.js";
import { storedOf } from "./bins.js";
import type { Shade } from "./paint.js";
import { SpyPlot } from "./plot.js";
import { chosenRow, type MatrixRow, readMatrixRow, rowOfMatrix } from "./row.js";
import { RowInput } from "./row-input.js";
import "./spy.css";

type Props = ViewProps<ArrayFieldInfo>;

/** The plot and the row. */
export function Spy(props: Props) {
  const reading = useRowItem<CsrArray>(props, link.value.choices["whole"] === "1");
  const isCurrent = reading.state === "value";
  return <Read reading={reading}>{(item) => (item.whole === undefined ? <Large {...props} item={item} isCurrent={isCurrent} /> : <Whole {...props} item={item.whole} isCurrent={isCurrent} />)}</Read>;
}

function Whole({ info, item, isCurrent }: Props & { readonly item: Item<CsrArray>; readonly isCurrent: boolean }) {
  const { choices } = link.value;
  const names = matrixNames(info);
  const shade: Shade = choices["colour"] === "magnitude" ? "magnitude" : "presence";
  const canvas = useRef<HTMLCanvasElement>(null);
  const { stored, zeros, nan, density } = useMemo(() => storedOf(item), [item]);
  const row = chosenRow(choices["row"], item.shape[0]);
  const read = useMemo(() => rowOfMatrix(item, row), [item, row]);
  useShown(() => {
    if (!isCurrent) return undefined;
    const { anchor, verified, values } = item;
    const picture = (): Promise<Blob> =>
      new Promise((resolve, reject) => {
        if (canvas.current === null) reject(new Error("nothing is drawn"));
        else canvas.current.toBlob((blob) => (blob === null ? reject(new Error("the browser made no picture")) : resolve(blob)));
      });
    return { info, anchor, what: `${stored} stored elements`, verified, data: values, table: csrTable(item, names, info.type.units), picture };
  }, [item, isCurrent]);
  return (
    <div class="spy-view">
      <div class="spy-head">
        <dl class="facts" data-totals>
          <Fact name="shape" text={`${countText(item.shape[0])} × ${countText(item.shape[1])}`} />
          <Fact name="stored" text={countText(stored)} />
          <Fact name="stored zeros" text={countText(zeros)} />
          {nan > 0 && <Fact name="NaN" text={countText(nan)} />}
          <Fact name="density" text={aboutText(density)} />
        </dl>
        <div class="modes" role="group" aria-label="Colour">
          <button type="button" class="small" aria-pressed={shade === "presence"} onClick={() => choose("colour", undefined)}>
            Where stored
          </button>
          <button type="button" class="small" aria-pressed={shade === "magnitude"} onClick={() => choose("colour", "magnitude")}>
            |value|
          </button>
        </div>
      </div>
      <SpyPlot
        matrix={item}
        names={names}
        units={unitsText(info)}
        shade={shade}
        choose={(chosen) => choose("row", String(chosen))}
        drawn={(drawn) => {
          canvas.current = drawn;
        }}
      />
      <Reader info={info} rows={item.shape[0]} row={row} read={read} />
    </div>
  );
}

type LargeItem = Extract<RowItem<CsrArray>, { rows: number }>;

function Large({ ds, info, item, isCurrent }: Props & { readonly item: LargeItem; readonly isCurrent: boolean }) {
  const { anchor, rows, bytes } = item;
  const row = chosenRow(link.value.choices["row"], BigInt(rows));
  const reading = useReading([ds, info], [anchor, row], (signal) => readMatrixRow(ds.csr(info.name), anchor, row, signal));
  const read = lastOf(reading);
  useShown(() => {
    if (!isCurrent || reading.state !== "value" || read === undefined) return undefined;
    const { values, verified } = read;
    return { info, anchor, what: `row ${read.row} of ${rows}`, verified, data: values, table: csrRowTable(read, matrixNames(info), info.type.units) };
  }, [reading, isCurrent]);
  return (
    <div class="spy-view">
      <dl class="facts" data-totals>
        <Fact name="shape" text={(info.shape ?? []).map(countText).join(" × ")} />
        <Fact name="Item" text={bytesText(bytes)} />
        <div>
          <dd>
            Only the chosen row is read.{" "}
            <button type="button" class="small" onClick={() => choose("whole", "1")}>
              Read all {bytesText(bytes)} and plot it
            </button>
          </dd>
        </div>
      </dl>
      <Read reading={reading}>{() => <Reader info={info} rows={BigInt(rows)} row={row} read={read} />}</Read>
    </div>
  );
}

function Reader({ info, rows, row, read }: { readonly info: ArrayFieldInfo; readonly rows: bigint; readonly row: bigint; readonly read: MatrixRow | undefined }) {
  const names = matrixNames(info);
  const model = useMemo(() => read && csrRowTable(read, names, info.type.units), [read, info]);
  return (
    <section class="reader" aria-label="One row">
      <RowInput axis={names[0] ?? "row"} row={row} rows={rows} />
      {model === undefined ? (
        <p class="note">There are no rows.</p>
      ) : model.rows === 0 ? (
        <p class="note" data-row={String(read?.row)}>
          Nothing is stored in it.
        </p>
      ) : (
        <GridPanel model={model} label={`Stored elements of row ${row}`} goTo="Go to stored element" units={unitsText(info)}>
          <strong data-row={String(read?.row)}>{countText(model.rows)} stored</strong>
        </GridPanel>
      )}
    </section>
  );
}

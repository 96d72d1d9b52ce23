/** Scalar values along the anchors: the one at the playhead, a band of runs, what the colours mean, and all runs as a table. */
import { useMemo, useState } from "preact/hooks";
import type { Dataset, ScalarFieldInfo } from "dreamdb-arrays";
import type { FieldAnchors, Window } from "../../data/anchors.js";
import { countText } from "../../data/numbers.js";
import { isDark } from "../../state/theme.js";
import { Copy } from "../../ui/copy.js";
import { visible } from "../../data/visible.js";
import { Read } from "../../ui/read.js";
import { rowAt } from "../lines/rows.js";
import { useShown, type ViewProps } from "../props.js";
import { Refusal } from "../windowed/refusal.js";
import { useWindow, type Windowed } from "../windowed/use-window.js";
import { Band } from "./band.js";
import { TOLD_APART } from "./colours.js";
import { pictureOf } from "./picture.js";
import { type LabelRows, readerOf } from "./read.js";
import { runAt, type Runs, runsOf } from "./runs.js";
import { RunsTable } from "./runs-table.js";
import { Swatch } from "./swatch.js";
import { Value } from "./value.js";
import "./labels.css";

/** Bytes of a value, about: texts may be longer, and come with the index whole anyhow. */
const COST = { bytes: 8, isRequest: false } as const;

/** The view. */
export function Labels({ ds, info, anchors, anchor }: ViewProps<ScalarFieldInfo>) {
  // Scalars have anchors.
  return anchors === undefined ? null : <Windows ds={ds} info={info} anchors={anchors} anchor={anchor} />;
}

function Windows({ ds, info, anchors, anchor }: { readonly ds: Dataset; readonly info: ScalarFieldInfo; readonly anchors: FieldAnchors; readonly anchor: bigint | undefined }) {
  const read = useMemo(() => readerOf(ds, info), [ds, info]);
  const { admission, reading, rows, window, agree } = useWindow<LabelRows>(ds, info, anchors, COST, read);
  if (rows === undefined && admission.verdict !== "read" && reading.state !== "failed") return <Refusal ds={ds} admission={admission} anchors={anchors} anchor={anchor} isRequest={COST.isRequest} agree={agree} />;
  return <Read reading={reading}>{() => (rows === undefined ? null : <Values info={info} rows={rows} window={window} anchor={anchor} />)}</Read>;
}

interface Props {
  readonly info: ScalarFieldInfo;
  readonly rows: NonNullable<Windowed<LabelRows>["rows"]>;
  readonly window: Window;
  readonly anchor: bigint | undefined;
}

function Values({ info, rows: { all, from, to }, window, anchor }: Props) {
  const [hovered, setHovered] = useState<number>();
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const runs = useMemo(() => runsOf((row) => all.textOf(row), from, to), [all, from, to]);
  const row = anchor === undefined ? undefined : rowAt(all.anchors, anchor);
  const isIn = row !== undefined && row >= from && row < to;
  const current = isIn ? runAt(runs.runs, row) : undefined;
  const name = visible(info.name).slice(0, 60);
  useShown(
    () =>
      to <= from
        ? undefined
        : {
            info,
            window: [all.anchors[from] ?? 0n, all.anchors[to - 1] ?? 0n],
            what: `${countText(to - from)} values, ${countText(runs.runs.length)} runs`,
            data: all.data?.subarray(from, to),
            table: {
              names: ["anchor", info.name],
              *lines() {
                for (let at = from; at < to; at++) yield [String(all.anchors[at]), all.textOf(at)];
              },
            },
            verified: all.verified,
            picture: canvas === null ? undefined : () => pictureOf(canvas, { name, valueType: info.valueType, window, runs, isDark: isDark.peek() }),
          },
    [all, from, to, runs, canvas],
  );
  const seen = hovered === undefined ? undefined : runs.runs[hovered];
  return (
    <div class="labels">
      <p class="now" aria-live="off">
        <span class="label">at the playhead</span>{" "}
        {row === undefined ? (
          <span class="note">no value in the window</span>
        ) : (
          <>
            <strong data-label="value">
              <Value text={all.textOf(row)} most={400} />
            </strong>{" "}
            <Copy label="Copy the value" text={() => all.textOf(row)} />
          </>
        )}
      </p>
      {to <= from ? (
        <p class="note">No row lies in this window.</p>
      ) : (
        <>
          <Band
            runs={runs}
            anchors={all.anchors}
            window={window}
            playhead={isIn ? anchor : undefined}
            isDark={isDark.value}
            hover={setHovered}
            ready={setCanvas}
            label={`${name}: ${countText(to - from)} values in ${countText(runs.runs.length)} runs, ${countText(runs.values.length)} of them distinct. The runs stand in the table below.`}
          />
          <p class="hovered" data-label="hovered">
            {seen === undefined ? (
              <span class="label">
                {String(window.start)} to {String(window.end - 1n)}
              </span>
            ) : (
              <>
                <Value text={runs.values[seen.value] ?? ""} most={80} /> <span class="label">from</span> {String(all.anchors[seen.from])} <span class="label">to</span> {String(all.anchors[seen.to - 1])}
              </>
            )}
          </p>
          <ValueLegend runs={runs} />
          <RunsTable runs={runs} anchors={all.anchors} current={current} />
        </>
      )}
    </div>
  );
}

/** Values that have a colour of their own; of the others how many there are. */
function ValueLegend({ runs: { values, counts } }: { readonly runs: Runs }) {
  const others = values.length - TOLD_APART;
  return (
    <ul class="value-legend" aria-label="Values">
      {values.slice(0, TOLD_APART).map((value, number) => (
        <li key={number} data-value={number}>
          <Swatch value={number} /> <Value text={value} most={32} /> <span class="label">{countText(counts[number] ?? 0)}</span>
        </li>
      ))}
      {others > 0 && (
        <li data-value="others">
          <Swatch value={TOLD_APART} /> <span class="label">{countText(others)} more values, in grey</span>
        </li>
      )}
    </ul>
  );
}

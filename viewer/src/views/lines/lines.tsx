/** Elements of many Items over the window: one line for each element that is chosen, and their exact values in a table beside it. */
import { useCallback, useMemo, useState } from "preact/hooks";
import { type ArrayFieldInfo, type Dataset, type FieldInfo, isArrayField, type ScalarFieldInfo } from "dreamdb-arrays";
import type { FieldAnchors, Window } from "../../data/anchors.js";
import { unitsText } from "../../data/describe.js";
import { countText, valueText } from "../../data/numbers.js";
import { link } from "../../state/link.js";
import { isDark } from "../../state/theme.js";
import { Read } from "../../ui/read.js";
import { useShown, type ViewProps } from "../props.js";
import { Progress, Refusal } from "../windowed/refusal.js";
import { useWindow, type Windowed } from "../windowed/use-window.js";
import { strokeOf } from "./colours.js";
import { baseOf, chosenValues, drawnValues, type NumberRows, originOf, places, valueOf } from "./columns.js";
import { Controls } from "./controls.js";
import { chosenElements, indexOfElement, indexText } from "./elements.js";
import { Legend, type Line } from "./legend.js";
import { pictureOf } from "./picture.js";
import type { Draw, Plot, Scene } from "./plot.js";
import { PlotArea } from "./plot-area.js";
import { costOf, readerOf } from "./read.js";
import { rowAt, rowNear } from "./rows.js";
import "./lines.css";

type Props = ViewProps<ArrayFieldInfo | ScalarFieldInfo>;

/** The view. */
export function Lines(props: Props) {
  const { ds, info, anchors } = props;
  // A Constant has no anchors, and is offered other views.
  return anchors === undefined ? <p class="note">A Constant has one value, which is no line.</p> : <Windows {...props} ds={ds} info={info} anchors={anchors} />;
}

function Windows({ ds, info, anchors, anchor }: Props & { readonly anchors: FieldAnchors }) {
  const read = useMemo(() => readerOf(ds, info), [ds, info]);
  const windowed = useWindow<NumberRows>(ds, info, anchors, costOf(info), read);
  const { admission, reading, rows } = windowed;
  if (rows === undefined && admission.verdict !== "read" && reading.state !== "failed") {
    return <Refusal ds={ds} admission={admission} anchors={anchors} anchor={anchor} isRequest={isArrayField(info)} agree={windowed.agree} />;
  }
  return (
    <div class="lines">
      {reading.state === "reading" && windowed.done > 0 && <Progress done={windowed.done} items={admission.items} withdraw={windowed.withdraw} />}
      <Read reading={reading}>{() => (rows === undefined ? null : <Chart ds={ds} info={info} rows={rows} window={windowed.window} anchor={anchor} />)}</Read>
    </div>
  );
}

interface ChartProps {
  readonly ds: Dataset;
  readonly info: FieldInfo;
  readonly rows: NonNullable<Windowed<NumberRows>["rows"]>;
  readonly window: Window;
  readonly anchor: bigint | undefined;
}

function Chart({ ds, info, rows: { all, from, to }, window, anchor }: ChartProps) {
  const { choices } = link.value;
  const [hovered, setHovered] = useState<number>();
  const [plot, setPlot] = useState<Plot>();
  const shape = useMemo(() => (isArrayField(info) ? (info.shape ?? []).map(Number) : []), [info]);
  const elements = useMemo(() => chosenElements(choices["elements"], all.width), [choices["elements"], all.width]);
  const dark = isDark.value;
  const base = useMemo(() => baseOf(all, elements), [all, elements]);
  const origin = originOf(all.anchors, window.start);
  const where = useMemo(() => places(all.anchors, origin), [all, origin]);
  const values = useMemo(() => elements.map((element) => drawnValues(all, element, base)), [all, elements, base]);
  const draw = drawOf(choices["draw"]);
  const lines: Line[] = useMemo(
    () => elements.map((element, at) => ({ element, name: indexText(indexOfElement(element, shape)) || "value", stroke: strokeOf(at, dark), values: values[at] ?? new Float64Array(0) })),
    [elements, values, dark],
  );
  const scene: Scene = useMemo(
    () => ({
      places: where,
      lines,
      from,
      to,
      origin,
      left: Number(window.start - origin),
      right: Number(window.start - origin) + Math.max(1, Number(window.end - 1n - window.start)),
      draw,
      xName: `anchor − ${window.start}`,
      yName: yNameOf(info, base),
      colours: dark ? { text: "#a9b6c3", grid: "#2a343f", ground: "#12171d" } : { text: "#4b5866", grid: "#e3e8ed", ground: "#ffffff" },
    }),
    [where, lines, from, to, origin, window.start, window.end, draw, dark, base, info],
  );
  const hover = useCallback((place: number | undefined) => setHovered(place === undefined ? undefined : rowNear(where, place, from, to)), [where, from, to]);
  const at = anchor === undefined ? undefined : rowAt(all.anchors, anchor);
  useShown(() => {
    if (to <= from) return undefined;
    const names = lines.map(({ name, element }) => (all.width === 1 ? info.name : `${name || element}`));
    const data = chosenValues(all, from, to, elements);
    const extents = all.width === 1 ? [to - from] : [to - from, elements.length];
    const units = unitsText(info);
    return {
      info,
      window: [all.anchors[from] ?? 0n, all.anchors[to - 1] ?? 0n],
      what: `${elements.length} of ${countText(all.width)} elements, ${countText(to - from)} Items`,
      data,
      array: { family: "dense-array", dtype: all.dtype, data, shape: extents, strides: all.width === 1 ? [1] : [elements.length, 1], order: "c" },
      table: {
        names: ["anchor", ...names.map((name) => (units === "" ? name : `${name} (${units.trim()})`))],
        *lines() {
          for (let row = from; row < to; row++) yield [String(all.anchors[row]), ...elements.map((element) => valueText(valueOf(all, row, element) ?? "", all.dtype))];
        },
      },
      verified: all.verified,
      picture: plot === undefined ? undefined : () => pictureOf(plot, scene, { info, window, names: lines.map(({ name, stroke }) => ({ name, stroke })) }),
    };
  }, [all, from, to, elements, plot, scene]);
  return (
    <>
      <Controls info={info} shape={shape} elements={elements} count={all.width} draw={draw} />
      <PlotArea ds={ds} info={info} rows={all} scene={scene} window={window} anchor={anchor} hover={hover} ready={setPlot} />
      <Legend info={info} shape={shape} rows={all} from={from} to={to} lines={lines} at={at} hovered={hovered} />
    </>
  );
}

function drawOf(choice: string | undefined): Draw {
  return choice === "points" || choice === "lines" || choice === "steps" ? choice : "auto";
}

/** What the values are: the units that are declared, else the field. */
function yNameOf(info: FieldInfo, base: bigint): string {
  const units = unitsText(info).trim();
  const name = units === "" ? "value" : units;
  return base === 0n ? name : `${name}, less ${base}`;
}


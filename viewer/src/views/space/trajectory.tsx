/** 4×4 matrices over a window of anchors: the way of their positions, axes along it, and the one at the playhead in numbers. */
import { useMemo, useRef } from "preact/hooks";
import type { ArrayFieldInfo, DenseArray } from "dreamdb-arrays";
import { type FieldAnchors, lowerBound } from "../../data/anchors.js";
import { unitsText } from "../../data/describe.js";
import { countText, valueText } from "../../data/numbers.js";
import { useReading } from "../../reading.js";
import { choose, link } from "../../state/link.js";
import { isDark } from "../../state/theme.js";
import { Inert } from "../../ui/inert.js";
import { Read } from "../../ui/read.js";
import type { NumberRows } from "../lines/columns.js";
import { costOf, readerOf } from "../lines/read.js";
import { useShown, type ViewProps } from "../props.js";
import { Progress, Refusal } from "../windowed/refusal.js";
import { useWindow } from "../windowed/use-window.js";
import { axisColour, cssColour, scaleGradient } from "./colours.js";
import { type Course, partOf, readConstant } from "./course.js";
import { type Convention, isFinitePlace, spacingFor } from "./matrices.js";
import { PoseTable } from "./pose-table.js";
import { Scene } from "./scene.js";
import { PLAYHEAD, playheadThing, tipsOf, triadsThing, type Way, wayOf, wayThing } from "./way.js";

type Props = ViewProps<ArrayFieldInfo>;

/** The view. */
export function Trajectory(props: Props) {
  const { anchors } = props;
  return anchors === undefined ? <Still {...props} /> : <Moving {...props} anchors={anchors} />;
}

function Moving({ ds, info, anchors, anchor }: Props & { readonly anchors: FieldAnchors }) {
  const read = useMemo(() => readerOf(ds, info), [ds, info]);
  const { admission, reading, rows, done, agree, withdraw } = useWindow<NumberRows>(ds, info, anchors, costOf(info), read);
  const course = useMemo(() => (rows === undefined ? undefined : partOf(rows.all, rows.from, rows.to)), [rows]);
  if (rows === undefined && admission.verdict !== "read" && reading.state !== "failed") {
    return <Refusal ds={ds} admission={admission} anchors={anchors} anchor={anchor} isRequest agree={agree} />;
  }
  return (
    <>
      {reading.state === "reading" && done > 0 && <Progress done={done} items={admission.items} withdraw={withdraw} />}
      <Read reading={reading}>{() => (course === undefined ? null : <Drawn info={info} course={course} anchor={anchor} />)}</Read>
    </>
  );
}

function Still({ ds, info }: Props) {
  const reading = useReading([ds, info], [], (signal) => readConstant(ds, info, signal));
  return <Read reading={reading}>{(course) => <Drawn info={info} course={course} anchor={undefined} />}</Read>;
}

interface DrawnProps {
  readonly info: ArrayFieldInfo;
  readonly course: Course;
  readonly anchor: bigint | undefined;
}

const SPACINGS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000] as const;

function Drawn({ info, course, anchor }: DrawnProps) {
  const { choices } = link.value;
  const dark = isDark.value;
  const convention: Convention = choices["convention"] === "rows" ? "rows" : "columns";
  const way = useMemo(() => wayOf(course, convention), [course, convention]);
  const usual = Math.max(spacingFor(way.count), ...SPACINGS.filter((one) => way.count / one > 2000).slice(-1));
  const every = choices["every"] === "0" ? 0 : (SPACINGS.find((one) => String(one) === choices["every"]) ?? usual);
  const line = useMemo(() => wayThing(way, dark), [way, dark]);
  const triads = useMemo(() => (every === 0 ? undefined : triadsThing(way, every, dark)), [way, every, dark]);
  const at = placeOf(course, anchor);
  const pose = at === undefined ? undefined : way.poses[at];
  const isPlaced = pose !== undefined && isFinitePlace(pose.position);
  const things = useMemo(() => [line, ...(triads === undefined ? [] : [triads]), ...(pose === undefined ? [] : [playheadThing(way, pose, dark)])], [line, triads, pose, way, dark]);
  const marks = useMemo(() => (pose === undefined || !isPlaced ? [] : marksOf(way, pose, dark)), [way, pose, dark]);
  const picture = useRef<(() => Promise<Blob>) | undefined>(undefined);
  const units = unitsText(info);
  const [first, last] = [course.anchors.at(0), course.anchors.at(-1)];
  useShown(() => {
    const array: DenseArray = { family: "dense-array", dtype: course.dtype, data: course.data, shape: [way.count, 4, 4], strides: [16, 4, 1], order: "c" };
    const isConstant = info.trackKind === "constant";
    return {
      info,
      window: first === undefined || last === undefined ? undefined : ([first, last] as const),
      what: isConstant ? "Constant" : `column of ${countText(way.count)} Items`,
      data: course.data,
      array: isConstant ? { ...array, shape: [4, 4], strides: [4, 1] } : array,
      table: { names: namesOf(units), lines: () => linesOf(course) },
      verified: course.verified,
      picture: () => (picture.current === undefined ? Promise.reject(new Error("nothing is drawn")) : picture.current()),
    };
  }, [course, way]);
  if (way.count === 0) return <p class="note">No Item lies in this window.</p>;
  return (
    <>
      <Scene
        info={info}
        things={things}
        box={way.box}
        marks={marks}
        picture={picture}
        elements="x, y, z are those of the positions"
        label={`The way of ${info.name} through ${countText(way.count)} Items${isPlaced && pose !== undefined ? `; at the playhead it is at ${pose.position.join(", ")}` : ""}`}
      >
        <label title="Nothing declares how the matrix is to be read: it is a choice of the viewer">
          Read as{" "}
          <select value={convention} onChange={({ currentTarget }) => choose("convention", currentTarget.value === "rows" ? "rows" : undefined)}>
            <option value="columns">column vectors</option>
            <option value="rows">row vectors</option>
          </select>
        </label>
        <label>
          Axes{" "}
          <select value={String(every)} onChange={({ currentTarget }) => choose("every", currentTarget.value)}>
            <option value="0">none</option>
            {SPACINGS.filter((one) => one === 1 || one < way.count || one === every).map((one) => (
              <option value={String(one)}>{one === 1 ? "every Item" : `every ${countText(one)} Items`}</option>
            ))}
          </select>
        </label>
        <span class="space-axes" aria-label="Colours of the axes">
          {([0, 1, 2] as const).map((axis) => (
            <span style={{ color: cssColour(axisColour(axis, dark)) }}>
              <b>{"xyz"[axis]}</b> {convention === "columns" ? "column" : "row"} {axis}
            </span>
          ))}
        </span>
      </Scene>
      <p class="space-counts">
        <span data-space="convention">
          {convention === "columns"
            ? "The matrix is read as column vectors: columns 0 to 2 are the axes, the last column the translation."
            : "The matrix is read as row vectors: rows 0 to 2 are the axes, the last row the translation."}
        </span>
        <span>
          <span data-space="items">{countText(way.count)}</span> positions
          <span class="space-legend">
            , first <span class="bar" style={{ background: scaleGradient(dark) }} /> last
          </span>
          {way.stride > 1 && <span data-space="stride">, every {countText(way.stride)}th of them and the last is on the line</span>}
        </span>
        {way.leftOut > 0 && (
          <span>
            <span data-space="left-out">{countText(way.leftOut)}</span> left out: a NaN or an infinity in the position
          </span>
        )}
        <span>
          an axis of length 1 is drawn {String(Number(way.unit.toPrecision(3)))}
          <Inert text={units} most={24} /> long, at the playhead {PLAYHEAD} times that
        </span>
      </p>
      {at === undefined || pose === undefined ? (
        <p class="note">The playhead stands outside of the window that is drawn.</p>
      ) : (
        <PoseTable course={course} at={at} pose={pose} convention={convention} units={units} anchor={course.anchors[at]} />
      )}
    </>
  );
}

/** Place of the Item at the playhead among those of the window. */
function placeOf({ anchors }: Course, anchor: bigint | undefined): number | undefined {
  if (anchor === undefined) return 0;
  const at = lowerBound(anchors, anchor);
  return anchors[at] === anchor ? at : undefined;
}

function marksOf(way: Way, pose: Way["poses"][number], isDark: boolean) {
  const tips = tipsOf(way, pose).map((at, axis) => ({ at, kind: "text" as const, text: "xyz"[axis] ?? "", colour: cssColour(axisColour(axis as 0 | 1 | 2, isDark)) }));
  return [{ at: pose.position, kind: "dot" as const }, ...tips.filter(({ at }) => isFinitePlace(at))];
}

function namesOf(units: string): string[] {
  return ["anchor", ...Array.from({ length: 16 }, (_, at) => `[${Math.floor(at / 4)}, ${at % 4}]${units === "" ? "" : ` [${units.trim()}]`}`)];
}

function* linesOf({ anchors, data, dtype }: Course): Iterable<readonly string[]> {
  for (let at = 0; 16 * at < data.length; at++) {
    yield [String(anchors[at] ?? ""), ...Array.from(data.subarray(16 * at, 16 * at + 16) as ArrayLike<number | bigint>, (one) => valueText(one, dtype))];
  }
}

/** Rows of three numbers as points in space, or as a mesh where a person says which field has its faces. */
import { useMemo, useRef, useState } from "preact/hooks";
import type { ArrayFieldInfo, DenseArray, Item, RaggedArray } from "dreamdb-arrays";
import { raggedNames, unitsText } from "../../data/describe.js";
import { aboutText, countText, valueText } from "../../data/numbers.js";
import { lastOf } from "../../reading.js";
import { choose, link } from "../../state/link.js";
import { isDark } from "../../state/theme.js";
import { FailureCard } from "../../ui/failure-card.js";
import { Inert } from "../../ui/inert.js";
import { Read } from "../../ui/read.js";
import { useItem } from "../item.js";
import { useShown, type ViewProps } from "../props.js";
import { clipOf } from "./camera.js";
import { type Colouring, COLOURINGS, colourRange, facesThing, pointColours, pointsThing, SIZES, sizeFor } from "./cloud.js";
import { scaleGradient } from "./colours.js";
import { facesOf } from "./faces.js";
import { PointsControls } from "./points-controls.js";
import { type Pointed, Scene } from "./scene.js";
import { useTopology, type Topology } from "./topology.js";
import { elementsAt, indexText, nearest, placed, triplesOfDense, triplesOfRagged, type Triples } from "./triples.js";
import type { Thing } from "./room.js";
import type { Vec3 } from "./vector.js";

type Value = Item<DenseArray> | Item<RaggedArray>;

/** The view. */
export function Points(props: ViewProps<ArrayFieldInfo>) {
  const reading = useItem<DenseArray | RaggedArray>(props);
  const chosen = link.value.choices["topology"];
  const topology = useTopology(props.ds, chosen, props.anchor);
  return (
    <Read reading={reading}>
      {(item) =>
        topology.state === "failed" ? (
          <FacesFailed error={topology.error} retry={() => topology.retry()} />
        ) : (
          <Cloud {...props} item={item} topology={lastOf(topology)} />
        )
      }
    </Read>
  );
}

interface CloudProps extends ViewProps<ArrayFieldInfo> {
  readonly item: Value;
  readonly topology: Topology | undefined;
}

function Cloud({ ds, info, item, topology }: CloudProps) {
  const { choices } = link.value;
  const dark = isDark.value;
  const triples = useMemo(() => (item.family === "ragged-array" ? triplesOfRagged(item) : triplesOfDense(item)), [item]);
  const place = useMemo(() => placed(triples), [triples]);
  const faces = useMemo(() => facesResult(topology, triples.count), [topology, triples.count]);
  const possible = COLOURINGS.filter((one) => one !== "row" || triples.rows !== undefined);
  const colouring: Colouring = possible.find((one) => one === choices["colour"]) ?? (triples.rows === undefined ? "none" : "row");
  const isFlat = choices["shading"] !== "smooth";
  const mesh = faces.state === "faces" ? faces.faces : undefined;
  const size = choices["size"] === "0" && mesh !== undefined ? 0 : (SIZES.find((one) => String(one) === choices["size"]) ?? (mesh === undefined ? sizeFor(triples.count) : 0));
  const colours = useMemo(() => pointColours(colouring, place, triples, dark, mesh !== undefined), [colouring, place, triples, dark, mesh !== undefined]);
  const body = useMemo(() => (mesh === undefined ? undefined : facesThing(place, mesh, colours, isFlat)), [mesh, place, colours, isFlat]);
  const things = useMemo((): readonly Thing[] => [...(body === undefined ? [] : [body]), ...(size === 0 ? [] : [pointsThing(place, colours, size)])], [body, place, colours, size]);
  const [hovered, setHovered] = useState<number>();
  const asked = /^\d{1,9}$/.test(choices["point"] ?? "") ? Number(choices["point"]) : undefined;
  const chosen = asked !== undefined && asked < triples.count ? asked : undefined;
  const pointed = hovered !== undefined && hovered < triples.count ? hovered : chosen;
  const marks = useMemo(() => (pointed === undefined ? [] : markOf(triples, pointed)), [triples, pointed]);
  const picture = useRef<(() => Promise<Blob>) | undefined>(undefined);
  const units = unitsText(info);
  const isRagged = item.family === "ragged-array";
  useShown(
    () => ({
      info,
      anchor: item.anchor,
      what: `${item.anchor === undefined ? "Constant" : "Item"}: ${countText(triples.count)} points${mesh === undefined ? "" : ` and ${countText(mesh.length / 3)} faces`}`,
      data: item.family === "ragged-array" ? item.values : item.data,
      array: item.family === "ragged-array" ? undefined : item,
      table: { names: ["point", "index", ...["x", "y", "z"].map((axis) => (units === "" ? axis : `${axis} [${units.trim()}]`))], lines: () => linesOf(triples, info) },
      verified: item.verified,
      picture: () => (picture.current === undefined ? Promise.reject(new Error("nothing is drawn")) : picture.current()),
    }),
    [item, triples, mesh],
  );
  if (faces.state === "failed") return <FacesFailed error={faces.error} />;
  const find = ({ x, y, view }: Pointed): number | undefined => nearest(place, clipOf(view, place.local.origin, place.local.scale), view.width, view.height, x, y);
  const range = colourRange(colouring, place, triples);
  const text = pointed === undefined ? "" : pointText(triples, pointed, info);
  const left = body === undefined || mesh === undefined ? 0 : (mesh.length - body.index.length) / 3;
  return (
    <>
      <Scene
        info={info}
        things={things}
        box={place.box}
        marks={marks}
        picture={picture}
        elements="x, y, z are elements 0, 1, 2"
        label={`${countText(place.drawn.length)} points of ${info.name}${mesh === undefined ? "" : `, ${countText(mesh.length / 3)} faces`}; ${extentText(place.box.min, place.box.max, place.drawn.length)}`}
        hover={(at) => setHovered(at === undefined ? undefined : find(at))}
        click={(at) => choose("point", find(at)?.toString())}
      >
        <PointsControls ds={ds} possible={possible} colouring={colouring} size={size} sizes={SIZES} isMesh={mesh !== undefined} isFlat={isFlat} />
      </Scene>
      <p class="space-counts">
        <span>
          <span data-space="drawn">{countText(place.drawn.length)}</span> points{size === 0 ? ", hidden" : " drawn"}
        </span>
        {place.leftOut > 0 && (
          <span>
            <span data-space="left-out">{countText(place.leftOut)}</span> left out: a NaN or an infinity among their elements
          </span>
        )}
        {mesh !== undefined && body !== undefined && (
          <span>
            <span data-space="faces">{countText(body.index.length / 3)}</span> faces of <Inert text={topology?.field ?? ""} most={40} /> drawn
            {left > 0 && <span data-space="faces-left-out">, {countText(left)} left out with their points</span>}
          </span>
        )}
        {range !== undefined && (
          <span class="space-legend">
            {colouring} <span data-space="low">{aboutText(range[0])}</span>
            <span class="bar" style={{ background: scaleGradient(dark) }} />
            <span data-space="high">{aboutText(range[1])}</span>
            {"xyz".includes(colouring) && <Inert text={units} most={24} />}
          </span>
        )}
      </p>
      <p class="space-readout">
        <label>
          Point{" "}
          <input
            type="number"
            min={0}
            max={triples.count - 1}
            step={1}
            value={chosen ?? ""}
            placeholder={triples.count === 0 ? "none" : `0 – ${triples.count - 1}`}
            onInput={({ currentTarget }) => choose("point", currentTarget.value === "" ? undefined : currentTarget.value)}
          />
        </label>
        <output aria-live="polite" data-space="point">
          {text === "" ? (
            <span class="note">Point at one, or say its number{isRagged ? "; rows are joined" : ""}.</span>
          ) : (
            <>
              {text}
              <Inert text={units} most={24} />
            </>
          )}
        </output>
      </p>
    </>
  );
}

type Faces = { readonly state: "none" } | { readonly state: "faces"; readonly faces: Uint32Array<ArrayBuffer> } | { readonly state: "failed"; readonly error: unknown };

/** Faces that name points which there are not are a failure, and nothing of them is drawn. */
function facesResult(topology: Topology | undefined, count: number): Faces {
  if (topology === undefined) return { state: "none" };
  try {
    return { state: "faces", faces: facesOf(topology.data, count, topology.field) };
  } catch (error) {
    return { state: "failed", error };
  }
}

function FacesFailed({ error, retry }: { readonly error: unknown; retry?(): void }) {
  return (
    <>
      <FailureCard error={error} {...(retry === undefined ? {} : { retry })} />
      <p class="buttons">
        <button type="button" onClick={() => choose("topology", undefined)}>
          Show the points without faces
        </button>
      </p>
    </>
  );
}

function markOf(triples: Triples, at: number) {
  const place = elementsAt(triples, at).map(Number) as unknown as Vec3;
  return place.every(Number.isFinite) ? [{ at: place, kind: "ring" as const, text: String(at) }] : [];
}

function pointText(triples: Triples, at: number, info: ArrayFieldInfo): string {
  const [x, y, z] = elementsAt(triples, at).map((one) => valueText(one, info.dtype));
  return `${at} ${indexText(triples, at, raggedNames(info).row)}  x ${x ?? ""}  y ${y ?? ""}  z ${z ?? ""}`;
}

function* linesOf(triples: Triples, info: ArrayFieldInfo): Iterable<readonly string[]> {
  const { row } = raggedNames(info);
  for (let at = 0; at < triples.count; at++) yield [String(at), indexText(triples, at, row), ...elementsAt(triples, at).map((one) => valueText(one, info.dtype))];
}

function extentText(min: Vec3, max: Vec3, count: number): string {
  return count === 0 ? "none can be drawn" : ["x", "y", "z"].map((axis, at) => `${axis} from ${aboutText(min[at] ?? 0)} to ${aboutText(max[at] ?? 0)}`).join(", ");
}

/** The place of the plot: its size, and what a person does in it. */
import { useEffect, useRef } from "preact/hooks";
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import type { Window } from "../../data/anchors.js";
import { countText } from "../../data/numbers.js";
import { moveTo } from "../../state/playhead.js";
import { boundsOf, chooseWindow } from "../../state/window.js";
import { visible } from "../../data/visible.js";
import type { NumberRows } from "./columns.js";
import { Plot, type Scene } from "./plot.js";
import { rowNear } from "./rows.js";

interface Props {
  readonly ds: Dataset;
  readonly info: FieldInfo;
  readonly rows: NumberRows;
  readonly scene: Scene;
  readonly window: Window;
  readonly anchor: bigint | undefined;
  hover(place: number | undefined): void;
  ready(plot: Plot | undefined): void;
}

/** A plot has this height, or less where the page is small. */
const HEIGHT = { least: 190, most: 460, part: 0.34 };

/** The plot. */
export function PlotArea(props: Props) {
  const { info, scene, anchor, rows } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const now = useRef(props);
  now.current = props;
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const size = (): [number, number] => [Math.max(200, element.clientWidth), Math.round(Math.min(HEIGHT.most, Math.max(HEIGHT.least, innerHeight * HEIGHT.part)))];
    const made = new Plot(element, ...size(), actsOf(now));
    plot.current = made;
    now.current.ready(made);
    const observer = new ResizeObserver(() => made.resize(...size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      now.current.ready(undefined);
    };
  }, []);
  useEffect(() => plot.current?.show(scene), [scene]);
  useEffect(() => plot.current?.mark(anchor === undefined ? undefined : Number(anchor - scene.origin)), [scene, anchor]);
  const { from, to, lines } = scene;
  const label = `${visible(info.name).slice(0, 60)}: ${countText(lines.length)} ${lines.length === 1 ? "line" : "lines"} over ${countText(to - from)} Items, anchors ${rows.anchors[from] ?? "none"} to ${rows.anchors[to - 1] ?? "none"}. Exact values stand in the table below.`;
  return <div class="plot" ref={place} role="img" aria-label={label} data-items={to - from} />;
}

/** What is done in the plot, to what is shown when it is done. */
function actsOf(now: { readonly current: Props }) {
  return {
    hover: (at: number | undefined) => now.current.hover(at),
    pick(at: number) {
      const { rows, scene } = now.current;
      const row = rowNear(scene.places, at, scene.from, scene.to);
      const anchor = row === undefined ? undefined : rows.anchors[row];
      if (anchor !== undefined) moveTo(anchor);
    },
    zoom(left: number, right: number) {
      const { ds, scene, window } = now.current;
      const start = scene.origin + BigInt(Math.floor(left));
      const end = scene.origin + BigInt(Math.ceil(right)) + 1n;
      const within = { start: start > window.start ? start : window.start, end: end < window.end ? end : window.end };
      if (within.end - within.start > 1n) chooseWindow(ds, within);
    },
    all() {
      const { ds } = now.current;
      chooseWindow(ds, boundsOf(ds));
    },
  };
}

/** What is written over the drawing: numbers along the grid, names of the axes, marks. On a canvas of its own, so that it is in the picture as well. */
import { type Grid, gridLines, ticksOf } from "./box.js";
import { project, type View } from "./camera.js";
import { axisColour, cssColour, palette } from "./colours.js";
import type { Thing } from "./room.js";
import type { Vec3 } from "./vector.js";

/** Something that is pointed at. */
export interface Mark {
  readonly at: Vec3;
  /** Already made visible: nothing of it is hidden or reorders. */
  readonly text?: string;
  /** A ring about the place, a dot there, or the text alone. */
  readonly kind: "ring" | "dot" | "text";
  readonly colour?: string;
}

/** What is written. Texts have been made visible. */
export interface Writing {
  readonly grid: Grid;
  readonly names: readonly [string, string, string];
  readonly marks: readonly Mark[];
}

const AXES = [0, 1, 2] as const;
type Axis = (typeof AXES)[number];

/** Whether the eye is beyond the middle of an axis: then its low side is the far one. */
function isBeyond({ eye }: View, { min, max }: Grid, axis: Axis): boolean {
  return eye[axis] >= (min[axis] + max[axis]) / 2;
}

/** The three sides of a grid that are away from the eye, as lines; and the colour of each. */
export function backSides(view: View, grid: Grid): readonly { readonly axis: Axis; readonly isHigh: boolean }[] {
  return AXES.map((axis) => ({ axis, isHigh: !isBeyond(view, grid, axis) }));
}

/** A side of a grid as a thing to draw. */
export function gridThing(grid: Grid, axis: Axis, isHigh: boolean, isDark: boolean): Thing {
  const origin = [0, 1, 2].map((one) => ((grid.min[one] ?? 0) + (grid.max[one] ?? 0)) / 2) as unknown as Vec3;
  const scale = Math.max(...grid.max.map((one, at) => one - (grid.min[at] ?? 0))) / 2;
  const pieces = Float32Array.from(gridLines(grid, axis, isHigh).flatMap((place) => place.map((one, at) => (one - (origin[at] ?? 0)) / scale)));
  const [r, g, b] = palette(isDark).grid.map((one) => Math.round(one * 255));
  const colours = Uint8Array.from({ length: (pieces.length / 6) * 4 }, (_, at) => [r, g, b, 255][at % 4] ?? 0);
  return { kind: "lines", local: { origin, scale }, pieces, colours, width: 1 };
}

/** The edge along which the numbers of an axis stand: one of the outline, the lowest on screen; of the axis that goes up the leftmost. */
function edgeOf(view: View, grid: Grid, axis: Axis): readonly [Vec3, Vec3] | undefined {
  const [b = 0, c = 0] = AXES.filter((one) => one !== axis);
  let best: { readonly edge: readonly [Vec3, Vec3]; readonly rank: number } | undefined;
  for (const [highB, highC] of [[true, true], [true, false], [false, true], [false, false]] as const) {
    // On the outline one of the two sides that meet is seen from outside, the other from inside.
    if ((highB === isBeyond(view, grid, b)) === (highC === isBeyond(view, grid, c))) continue;
    const end = (value: number): Vec3 => {
      const place = [0, 0, 0];
      [place[axis], place[b], place[c]] = [value, highB ? grid.max[b] : grid.min[b], highC ? grid.max[c] : grid.min[c]];
      return place as unknown as Vec3;
    };
    const edge = [end(grid.min[axis]), end(grid.max[axis])] as const;
    const [from, to] = [project(view, edge[0]), project(view, edge[1])];
    if (from === undefined || to === undefined) continue;
    const isUpright = Math.abs(view.up[axis]) > 0.5;
    const rank = isUpright ? -(from[0] + to[0]) : from[1] + to[1];
    if (best === undefined || rank > best.rank) best = { edge, rank };
  }
  return best?.edge;
}

/** Writes it all. */
export function write(context: CanvasRenderingContext2D, view: View, { grid, names, marks }: Writing, isDark: boolean): void {
  const colours = palette(isDark);
  context.clearRect(0, 0, view.width, view.height);
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const put = (text: string, x: number, y: number, colour: string): void => {
    context.lineWidth = 3;
    context.strokeStyle = colours.halo;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  };
  const taken: (readonly [left: number, top: number, right: number, bottom: number])[] = [];
  /** Whether a text has room there; it takes it. */
  const hasRoom = (text: string, x: number, y: number): boolean => {
    const wide = context.measureText(text).width + 6;
    const left = context.textAlign === "right" ? x - wide + 3 : context.textAlign === "left" ? x - 3 : x - wide / 2;
    if (taken.some(([l, t, r, b]) => left < r && left + wide > l && y - 7 < b && y + 7 > t)) return false;
    taken.push([left, y - 7, left + wide, y + 7]);
    return true;
  };
  const middle = project(view, [0, 1, 2].map((at) => ((grid.min[at] ?? 0) + (grid.max[at] ?? 0)) / 2) as unknown as Vec3);
  for (const axis of AXES) {
    const edge = edgeOf(view, grid, axis);
    if (edge === undefined || middle === undefined) continue;
    writeAxis(axis, edge, middle);
  }
  for (const mark of marks) writeMark(mark);

  function writeAxis(axis: Axis, edge: readonly [Vec3, Vec3], [cx, cy]: readonly [number, number, number]): void {
    const [from, to] = [project(view, edge[0]), project(view, edge[1])];
    if (from === undefined || to === undefined) return;
    // Outwards: away from the middle, at a right angle to the edge.
    let [nx, ny] = [from[1] - to[1], to[0] - from[0]];
    const size = Math.hypot(nx, ny);
    if (size < 24) return;
    [nx, ny] = [nx / size, ny / size];
    if (nx * ((from[0] + to[0]) / 2 - cx) + ny * ((from[1] + to[1]) / 2 - cy) < 0) [nx, ny] = [-nx, -ny];
    context.textAlign = nx < -0.35 ? "right" : nx > 0.35 ? "left" : "center";
    context.font = "11px system-ui, sans-serif";
    const ticks = ticksOf(grid, axis);
    const every = Math.max(1, Math.ceil(ticks.length / Math.max(2, size / (Math.abs(nx) > 0.7 ? 24 : 44))));
    let widest = 0;
    for (const [at, tick] of ticks.entries()) {
      if (at % every !== 0) continue;
      const place = edge[0].map((one, index) => (index === axis ? tick : one)) as unknown as Vec3;
      const seen = project(view, place);
      if (seen === undefined) continue;
      const text = String(tick).replace("-", "−");
      widest = Math.max(widest, context.measureText(text).width);
      const [x, y] = [seen[0] + 9 * nx, seen[1] + 11 * ny];
      if (hasRoom(text, x, y)) put(text, x, y, colours.quiet);
    }
    const away = 16 + 14 * Math.abs(ny) + widest * Math.abs(nx);
    context.font = "600 13px system-ui, sans-serif";
    put(names[axis], (from[0] + to[0]) / 2 + away * nx, (from[1] + to[1]) / 2 + away * ny, cssColour(axisColour(axis, isDark)));
  }

  function writeMark({ at, text, kind, colour = colours.mark }: Mark): void {
    const seen = project(view, at);
    if (seen === undefined) return;
    if (kind !== "text") {
      context.beginPath();
      context.arc(seen[0], seen[1], kind === "ring" ? 7 : 2, 0, 2 * Math.PI);
      context.strokeStyle = colours.halo;
      context.lineWidth = 4;
      context.stroke();
      context.strokeStyle = colour;
      context.lineWidth = 2;
      context.stroke();
    }
    if (text === undefined) return;
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "left";
    put(text, seen[0] + (kind === "ring" ? 12 : 6), seen[1] - (kind === "ring" ? 10 : 6), colour);
  }
}

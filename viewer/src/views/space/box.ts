/** Boxes about what is shown, and the grid along them: its step, its ends and what stands at its lines. */
import { length, minus, times, plus, type Vec3 } from "./vector.js";

/** Extent along each axis. */
export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** A box whose sides lie on lines of its grid. */
export interface Grid extends Box {
  /** From one line to the next, the same along all axes. */
  readonly step: number;
}

/** Nothing. */
export const NO_BOX: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };

/** Whether there is anything in it. */
export function isEmpty({ min, max }: Box): boolean {
  return !(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]);
}

/** The box about both. */
export function union(a: Box, b: Box): Box {
  const each = (pick: (...values: number[]) => number, one: Vec3, two: Vec3): Vec3 => [pick(one[0], two[0]), pick(one[1], two[1]), pick(one[2], two[2])];
  return { min: each(Math.min, a.min, b.min), max: each(Math.max, a.max, b.max) };
}

/** Its middle. */
export function centre({ min, max }: Box): Vec3 {
  // Halved first: a sum of finite doubles need not be finite.
  return plus(times(min, 0.5), max, 0.5);
}

/** Of the sphere about it. */
export function radius({ min, max }: Box): number {
  return length(minus(times(max, 0.5), times(min, 0.5)));
}

/** 1, 2 or 5 times a power of ten, so that an extent has four to ten of it. */
export function niceStep(extent: number): number {
  const power = 10 ** Math.floor(Math.log10(extent / 5));
  const rest = extent / 5 / power;
  // A power below one is not exact; its digit is.
  return Number((power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10)).toPrecision(1));
}

/** The grid about a box. One that has no extent, or nothing in it, gets some. */
export function gridOf(box: Box): Grid {
  const { min, max } = isEmpty(box) ? { min: [-1, -1, -1] as const, max: [1, 1, 1] as const } : box;
  const most = Math.max(...min.map(Math.abs), ...max.map(Math.abs));
  const extent = Math.max(...minus(max, min), most * 1e-12);
  const step = niceStep(extent > 0 ? extent : 1);
  const side = (at: 0 | 1 | 2): readonly [number, number] => {
    const [low, high] = [Math.floor(min[at] / step), Math.ceil(max[at] / step)];
    return low === high ? [(low - 1) * step, (high + 1) * step] : [low * step, high * step];
  };
  const [x, y, z] = [side(0), side(1), side(2)];
  return { min: [x[0], y[0], z[0]], max: [x[1], y[1], z[1]], step };
}

/** Where the lines of a grid cross an axis. */
export function ticksOf({ min, max, step }: Grid, axis: 0 | 1 | 2): number[] {
  const [first, last] = [Math.round(min[axis] / step), Math.round(max[axis] / step)];
  return Array.from({ length: Math.min(64, last - first + 1) }, (_, at) => Number(((first + at) * step).toPrecision(12)) + 0);
}

/** Ends of the lines on one side of a grid, two places for each: the side that is normal to `axis`, at its low or its high end. */
export function gridLines(grid: Grid, axis: 0 | 1 | 2, isHigh: boolean): Vec3[] {
  const others = ([0, 1, 2] as const).filter((one) => one !== axis);
  return others.flatMap((along) => {
    const across = others.find((one) => one !== along) ?? along;
    return ticksOf(grid, across).flatMap((tick) =>
      [grid.min[along], grid.max[along]].map((end): Vec3 => {
        const place = [0, 0, 0];
        place[axis] = isHigh ? grid.max[axis] : grid.min[axis];
        place[across] = tick;
        place[along] = end;
        return place as unknown as Vec3;
      }),
    );
  });
}

/** Coordinates that f32 holds well: `data = origin + scale · local`, so that local ones are from −1 to 1. */
export interface Local {
  readonly origin: Vec3;
  readonly scale: number;
}

/** Such coordinates for a box. */
export function localOf(box: Box): Local {
  if (isEmpty(box)) return { origin: [0, 0, 0], scale: 1 };
  const scale = Math.max(...minus(times(box.max, 0.5), times(box.min, 0.5)));
  return { origin: centre(box), scale: scale > 0 ? scale : 1 };
}

/**
 * The plot: axes, grid, dragging and pointer by uPlot; the lines are drawn here, of what decimate.ts keeps of them.
 *
 * Drawing happens in animation frames, one for however many changes. The playhead is an element above the canvas: moving it draws nothing.
 */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { limitsFor, powerFor, powerText, scaled, tickText } from "./axis.js";
import type { Stroke } from "./colours.js";
import { extentOf, pixelsOf, traceOf } from "./decimate.js";
import { onFinger } from "./finger.js";

/** How values are drawn. */
export type Draw = "auto" | "points" | "lines" | "steps";

/** What is drawn. */
export interface Scene {
  /** Anchor from which places are counted. */
  readonly origin: bigint;
  /** Places of all rows: anchors less the origin. */
  readonly places: Float64Array;
  /** Values of each line over all rows. */
  readonly lines: readonly { readonly values: Float64Array; readonly stroke: Stroke }[];
  /** Rows that are in the window. */
  readonly from: number;
  readonly to: number;
  /** Ends of the window, as places. */
  readonly left: number;
  readonly right: number;
  readonly draw: Draw;
  readonly xName: string;
  readonly yName: string;
  readonly colours: { readonly text: string; readonly grid: string; readonly ground: string };
}

/** What a person does in the plot, in places. */
export interface Acts {
  hover(place: number | undefined): void;
  pick(place: number): void;
  zoom(left: number, right: number): void;
  all(): void;
}

/** Items get a point each up to one in so many pixels. */
const POINT_EVERY = 6;
/** Size of marks, in CSS pixels. */
const MARK = 6;

/** A plot in an element. */
export class Plot {
  readonly #plot: uPlot;
  readonly #head: HTMLDivElement;
  #scene: Scene | undefined;
  #place: number | undefined;
  #powers = { x: 0, y: 0 };
  #frame = 0;

  constructor(within: HTMLElement, width: number, height: number, acts: Acts) {
    const axis = (isX: boolean): uPlot.Axis => ({
      stroke: () => this.#scene?.colours.text ?? "#888",
      grid: { stroke: () => this.#scene?.colours.grid ?? "#888", width: 1 },
      ticks: { stroke: () => this.#scene?.colours.grid ?? "#888", width: 1, size: 5 },
      font: "12px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif",
      labelSize: 20,
      label: " ",
      ...(isX ? { space: 80, size: 30 } : { space: 36, size: (_: uPlot, values: string[] | null) => 16 + 7 * Math.max(3, ...(values ?? []).map((text) => text.length)) }),
      values: (_, splits, __, ___, step) => splits.map((split) => tickText(split, step)),
    });
    this.#plot = new uPlot(
      {
        width,
        height,
        padding: [10, 14, 0, 0],
        legend: { show: false },
        scales: { x: { time: false, auto: false }, y: { auto: false } },
        series: [{}, { paths: () => null, points: { show: false } }],
        axes: [axis(true), axis(false)],
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => () => (acts.all(), null) } },
        hooks: {
          draw: [() => this.#paint()],
          setCursor: [({ cursor: { left = -1 } }) => acts.hover(left < 0 ? undefined : this.#placeAt(left))],
          setSelect: [
            (plot) => {
              const { left, width: wide } = plot.select;
              if (wide < 4) return;
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              acts.zoom(this.#placeAt(left), this.#placeAt(left + wide));
            },
          ],
        },
      },
      [
        [0, 1],
        [0, 0],
      ],
      within,
    );
    this.#plot.over.addEventListener("click", (event) => acts.pick(this.#placeAt(event.clientX - this.#plot.over.getBoundingClientRect().left)));
    onFinger(this.#plot.over, {
      at: (x, stretch) => {
        this.#plot.setCursor({ left: x ?? -10, top: x === undefined ? -10 : 0 });
        const [left, right] = stretch ?? [0, 0];
        this.#plot.setSelect({ left, top: 0, width: right - left, height: stretch === undefined ? 0 : this.#plot.over.clientHeight }, false);
      },
      drag: (left, right) => acts.zoom(this.#placeAt(left), this.#placeAt(right)),
    });
    this.#head = document.createElement("div");
    this.#head.className = "plot-head";
    this.#plot.over.append(this.#head);
  }

  /** The canvas, to be copied into a picture. */
  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas;
  }

  /** Draws this, in the next frame. */
  show(scene: Scene): void {
    this.#scene = scene;
    this.#later();
  }

  /** Moves the mark of the playhead. */
  mark(place: number | undefined): void {
    this.#place = place;
    this.#markHead();
  }

  resize(width: number, height: number): void {
    this.#plot.setSize({ width, height });
    this.#markHead();
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#plot.destroy();
  }

  /** Where the playhead stands on the canvas, in its pixels, if it is in the window. */
  headPixel(): { readonly x: number; readonly top: number; readonly bottom: number } | undefined {
    const at = this.#headLeft();
    const { left, top, height } = this.#plot.bbox;
    return at === undefined ? undefined : { x: left + at * uPlot.pxRatio, top, bottom: top + height };
  }

  #placeAt(left: number): number {
    return this.#plot.posToVal(left, "x") * 10 ** this.#powers.x + (this.#scene?.left ?? 0);
  }

  /** A place on the axis, which begins with the window. */
  #onAxis(place: number): number {
    return scaled(place - (this.#scene?.left ?? 0), this.#powers.x);
  }

  #later(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#fit();
    });
  }

  /** Puts both scales to what is shown; uPlot then draws. */
  #fit(): void {
    const scene = this.#scene;
    if (scene === undefined) return;
    const { lines, from, to, left, right } = scene;
    let [least, greatest] = [Infinity, -Infinity];
    for (const { values } of lines) {
      const extent = extentOf(values, from, to);
      if (extent === undefined) continue;
      least = Math.min(least, extent[0]);
      greatest = Math.max(greatest, extent[1]);
    }
    if (least > greatest) [least, greatest] = [0, 1];
    this.#powers = { x: powerFor(right - left), y: powerFor(Math.max(Math.abs(least), Math.abs(greatest))) };
    const [low, high] = limitsFor(scaled(least, this.#powers.y), scaled(greatest, this.#powers.y));
    const [xAxis, yAxis] = this.#plot.axes;
    const named = (name: string, power: number): string => [name, powerText(power)].filter((part) => part !== "").join("  ");
    if (xAxis !== undefined) xAxis.label = named(scene.xName, this.#powers.x);
    if (yAxis !== undefined) yAxis.label = named(scene.yName, this.#powers.y) || " ";
    this.#plot.batch(() => {
      // Scales that stay as they were would draw nothing.
      this.#plot.redraw(true, false);
      this.#plot.setScale("x", { min: 0, max: this.#onAxis(right) });
      this.#plot.setScale("y", { min: low, max: high });
    });
    this.#markHead();
  }

  #headLeft(): number | undefined {
    const scene = this.#scene;
    if (scene === undefined || this.#place === undefined || this.#place < scene.left || this.#place > scene.right) return undefined;
    return this.#plot.valToPos(this.#onAxis(this.#place), "x");
  }

  #markHead(): void {
    const at = this.#headLeft();
    this.#head.hidden = at === undefined;
    if (at !== undefined) this.#head.style.transform = `translateX(${at}px)`;
  }

  #paint(): void {
    const scene = this.#scene;
    if (scene === undefined) return;
    const { ctx: context, bbox } = this.#plot;
    const toX = (place: number): number => this.#plot.valToPos(this.#onAxis(place), "x", true);
    const toY = (value: number): number => this.#plot.valToPos(scaled(value, this.#powers.y), "y", true);
    context.save();
    context.beginPath();
    context.rect(bbox.left - MARK, bbox.top, bbox.width + 2 * MARK, bbox.height);
    context.clip();
    context.lineJoin = "round";
    for (const line of scene.lines) this.#paintLine(context, scene, line, toX, toY);
    context.restore();
  }

  #paintLine(context: CanvasRenderingContext2D, scene: Scene, { values, stroke }: Scene["lines"][number], toX: (place: number) => number, toY: (value: number) => number): void {
    const { places, from, to, left, right, draw } = scene;
    const { bbox } = this.#plot;
    const ratio = uPlot.pxRatio;
    context.strokeStyle = stroke.colour;
    context.fillStyle = stroke.colour;
    context.lineWidth = 1.5 * ratio;
    context.setLineDash(stroke.dash.map((length) => length * ratio));
    // A row more at each end: lines go on beyond the window.
    const trace = traceOf(places, values, Math.max(0, from - 1), Math.min(places.length, to + 1), { left, right, columns: Math.max(1, Math.round(bbox.width)) });
    if (draw !== "points") paintTrace(context, trace.x, trace.y, { toX, toY, isSteps: draw === "steps", ratio });
    if (draw === "points" || (draw !== "steps" && draw !== "lines" && (to - from) * POINT_EVERY * ratio <= bbox.width)) {
      const pixels = pixelsOf(places, values, from, to, toX, toY);
      const size = ratio * ((to - from) * POINT_EVERY * ratio <= bbox.width ? 5 : 2.5);
      for (let at = 0; at < pixels.length; at += 2) context.fillRect((pixels[at] ?? 0) - size / 2, (pixels[at + 1] ?? 0) - size / 2, size, size);
    }
    for (const place of trace.above) triangle(context, toX(place), bbox.top, MARK * ratio);
    for (const place of trace.below) triangle(context, toX(place), bbox.top + bbox.height, -MARK * ratio);
  }
}

interface Manner {
  toX(place: number): number;
  toY(value: number): number;
  readonly isSteps: boolean;
  readonly ratio: number;
}

function paintTrace(context: CanvasRenderingContext2D, x: Float64Array, y: Float64Array, { toX, toY, isSteps, ratio }: Manner): void {
  context.beginPath();
  let isDown = false;
  let before = 0;
  const dots: number[] = [];
  for (let at = 0; at < x.length; at++) {
    const value = y[at] ?? Number.NaN;
    if (Number.isNaN(value)) {
      // A value holds up to the next Item, be that one no number.
      if (isSteps && isDown) context.lineTo(toX(x[at] ?? 0), before);
      isDown = false;
      continue;
    }
    const [right, down] = [toX(x[at] ?? 0), toY(value)];
    if (!isDown) {
      context.moveTo(right, down);
      if (at + 1 === x.length || Number.isNaN(y[at + 1] ?? Number.NaN)) dots.push(right, down);
    } else {
      if (isSteps) context.lineTo(right, before);
      context.lineTo(right, down);
    }
    isDown = true;
    before = down;
  }
  context.stroke();
  // What stands alone between gaps has no line to be seen by.
  for (let at = 0; at < dots.length; at += 2) context.fillRect((dots[at] ?? 0) - 2 * ratio, (dots[at + 1] ?? 0) - 2 * ratio, 4 * ratio, 4 * ratio);
}

function triangle(context: CanvasRenderingContext2D, x: number, edge: number, size: number): void {
  context.beginPath();
  context.moveTo(x, edge);
  context.lineTo(x - Math.abs(size) / 2, edge + size);
  context.lineTo(x + Math.abs(size) / 2, edge + size);
  context.fill();
}

/** The map as a PNG that says by itself what it shows: title, axes, legend. */
import type { Meaning } from "./legend.js";
import { cellsOf, marginsOf, paint, paintBar, paintOdd, type Painted } from "./surface.js";
import { cellSides } from "./view-port.js";

/** What stands around the cells. */
export interface Caption {
  readonly title: string;
  /** Type, units, frame, anchor, slice. */
  readonly facts: string;
  readonly meaning: Meaning;
}

const SIZE = { wide: 900, high: 700 };
const FONT = "12px system-ui, sans-serif";

/** The picture, two pixels to each of CSS. */
export function pictureOf(painted: Painted, { title, facts, meaning }: Caption): Promise<Blob> {
  const { part, slice, table } = painted;
  const { left, top } = marginsOf(slice, painted.rowName);
  const [across, down] = cellSides(part, SIZE.wide - left - 24, SIZE.high - top);
  const head = 52;
  const cells = down * (part.bottom - part.top);
  const [wide, high] = [Math.max(520, left + across * (part.right - part.left) + 24), head + top + cells + 56];
  const ratio = 2;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round(high * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return Promise.reject(new Error("the browser gives no canvas to draw on"));
  context.scale(ratio, ratio);
  context.fillStyle = painted.colours.ground;
  context.fillRect(0, 0, wide, high);
  context.fillStyle = painted.colours.text;
  context.font = "600 14px system-ui, sans-serif";
  context.fillText(title, 12, 20, wide - 24);
  context.font = FONT;
  context.fillText(facts, 12, 40, wide - 24);
  const layout = { x: left, y: head + top, across, down };
  paint(context, { ...painted, cursor: undefined }, layout, cellsOf(painted, layout, ratio));
  paintLegend(context, table, meaning, painted.colours.text, head + top + cells + 24, wide);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("the browser makes no PNG of the map")) : resolve(blob)), "image/png");
  });
}

function paintLegend(context: CanvasRenderingContext2D, table: Uint32Array, { least, greatest, units, of, nan, above, below }: Meaning, colour: string, y: number, wide: number): void {
  context.font = FONT;
  context.textAlign = "left";
  context.textBaseline = "middle";
  let x = 12;
  const write = (text: string): void => {
    context.fillStyle = colour;
    context.fillText(text, x, y + 7, wide - x - 8);
    x += context.measureText(text).width + 8;
  };
  write(least);
  paintBar(context, table, x, y, 160, 14);
  x += 168;
  write(`${greatest}${units}   range ${of}`);
  for (const [kind, name, count] of [["nan", "NaN", nan], ["above", "+Inf", above], ["below", "−Inf", below]] as const) {
    if (count === 0) continue;
    paintOdd(context, table, kind, x, y, 14);
    x += 20;
    write(`${name} ${count}`);
  }
}

/** Colours and patterns of values, in the order in which these occur; beyond as many as can be told apart all are alike. */

/** How a value is painted. */
export interface Paint {
  readonly colour: string;
  readonly ink: string;
  readonly pattern: "plain" | "stripes" | "dots";
}

/** Colours of Okabe and Ito, with what is legible on each. */
const COLOURS = [
  ["#0072b2", "#ffffff"],
  ["#e69f00", "#000000"],
  ["#009e73", "#000000"],
  ["#cc79a7", "#000000"],
  ["#56b4e9", "#000000"],
  ["#d55e00", "#000000"],
  ["#f0e442", "#000000"],
  ["#4d4d4d", "#ffffff"],
] as const;
const PATTERNS = ["plain", "stripes", "dots"] as const;

/** Values with a colour and pattern of their own. */
export const TOLD_APART = COLOURS.length * PATTERNS.length;

/** All other values. */
export const OTHERS: Paint = { colour: "#9aa0a6", ink: "#000000", pattern: "plain" };
/** Several values in one pixel. */
export const SEVERAL: Paint = { colour: "#6b7075", ink: "#ffffff", pattern: "plain" };

/** The paint of a value by its number. */
export function paintOf(value: number): Paint {
  if (value < 0) return SEVERAL;
  if (value >= TOLD_APART) return OTHERS;
  const [colour, ink] = COLOURS[value % COLOURS.length] ?? ["#9aa0a6", "#000000"];
  return { colour, ink, pattern: PATTERNS[Math.floor(value / COLOURS.length)] ?? "plain" };
}

/** Fills a rectangle with it. */
export function fill(context: CanvasRenderingContext2D, { colour, ink, pattern }: Paint, x: number, y: number, wide: number, high: number): void {
  context.fillStyle = colour;
  context.fillRect(x, y, wide, high);
  if (pattern === "plain" || wide < 3) return;
  context.save();
  context.beginPath();
  context.rect(x, y, wide, high);
  context.clip();
  context.strokeStyle = ink;
  context.fillStyle = ink;
  context.globalAlpha = 0.55;
  if (pattern === "stripes") {
    context.beginPath();
    // From the same origin for every piece, so that pieces of a value look alike.
    for (let at = Math.floor((x - high) / 7) * 7; at < x + wide; at += 7) {
      context.moveTo(at, y + high);
      context.lineTo(at + high, y);
    }
    context.stroke();
  } else {
    for (let at = Math.floor(x / 7) * 7; at < x + wide; at += 7) for (let down = y + 3; down < y + high; down += 7) context.fillRect(at, down, 2, 2);
  }
  context.restore();
}

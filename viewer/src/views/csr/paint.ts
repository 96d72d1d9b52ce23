/** Pixels of a spy plot. */
import type { Bins, Plot } from "./bins.js";

/** What colour stands for. */
export type Shade = "presence" | "magnitude";

type Colour = readonly [red: number, green: number, blue: number];

/** The lighter part of viridis, which everyone sees apart from the dark ground that it is shown on. */
const MAP: readonly Colour[] = [
  [62, 74, 137],
  [49, 104, 142],
  [38, 130, 142],
  [31, 158, 137],
  [53, 183, 121],
  [110, 206, 88],
  [181, 222, 43],
  [253, 231, 37],
];

/** Where there is a NaN. */
const NAN: Colour = [255, 105, 180];
const DARK: Colour = [16, 20, 24];
const [WHITE, NIGHT]: readonly [Colour, Colour] = [
  [255, 255, 255],
  [18, 23, 29],
];
const [INK, GLOW]: readonly [Colour, Colour] = [
  [11, 83, 148],
  [124, 192, 255],
];

/** The colour at a part of the map, from 0 to 1. */
export function colourAt(part: number): Colour {
  const at = Math.min(1, Math.max(0, part)) * (MAP.length - 1);
  const low = MAP[Math.floor(at)] ?? NAN;
  return mixed(low, MAP[Math.ceil(at)] ?? low, at - Math.floor(at));
}

/** What nothing is stored on. */
export function groundOf(shade: Shade, isDark: boolean): Colour {
  return shade === "magnitude" ? DARK : isDark ? NIGHT : WHITE;
}

/** A pixel for each bin: RGBA. */
export function pixelsOf({ counts, peaks, most, greatest }: Bins, shade: Shade, isDark: boolean): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(counts.length * 4);
  const ground = groundOf(shade, isDark);
  for (let bin = 0; bin < counts.length; bin++) {
    const count = counts[bin] ?? 0;
    const peak = peaks[bin] ?? 0;
    let colour = ground;
    if (count > 0 && shade === "presence") colour = mixed(ground, isDark ? GLOW : INK, most === 1 ? 1 : 0.4 + (0.6 * count) / most);
    else if (count > 0) colour = Number.isNaN(peak) ? NAN : colourAt(greatest === 0 ? 0 : peak / greatest);
    pixels.set(colour, bin * 4);
    pixels[bin * 4 + 3] = 255;
  }
  return pixels;
}

/** Draws the bins, each as large as the plot has it. */
export function paint(canvas: HTMLCanvasElement, { across, down, width, height }: Plot, pixels: Uint8ClampedArray<ArrayBuffer>): void {
  const small = new OffscreenCanvas(across, down);
  small.getContext("2d")?.putImageData(new ImageData(pixels, across, down), 0, 0);
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, width, height);
}

function mixed(from: Colour, to: Colour, part: number): Colour {
  const at = (channel: 0 | 1 | 2): number => Math.round(from[channel] + (to[channel] - from[channel]) * part);
  return [at(0), at(1), at(2)];
}

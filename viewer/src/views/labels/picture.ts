/** The band as a PNG that says by itself what it shows. */
import type { Window } from "../../data/anchors.js";
import { visible } from "../../data/visible.js";
import { fill, paintOf, TOLD_APART } from "./colours.js";
import type { Runs } from "./runs.js";

interface Caption {
  readonly name: string;
  readonly valueType: string;
  readonly window: Window;
  readonly runs: Runs;
  readonly isDark: boolean;
}

/** Title above, values with their colours below. */
export function pictureOf(band: HTMLCanvasElement, { name, valueType, window, runs: { values, counts }, isDark }: Caption): Promise<Blob> {
  const ratio = devicePixelRatio;
  const [wide, high] = [band.width / ratio + 24, band.height / ratio];
  const perRow = Math.max(1, Math.floor(wide / 180));
  const named = values.slice(0, TOLD_APART);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round((52 + high + 32 + 22 * Math.ceil((named.length + 1) / perRow)) * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return Promise.reject(new Error("the browser gives no canvas to draw on"));
  const ink = isDark ? "#e6ebf0" : "#1b2430";
  context.fillStyle = isDark ? "#12171d" : "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(band, Math.round(12 * ratio), Math.round(52 * ratio));
  context.scale(ratio, ratio);
  context.fillStyle = ink;
  context.font = "600 14px system-ui, sans-serif";
  context.fillText(name, 12, 20, wide - 24);
  context.font = "12px system-ui, sans-serif";
  context.fillText(`${valueType}  ·  anchors ${window.start} to ${window.end - 1n}`, 12, 40, wide - 24);
  for (const [number, value] of named.entries()) {
    const [x, y] = [12 + (number % perRow) * 180, 52 + high + 12 + 22 * Math.floor(number / perRow)];
    fill(context, paintOf(number), x, y, 14, 14);
    context.fillStyle = ink;
    context.fillText(`${visible(value).slice(0, 24)} (${counts[number]})`, x + 20, y + 11, 154);
  }
  if (values.length > TOLD_APART) {
    context.fillText(`and ${values.length - TOLD_APART} more values, in grey`, 12, 52 + high + 23 + 22 * Math.ceil(named.length / perRow), wide - 24);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("the browser makes no PNG of the band")) : resolve(blob)), "image/png");
  });
}

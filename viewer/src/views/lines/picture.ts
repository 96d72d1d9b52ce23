/** The plot as a PNG that says by itself what it shows. */
import type { FieldInfo } from "dreamdb-arrays";
import type { Window } from "../../data/anchors.js";
import { meaning, typeText } from "../../data/describe.js";
import { visible } from "../../data/visible.js";
import type { Stroke } from "./colours.js";
import type { Plot, Scene } from "./plot.js";

interface Caption {
  readonly info: FieldInfo;
  readonly window: Window;
  readonly names: readonly { readonly name: string; readonly stroke: Stroke }[];
}

/** Title above, names of the lines below. */
export async function pictureOf(plot: Plot, { colours }: Scene, { info, window, names }: Caption): Promise<Blob> {
  const source = plot.canvas;
  const ratio = devicePixelRatio;
  const canvas = document.createElement("canvas");
  const wide = source.width / ratio;
  const perRow = Math.max(1, Math.floor((wide - 24) / 110));
  const [head, foot] = [48, 12 + 20 * Math.ceil(names.length / perRow)];
  canvas.width = source.width;
  canvas.height = source.height + Math.round((head + foot) * ratio);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser gives no canvas to draw on");
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, Math.round(head * ratio));
  const at = plot.headPixel();
  if (at !== undefined) {
    context.fillStyle = "#b3261e";
    context.fillRect(at.x - ratio / 2, at.top + head * ratio, ratio, at.bottom - at.top);
  }
  context.scale(ratio, ratio);
  context.fillStyle = colours.text;
  context.font = "600 14px system-ui, sans-serif";
  context.fillText(visible(info.name), 12, 20, wide - 24);
  context.font = "12px system-ui, sans-serif";
  const facts = [typeText(info), ...meaning(info).map(([, text]) => text), `anchors ${window.start} to ${window.end - 1n}`].map(visible);
  context.fillText(facts.join("  ·  "), 12, 38, wide - 24);
  const top = head + source.height / ratio + 14;
  for (const [place, { name, stroke }] of names.entries()) {
    const [x, y] = [12 + (place % perRow) * 110, top + 20 * Math.floor(place / perRow)];
    context.strokeStyle = stroke.colour;
    context.lineWidth = 2.5;
    context.setLineDash([...stroke.dash]);
    context.beginPath();
    context.moveTo(x, y - 4);
    context.lineTo(x + 30, y - 4);
    context.stroke();
    context.fillStyle = colours.text;
    context.fillText(name, x + 36, y, 70);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("the browser makes no PNG of the plot")) : resolve(blob)), "image/png");
  });
}

/** Pictures that views export, and what is on them. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";

/** The picture that the view exports, in base64. */
export async function exported(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG", exact: true }).click()]);
  return (await readFile(await download.path())).toString("base64");
}

/** Red, green and blue of that picture, at places of it from 0 to 1. */
export async function pixels(page: Page, places: readonly (readonly [number, number])[]): Promise<number[][]> {
  return page.evaluate(
    async ([file, places]) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(file), (one) => one.charCodeAt(0))], { type: "image/png" }));
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
      context?.drawImage(image, 0, 0);
      return places.map(([x, y]) => [...(context?.getImageData(Math.floor(x * image.width), Math.floor(y * image.height), 1, 1).data ?? [])].slice(0, 3));
    },
    [await exported(page), places] as const,
  );
}

/** How many of its pixels are coloured: those of points, as ground, grid and texts are grey. */
export async function coloured(page: Page): Promise<number> {
  return page.evaluate(async (file) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(file), (one) => one.charCodeAt(0))], { type: "image/png" }));
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, width, height).data ?? [];
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (Math.abs((data[at] ?? 0) - (data[at + 2] ?? 0)) > 60) count += 1;
    return count;
  }, await exported(page));
}

/**
 * The browser's own folder picker, whose dialog no program can use: a test says what a person picks there. The handle is the browser's own, of a real folder
 * of the disk; it gives one for a folder that is dropped on the page.
 */
import type { Page } from "playwright";

/** Lets the picker of this page give that folder from now on. */
export async function letPick(page: Page, dir: string): Promise<void> {
  await page.evaluate(() => {
    const dropped = new Promise((resolve) => {
      addEventListener("dragover", (event) => event.preventDefault());
      addEventListener(
        "drop",
        (event) => {
          event.preventDefault();
          const item = event.dataTransfer?.items[0] as unknown as { getAsFileSystemHandle(): Promise<unknown> };
          resolve(item.getAsFileSystemHandle());
        },
        { once: true },
      );
    });
    Object.assign(globalThis, { dropped });
  });
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [dir], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) await cdp.send("Input.dispatchDragEvent", { type, x: 10, y: 10, data });
  await cdp.detach();
  await page.evaluate(async () => {
    const folder = await (globalThis as unknown as { dropped: Promise<unknown> }).dropped;
    Object.assign(globalThis, { folder, showDirectoryPicker: async () => folder });
  });
}

/** Lets the picker of this page fail as browsers let it, by the name of the exception. */
export async function letFail(page: Page, name: "AbortError" | "NotAllowedError" | "SecurityError"): Promise<void> {
  await page.evaluate((name) => {
    Object.assign(globalThis, { showDirectoryPicker: () => Promise.reject(new DOMException("as the browser says it", name)) });
  }, name);
}

/** Presses the button that picks a folder. */
export async function pick(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open a folder…" }).click();
}

/** Finding the Chromium that browser tests drive, and the flags that it needs. No browser is ever downloaded by a test tool here. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FIXED = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * For a headless browser on a machine without a sandbox helper or a GPU, and without traffic of its own: on a closed network the
 * background requests fail by the dozen and slow every start.
 */
export const chromiumArgs = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The path of a Chromium: $CHROME_PATH, else PATH, else where macOS keeps it.
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env["CHROME_PATH"];
  if (named) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  for (const name of NAMES) {
    for (const folder of folders) {
      if (isExecutable(join(folder, name))) return join(folder, name);
    }
  }
  return FIXED.find((path) => existsSync(path));
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

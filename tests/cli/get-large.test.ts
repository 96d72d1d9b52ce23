/** `get` of a column of 1 GiB: the file is exact, and the memory that it takes does not grow with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Dataset, Schema } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { makeTempDir } from "../support/temp-dir.js";
import { fileURLToPath } from "node:url";
import { inTerminal, MAIN } from "./support/program.js";
import { inPython } from "./support/readback.js";

const ITEMS = 1024;
/** Elements of an Item: 1 MiB of f32. */
const ELEMENTS = 1 << 18;
/** Memory of the program at most, of which Node itself takes about 100 MB. */
const MOST_BYTES = 300e6;

let dir = "";

beforeAll(async () => {
  dir = await makeTempDir();
  const ds = await Dataset.create(fsStore(join(dir, "data")), "main", new Schema().array("signal", { dtype: "f32", shape: [512, 512] }));
  const pattern = Float32Array.from({ length: ELEMENTS }, (_, at) => at);
  // In portions, so that the writer's memory stays small as well.
  for (let from = 0; from < ITEMS; from += 64) {
    const signal = new Float32Array(64 * ELEMENTS);
    for (let at = 0; at < 64; at++) {
      signal.set(pattern, at * ELEMENTS);
      signal[at * ELEMENTS] = -(from + at);
    }
    await ds.appendColumns({ anchors: Array.from({ length: 64 }, (_, at) => BigInt(10 * (from + at))), fields: { signal } });
  }
  await ds.delete([30n], "one is gone");
}, 120_000);

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** Runs the program and tells the most memory that it had. */
async function peakOf(args: readonly string[]): Promise<{ status: number | null; stderr: string; peak: number }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("support/peak.mjs", import.meta.url)), ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => {
    stderr += piece.toString();
  });
  const [status] = (await once(child, "close")) as [number | null];
  const [, peak = "0"] = /^peak (\d+)$/m.exec(stderr) ?? [];
  return { status, stderr: stderr.replace(/^peak \d+\n/m, ""), peak: Number(peak) };
}

describe("1,023 Items of 1 MiB", () => {
  test.each(["npy", "npz"])("as .%s", { timeout: 180_000 }, async (format) => {
    const path = join(dir, `signal.${format}`);
    const { status, stderr, peak } = await peakOf(["get", join(dir, "data"), "signal", "-o", path, "--quiet"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(peak).toBeGreaterThan(20e6);
    expect(peak).toBeLessThan(MOST_BYTES);
    expect((await stat(path)).size).toBeGreaterThan((ITEMS - 1) * 4 * ELEMENTS);
    const read = await inPython(
      `
import json, sys, numpy as np
path = sys.argv[1]
data = np.load(path, mmap_mode="r") if path.endswith(".npy") else np.load(path)["data"]
numbers = np.array([item for item in range(${ITEMS}) if item != 3], dtype="<f4")
pattern = np.arange(${ELEMENTS}, dtype="<f4")
rest = all(np.array_equal(item.reshape(-1)[1:], pattern[1:]) for item in data)
anchors = path.endswith(".npy") or np.array_equal(np.load(path)["anchors"], (10 * numbers).astype("<u8"))
print(json.dumps([str(data.dtype), list(data.shape), bool(np.array_equal(data[:, 0, 0], -numbers)), rest, bool(anchors)]))
`,
      path,
    );
    expect(read).toEqual(["float32", [ITEMS - 1, 512, 512], true, true, true]);
    await rm(path);
  });

  test("through a pipe, of which only the beginning is read, ends quietly", { timeout: 60_000 }, async () => {
    const child = spawn("bash", ["-c", `set -o pipefail; "$0" "$@" --format npy | head -c 10`, process.execPath, MAIN, "get", join(dir, "data"), "signal"]);
    let [out, err] = [Buffer.alloc(0), ""];
    child.stdout.on("data", (piece: Buffer) => {
      out = Buffer.concat([out, piece]);
    });
    child.stderr.on("data", (piece: Buffer) => {
      err += piece.toString();
    });
    const [status] = (await once(child, "close")) as [number | null];
    expect([status, err, out.toString("latin1")]).toEqual([0, "", "\x93NUMPY\x01\0v\0"]);
  });

  test("stopped by Ctrl-C in the middle, under a bar, leaves nothing, and what was there before", { timeout: 60_000 }, async () => {
    const path = join(dir, "stopped.npy");
    await writeFile(path, "before");
    const { status, text } = await inTerminal(["get", join(dir, "data"), "signal", "-o", path], { interruptAt: /MB\/s/ });
    expect(status).toBe(130);
    expect(text).toMatch(/\d+ % {2}\d+ of 1,023 {2}[\d.]+ [MG]B\/s {2}.* left/);
    expect((await readdir(dir)).sort()).toEqual(["data", "stopped.npy"]);
    expect(await readFile(path, "utf8")).toBe("before");
  });
});

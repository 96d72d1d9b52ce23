/** The README's code, run as it stands there but for the address of the dataset: against the episode, over HTTP. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test, vi } from "vitest";
import { openDataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { testDir } from "../support/temp-dir.js";
import { fixtureUrl, loadSidecar } from "../support/fixtures.js";

const FOLDER = new URL("../../.tools/readme/", import.meta.url);
const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The block of code below a heading. */
function codeBelow(heading: string): string {
  const [, section = ""] = readme.split(`## ${heading}\n`);
  return /```ts\n(.*?)```/s.exec(section)?.[1] ?? "";
}

/** What the code says on the console, line by line. */
async function said(heading: string, address = "https://data.example.org/episodes", real = fixtureUrl("episode")): Promise<unknown[][]> {
  const code = codeBelow(heading);
  expect(code).toContain(`"${address}"`);
  mkdirSync(FOLDER, { recursive: true });
  const file = new URL(`${heading.replaceAll(" ", "-")}.ts`, FOLDER);
  writeFileSync(file, code.replace(address, real));
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ file.pathname);
    return log.mock.calls.map((args) => [...(args as unknown[])]);
  } finally {
    log.mockRestore();
  }
}

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Numbers of Items and names, by what the reference reads of the episode. */
async function truth() {
  const { refs } = await loadSidecar("episode");
  const fields = refs["main"]?.fields ?? {};
  const count = (field: string): number => fields[field]?.items?.length ?? 0;
  return { fields, count };
}

describe("README", () => {
  test("reads a remote dataset", async () => {
    const { count } = await truth();
    const lines = await said("Read a remote dataset");
    expect(lines).toHaveLength(count("pose"));
    for (const [anchor, data, strides, units, verified] of lines) {
      expect([typeof anchor, (data as Float32Array).length, strides, units, verified]).toEqual(["bigint", 16, [4, 1], "m", "object"]);
    }
  });

  test("reads much of it: columns, batches, rows, single rows, many, an audit", async () => {
    const { count, fields } = await truth();
    const lines = await said("Read much of it");
    const poses = count("pose");
    const [shape, anchors, data, bytes] = lines[0] as [number[], BigUint64Array, Float32Array, number];
    const inWindow = [...anchors].filter((anchor) => anchor < (anchors[0] ?? 0n) + 200_000_000n).length;
    expect([shape, data.length, bytes]).toEqual([[inWindow, 4, 4], inWindow * 16, 128 + inWindow * 64]);
    const batches = Math.ceil(poses / 4);
    expect(lines.slice(1, 1 + batches).map(([length]) => length)).toEqual(Array.from({ length: batches }, (_, at) => Math.min(4, poses - 4 * at)));
    const rows = lines.slice(1 + batches, -3);
    expect(rows).toHaveLength(poses);
    expect(rows.filter(([, , force]) => force !== undefined)).toHaveLength(count("force"));
    expect(lines.at(-3)).toEqual([[expect.any(Number), 3], expect.any(Float32Array), expect.any(BigUint64Array), expect.any(Float64Array)]);
    expect(lines.at(-2)).toEqual([Array.from({ length: inWindow }, () => "value"), ["value", "absent"]]);
    const stored = Object.values(fields).reduce((sum, { items }) => sum + (items?.length ?? 1), 0);
    expect(lines.at(-1)).toEqual([stored, 0]);
  });
});

test("what is said of writing holds, and the folder has it", async () => {
  const folder = await testDir();
  const [[outcomes] = []] = await said("Write a dataset", "episodes", folder);
  expect(outcomes).toMatchObject([{ status: "value" }, { status: "deleted" }, { status: "value" }]);
  const ds = await openDataset(fsStore(folder), "main");
  expect(await ds.audit()).toMatchObject({ items: 4, faults: [] });
  expect((await ds.media("frame").read(1000n))?.bytes).toEqual(new Uint8Array(50));
  const lines = codeBelow("Write a dataset").trimEnd().split("\n");
  expect(lines).toHaveLength(10);
});

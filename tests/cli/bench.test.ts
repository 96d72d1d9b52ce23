/** `bench`: its numbers against the files of the dataset and the server's own log, its limits, and that it leaves no trace. */
import { appendFile, cp, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import { testDir } from "../support/temp-dir.js";
import { cli, fixture, json } from "./support/program.js";

interface Read {
  readonly field?: string;
  readonly read: string;
  readonly items: number;
  readonly requests: number;
  readonly bytesWanted: number;
  readonly bytesFetched: number;
  readonly amplification?: number;
  readonly itemsPerSecond?: number;
  readonly planned?: { readonly requests: number; readonly bytes: number };
  readonly note?: string;
}

const measured = async (args: readonly string[]): Promise<readonly Read[]> => ((await json(["bench", ...args, "--json", "--quiet"])) as { reads: readonly Read[] }).reads;

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return Promise.all(entries.sort().map(async (name) => `${name} ${(await stat(join(folder, name))).mtimeMs}`));
}

test("counts what the server sees: requests and bytes, wanted and fetched", async () => {
  const folder = fixture("episode");
  const before = await filesOf(folder);
  const server = await serveDirectory(folder);
  try {
    const reads = await measured([server.url, "--field", "force"]);
    expect(reads.map(({ read }) => read)).toEqual(["open", "the index, all of it", "1 Item", "8 Items at random", "8 neighbours", "a column of 8"]);
    // 3 × 6 doubles and a header, or not: the files say.
    const sizes = new Map<string, number>();
    for (const { target, bytes } of server.requests) if (/array\.\w+\.kind=event[^/]*\/[0-9a-f]{16}\//.test(target)) sizes.set(target, bytes);
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(sizes.size).toBe(8);
    for (const { items, requests, bytesWanted, bytesFetched, amplification, planned } of reads.slice(3)) {
      expect({ items, requests, bytesWanted, bytesFetched, amplification }).toEqual({ items: 8, requests: 8, bytesWanted: all, bytesFetched: all, amplification: 1 });
      expect(planned).toEqual({ requests, bytes: bytesFetched });
    }
    // Five datasets were opened, and five indexes read, beside the reads; `refs/` is no part of it.
    const sent = server.requests.filter(({ method, status }) => method === "GET" && status === 200).length;
    expect(sent).toBe(reads.reduce((sum, { requests }) => sum + requests, 0) + 5 * 2 + 4);
  } finally {
    await server.close();
  }
  expect(await filesOf(folder)).toEqual(before);
});

test("neighbours in a pack are one request of the pack's bytes; random ones are the same in each run", async () => {
  const [first, second] = [await measured([fixture("packs"), "--field", "im2"]), await measured([fixture("packs"), "--field", "im2"])];
  const numbers = (reads: readonly Read[]) => reads.map(({ read, items, requests, bytesWanted, bytesFetched }) => ({ read, items, requests, bytesWanted, bytesFetched }));
  expect(numbers(first)).toEqual(numbers(second));
  expect(first).toContainEqual(expect.objectContaining({ read: "18 neighbours", items: 18, requests: 1, bytesWanted: 19_320, bytesFetched: 19_320 }));
});

test("rows of ragged and sparse Items are measured, and fields that were not asked for are told", async () => {
  const { status, stdout, stderr } = await cli(["bench", fixture("episode")]);
  expect([status, stderr]).toEqual([0, "the first 4 of 7 fields; --field chooses another\n"]);
  expect(stdout.toString()).toMatch(/^field +read +Items +requests +wanted +fetched +amplification +time +Items\/s\n/);
  expect(stdout.toString()).toMatch(/^contacts +the first row of an Item +1 /m);
  expect(stdout.toString()).toMatch(/^hits +the first row of an Item +1 /m);
});

test("--max-bytes leaves out what would not fit, and says so", async () => {
  const reads = await measured([fixture("packs"), "--field", "im2", "--max-bytes", "12000"]);
  expect(reads.reduce((sum, { bytesFetched }) => sum + bytesFetched, 0)).toBeLessThanOrEqual(12_000);
  expect(reads.filter(({ note }) => /^(left out: it would take|only \d+ of them, for --max-bytes)/.test(note ?? "")).length).toBeGreaterThan(0);
});

test("an Item that cannot be read is told, with status 1", async () => {
  const folder = await testDir();
  await cp(fixture("episode"), folder, { recursive: true });
  const files = await readdir(folder, { recursive: true });
  for (const name of files.filter((file) => /kind=event.*\/[0-9a-f]{16}\//.test(file))) await appendFile(join(folder, name), "x");
  const { status, stdout } = await cli(["bench", folder, "--field", "force"]);
  expect(status).toBe(1);
  expect(stdout.toString()).toMatch(/8 failed, the first with \w+: /);
});

test.each([
  [["--field", "none"], 3, /NoSuchField/],
  [["--field", "step"], 2, /no field of arrays or media/],
  [["--max-bytes", "0"], 2, /whole number from 1/],
  [["--seconds", "x"], 2, /whole number from 1/],
])("%j ends with %d", async (args, status, text) => {
  const ended = await cli(["bench", fixture("scalar-tree"), ...args]);
  expect([ended.status, ended.stderr]).toEqual([status, expect.stringMatching(text) as string]);
});

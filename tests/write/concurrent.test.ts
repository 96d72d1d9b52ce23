/** Many writers of one Ref: each row that was acknowledged is there, once, and no other is; also when writers are killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Dataset, init, memoryStore, openDataset, type WritableStore } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import { httpStore } from "../../ts/store/http.js";
import { testDir } from "../support/temp-dir.js";
import { contentsOf, rowsFrom, schemaOfAll } from "../support/writes.js";

beforeAll(() => init());

const WRITERS = 16;
const APPENDER = fileURLToPath(new URL("appender.mjs", import.meta.url));

async function folder(): Promise<string> {
  const dir = await testDir();
  await Dataset.create(fsStore(dir), "main", schemaOfAll());
  return dir;
}

const PLACES: Record<string, () => Promise<() => WritableStore>> = {
  async memory() {
    const store = memoryStore();
    await Dataset.create(store, "main", schemaOfAll());
    return () => store;
  },
  async folder() {
    const dir = await folder();
    return () => fsStore(dir, { durable: false });
  },
  async http() {
    const server = await serveDirectory(await folder(), { writable: true });
    onTestFinished(() => server.close());
    return () => httpStore(server.url);
  },
};

/** Whether every Item stands in its Tracks once: media may stand twice at an anchor, and a reader would not notice. */
async function countsOf(store: WritableStore): Promise<number[]> {
  const ds = await openDataset(store);
  return await Promise.all(["pose", "frame", "sound"].map((name) => (name === "pose" ? ds.array(name).count() : ds.media(name).count())));
}

describe.each(Object.entries(PLACES))(`${WRITERS} writers over %s`, (_name, placeOf) => {
  it("that go on from each other's versions lose no row and write none twice", async () => {
    const storeOf = await placeOf();
    const acknowledged: bigint[] = [];
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const ds = await Dataset.open(storeOf());
        for (let append = 0; append < 2; append++) {
          const { anchors } = await ds.append(rowsFrom(100 * writer + 2 * append, 2), { rebase: true });
          acknowledged.push(...anchors);
        }
      }),
    );
    expect(acknowledged).toHaveLength(WRITERS * 4);
    const rows = await contentsOf(storeOf());
    expect([...rows.keys()]).toEqual(acknowledged.sort((a, b) => Number(a - b)));
    for (const [anchor, value] of rows) expect(value).toEqual([Number(anchor), 0 - Number(anchor)]);
    expect(await countsOf(storeOf())).toEqual([rows.size, rows.size, rows.size]);
  }, 60_000);

  it("that do not: one of them wins each time, the others are told", async () => {
    const storeOf = await placeOf();
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => Dataset.open(storeOf())));
    const outcomes = await Promise.allSettled(writers.map((ds, writer) => ds.append(rowsFrom(10 * writer, 1))));
    const won = outcomes.flatMap(({ status }, writer) => (status === "fulfilled" ? [BigInt(10 * writer)] : []));
    const lost = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [(outcome.reason as { code?: unknown }).code] : []));
    expect(won.length).toBeGreaterThan(0);
    expect(new Set(lost)).toEqual(new Set(lost.length > 0 ? ["RefConflict"] : []));
    expect([...(await contentsOf(storeOf())).keys()]).toEqual(won);
  }, 60_000);
});

describe("programs of their own", () => {
  const children: ChildProcess[] = [];

  /** What a program acknowledged until it ended. */
  function appended(...args: string[]): Promise<{ readonly rows: bigint[]; readonly signal: NodeJS.Signals | null; readonly said: string }> {
    const child = spawn(process.execPath, [APPENDER, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    let [out, said] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    return new Promise((resolve) => {
      child.on("close", (_code, signal) => resolve({ rows: out.split("\n").filter(Boolean).map(BigInt), signal, said }));
    });
  }

  it("share a folder: every acknowledged row is there once", async () => {
    const dir = await folder();
    const programs = await Promise.all(Array.from({ length: 4 }, (_, program) => appended(dir, String(100 * program), "4")));
    expect(programs.map(({ said }) => said)).toEqual(["", "", "", ""]);
    const acknowledged = programs.flatMap(({ rows }) => rows);
    expect(acknowledged).toHaveLength(16);
    expect([...(await contentsOf(fsStore(dir))).keys()]).toEqual(acknowledged.sort((a, b) => Number(a - b)));
    expect(await countsOf(fsStore(dir))).toEqual([16, 16, 16]);
  }, 60_000);

  it("are killed at each step, in a folder: the dataset is as before or as after, and the next one goes on", async () => {
    const dir = await folder();
    const there: bigint[] = [];
    let next = 0;
    for (let step = 0; ; step++) {
      const { rows, signal, said } = await appended(dir, String(next), "1", String(step));
      expect(said).toBe("");
      const found = [...(await contentsOf(fsStore(dir))).keys()];
      // A program that was killed had not acknowledged anything.
      expect(rows).toEqual(signal === null ? [BigInt(next)] : []);
      expect(found).toEqual(signal === null ? [...there, BigInt(next)] : there);
      if (signal === null) break;
      // Another one writes the same row, over what the first one left.
      expect(await appended(dir, String(next), "1")).toMatchObject({ rows: [BigInt(next)], said: "" });
      there.push(BigInt(next++));
      expect(await countsOf(fsStore(dir))).toEqual([there.length, there.length, there.length]);
    }
    expect(there.length).toBeGreaterThan(10);
  }, 120_000);
});

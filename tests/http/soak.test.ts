/**
 * 20,000 reads of all kinds through a source that fails in every way at random: each gives what the reference says or a typed error. Nothing
 * hangs, and afterwards nothing is open and nothing is held.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type FieldInfo, init, isArrayField, isDreamDbError, isMediaField, openDataset } from "dreamdb-arrays";
import { beforeAll, expect, test } from "vitest";
import { arrayDifference, bytesDifference, itemsOf } from "../../scripts/lib/dataset-check/sidecar.mjs";
import { Random } from "../interop/support/random.js";
import { FAULTS, FaultyFetch } from "../support/faulty-fetch.js";
import type { ArrayFact, BytesFact, PartsFact, Sidecar } from "../support/sidecar.js";

const READS = 20_000;
const WORKERS = 96;
/** Reads of a dataset before it is opened anew: what its caches hold is asked for no more. */
const READS_EACH = 12;
const SEED = 20_261_130;
const NAMES = ["arrays-basic", "arrays-continuous", "packs", "singles-bao", "chunked", "hand-minimal"] as const;
/** Longer than a read takes with all tries of all its requests, on a machine with much else to do. */
const LONGEST_MS = 30_000;

type Dataset = Awaited<ReturnType<typeof openDataset>>;
type Truth = ReadonlyMap<string, ReadonlyMap<bigint, ArrayFact | PartsFact | BytesFact>>;

interface Source {
  readonly name: string;
  readonly ref: string;
  readonly truth: Truth;
  readonly faulty: FaultyFetch;
}

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));

function source(name: string, at: number): Source {
  const folder = join(fixtures, name, "data");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const objects = new Map(files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), new Uint8Array(readFileSync(path))] as const;
  }));
  const sidecar = JSON.parse(readFileSync(join(fixtures, name, "expected.json"), "utf8")) as Sidecar;
  const [ref, facts] = Object.entries(sidecar.refs)[0] ?? [];
  if (ref === undefined || facts === undefined) throw new Error(`${name} has no versions`);
  const truth = new Map(Object.entries(facts.fields).map(([field, fact]) => [field, new Map((itemsOf(fact) ?? []).map(({ anchor, value }) => [anchor, value]))]));
  return { name, ref, truth, faulty: new FaultyFetch(objects, SEED + at, 0.2) };
}

/** Bytes that had the digest of their fact: hashing them again and again would take most of the time. */
const known = new WeakMap<BytesFact, Uint8Array>();

function bytesAreWrong(bytes: unknown, fact: BytesFact): string | undefined {
  const right = known.get(fact);
  if (right !== undefined) return bytes instanceof Uint8Array && Buffer.compare(right, bytes) === 0 ? undefined : "other bytes than before";
  const wrong = bytesDifference(bytes, fact);
  if (wrong === undefined && bytes instanceof Uint8Array) known.set(fact, bytes.slice());
  return wrong;
}

function difference(value: unknown, fact: ArrayFact | PartsFact | BytesFact | undefined): string | undefined {
  if (fact === undefined) return value === undefined ? undefined : "a value where there is none";
  if ("len" in fact) return bytesAreWrong(value instanceof Uint8Array ? value : (value as { bytes?: unknown } | undefined)?.bytes, fact);
  return arrayDifference(value, fact);
}

function fieldOf(ds: Dataset, info: FieldInfo) {
  if (isMediaField(info)) return ds.media(info.name);
  if (!isArrayField(info) || info.family === "dense-array") return ds.array(info.name);
  return info.family === "ragged-array" ? ds.ragged(info.name) : ds.csr(info.name);
}

/** Reads something, and says what is wrong with it; `undefined` if nothing is. A refusal rejects. */
async function readOne(ds: Dataset, { truth }: Source, random: Random, signal: AbortSignal): Promise<string | undefined> {
  const fields = ds.fields.filter((info) => (isArrayField(info) || isMediaField(info)) && (truth.get(info.name)?.size ?? 0) > 0);
  const info = random.pick(fields);
  const facts = truth.get(info.name) ?? new Map<bigint, never>();
  const anchors = [...facts.keys()];
  const field = fieldOf(ds, info);
  const anchor = random.chance(0.05) ? (anchors.at(-1) ?? 0n) + 1n : random.pick(anchors);
  switch (random.integer(0, 9)) {
    case 0: {
      // A failure is its Item's alone, and never absence.
      const outcomes = await field.readMany(anchors, { signal });
      for (const [at, outcome] of outcomes.entries()) {
        if (outcome.status === "error") {
          if (!isDreamDbError(outcome.error)) return `an error of another kind: ${String(outcome.error)}`;
        } else if (outcome.status !== "value") return `${outcome.status} where there is a value`;
        else {
          const wrong = difference(outcome.value, facts.get(anchors[at] ?? -1n));
          if (wrong !== undefined) return wrong;
        }
      }
      return undefined;
    }
    case 1: {
      const start = random.pick(anchors);
      let seen = 0;
      for await (const { anchor, values } of ds.rows({ fields: [info.name], start, signal })) {
        const wrong = difference(values[info.name], facts.get(anchor));
        if (wrong !== undefined) return wrong;
        seen++;
      }
      const expected = anchors.filter((anchor) => anchor >= start).length;
      return seen === expected ? undefined : `${seen} rows instead of ${expected}`;
    }
    case 2:
    case 3: {
      if (isArrayField(info) && info.family === "dense-array") {
        const { anchors: read, data, shape } = await ds.array(info.name).column({ signal });
        const size = shape.slice(1).reduce((product: number, extent: number) => product * extent, 1);
        if (read.length !== anchors.length) return `${read.length} Items instead of ${anchors.length}`;
        for (const [at, anchor] of Array.from(read).entries()) {
          const item = { family: "dense-array", dtype: info.dtype, shape: shape.slice(1), data: data.slice(at * size, (at + 1) * size) };
          const strides = item.shape.map((_: number, axis: number) => item.shape.slice(axis + 1).reduce((product: number, extent: number) => product * extent, 1));
          const wrong = difference({ ...item, strides, order: "c" }, facts.get(anchor));
          if (wrong !== undefined) return wrong;
        }
        return undefined;
      }
      if (!isMediaField(info)) return difference(await field.read(anchor, { signal }), facts.get(anchor));
      const { anchors: read, items } = await ds.media(info.name).column({ signal });
      if (read.length !== anchors.length) return `${read.length} Items instead of ${anchors.length}`;
      return Array.from(read).map((anchor, at) => difference(items[at], facts.get(anchor))).find((wrong) => wrong !== undefined);
    }
    default:
      return difference(await field.read(anchor, { signal }), facts.get(anchor));
  }
}

class Soak {
  readonly tally = new Map<string, number>();
  readonly wrong: string[] = [];
  slowest = 0;
  #left: number;

  constructor(reads: number) {
    this.#left = reads;
  }

  count(outcome: string): void {
    this.tally.set(outcome, (this.tally.get(outcome) ?? 0) + 1);
  }

  /** Reads until there are none left. */
  async work(sources: readonly Source[], worker: number): Promise<void> {
    const random = new Random(SEED, worker);
    while (this.#left > 0) {
      const from = random.pick(sources);
      const options = { fetch: from.faulty.fetch, timeoutMs: 40, retry: { attempts: 3, minDelayMs: 1, maxDelayMs: 4 }, cacheBytes: random.pick([0, 4096, 1 << 20]) };
      let ds: Dataset | undefined;
      for (let at = 0; at < READS_EACH && this.#left > 0; at++) {
        this.#left--;
        const cancel = new AbortController();
        const timer = random.chance(0.03) ? setTimeout(() => cancel.abort(), random.integer(0, 3)) : undefined;
        const start = performance.now();
        try {
          ds ??= await openDataset("http://store/", from.ref, { ...options, signal: cancel.signal });
          const wrong = await readOne(ds, from, random, cancel.signal);
          if (wrong !== undefined) this.wrong.push(`${from.name}: ${wrong}`);
          this.count("right");
        } catch (error) {
          const cancelled = error === cancel.signal.reason && cancel.signal.aborted;
          if (!cancelled && !isDreamDbError(error)) this.wrong.push(`${from.name}: rejected with ${String(error)}`);
          else if (isDreamDbError(error) && /^(?:Internal|InvalidArgument)$/.test(error.code)) this.wrong.push(`${from.name}: ${error.code}: ${error.message}`);
          this.count(isDreamDbError(error) ? error.code : "cancelled");
        }
        clearTimeout(timer);
        this.slowest = Math.max(this.slowest, performance.now() - start);
      }
    }
  }
}

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

async function heldBytes(): Promise<number> {
  // Finalizers run between tasks, and what they let go of goes with the next collection.
  for (let at = 0; at < 3; at++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

beforeAll(() => init());

test("20,000 reads through faults of every kind", { timeout: 400_000 }, async () => {
  const sources = NAMES.map(source);
  // What is compiled and kept once is no leak.
  await new Soak(READS / 20).work(sources, WORKERS);
  const before = await heldBytes();
  const soak = new Soak(READS);
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => soak.work(sources, worker)));
  expect(soak.wrong).toEqual([]);
  const total = [...soak.tally.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBe(READS);
  expect(soak.tally.get("right")).toBeGreaterThan(READS / 2);
  expect(soak.slowest).toBeLessThan(LONGEST_MS);
  for (const fault of FAULTS) expect([fault, sources.some(({ faulty }) => (faulty.seen.get(fault) ?? 0) > 0)]).toEqual([fault, true]);
  const after = await heldBytes();
  expect(sources.map(({ faulty }) => faulty.open)).toEqual(sources.map(() => 0));
  expect(after - before).toBeLessThan(8 << 20);
});

/**
 * 20,000 reads of all kinds from a server that misbehaves at random in every way it can: each gives what the reference says or a typed error.
 * Nothing hangs, and afterwards nothing is open and nothing is held.
 *
 * What a worker reads, and what its server does, follow from the seed and the worker's number. A failure says how to have them again, with that
 * worker alone:
 *
 *     SOAK_SEED=1 SOAK_WORKER=17 npx vitest run --project node tests/http/soak.test.ts
 */
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Fetch, httpStore, init, isDreamDbError, openDataset } from "dreamdb-arrays";
import { Agent, fetch as fetchOfUndici } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../interop/support/random.js";
import { type Mode, MODES } from "../support/broken-modes.js";
import { type BrokenServer, startBrokenServer } from "../support/broken-server.js";
import type { Session } from "../support/broken-session.js";
import { nextRead, type Truth, truthOf, WAYS } from "../support/soak.js";

const SEED = Number(process.env["SOAK_SEED"] ?? 20_261_130);
const ALONE = process.env["SOAK_WORKER"];
const WORKERS = 80;
const READS_EACH = 250;
/** Reads of a dataset before it is opened anew: what its caches hold is asked for no more. */
const READS_OF_ONE = 12;
const NAMES = ["arrays-basic", "arrays-continuous", "packs", "singles-bao", "chunked", "hand-minimal", "paged-small"] as const;
/** Longer than a read takes with all tries of all its requests, on a machine with much else to do. */
const DEADLINE_MS = 60_000;
const FAULTS = Object.keys(MODES) as Mode[];

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));

let server: BrokenServer;
beforeAll(async () => {
  await init();
  server = await startBrokenServer(fixtures);
});
afterAll(() => server.close());

/** What all workers together saw. */
class Soak {
  readonly outcomes = new Map<string, number>();
  readonly ways = new Map<string, number>();
  readonly faults = new Map<string, number>();
  /** Those with requests that may not be over. */
  readonly #sessions = new Set<Session>();
  readonly wrong: string[] = [];
  slowest = 0;
  /** The connections of `fetch`, which keeps those for itself that were opened for a request that was given up. */
  readonly agent = new Agent();
  readonly #byFetch: Fetch = async (url, { headers, signal }) =>
    // The same class by another name: Node's types know only Node's own copy of it.
    (await fetchOfUndici(url, { headers: headers as Record<string, string>, signal: signal ?? null, dispatcher: this.agent })) as unknown as Response;

  constructor(
    readonly seed: number,
    readonly truths: ReadonlyMap<string, Truth>,
  ) {}

  /** Reads a number of times, one after another. */
  async work(worker: number, reads: number): Promise<void> {
    for (let at = 0; at < reads; at += READS_OF_ONE) await this.#dataset(worker, at, Math.min(at + READS_OF_ONE, reads));
  }

  /** Reads of one dataset. What is drawn for one of them does not depend on how those before it ended. */
  async #dataset(worker: number, first: number, end: number): Promise<void> {
    const random = new Random(this.seed, worker, first, 0);
    const name = random.pick([...this.truths.keys()]);
    const truth = this.truths.get(name) as Truth;
    const session = server.begin({ fixture: name, chaos: { seed: random.integer(0, 2 ** 32 - 1), likelihood: 0.2, modes: FAULTS } });
    this.#sessions.add(session);
    const store = httpStore(`${server.urls.near}/${session.name}/exact206`, {
      timeoutMs: 2000,
      // An answer without an end is cut off there, wherever nothing else tells the length.
      maxWholeBytes: 1 << 20,
      ...(random.chance(0.3) && { fetch: this.#byFetch }),
    });
    const options = { retry: { attempts: 3, minDelayMs: 1, maxDelayMs: 4 }, cacheBytes: random.pick([0, 4096, 1 << 20]) };
    let ds: Awaited<ReturnType<typeof openDataset>> | undefined;
    for (let at = first; at < end; at++) {
      const random = new Random(this.seed, worker, at, 1);
      let place = `${name}, opening`;
      const cancel = new AbortController();
      const impatient = random.chance(0.03) ? setTimeout(() => cancel.abort(), random.integer(0, 5)) : undefined;
      const start = performance.now();
      const outcome = await within(DEADLINE_MS, async () => {
        ds ??= await openDataset(store, truth.ref, { ...options, signal: cancel.signal });
        const { field, way, read } = nextRead(ds, truth, random);
        place = `${name}, ${field} by ${way}`;
        count(this.ways, way);
        return await read(cancel.signal);
      }).then(
        (wrong) => wrong === undefined ? "right" : `WRONG ${wrong}`,
        (error: unknown) => {
          if (cancel.signal.aborted && error === cancel.signal.reason) return "cancelled";
          if (!isDreamDbError(error)) return `WRONG rejected with ${String(error)}`;
          return /^(?:Internal|InvalidArgument)$/.test(error.code) ? `WRONG ${error.code}: ${error.message}` : error.code;
        },
      );
      clearTimeout(impatient);
      this.slowest = Math.max(this.slowest, performance.now() - start);
      count(this.outcomes, outcome.startsWith("WRONG") ? "wrong" : outcome);
      if (outcome.startsWith("WRONG")) {
        this.wrong.push(`${place}: ${outcome}; again: SOAK_SEED=${this.seed} SOAK_WORKER=${worker} npx vitest run --project node tests/http/soak.test.ts`);
      }
    }
    for (const { mode } of session.log().requests) count(this.faults, mode);
    session.forget();
    server.end(session);
    for (const earlier of this.#sessions) if (earlier.open.length === 0) this.#sessions.delete(earlier);
  }

  /** Requests that the server has not done with. */
  get open(): string[] {
    return [...this.#sessions].flatMap(({ open }) => open.map(({ mode, target, sent }) => `${target}, answered by ${mode}, ${sent} bytes sent`));
  }
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Work that must end. */
async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(`nothing within ${ms} ms`)), ms)));
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until nothing is left, which must be before long. */
async function untilEmpty(what: string, left: () => readonly unknown[]): Promise<void> {
  const start = performance.now();
  for (let still = left(); still.length > 0; still = left()) {
    if (performance.now() - start > 10_000) throw new Error(`${what}: ${still.length} are left: ${JSON.stringify(still.slice(0, 5))}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
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

/** All that was opened is closed again, on both sides, once the server gives up connections that nobody uses. */
async function settle(soak: Soak): Promise<void> {
  await untilEmpty("requests", () => soak.open);
  await soak.agent.close();
  // What is idle on our side as well is then gone; what is not would stay.
  await untilEmpty("connections", () => {
    server.closeIdle();
    return server.connections();
  });
  await untilEmpty("sockets", () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap"));
}

test("20,000 reads through faults of every kind", { timeout: 1_200_000 }, async () => {
  const truths = new Map(NAMES.map((name) => [name as string, truthOf(fixtures, name)]));
  if (ALONE !== undefined) {
    const soak = new Soak(SEED, truths);
    await soak.work(Number(ALONE), READS_EACH);
    expect(soak.wrong).toEqual([]);
    return;
  }
  process.stdout.write(`soak: seed ${SEED}\n`);
  const all = Array.from({ length: WORKERS }, (_, worker) => worker);
  // What is compiled and kept once is no leak.
  const warm = new Soak(SEED + 1, truths);
  await Promise.all(all.map((worker) => warm.work(worker, READS_EACH / 20)));
  await settle(warm);
  const before = await heldBytes();
  const soak = new Soak(SEED, truths);
  await Promise.all(all.map((worker) => soak.work(worker, READS_EACH)));
  const { outcomes, ways, faults, wrong, slowest } = soak;
  if (process.env["SOAK_REPORT"]) process.stdout.write(`${JSON.stringify({ slowest, outcomes: [...outcomes], ways: [...ways], faults: [...faults] })}\n`);
  expect(wrong.slice(0, 10)).toEqual([]);
  expect([...outcomes.values()].reduce((sum, times) => sum + times, 0)).toBe(WORKERS * READS_EACH);
  expect(outcomes.get("right")).toBeGreaterThan((WORKERS * READS_EACH) / 4);
  expect(slowest).toBeLessThan(DEADLINE_MS);
  for (const fault of FAULTS) expect([fault, (faults.get(fault) ?? 0) > 0]).toEqual([fault, true]);
  for (const way of WAYS) expect([way, (ways.get(way) ?? 0) > 100]).toEqual([way, true]);
  await settle(soak);
  const after = await heldBytes();
  if (process.env["SOAK_REPORT"]) process.stdout.write(`${after - before} bytes\n`);
  expect(after - before).toBeLessThan(8 << 20);
});

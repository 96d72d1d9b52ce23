/**
 * What the compiler takes: sources, versions, options, stores of a caller's own, and errors. Nothing here runs.
 */

import {
  blobStore, DreamDbError, type ErrorCode, type Fetch, httpStore, init, isDreamDbError, memoryStore, openDataset, type ReadOptions, type Stats, type Store,
} from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { expectTypeOf } from "vitest";

/** Every source and version. */
export async function sources(signal: AbortSignal | undefined, files: FileList): Promise<void> {
  await openDataset("https://host/bucket");
  await openDataset(new URL("https://host/bucket"), "main");
  await openDataset(httpStore("https://host/bucket", { fetch: (url, options) => fetch(url, options), timeoutMs: 1000 }), "main@label");
  await openDataset(fsStore("folder"), { manifest: "d2xr" });
  await openDataset(memoryStore({ "refs/main": new Uint8Array(33) }));
  await openDataset(memoryStore(new Map([["refs/main", new Uint8Array(33)]])));
  await openDataset(blobStore(Array.from(files, (file) => [file.name, file] as const)));
  // Options may be undefined, as they are when they are passed on.
  await openDataset("https://host", "main", { signal, verify: undefined, cacheBytes: undefined, fetch: undefined, timeoutMs: undefined });
  await openDataset("https://host", undefined, { verify: "available" });
  await openDataset("https://host", "main", {
    concurrency: 4,
    maxRequests: 40,
    retry: { attempts: 2, minDelayMs: 50, maxDelayMs: 1000 },
    maxGap: 0,
    maxRequestBytes: 1 << 20,
    maxItemBytes: Infinity,
    cache: "no-store",
    resolve: async (key, { reason }) => new URL(`https://signed/${key}?again=${reason === "refused"}`),
    onEvent: (event) => {
      if (event.type === "request") expectTypeOf(event.bytes).toEqualTypeOf<number>();
      if (event.type === "verified") expectTypeOf(event.by).toEqualTypeOf<"object" | "range">();
      // @ts-expect-error events hold keys, never addresses
      void event.url;
    },
  });
  // @ts-expect-error there is no such policy
  await openDataset("https://host", "main", { verify: "sometimes" });
  // @ts-expect-error no misspelt option
  await openDataset("https://host", "main", { cachebytes: 5 });
  // @ts-expect-error a number is no source
  await openDataset(5);
  // @ts-expect-error a pinned version needs its manifest
  await openDataset("https://host", {});
  await init();
  await init(fetch("https://host/core.wasm"));
}

/** A store of a caller's own needs three methods. */
export const own: Store = {
  async get(key: string, options?: ReadOptions) {
    options?.signal?.throwIfAborted();
    return new Uint8Array(await (await fetch(`https://host/${key}`)).arrayBuffer());
  },
  getRange: async (_key, _offset, length) => new Uint8Array(length),
  describe: (key) => key,
};

/** The global `fetch`, and one of the same shape. */
export const fetches: Fetch[] = [fetch, (url, options) => fetch(new URL(url), { ...options, credentials: "include" })];

/** A store that forgets something is none. */
export function incomplete(): void {
  // @ts-expect-error no ranges
  expectTypeOf<Store>(own).toEqualTypeOf<Omit<Store, "getRange">>();
  // @ts-expect-error an absent object is an error, never undefined
  const absent: Store["get"] = async () => undefined;
  expectTypeOf(absent).toBeFunction();
}

/** Codes narrow. */
export function errors(thrown: unknown): string {
  if (isDreamDbError(thrown, "NotFound", "Forbidden")) {
    expectTypeOf(thrown.code).toEqualTypeOf<"NotFound" | "Forbidden">();
    expectTypeOf(thrown.status).toEqualTypeOf<number | undefined>();
    expectTypeOf(thrown.anchor).toEqualTypeOf<bigint | undefined>();
  }
  if (isDreamDbError(thrown)) {
    expectTypeOf(thrown).toExtend<DreamDbError>();
    expectTypeOf(thrown.code).toEqualTypeOf<ErrorCode>();
    return thrown.code;
  }
  // @ts-expect-error there is no such code
  isDreamDbError(thrown, "Nonsense");
  // @ts-expect-error nor can one be made up
  throw new DreamDbError("Nonsense", "x");
}

/** Counters are to be looked at. */
export function counters(stats: Stats): void {
  expectTypeOf(stats.requests).toEqualTypeOf<number>();
  // @ts-expect-error they count by themselves
  stats.requests = 0;
}

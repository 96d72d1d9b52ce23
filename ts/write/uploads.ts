/**
 * Uploads: many immutable objects at once, under a cap, told as they are stored, tried again when that may help.
 *
 * What is there already is left: its address says what it is. Nothing here publishes; whoever calls waits for all of it before anything points
 * to it.
 */
import { kindOf, refused } from "../codec/arguments.js";
import { addressOf } from "../codec/hash.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import { defaultConcurrency } from "../io/concurrency.js";
import { pump } from "../io/pump.js";
import { RetryBudget, RetryPolicy, type RetryOptions } from "../io/retry.js";
import { orAborted } from "../store/abort.js";
import { scoped, sleep } from "../store/scope.js";
import type { WritableStore } from "../store/types.js";
import type { NewObject } from "./objects.js";

/** How far the uploads of one call are. */
export interface UploadProgress {
  /** Objects that are stored, those that were there already included. */
  readonly objects: number;
  /** Objects that the call is known to store so far. */
  readonly totalObjects: number;
  /** Bytes of the objects that are stored. */
  readonly bytes: number;
  /** Bytes of the objects that the call is known to store so far. */
  readonly totalBytes: number;
}

/** Options of uploads. */
export interface UploadOptions {
  /** Writes in flight at most; 6 in browsers and on Cloudflare, 32 elsewhere, unless said otherwise. */
  readonly concurrency?: number | undefined;
  /** How writes that failed for a passing reason are tried again. */
  readonly retry?: RetryOptions | undefined;
  /** Whether an object that is there already is read and compared: a store may hold wrong bytes under an address. `false` unless said otherwise. */
  readonly verifyExisting?: boolean | undefined;
}

/** Retries of one call: more than of one that reads, as half an upload is worth nothing. */
const RETRIES = 256;

/** The uploads to one store. */
export class Uploads {
  readonly #store: WritableStore;
  readonly #width: number;
  readonly #policy: RetryPolicy;
  readonly #verifyExisting: boolean;

  /** @throws {DreamDbError} `InvalidArgument` */
  constructor(store: WritableStore, { concurrency = defaultConcurrency(), retry, verifyExisting = false }: UploadOptions) {
    if (!(Number.isSafeInteger(concurrency) && concurrency > 0)) throw refused("concurrency", "an integer from 1", concurrency);
    this.#store = writable(store);
    this.#width = concurrency;
    this.#policy = new RetryPolicy(retry);
    this.#verifyExisting = verifyExisting;
  }

  /** Begins the uploads of one call. */
  begin(signal: AbortSignal | undefined, onProgress: ((progress: UploadProgress) => void) | undefined): Upload {
    const put = (object: NewObject, budget: RetryBudget, own: AbortSignal) => this.#put(object, budget, own);
    return new Upload(put, this.#width, signal, onProgress);
  }

  /**
   * Does what may fail for a passing reason, some times; what is tried again must be harmless to do twice.
   *
   * @throws what `attempt` throws at last
   */
  async tries<T>(attempt: () => Promise<T>, budget: RetryBudget, signal: AbortSignal | undefined): Promise<T> {
    for (let count = 1; ; count++) {
      try {
        return await orAborted(attempt(), signal);
      } catch (error) {
        await this.again(error, budget, signal, count);
      }
    }
  }

  /**
   * Waits until it may be tried again after a failure, if that may help.
   *
   * @param count tries so far
   * @throws the failure itself, if not
   */
  async again(error: unknown, budget: RetryBudget, signal: AbortSignal | undefined, count = 1): Promise<void> {
    const wait = this.#policy.after(passing(error), count, budget);
    if (wait === undefined) throw error;
    await sleep(wait.ms, signal);
  }

  async #put({ key, bytes }: NewObject, budget: RetryBudget, signal: AbortSignal): Promise<void> {
    const outcome = await this.tries(() => this.#store.create(key, bytes, { signal }), budget, signal);
    if (outcome === "created" || !this.#verifyExisting) return;
    const held = await this.tries(() => this.#store.get(key, { signal }), budget, signal);
    if (same(held, bytes)) return;
    const [expected, actual] = [addressOf(bytes), addressOf(held)];
    const message = `the store holds other bytes under ${this.#store.describe(key)}: ${held.byteLength}, which hash to ${actual}`;
    throw new DreamDbError("HashMismatch", message, { key, expected, actual });
  }
}

/** The uploads of one call, which may come in several rounds; what was stored once is not stored again. */
export class Upload {
  readonly #put: (object: NewObject, budget: RetryBudget, signal: AbortSignal) => Promise<void>;
  readonly #width: number;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ((progress: UploadProgress) => void) | undefined;
  readonly #stored = new Set<string>();
  readonly #progress = { objects: 0, totalObjects: 0, bytes: 0, totalBytes: 0 };
  /** What the whole call may spend on second tries. */
  readonly budget = new RetryBudget(RETRIES);

  constructor(
    put: (object: NewObject, budget: RetryBudget, signal: AbortSignal) => Promise<void>,
    width: number,
    signal: AbortSignal | undefined,
    onProgress: ((progress: UploadProgress) => void) | undefined,
  ) {
    this.#put = put;
    this.#width = width;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /**
   * Stores these objects, and resolves when all are there. The first failure stops the others.
   *
   * @throws {DreamDbError} the store's codes; `HashMismatch`, if what is there is compared; the abort reason
   */
  async store(objects: Iterable<NewObject>): Promise<void> {
    const missing = new Map<string, NewObject>();
    for (const object of objects) if (!this.#stored.has(object.key)) missing.set(object.key, object);
    const all = [...missing.values()];
    const progress = this.#progress;
    progress.totalObjects += all.length;
    for (const { bytes } of all) progress.totalBytes += bytes.byteLength;
    await scoped(this.#signal, (signal) =>
      pump(all.length, this.#width, async (at) => {
        const object = all[at];
        if (object === undefined) return;
        await this.#put(object, this.budget, signal);
        this.#stored.add(object.key);
        progress.objects++;
        progress.bytes += object.bytes.byteLength;
        this.#onProgress?.({ ...progress });
      }),
    );
  }

  /** What was stored so far. */
  get sum(): UploadProgress {
    return { ...this.#progress };
  }
}

/** A store answers so to two conditional writes at once; neither was judged. */
function passing(error: unknown): unknown {
  if (!isDreamDbError(error, "HttpStatus") || error.status !== 409) return error;
  return new DreamDbError("HttpStatus", error.message, { status: 503, cause: error });
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, at) => byte === b[at]);
}

/** The store, if it can be written to. */
function writable(store: unknown): WritableStore {
  const { create, replace, getTagged, get } = (typeof store === "object" && store !== null ? store : {}) as Partial<Record<string, unknown>>;
  if ([create, replace, getTagged, get].every((method) => typeof method === "function")) return store as WritableStore;
  throw refused("store", "one that can be written to: fsStore, httpStore, memoryStore, or your own WritableStore", kindOf(store));
}

/**
 * Moving Refs: the one step of a commit that others see. Compare-and-swap, and certainty about what came of it.
 *
 * A PUT that was not answered may have been carried out. It is not guessed: the Ref is read back, and if it has moved on since, the history says
 * whether ours is part of it. Which versions there are to publish is decided above.
 */
import { refKey } from "../dataset/keys.js";
import { addressInRef } from "../dataset/ref.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import type { RetryBudget } from "../io/retry.js";
import type { WritableStore } from "../store/types.js";
import { call } from "../wasm.js";
import type { Uploads } from "./uploads.js";

/** Where a Ref points, and the tag of this state of it. */
export interface RefState {
  readonly address: string;
  readonly tag: string;
}

/** Addresses of the versions that one follows. */
export type ParentsOf = (address: string) => Promise<readonly string[]>;

/** What every step of a call shares. */
export interface Attempt {
  readonly budget: RetryBudget;
  readonly signal: AbortSignal | undefined;
}

/** Versions to look at for ours, when others have moved the Ref on: as many writers may have come in between. */
const MOST_VERSIONS = 1000;

/** The Refs of one store. */
export class Refs {
  readonly #store: WritableStore;
  readonly #uploads: Uploads;

  constructor(store: WritableStore, uploads: Uploads) {
    this.#store = store;
    this.#uploads = uploads;
  }

  /** @throws {DreamDbError} `NotFound`, `RefBody`, `NoStrongTag`, the store's codes */
  async read(name: string, { budget, signal }: Attempt): Promise<RefState> {
    const { bytes, tag } = await this.#uploads.tries(() => this.#store.getTagged(refKey(name), { signal }), budget, signal);
    return { address: addressInRef(bytes, name), tag };
  }

  /** Whether there is such a Ref. */
  async exists(name: string, { budget, signal }: Attempt): Promise<boolean> {
    try {
      await this.#uploads.tries(() => this.#store.get(refKey(name), { signal, fresh: true }), budget, signal);
      return true;
    } catch (error) {
      if (isDreamDbError(error, "NotFound")) return false;
      throw error;
    }
  }

  /**
   * Makes a Ref.
   *
   * @throws {DreamDbError} `RefExists`; `RefUncertain`; the store's codes, when the Ref was not made
   */
  async create(name: string, address: string, attempt: Attempt): Promise<void> {
    const { budget, signal } = attempt;
    const body = call((core) => core.addressBytes(address));
    let failure: DreamDbError | undefined;
    const once = async (): Promise<"created" | "exists"> => {
      try {
        return await this.#store.create(refKey(name), body, { signal });
      } catch (error) {
        if (isUncertain(error)) failure = error;
        throw error;
      }
    };
    let outcome: "created" | "exists" | undefined;
    try {
      outcome = await this.#uploads.tries(once, budget, signal);
    } catch (error) {
      if (failure === undefined) throw error;
    }
    if (outcome === "created") return;
    // What is there is ours only if a try was not answered.
    if (failure !== undefined) {
      const now = await this.#now(name, address, attempt, failure);
      if (now?.address === address) return;
      if (now === undefined) throw failure;
    }
    throw refExists(name);
  }

  /**
   * Moves a Ref from one version to another that follows it.
   *
   * @returns whether it did; `false` if somebody else moved it first
   * @throws {DreamDbError} `RefUncertain`; the store's codes, when the Ref was not moved
   */
  async move(name: string, from: RefState, to: string, parentsOf: ParentsOf, attempt: Attempt): Promise<boolean> {
    const { budget, signal } = attempt;
    const body = call((core) => core.addressBytes(to));
    let state = from;
    let failure: DreamDbError | undefined;
    for (let count = 1; ; count++) {
      try {
        const { tag } = state;
        // Each try has its own look at what came of it.
        if ((await this.#store.replace(refKey(name), body, tag, { signal })) === "replaced") return true;
      } catch (error) {
        if (!isUncertain(error)) throw error;
        failure = error;
      }
      const now = await this.#now(name, to, attempt, failure);
      if (now === undefined) {
        if (failure !== undefined) throw failure;
        return false;
      }
      if (now.address === to) return true;
      if (now.address !== from.address) return failure !== undefined && (await includes(now.address, to, from.address, parentsOf));
      // It is where it was: nothing was done, or it is on its way yet, which the tag makes harmless.
      state = now;
      await this.#uploads.again(failure ?? busy(name), budget, signal, count);
    }
  }

  /** Where the Ref is; `undefined` if there is none. What is not known for sure is said so. */
  async #now(name: string, expected: string, attempt: Attempt, failure: unknown): Promise<RefState | undefined> {
    try {
      return await this.read(name, attempt);
    } catch (cause) {
      if (isDreamDbError(cause, "NotFound")) return undefined;
      if (!isDreamDbError(cause)) throw cause;
      const why = isDreamDbError(failure) ? `: ${failure.message}` : "";
      const message = `it is not known whether Ref ${JSON.stringify(name)} was written${why}; reading it back failed as well: ${cause.message}`;
      throw new DreamDbError("RefUncertain", message, { key: refKey(name), expected, cause });
    }
  }
}

/** The error of a Ref that is there already. */
export function refExists(name: string): DreamDbError {
  const message = `there is a Ref ${JSON.stringify(name)} already; open it to append, or choose another name`;
  return new DreamDbError("RefExists", message, { key: refKey(name), subject: name });
}

/** A tag that changes while the bytes do not: a store copied the object, or wrote it anew. */
function busy(name: string): DreamDbError {
  return new DreamDbError("HttpStatus", `Ref ${JSON.stringify(name)} changes its tag and not its bytes`, { key: refKey(name), status: 503 });
}

/** Whether a failed write may have been carried out. */
function isUncertain(error: unknown): error is DreamDbError {
  return isDreamDbError(error) && !isDreamDbError(error, "Forbidden", "InvalidArgument", "NotFound", "NoStrongTag");
}

/** Whether `wanted` is among the versions from `tip` back to `base`. */
async function includes(tip: string, wanted: string, base: string, parentsOf: ParentsOf): Promise<boolean> {
  const [seen, line] = [new Set([base]), [tip]];
  for (let address = line.shift(); address !== undefined && seen.size < MOST_VERSIONS; address = line.shift()) {
    if (address === wanted) return true;
    if (seen.has(address)) continue;
    seen.add(address);
    line.push(...(await parentsOf(address)));
  }
  return false;
}

/**
 * Objects by address: fetched, hashed, and only then given on.
 *
 * A whole object is always checked against its address unless the policy says otherwise; a span of an object is cut from the verified
 * whole, or, by policy, fetched alone. What an object's bytes mean does not belong here.
 */
import { withContext } from "../errors.js";
import { verifyAddress } from "../codec/hash.js";
import { toNumber } from "../codec/integers.js";
import type { Store } from "../store/types.js";
import { ByteCache } from "./cache.js";
import { Shared } from "./shared.js";
import { type Counters, counted, newCounters, type Stats } from "./stats.js";

/**
 * How much is checked against content addresses.
 *
 * - `always`: every byte, as part of its whole object.
 * - `available`: whole objects; a span of an object is fetched alone and comes unverified.
 * - `never`: no Item. Manifests and Tracks are checked all the same, since everything else is found through them.
 */
export type VerifyPolicy = "always" | "available" | "never";

/** What was checked of a result: its whole object, or nothing. */
export type Verified = "object" | "none";

/** Bytes, and what was checked of them. They belong to the caller. */
export interface CheckedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly verified: Verified;
}

/** An object in a store. */
export interface ObjectId {
  readonly key: string;
  /** Its address, which its bytes must hash to. */
  readonly address: string;
}

/** Options of {@link ObjectReader}. */
export interface ObjectReaderOptions {
  readonly verify: VerifyPolicy;
  /** Bytes of verified packs to keep in memory. */
  readonly cacheBytes: number;
}

/** Reads objects of one store under one policy. */
export class ObjectReader {
  readonly #store: Store;
  readonly #verify: VerifyPolicy;
  readonly #counters: Counters = newCounters();
  readonly #wholes = new Shared<Uint8Array<ArrayBuffer>>();
  readonly #cache: ByteCache;

  constructor(store: Store, { verify, cacheBytes }: ObjectReaderOptions) {
    this.#store = counted(store, this.#counters);
    this.#verify = verify;
    this.#cache = new ByteCache(cacheBytes);
  }

  /** What was fetched and checked so far. */
  stats(): Stats {
    return { ...this.#counters };
  }

  /**
   * An object that is no content-addressed one, such as a Ref.
   *
   * @throws {DreamDbError} the store's codes
   */
  pointer(key: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    return this.#store.get(key, { signal });
  }

  /**
   * A manifest, Track or the like: always checked.
   *
   * @throws {DreamDbError} `HashMismatch`, the store's codes
   */
  async metadata(object: ObjectId, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#store.get(object.key, { signal });
    this.#check(object, bytes);
    return bytes;
  }

  /**
   * An object that is one Item.
   *
   * @throws {DreamDbError} `HashMismatch`, the store's codes
   */
  async item(object: ObjectId, signal?: AbortSignal): Promise<CheckedBytes> {
    if (this.#verify !== "never") return { bytes: await this.metadata(object, signal), verified: "object" };
    return { bytes: await this.#store.get(object.key, { signal }), verified: "none" };
  }

  /**
   * A span of an object that holds several Items. An empty one costs no request.
   *
   * @param check asked with the length of the whole object before the span is cut from it; with none before it is read alone
   * @throws {DreamDbError} `HashMismatch`, what `check` throws, `TooLarge` for a length that no number holds, the store's codes
   */
  async span(
    object: ObjectId,
    offset: number,
    length: bigint,
    check: (wholeLength?: number) => void,
    signal?: AbortSignal,
  ): Promise<CheckedBytes> {
    if (this.#verify !== "always" || length === 0n) check();
    // No byte can be wrong, and none needs to be asked for.
    if (length === 0n) return { bytes: new Uint8Array(0), verified: this.#verify === "never" ? "none" : "object" };
    if (this.#verify !== "always") {
      const bytes = await this.#store.getRange(object.key, offset, toNumber("the Item's size", length), { signal });
      return { bytes, verified: "none" };
    }
    const whole = await this.#whole(object, signal);
    check(whole.byteLength);
    return { bytes: whole.slice(offset, offset + Number(length)), verified: "object" };
  }

  /** A verified whole that callers share, so that a pack is fetched once however many of its Items are read. */
  async #whole(object: ObjectId, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const kept = this.#cache.get(object.address);
    if (kept !== undefined) {
      this.#counters.cacheHits++;
      return kept;
    }
    const fetch = async (shared: AbortSignal) => {
      const bytes = await this.metadata(object, shared);
      this.#cache.set(object.address, bytes);
      return bytes;
    };
    return this.#wholes.run(object.address, fetch, signal);
  }

  #check({ key, address }: ObjectId, bytes: Uint8Array): void {
    try {
      verifyAddress(bytes, address);
    } catch (error) {
      throw withContext(error, { key });
    }
    this.#counters.objectsVerified++;
    this.#counters.bytesVerified += bytes.byteLength;
  }
}

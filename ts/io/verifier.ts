/** Checks bytes against addresses, and counts what was checked. */
import { verifyAddress } from "../codec/hash.js";
import { withContext } from "../error-context.js";
import { call as core } from "../wasm.js";
import type { DatasetObserver } from "./events.js";
import type { Counters } from "./stats.js";

/**
 * How much is checked against content addresses.
 *
 * - `always`: every byte. A span of an object by the object's Bao outboard; if it has none, as part of the whole object.
 * - `available`: whole objects, and spans of objects that have an outboard; other spans come unverified, and say so.
 * - `never`: no Item. Manifests and Tracks are checked all the same, since everything else is found through them.
 */
export type VerifyPolicy = "always" | "available" | "never";

/** What was checked of bytes against their address: the whole object that they are part of, their range of it, or nothing. */
export type Verified = "object" | "range" | "none";

/** Bytes, and what was checked of them. They belong to the caller. */
export interface CheckedBytes {
  /** The bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The least that was checked of any of them. */
  readonly verified: Verified;
}

/** An object in a store. */
export interface ObjectId {
  readonly key: string;
  /** Its address, which its bytes must hash to. */
  readonly address: string;
}

/** The checks of one dataset. */
export class Verifier {
  readonly #counters: Counters;
  readonly #onEvent: DatasetObserver | undefined;

  constructor(counters: Counters, onEvent: DatasetObserver | undefined) {
    this.#counters = counters;
    this.#onEvent = onEvent;
  }

  /** @throws {DreamDbError} `HashMismatch` */
  object({ key, address }: ObjectId, bytes: Uint8Array): void {
    try {
      verifyAddress(bytes, address);
    } catch (error) {
      throw withContext(error, { key });
    }
    this.#counters.objectsVerified++;
    this.#counters.bytesVerified += bytes.byteLength;
    this.#onEvent?.({ type: "verified", key, bytes: bytes.byteLength, by: "object" });
  }

  /**
   * Objects that lie one after another: one crossing into the core for all of them.
   *
   * @param addresses 33 bytes each
   * @param ends where each ends in `bytes`
   * @throws {DreamDbError} `HashMismatch` for the first that is wrong
   */
  objects(keys: (at: number) => string, addresses: Uint8Array, ends: Uint32Array, bytes: Uint8Array): void {
    const text = (at: number): string => core((functions) => functions.addressTexts(addresses.subarray(33 * at, 33 * (at + 1))));
    if (ends.length === 1) {
      // It may be large, and is then hashed in windows.
      this.object({ key: keys(0), address: text(0) }, bytes);
      return;
    }
    const right = core((functions) => functions.verifyObjects(addresses, ends, bytes));
    const start = (at: number): number => ends[at - 1] ?? 0;
    this.#counters.objectsVerified += right;
    this.#counters.bytesVerified += start(right);
    if (this.#onEvent) for (let at = 0; at < right; at++) this.#onEvent({ type: "verified", key: keys(at), bytes: start(at + 1) - start(at), by: "object" });
    if (right < ends.length) this.object({ key: keys(right), address: text(right) }, bytes.subarray(start(right), start(right + 1)));
  }

  /**
   * Bytes from `start` on, whole chunks of an object of `length` bytes, with the nodes that prove them.
   *
   * @throws {DreamDbError} `HashMismatch`
   */
  range({ key, address, length }: ObjectId & { length: number }, start: number, bytes: Uint8Array, nodes: Uint8Array): void {
    const end = start + bytes.byteLength;
    core((functions) => functions.verifyRange(address, BigInt(length), BigInt(start), BigInt(end), bytes, nodes));
    this.#counters.rangesVerified++;
    this.#counters.bytesVerified += bytes.byteLength;
    this.#onEvent?.({ type: "verified", key, bytes: bytes.byteLength, by: "range" });
  }

  /** Bytes were found in memory. */
  hit(key: string, bytes: number): void {
    this.#counters.cacheHits++;
    this.#onEvent?.({ type: "cache", key, bytes });
  }
}

/**
 * Deleted anchors.
 *
 * The head is read at the first question, a page only when the asked anchor lies within its bounds, and each object once. The deleted
 * anchors are those of the head's tree or list and of its parents, recursively.
 */
import type { CoreTombstoneHead, CoreTombstonePage, CoreTombstoneSummary } from "../../pkg/dreamdb_arrays.js";
import type { ObjectReader } from "../io/objects.js";
import { Shared } from "../io/shared.js";
import { call } from "../wasm.js";
import { tombstoneKey } from "./keys.js";
import { findAnchor, lowerBound } from "./entries.js";

/** The deletions of one version of a dataset. */
export class Tombstones {
  readonly #objects: ObjectReader;
  readonly #head: string | undefined;
  readonly #loading = new Shared<CoreTombstoneHead | CoreTombstonePage>();
  readonly #loaded = new Map<string, CoreTombstoneHead | CoreTombstonePage>();

  /** @param head address of the head; absent if nothing was deleted */
  constructor(objects: ObjectReader, head: string | undefined) {
    this.#objects = objects;
    this.#head = head;
  }

  /** Whether no row was ever deleted. */
  get isEmpty(): boolean {
    return this.#head === undefined;
  }

  /**
   * Whether the row at an anchor of a timeline is deleted.
   *
   * @throws {DreamDbError} `Tombstones`, `HashMismatch`, the store's codes
   */
  async has(timeline: string, anchor: bigint, signal?: AbortSignal): Promise<boolean> {
    for await (const head of this.#heads(timeline, signal)) {
      if (findAnchor(head.anchors, anchor) !== undefined) return true;
      if (head.root !== undefined && (await this.#below(head.root, anchor, signal))) return true;
    }
    return false;
  }

  /**
   * Deleted anchors of a timeline from `start` up to `end`, ascending. Costs the pages that have some.
   *
   * @throws {DreamDbError} as {@link has}
   */
  async within(timeline: string, start: bigint, end: bigint | undefined, signal?: AbortSignal): Promise<BigUint64Array> {
    const runs: BigUint64Array[] = [];
    const add = (anchors: BigUint64Array): void => {
      const run = anchors.subarray(lowerBound(anchors, start), end === undefined ? anchors.length : lowerBound(anchors, end));
      if (run.length > 0) runs.push(run);
    };
    const below = async ({ min, max, count, level, page: address }: CoreTombstoneSummary): Promise<void> => {
      if (max < start || (end !== undefined && min >= end)) return;
      const decode = (object: Uint8Array) => call((core) => core.decodeTombstonePage(object, min, max, count, level, address));
      const page = await this.#read(address, decode, signal);
      if (page.anchors !== undefined) add(page.anchors);
      else await Promise.all(page.children.map(below));
    };
    for await (const head of this.#heads(timeline, signal)) {
      add(head.anchors);
      if (head.root !== undefined) await below(head.root);
    }
    const [first] = runs;
    if (first !== undefined && runs.length === 1) return first;
    return BigUint64Array.from(new Set(runs.flatMap((run) => [...run]))).sort();
  }

  /** The heads whose deletions are those of a timeline, each once: the first one and its parents, recursively. */
  async *#heads(timeline: string, signal: AbortSignal | undefined): AsyncGenerator<CoreTombstoneHead, void, undefined> {
    const addresses = this.#head === undefined ? [] : [this.#head];
    const seen = new Set<string>();
    for (let address = addresses.pop(); address !== undefined; address = addresses.pop()) {
      if (seen.has(address)) continue;
      seen.add(address);
      const head = await this.#read(address, (object) => call((core) => core.decodeTombstones(object)), signal);
      // A list that names no timeline is that of the dataset's only one.
      if (head.timeline !== undefined && head.timeline !== timeline) continue;
      yield head;
      addresses.push(...head.parents);
    }
  }

  async #below(summary: CoreTombstoneSummary, anchor: bigint, signal?: AbortSignal): Promise<boolean> {
    const { min, max, count, level, page: address } = summary;
    if (anchor < min || anchor > max) return false;
    const decode = (object: Uint8Array) => call((core) => core.decodeTombstonePage(object, min, max, count, level, address));
    const page = await this.#read(address, decode, signal);
    if (page.anchors !== undefined) return findAnchor(page.anchors, anchor) !== undefined;
    const child = page.children.find((candidate) => candidate.min <= anchor && anchor <= candidate.max);
    return child !== undefined && this.#below(child, anchor, signal);
  }

  async #read<T extends CoreTombstoneHead | CoreTombstonePage>(
    address: string,
    decode: (object: Uint8Array) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    // An address names one object, which is read as what its parent says it is; so is what was kept of it.
    const loaded = this.#loaded.get(address) as T | undefined;
    if (loaded !== undefined) return loaded;
    const load = async (shared: AbortSignal | undefined) => {
      const value = decode(await this.#objects.metadata({ key: tombstoneKey(address), address }, shared));
      this.#loaded.set(address, value);
      return value;
    };
    return (await this.#loading.run(address, load, signal)) as T;
  }
}

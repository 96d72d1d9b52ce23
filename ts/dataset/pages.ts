/**
 * The pages of a paged index: fetched when a search needs them, kept while there is room.
 *
 * The core decodes a page and holds it against its parent; here is only which pages are needed, and when.
 */
import type { CoreChildren, CoreEntries, CorePaged } from "../../pkg/dreamdb_arrays.js";
import { DreamDbError, isDreamDbError, withContext } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import { Shared } from "../io/shared.js";
import { abortReason, onAbort, throwIfAborted } from "../store/abort.js";
import { call } from "../wasm.js";
import { addressAt, startsOf, upperBound } from "./entries.js";
import { indexPageKey, type Place } from "./keys.js";
import type { Part } from "./selection.js";

/** Bytes of pages to keep: thousands of them, of usually 16 KiB. */
const KEPT_BYTES = 16 << 20;

/** Leaves that are asked for before the first of them is used. */
const AHEAD = 32;

/** A page that is to be read, and what is said of it above. */
interface PageRef {
  readonly address: string;
  readonly level: bigint;
  /** First anchor and end; nothing is said of the root. */
  readonly bounds: BigUint64Array;
}

interface Kept {
  readonly page: Part | CoreChildren;
  readonly bytes: number;
}

/** The tree of pages of one Track. */
export class Pages {
  readonly #objects: ObjectReader;
  readonly #place: Place;
  readonly #modality: string;
  readonly #index: CorePaged;
  readonly #loading = new Shared<Part | CoreChildren>();
  /** In the order of use: the least recently used one goes first. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;

  constructor(objects: ObjectReader, place: Place, modality: string, index: CorePaged) {
    this.#objects = objects;
    this.#place = place;
    this.#modality = modality;
    this.#index = index;
  }

  /**
   * The leaf in which each anchor would be; `undefined` where no page's bounds hold it. Pages that several need are fetched once, those of
   * a level at once.
   *
   * @throws {DreamDbError} `IndexPage`, the codes of entries, `HashMismatch`, the store's codes
   */
  async find(anchors: readonly bigint[], signal: AbortSignal | undefined): Promise<(Part | undefined)[]> {
    const found = new Array<Part | undefined>(anchors.length);
    const descend = async (ref: PageRef, asked: readonly number[]): Promise<void> => {
      const page = await this.#page(ref, signal);
      if (!isInternal(page)) {
        for (const at of asked) found[at] = page;
        return;
      }
      const below = new Map<number, number[]>();
      for (const at of asked) {
        const anchor = anchors[at] ?? 0n;
        const child = upperBound(page.starts, anchor) - 1;
        if (child < 0 || anchor >= (page.ends[child] ?? 0n)) continue;
        const others = below.get(child);
        if (others === undefined) below.set(child, [at]);
        else others.push(at);
      }
      await Promise.all(Array.from(below, ([child, own]) => descend(childRef(ref, page, child), own)));
    };
    if (anchors.length > 0) await descend(this.#root, [...anchors.keys()]);
    return found;
  }

  /**
   * Leaves that may have entries from `start` up to `end`, in ascending order. Some are fetched ahead; ending the iteration stops that.
   *
   * @throws {DreamDbError} as {@link find}
   */
  async *leaves(start: bigint, end: bigint | undefined, signal: AbortSignal | undefined): AsyncGenerator<Part, void, undefined> {
    const own = new AbortController();
    const off = signal && onAbort(signal, () => own.abort(abortReason(signal)));
    const refs = this.#leafRefs(this.#root, start, end, own.signal);
    const coming: Promise<Part>[] = [];
    try {
      for (let more = true; ; ) {
        while (more && coming.length < AHEAD) {
          const next = await refs.next();
          if (next.done === true) more = false;
          else coming.push(handled(this.#leaf(next.value, own.signal)));
        }
        const leaf = coming.shift();
        if (leaf === undefined) return;
        yield await leaf;
      }
    } finally {
      own.abort();
      off?.();
    }
  }

  /**
   * Every leaf in order, and what is wrong with the tree: pages that cannot be read, counts that are not those of what there is, leaves that do
   * not follow each other. For an audit, which holds them all.
   */
  async inventory(signal: AbortSignal | undefined): Promise<{ parts: Part[]; faults: DreamDbError[] }> {
    const faults: DreamDbError[] = [];
    let isWhole = true;
    const visit = async (ref: PageRef): Promise<{ parts: Part[]; items: bigint; pages: bigint }> => {
      let page: Part | CoreChildren;
      try {
        page = await this.#page(ref, signal);
      } catch (error) {
        throwIfAborted(signal);
        if (!isDreamDbError(error)) throw error;
        faults.push(error);
        isWhole = false;
        return { parts: [], items: 0n, pages: 0n };
      }
      if (!isInternal(page)) return { parts: [page], items: BigInt(startsOf(page.entries).length), pages: 1n };
      const { items: counts } = page;
      const below = await Promise.all(Array.from(counts, (_, child) => visit(childRef(ref, page, child))));
      for (const [child, { items }] of below.entries()) {
        if (isWhole && items !== counts[child]) faults.push(miscounted("Items below a page", counts[child] ?? 0n, items));
      }
      const sum = (of: "items" | "pages"): bigint => below.reduce((total, branch) => total + branch[of], 0n);
      return { parts: below.flatMap(({ parts }) => parts), items: sum("items"), pages: 1n + sum("pages") };
    };
    const { parts, items, pages } = await visit(this.#root);
    if (isWhole && items !== this.#index.items) faults.push(miscounted("Items of the Track", this.#index.items, items));
    if (isWhole && pages !== this.#index.pages) faults.push(miscounted("pages of the index", this.#index.pages, pages));
    const leaves = parts.filter(({ entries }) => startsOf(entries).length > 0);
    for (const [at, { entries }] of leaves.slice(1).entries()) {
      try {
        checkOrder(leaves[at]?.entries ?? entries, entries);
      } catch (error) {
        faults.push(error as DreamDbError);
      }
    }
    return { parts, faults };
  }

  get #root(): PageRef {
    return { address: this.#index.root, level: this.#index.height, bounds: new BigUint64Array(0) };
  }

  async *#leafRefs(ref: PageRef, start: bigint, end: bigint | undefined, signal: AbortSignal): AsyncGenerator<PageRef, void, undefined> {
    if (ref.level === 1n) {
      yield ref;
      return;
    }
    const page = await this.#page(ref, signal);
    if (!isInternal(page)) return;
    for (const [child, first] of page.starts.entries()) {
      if (end !== undefined && first >= end) return;
      if ((page.ends[child] ?? 0n) > start) yield* this.#leafRefs(childRef(ref, page, child), start, end, signal);
    }
  }

  async #leaf(ref: PageRef, signal: AbortSignal): Promise<Part> {
    const page = await this.#page(ref, signal);
    if (isInternal(page)) throw new DreamDbError("Internal", "a page below level 1 was asked for");
    return page;
  }

  async #page(ref: PageRef, signal: AbortSignal | undefined): Promise<Part | CoreChildren> {
    const kept = this.#kept.get(ref.address);
    if (kept === undefined) return this.#loading.run(ref.address, (shared) => this.#load(ref, shared), signal);
    this.#kept.delete(ref.address);
    this.#kept.set(ref.address, kept);
    return kept.page;
  }

  async #load({ address, level, bounds }: PageRef, signal: AbortSignal | undefined): Promise<Part | CoreChildren> {
    const key = indexPageKey(this.#place, address);
    const object = await this.#objects.metadata({ key, address }, signal);
    try {
      const { fanout } = this.#index;
      const decoded = call((core) => core.decodeIndexPage(object, this.#modality, level, fanout, bounds));
      const page = decoded.form === "internal" ? decoded : { entries: decoded, isWhole: this.#index.height === 1n };
      this.#keep(address, { page, bytes: object.byteLength });
      return page;
    } catch (error) {
      throw withContext(error, { key });
    }
  }

  #keep(address: string, page: Kept): void {
    this.#kept.set(address, page);
    this.#keptBytes += page.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES || oldest === address) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes;
    }
  }
}

function miscounted(what: string, declared: bigint, actual: bigint): DreamDbError {
  const message = `the number of ${what} is said to be ${declared}; there are ${actual}`;
  return new DreamDbError("IndexPage", message, { expected: String(declared), actual: String(actual) });
}

/** Whether a page lists other pages. */
function isInternal(page: Part | CoreChildren): page is CoreChildren {
  return "form" in page;
}

/** Refuses leaves of which the second does not go on where the first ended. */
export function checkOrder(before: CoreEntries, after: CoreEntries): void {
  const [last, first] = [startsOf(before).at(-1), startsOf(after).at(0)];
  if (last === undefined || first === undefined || last < first) return;
  if (last > first) {
    const message = `pages of the index overlap: one ends with the anchor ${last}, the next one begins with ${first}`;
    throw new DreamDbError("IndexPage", message, { expected: `more than ${last}`, actual: String(first) });
  }
  if (before.form === "fragments") return;
  const message = `the Track has two array Items at anchor ${first}`;
  throw new DreamDbError("RepeatedAnchor", message, { subject: String(first) });
}

function childRef({ level }: PageRef, page: CoreChildren, child: number): PageRef {
  const bounds = BigUint64Array.of(page.starts[child] ?? 0n, page.ends[child] ?? 0n);
  return { address: addressAt(page.addresses, child), level: level - 1n, bounds };
}

/** A promise that somebody awaits later, or nobody. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * The pages of a paged index: fetched when a search needs them, kept while there is room.
 *
 * The core decodes a page and holds it against its parent; here is only which pages are needed, and when.
 */
import type { CoreChildren, CoreEntries, CorePaged } from "../../pkg/dreamdb_arrays.js";
import { withContext } from "../error-context.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import { handled } from "../io/pump.js";
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
  readonly page: Part | Inner;
  readonly bytes: number;
}

/** A page, and the numbers of the anchors that may be below it. */
interface Asked {
  readonly ref: PageRef;
  readonly asked: Set<number>;
}

/** Pages below a page. */
interface Inner extends CoreChildren {
  /** The greatest end of each and of those before it: bounds may overlap. */
  readonly reach: BigUint64Array;
}

/** What there is in a tree. */
export interface Inventory {
  /** The leaves that can be read. */
  readonly parts: Part[];
  readonly faults: DreamDbError[];
  /** Whether all of them can. */
  readonly isWhole: boolean;
}

/** What there is in a part of a tree. */
interface Branch extends Inventory {
  readonly items: bigint;
  readonly pages: bigint;
}

/** The tree of pages of one Track. */
export class Pages {
  readonly #objects: ObjectReader;
  readonly #place: Place;
  readonly #modality: string;
  readonly #index: CorePaged;
  readonly #loading = new Shared<Part | Inner>();
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
   * For each anchor the leaves whose bounds hold it, ascending: one as a rule, none if no page has it, and several where bounds overlap. Pages
   * that several need are fetched once, those of a level at once.
   *
   * @throws {DreamDbError} `IndexPage`, the codes of entries, `HashMismatch`, the store's codes
   */
  async find(anchors: readonly bigint[], signal: AbortSignal | undefined): Promise<Part[][]> {
    const found: Part[][] = anchors.map(() => []);
    // Level by level, so that a page is looked at once however many pages list it.
    let level = new Map<string, Asked>([["", { ref: this.#root, asked: new Set(anchors.keys()) }]]);
    while (anchors.length > 0 && level.size > 0) {
      const pages = await Promise.all(Array.from(level.values(), ({ ref }) => this.#page(ref, signal)));
      const below = new Map<string, Asked>();
      for (const [number, { ref, asked }] of [...level.values()].entries()) {
        const page = pages[number];
        if (page === undefined) continue;
        for (const at of asked) {
          if (!isInternal(page)) found[at]?.push(page);
          else for (const child of childrenAt(page, anchors[at] ?? 0n)) ask(below, childRef(ref, page, child), at);
        }
      }
      level = below;
    }
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
    const refs = this.#leafRefs(this.#root, start, end, own.signal, new Set());
    const coming: Promise<Part>[] = [];
    try {
      for (let more = true; ; ) {
        while (more && coming.length < AHEAD) {
          try {
            const next = await refs.next();
            if (next.done === true) more = false;
            else coming.push(handled(this.#leaf(next.value, own.signal)));
          } catch (error) {
            // The leaves before it come first.
            coming.push(handled(Promise.reject(error as Error)));
            more = false;
          }
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
  async inventory(signal: AbortSignal | undefined): Promise<Inventory> {
    const listed = new Set<string>();
    const { parts, faults, isWhole, items, pages } = await this.#visit(this.#root, listed, signal);
    if (isWhole && items !== this.#index.items) faults.push(miscounted("Items of the Track", this.#index.items, items));
    if (isWhole && pages !== this.#index.pages) faults.push(miscounted("pages of the index", this.#index.pages, pages));
    const leaves = parts.filter(({ entries }) => startsOf(entries).length > 0);
    for (const [at, { entries }] of leaves.slice(1).entries()) {
      try {
        checkOrder(leaves[at]?.entries ?? entries, entries);
      } catch (error) {
        if (!isDreamDbError(error)) throw error;
        faults.push(error);
      }
    }
    return { parts, faults, isWhole };
  }

  async #visit(ref: PageRef, listed: Set<string>, signal: AbortSignal | undefined): Promise<Branch> {
    let page: Part | Inner;
    try {
      page = await this.#page(ref, signal);
      if (isInternal(page)) this.#listOnce(ref, listed);
    } catch (error) {
      throwIfAborted(signal);
      if (!isDreamDbError(error)) throw error;
      return { parts: [], items: 0n, pages: 0n, faults: [error], isWhole: false };
    }
    if (!isInternal(page)) return { parts: [page], items: BigInt(startsOf(page.entries).length), pages: 1n, faults: [], isWhole: true };
    const { items: counts } = page;
    const own = page;
    const below = await Promise.all(Array.from(counts, (_, child) => this.#visit(childRef(ref, own, child), listed, signal)));
    const faults = below.flatMap((branch, child) => {
      const declared = counts[child] ?? 0n;
      if (!branch.isWhole || branch.items === declared) return branch.faults;
      return [...branch.faults, miscounted("Items below a page", declared, branch.items)];
    });
    const sum = (of: "items" | "pages"): bigint => below.reduce((total, branch) => total + branch[of], 0n);
    const parts = below.flatMap((branch) => branch.parts);
    return { parts, items: sum("items"), pages: 1n + sum("pages"), faults, isWhole: below.every((branch) => branch.isWhole) };
  }

  /** Refuses a tree in which a page that lists others is listed twice: going through all of it might never end. */
  #listOnce({ address }: PageRef, listed: Set<string>): void {
    const key = indexPageKey(this.#place, address);
    if (listed.has(address)) throw new DreamDbError("IndexPage", "the index lists one of its inner pages twice", { key });
    listed.add(address);
  }

  get #root(): PageRef {
    return { address: this.#index.root, level: this.#index.height, bounds: new BigUint64Array(0) };
  }

  async *#leafRefs(
    ref: PageRef,
    start: bigint,
    end: bigint | undefined,
    signal: AbortSignal,
    listed: Set<string>,
  ): AsyncGenerator<PageRef, void, undefined> {
    if (ref.level === 1n) {
      yield ref;
      return;
    }
    const page = await this.#page(ref, signal);
    if (!isInternal(page)) throw new DreamDbError("Internal", "a leaf above level 1 was not refused");
    this.#listOnce(ref, listed);
    for (const [child, first] of page.starts.entries()) {
      if (end !== undefined && first >= end) return;
      if ((page.ends[child] ?? 0n) > start) yield* this.#leafRefs(childRef(ref, page, child), start, end, signal, listed);
    }
  }

  async #leaf(ref: PageRef, signal: AbortSignal): Promise<Part> {
    const page = await this.#page(ref, signal);
    if (isInternal(page)) throw new DreamDbError("Internal", "a page below level 1 was asked for");
    return page;
  }

  async #page(ref: PageRef, signal: AbortSignal | undefined): Promise<Part | Inner> {
    const name = nameOf(ref);
    const kept = this.#kept.get(name);
    if (kept === undefined) return this.#loading.run(name, (shared) => this.#load(ref, shared), signal);
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    return kept.page;
  }

  async #load(ref: PageRef, signal: AbortSignal | undefined): Promise<Part | Inner> {
    const { address, level, bounds } = ref;
    const key = indexPageKey(this.#place, address);
    const object = await this.#objects.metadata({ key, address }, signal);
    try {
      const { fanout } = this.#index;
      const decoded = call((core) => core.decodeIndexPage(object, this.#modality, level, fanout, bounds));
      const page = decoded.form === "internal" ? { ...decoded, reach: reachOf(decoded.ends) } : { entries: decoded, isWhole: this.#index.height === 1n };
      this.#keep(nameOf(ref), { page, bytes: object.byteLength });
      return page;
    } catch (error) {
      throw withContext(error, { key });
    }
  }

  #keep(name: string, page: Kept): void {
    this.#kept.set(name, page);
    this.#keptBytes += page.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES || oldest === name) return;
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
function isInternal(page: Part | Inner): page is Inner {
  return "form" in page;
}

/** The refusal of two array Items at one anchor. */
export function repeated(anchor: bigint): DreamDbError {
  return new DreamDbError("RepeatedAnchor", `the Track has two array Items at anchor ${anchor}`, { subject: String(anchor) });
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
  throw repeated(first);
}

function childRef({ level }: PageRef, page: Inner, child: number): PageRef {
  const bounds = BigUint64Array.of(page.starts[child] ?? 0n, page.ends[child] ?? 0n);
  return { address: addressAt(page.addresses, child), level: level - 1n, bounds };
}

/** What a page is kept as: what was checked of it depends on what was said above. */
function nameOf({ address, level, bounds }: PageRef): string {
  return `${address} ${level} ${bounds.join()}`;
}

/** Numbers of the pages below, ascending, whose bounds hold an anchor. */
function childrenAt({ starts, ends, reach }: Inner, anchor: bigint): number[] {
  const children: number[] = [];
  for (let child = upperBound(starts, anchor) - 1; anchor < (reach[child] ?? 0n); child--) if (anchor < (ends[child] ?? 0n)) children.unshift(child);
  return children;
}

function reachOf(ends: BigUint64Array): BigUint64Array {
  let most = 0n;
  return ends.map((end) => (most = end > most ? end : most));
}

/** Has a page asked for an anchor, once, even if it is listed twice. */
function ask(level: Map<string, Asked>, ref: PageRef, at: number): void {
  const name = nameOf(ref);
  const known = level.get(name);
  if (known === undefined) level.set(name, { ref, asked: new Set([at]) });
  else known.asked.add(at);
}

/**
 * The tree of pages of a Track's index: pages of at most 16 KiB and 256 children, of which only those on the way to new entries are read and made anew.
 *
 * As the reference does it. An index that goes into pages fills its leaves one after another. A page that becomes too large is divided: as long as
 * there is a rest, its front that fits in a page says how many pages the rest needs, and the next page takes its equal share. Levels above are divided
 * in this way from the beginning. New entries go to the last page that does not start after them, the first page takes what is before all.
 *
 * All that is needed is read first, siblings at once; then pages are made.
 */
import type { CorePaged } from "../../../pkg/dreamdb_arrays.js";
import { addressBytesOf, addressOf } from "../../codec/hash.js";
import { addressAt } from "../../dataset/entries.js";
import { indexPageKey, type Place } from "../../dataset/keys.js";
import { withContext } from "../../error-context.js";
import { DreamDbError } from "../../errors.js";
import { handled } from "../../io/pump.js";
import { call } from "../../wasm.js";
import { bytes, headAt, joined, map, number, placeUnder, text, uint, under } from "../cbor.js";
import { arrayBytes, encoded, entryBytes, headBytes, numberBytes, readRows } from "./encoding.js";
import { between, compared, elementsOf, END, endOf, merged, type Pool, reach, relative, ROW, rowOf, type Rows, sorted, startOf, viewOf } from "./rows.js";

/** The index that a tree is. */
export interface IndexOptions {
  readonly modality: string;
  readonly place: Place;
  /** Whether two entries cannot be at one anchor. */
  readonly isArray: boolean;
  /** Whether entries say their anchor, behind an address. */
  readonly isEvent: boolean;
  readonly pool: Pool;
  /** Reads a page; none is asked for twice. */
  readonly read: (address: string) => Promise<Uint8Array>;
}

/** What a Track says of its tree. */
export type Root = Omit<CorePaged, "form">;

/** Where a page is in a tree: its bounds are those that the page above gives it, and empty for the root. */
interface Spot {
  readonly address: string;
  readonly level: number;
  readonly bounds: BigUint64Array;
}

/** A page that is to be made anew, of rows that stay and of what becomes of pages below it. */
interface Changed {
  readonly level: number;
  readonly parts: readonly (Rows | Changed)[];
}

const PAGE_BYTES = 16 << 10;
const MOST_CHILDREN = 256;

/** More entries than a page can hold: each has 37 bytes at least. */
const MOST_ENTRIES = 512;

const ADDRESS = 33;
const MAX_U64 = 2n ** 64n - 1n;

/** A tree that gets entries. */
export class Tree {
  /** Pages that are new, each behind those that it lists. */
  readonly made: { readonly address: string; readonly object: Uint8Array }[] = [];
  readonly #of: IndexOptions;
  readonly #old: Root;
  readonly #pages = new Map<string, Promise<Uint8Array>>();
  readonly #looked = new Map<string, Promise<void>>();
  #widest = 1n;
  #replaced = 0n;

  /** @param old the tree that there is; without one, {@link build} makes it */
  constructor(of: IndexOptions, old: Root = { root: "", height: 1n, items: 0n, pages: 0n, fanout: 0n }) {
    this.#of = of;
    this.#old = old;
  }

  /** The tree of these entries, in ascending order, and one at least. */
  build(rows: Rows): Root {
    return this.#topped(this.#divided(rows, 1, true), rows);
  }

  /**
   * The tree with more entries, in ascending order, and one at least.
   *
   * @throws {DreamDbError} `RepeatedAnchor`; `IndexPage` and the other codes of pages; those of `read`
   */
  async grow(added: Rows): Promise<Root> {
    const { root, height } = this.#old;
    const changed = await this.#descend({ address: root, level: Number(height), bounds: new BigUint64Array(0) }, added);
    return this.#topped(this.#remade(changed), added);
  }

  /** Reads what changes at a page that gets entries. */
  async #descend(spot: Spot, added: Rows): Promise<Changed> {
    const { address, level } = spot;
    const own = await this.#page(spot);
    this.#replaced++;
    if (level === 1) return { level, parts: [merged(own, added, this.#of.isArray)] };
    const children = sorted(own);
    const { byteLength } = children;
    if (byteLength === 0) throw new DreamDbError("IndexPage", `the index page ${address} lists no pages`);
    const starts = Array.from({ length: byteLength / ROW }, (_, at) => startOf(children.subarray(ROW * at)));
    const aside: Promise<void>[] = [];
    const parts = starts.map((start, at): Rows | Promise<Changed> => {
      const child = children.subarray(ROW * at, ROW * (at + 1));
      const next = starts[at + 1];
      // Array Items that a page has already whose bounds reach over the start of those after it: new entries do not go there, so nobody else looks.
      if (this.#of.isArray && next !== undefined) aside.push(handled(this.#look(child, level - 1, between(added, next, endOf(child)))));
      const below = between(added, at === 0 ? 0n : start, next);
      return below.byteLength === 0 ? child : handled(this.#descend(this.#spotOf(child, level - 1), below));
    });
    for (const one of aside) await one;
    const all: (Rows | Changed)[] = [];
    // In this order, so that of several refusals always the same one is told.
    for (const part of parts) all.push(await part);
    return { level, parts: all };
  }

  /** Refuses array Items that are below a page already. What a page was looked at for is not looked for again, however often it is listed. */
  #look(summary: Rows, level: number, added: Rows): Promise<void> {
    if (added.byteLength === 0) return Promise.resolve();
    const spot = this.#spotOf(summary, level);
    const name = [spot.address, level, spot.bounds, added.byteOffset, added.byteLength].join();
    let looked = this.#looked.get(name);
    if (looked === undefined) this.#looked.set(name, (looked = this.#refuseKnown(spot, added)));
    return looked;
  }

  async #refuseKnown(spot: Spot, added: Rows): Promise<void> {
    const own = await this.#page(spot);
    if (spot.level === 1) {
      merged(own, added, true);
      return;
    }
    const below: Promise<void>[] = [];
    for (let row = 0; row < own.byteLength; row += ROW) {
      const child = own.subarray(row, row + ROW);
      below.push(handled(this.#look(child, spot.level - 1, between(added, startOf(child), endOf(child)))));
    }
    for (const one of below) await one;
  }

  #spotOf(summary: Rows, level: number): Spot {
    return { address: addressAt(this.#summary(summary, 0).address, 0), level, bounds: BigUint64Array.of(startOf(summary), endOf(summary)) };
  }

  /** What the summary of a page says. */
  #summary(rows: Rows, row: number): { address: Uint8Array; items: bigint } {
    const rest = elementsOf(rows, row, this.#of.pool);
    const { next } = headAt(rest, 0);
    return { address: rest.subarray(next, next + ADDRESS), items: number(rest.subarray(next + ADDRESS)) };
  }

  /** Rows of a page that is checked. */
  async #page({ address, level, bounds }: Spot): Promise<Rows> {
    const { modality, place, isEvent, pool, read } = this.#of;
    let reading = this.#pages.get(address);
    if (reading === undefined) this.#pages.set(address, (reading = read(address)));
    const page = await reading;
    try {
      call((core) => core.decodeIndexPage(page, modality, BigInt(level), this.#old.fanout, bounds));
    } catch (error) {
      throw withContext(error, { key: indexPageKey(place, address) });
    }
    const start = under(page, "t_min");
    const isLeaf = level === 1;
    return readRows(page, placeUnder(page, "entries") ?? 0, pool, isLeaf && isEvent, isLeaf && start !== undefined ? number(start) : undefined);
  }

  /** Makes a changed page and those below it; their summaries. */
  #remade({ level, parts }: Changed): Rows {
    return this.#divided(joined(parts.map((part) => (part instanceof Uint8Array ? part : this.#remade(part)))), level, false);
  }

  /** What the Track says of the tree below these summaries. */
  #topped(summaries: Rows, added: Rows): Root {
    let height = Number(this.#old.height);
    let rows = summaries;
    while (rows.byteLength > ROW) rows = this.#divided(rows, ++height, false);
    const { items, pages, fanout } = this.#old;
    const kept = pages > this.#replaced ? pages - this.#replaced : 0n;
    return {
      root: this.made.at(-1)?.address ?? "",
      height: BigInt(height),
      items: least(items + BigInt(added.byteLength / ROW), MAX_U64),
      pages: least(kept + BigInt(this.made.length), MAX_U64),
      fanout: fanout > this.#widest ? fanout : this.#widest,
    };
  }

  /** Makes pages of rows; their summaries. `isFull` if each takes as many as fit, and not its equal share. */
  #divided(rows: Rows, level: number, isFull: boolean): Rows {
    const summaries: Rows[] = [];
    for (let at = 0; at < rows.byteLength; ) {
      const rest = rows.subarray(at);
      const few = rest.subarray(0, ROW * (level > 1 ? MOST_CHILDREN : MOST_ENTRIES));
      const own = level > 1 ? few : relative(few);
      const most = this.#fitting(few, own, level);
      const count = rest.byteLength / ROW;
      const end = ROW * (isFull ? most : Math.ceil(count / Math.ceil(count / most)));
      summaries.push(this.#make(few.subarray(0, end), own.subarray(0, end), level));
      at += end;
    }
    return joined(summaries);
  }

  /** How many of the first rows fit in one page: at least one. */
  #fitting(rows: Rows, own: Rows, level: number): number {
    const { modality, isEvent } = this.#of;
    const [view, ownView] = [viewOf(rows), viewOf(own)];
    // A head for the map and each of its ten items, of one byte unless counted below, and what the five keys and the modality spell.
    let bytes = 11 + "typet_maxt_minentriesmodality".length + kindOf(level).length + headBytes(modality.length) - 1 + modality.length + numberBytes(view, 0) - 1;
    let last = END;
    let count = 0;
    for (let row = 0; row < rows.byteLength; row += ROW) {
      bytes += entryBytes(ownView, row, level === 1 && isEvent);
      if (compared(view, row + END, last) > 0) last = row + END;
      if (bytes + numberBytes(view, last) - 1 + headBytes(count + 1) - 1 > PAGE_BYTES) break;
      count++;
    }
    return Math.max(count, 1);
  }

  /** Makes one page; its summary. */
  #make(rows: Rows, own: Rows, level: number): Rows {
    const { modality, isEvent, pool } = this.#of;
    const [start, end] = [startOf(rows), reach(rows)];
    let items = BigInt(rows.byteLength / ROW);
    if (level > 1) {
      if (items > this.#widest) this.#widest = items;
      items = 0n;
      for (let row = 0; row < rows.byteLength; row += ROW) items += this.#summary(rows, row).items;
    }
    const isByAnchor = level === 1 && isEvent;
    // Only a single entry may be larger than a page.
    const most = rows.byteLength > ROW ? PAGE_BYTES : arrayBytes(own, isByAnchor, PAGE_BYTES);
    const entries = encoded(own, pool, isByAnchor, most);
    const object = map({ type: text(kindOf(level)), t_max: uint(end), t_min: uint(start), entries, modality: text(modality) });
    const address = addressOf(object);
    this.made.push({ address, object });
    return rowOf(start, end, 4, pool, joined([bytes(addressBytesOf(address)), uint(least(items, MAX_U64))]));
  }
}

const kindOf = (level: number): string => (level > 1 ? "internal" : "leaf");

const least = (value: bigint, most: bigint): bigint => (value < most ? value : most);

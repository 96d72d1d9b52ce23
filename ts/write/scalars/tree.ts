/**
 * The tree of pages in which a scalar column has its entries, with new ones: only pages on their way are read, and made anew.
 *
 * As the reference does it, entries go into the tree one by one, ascending. Each goes to the last page that does not begin after its key, or else the
 * first; a page of more than 64 KiB, or 256 children, is cut into full ones, from the front. Pages above list theirs by least key, greatest key and
 * address.
 */
import { bytes, head, joined, map, text, uint } from "../cbor.js";
import type { Host } from "./host.js";

/** An entry of a leaf, or what a page above says of a page. */
export interface Row {
  /** Least key, a character for each byte: such strings compare as the bytes do. */
  readonly low: string;
  /** Greatest key. */
  readonly high: string;
  /** As it stands in its page. The address at the end is not true yet where `page` is there. */
  readonly entry: Uint8Array;
  /** The page that it is of, if that is being changed. */
  page?: Page | undefined;
}

/** A page that is being changed. */
export interface Page {
  readonly level: number;
  readonly rows: Row[];
  /** Bytes of the rows. */
  size: number;
}

/** What a Track says of its tree. */
export interface TreeRoot {
  readonly root: string;
  readonly pages: bigint;
  readonly height: bigint;
  readonly total: bigint;
}

/** Reads a page, checked. */
export type ReadPage = (address: string, level: number) => Promise<Row[]>;

const PAGE_BYTES = 64 << 10;
const MOST_CHILDREN = 256;
const ADDRESS = 33;

/** A tree that gets entries. */
export class Tree {
  readonly #host: Host;
  readonly #algorithm: string;
  readonly #read: ReadPage;
  #replaced = 0;
  /** Pages that are new, the root last. */
  readonly made: { readonly address: string; readonly object: Uint8Array }[] = [];

  constructor(host: Host, algorithm: string, read: ReadPage) {
    this.#host = host;
    this.#algorithm = algorithm;
    this.#read = read;
  }

  /** The tree with these entries; of none before, if there is no `old`. */
  async grow(old: TreeRoot | undefined, added: readonly Row[]): Promise<TreeRoot> {
    const rows = [...added].sort(inLeaf);
    let root: Page = old === undefined ? pageOf(0, []) : await this.#load(old.root, Number(old.height) - 1);
    await this.#fetch(root, rows);
    for (const row of rows) {
      let parts = await this.#insert(root, row);
      while (parts.length > 1) parts = this.#cut(pageOf((parts[0]?.level ?? 0) + 1, parts.map(rowOf)));
      root = parts[0] ?? root;
    }
    const address = this.#seal(root, true);
    const pages = (old?.pages ?? 0n) + BigInt(this.made.length - this.#replaced);
    return { root: address, pages, height: BigInt(root.level + 1), total: (old?.total ?? 0n) + BigInt(rows.length) };
  }

  async #load(address: string, level: number): Promise<Page> {
    const rows = await this.#read(address, level);
    this.#replaced++;
    return pageOf(level, rows);
  }

  /** Loads all pages on the way at once, level by level. */
  async #fetch({ level, rows }: Page, added: readonly Row[]): Promise<void> {
    if (level === 0) return;
    const below = new Map<Row, Row[]>();
    for (const one of added) {
      const row = rows[childOf(rows, one.low)];
      if (row === undefined) continue;
      const own = below.get(row);
      if (own === undefined) below.set(row, [one]);
      else own.push(one);
    }
    await Promise.all(
      Array.from(below, async ([row, own]) => {
        row.page = await this.#load(this.#addressIn(row), level - 1);
        await this.#fetch(row.page, own);
      }),
    );
  }

  #addressIn({ entry }: Row): string {
    return this.#host.call((core) => core.addressTexts(entry.slice(-ADDRESS)));
  }

  /** The pages that stand in the place of one that gets an entry. */
  async #insert(page: Page, row: Row): Promise<Page[]> {
    const { level, rows } = page;
    if (level === 0) {
      rows.splice(
        firstOf(rows, (other) => inLeaf(other, row) > 0),
        0,
        row,
      );
      page.size += row.entry.byteLength;
    } else {
      const at = childOf(rows, row.low);
      const child = rows[at];
      if (child === undefined) return [page];
      const below = child.page ?? (await this.#load(this.#addressIn(child), level - 1));
      rows.splice(at, 1, ...(await this.#insert(below, row)).map(rowOf));
      this.#settle(rows);
      page.size = sizeOf(rows);
    }
    return this.#fits(level, rows.length, page.size) ? [page] : this.#cut(page);
  }

  /** Puts pages of one range in the order of their addresses. */
  #settle(rows: Row[]): void {
    const same = (a: Row | undefined, b: Row): boolean => a?.low === b.low && a.high === b.high;
    let settled = true;
    for (const [at, row] of rows.entries()) {
      if (!same(rows[at - 1], row) && (rows[at + 1] === undefined || !same(row, rows[at + 1] as Row))) continue;
      this.#sealRow(row, false);
      settled = false;
    }
    if (!settled) rows.sort((a, b) => order(a.low, b.low) || order(a.high, b.high) || order(keyOf(a.entry.slice(-ADDRESS)), keyOf(b.entry.slice(-ADDRESS))));
  }

  /** Full pages of a page that is too large. */
  #cut({ level, rows }: Page): Page[] {
    const pages: Page[] = [];
    for (const row of rows) {
      const last = pages.at(-1);
      const size = row.entry.byteLength;
      if (last !== undefined && this.#fits(level, last.rows.length + 1, last.size + size)) {
        last.rows.push(row);
        last.size += size;
      } else {
        pages.push({ level, rows: [row], size });
      }
    }
    return pages;
  }

  #fits(level: number, count: number, size: number): boolean {
    if (level > 0 && count > MOST_CHILDREN) return false;
    return size + 64 <= PAGE_BYTES || this.#encode(level, count, []).byteLength + size <= PAGE_BYTES;
  }

  #encode(level: number, count: number, entries: readonly Uint8Array[]): Uint8Array {
    const type = text(level === 0 ? "leaf" : "internal");
    return map({ type, level: uint(level), entries: joined([head(4, count), ...entries]), algorithm: text(this.#algorithm) });
  }

  /** The address of a page, once those below it have theirs; all are kept if they are to stay. */
  #seal({ level, rows }: Page, keep: boolean): string {
    for (const row of rows) this.#sealRow(row, keep);
    const entries = rows.map(({ entry }) => entry);
    const object = this.#encode(level, rows.length, entries);
    const address = this.#host.addressOf(object);
    if (keep) this.made.push({ address, object });
    return address;
  }

  #sealRow({ page, entry }: Row, keep: boolean): void {
    if (page !== undefined) entry.set(this.#host.addressBytesOf(this.#seal(page, keep)), entry.byteLength - ADDRESS);
  }
}

/** Bytes as a key. */
export function keyOf(given: Uint8Array): string {
  let key = "";
  for (let at = 0; at < given.byteLength; at += 8192) key += String.fromCharCode(...given.subarray(at, at + 8192));
  return key;
}

/** The order of texts, by their characters. */
export function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The order of entries in a leaf: by key, then by value, extent and place, as which they are spelled. */
function inLeaf(a: Row, b: Row): number {
  return order(a.low, b.low) || order(keyOf(a.entry.subarray(1)), keyOf(b.entry.subarray(1)));
}

/** Where the first row is of which that holds; it holds of all behind it. */
function firstOf(rows: readonly Row[], holds: (row: Row) => boolean): number {
  let [low, end] = [0, rows.length];
  while (low < end) {
    const middle = (low + end) >>> 1;
    const row = rows[middle];
    if (row !== undefined && !holds(row)) low = middle + 1;
    else end = middle;
  }
  return low;
}

function childOf(rows: readonly Row[], key: string): number {
  return Math.max(firstOf(rows, ({ low }) => low > key) - 1, 0);
}

const sizeOf = (rows: readonly Row[]): number => rows.reduce((sum, { entry }) => sum + entry.byteLength, 0);

const pageOf = (level: number, rows: Row[]): Page => ({ level, rows, size: sizeOf(rows) });

/** What is said of a page. */
function rowOf(page: Page): Row {
  const [low, high] = [page.rows[0]?.low ?? "", page.rows.at(-1)?.high ?? ""];
  const key = (of: string): Uint8Array => bytes(Uint8Array.from(of, (character) => character.charCodeAt(0)));
  return { low, high, entry: joined([head(4, 3), key(low), key(high), bytes(new Uint8Array(ADDRESS))]), page };
}

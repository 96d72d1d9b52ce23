/**
 * Rows over several fields: the union of their anchors, ascending, some rows at a time.
 *
 * Each field gives its Items by a cursor; here they are only lined up. What is read of them is said by their fields.
 */
import type { Call } from "../io/call.js";

/** Items of one field that belong to one batch of rows. */
export interface BatchItems {
  /** Their anchors, ascending. */
  readonly anchors: BigUint64Array;
  /** Reads them into one value. */
  column(signal: AbortSignal | undefined): Promise<unknown>;
  /** Reads them, one promise each. */
  values(call: Call): readonly Promise<unknown>[];
}

/** What of a field's Items can be cut, joined and read. */
export interface RunReader<S extends { readonly anchors: BigUint64Array }> {
  slice(run: S, from: number, to: number): S;
  /** Runs one after another, one at least. */
  concat(runs: readonly [S, ...S[]]): S;
  column(run: S, signal: AbortSignal | undefined): Promise<unknown>;
  values(run: S, call: Call): readonly Promise<unknown>[];
}

/** The Items of one field, in ascending order of anchors. */
export interface RowCursor {
  readonly field: string;
  /** Makes {@link anchor} known; to be awaited where it is `"unknown"`. */
  fill(): Promise<void>;
  /** Anchor of the next Item; `undefined` when there is none any more. */
  anchor(): bigint | undefined | "unknown";
  /** Takes the next Item. */
  take(): void;
  /** All that were taken since the last call. */
  taken(): BatchItems | undefined;
}

/** A cursor over runs of Items. */
export function cursorOver<S extends { readonly anchors: BigUint64Array }>(field: string, runs: AsyncIterable<S>, reader: RunReader<S>): RowCursor {
  const iterator = runs[Symbol.asyncIterator]();
  let [run, from, at, isOver]: [S | undefined, number, number, boolean] = [undefined, 0, 0, false];
  let earlier: S[] = [];
  const put = (): void => {
    if (run !== undefined && at > from) earlier.push(reader.slice(run, from, at));
    from = at;
  };
  return {
    field,
    async fill() {
      while (!isOver && (run === undefined || at === run.anchors.length)) {
        put();
        const next = await iterator.next();
        if (next.done === true) isOver = true;
        else [run, from, at] = [next.value, 0, 0];
      }
    },
    anchor() {
      if (run !== undefined && at < run.anchors.length) return run.anchors[at];
      return isOver ? undefined : "unknown";
    },
    take() {
      at++;
    },
    taken() {
      put();
      const own = earlier;
      earlier = [];
      const [head, ...rest] = own;
      if (head === undefined) return undefined;
      const all = reader.concat([head, ...rest]);
      return { anchors: all.anchors, column: (signal) => reader.column(all, signal), values: (call) => reader.values(all, call) };
    },
  };
}

/** Rows that are read together. */
export interface RowBatch {
  /** Anchors at which any of the fields has an Item, ascending. */
  readonly anchors: BigUint64Array<ArrayBuffer>;
  /** The Items of each field that has some of them. */
  readonly items: ReadonlyMap<string, BatchItems>;
}

/** Batches of `size` rows, the last one smaller. */
export async function* union(cursors: readonly RowCursor[], size: number): AsyncGenerator<RowBatch, void, undefined> {
  const anchors: bigint[] = [];
  const batch = (): RowBatch => {
    const items = new Map<string, BatchItems>();
    for (const cursor of cursors) {
      const own = cursor.taken();
      if (own !== undefined) items.set(cursor.field, own);
    }
    return { anchors: BigUint64Array.from(anchors.splice(0)), items };
  };
  for (;;) {
    let least: bigint | undefined;
    for (const cursor of cursors) {
      if (cursor.anchor() === "unknown") await Promise.all(cursors.map((other) => other.fill()));
      const anchor = cursor.anchor() as bigint | undefined;
      if (anchor !== undefined && (least === undefined || anchor < least)) least = anchor;
    }
    if (least === undefined) break;
    anchors.push(least);
    for (const cursor of cursors) if (cursor.anchor() === least) cursor.take();
    if (anchors.length === size) yield batch();
  }
  if (anchors.length > 0) yield batch();
}

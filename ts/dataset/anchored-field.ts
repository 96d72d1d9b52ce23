/**
 * Fields with an Item per anchor: one, many, a window of them, and what they would cost.
 *
 * Finds the Items; how the Items of a kind are fetched and what they become is said by the kinds of field.
 */
import { kindOf, refused } from "../codec/arguments.js";
import { toU64, type U64 } from "../codec/integers.js";
import { withContext } from "../error-context.js";
import { type Call, newCall } from "../io/call.js";
import { scoped } from "../store/scope.js";
import { batchesOf, type BatchOptions } from "./batches.js";
import type { ColumnOptions } from "./column/columns.js";
import { Field, type FieldAccess, type ItemReadOptions } from "./field.js";
import type { FieldInfo } from "./fields.js";
import { type Outcome, outcomes } from "./outcome.js";
import type { PlanSum, ReadPlan } from "./plan.js";
import { concat, type Found, select, type Selection, slice, without } from "./selection.js";
import { cursorOver, type RowCursor } from "./union.js";
import { type Window, windowOf } from "./window.js";

/** How the Items of one kind are fetched. */
export interface ItemSource<V, C, O> {
  /** Reads Items, one promise each, in the same order. */
  fetch(selection: Selection, call: Call): Promise<V>[];
  /** What reading these Items would cost now. */
  cost(selection: Selection): PlanSum;
  /** Reads Items into one value. */
  column(selection: Selection, options: O): Promise<C>;
}

/** Items that are about to be read, and what is already known of those that are not. */
export interface PreparedReads<V> {
  readonly requests: number;
  /** Begins; one promise for each anchor. */
  begin(call: Call): Promise<V | "absent" | "deleted">[];
}

/**
 * A field with an Item per anchor. `I` is what the manifest says of its kind, `V` what an Item is read as, `C` what a column of them is, with
 * options `O`.
 */
export abstract class AnchoredField<I extends FieldInfo, V extends object, C, O extends ColumnOptions = ColumnOptions> extends Field<I> {
  readonly #source: ItemSource<V, C, O>;

  /** @internal */
  constructor(info: I, access: FieldAccess, source: ItemSource<V, C, O>) {
    super(info, access);
    this.#source = source;
  }

  /**
   * The Item at an anchor, the last one written if there are several; `undefined` if the Track has none there or its row is deleted. Items over
   * an extent are found by their first anchor.
   *
   * Costs the Track's index once, of a paged one the pages on the way to the Item; then what {@link plan} tells: one request for an Item that is
   * an object of its own.
   *
   * @throws {DreamDbError} `InvalidArgument`; `WrongKind` for a Constant; `HashMismatch`; the codes of payloads, packs and chunks; `TooLarge`;
   * `RequestBudget`; the store's codes; each with `field` and `anchor`
   */
  async read(anchor: U64, { signal }: ItemReadOptions = {}): Promise<V | undefined> {
    const asked = [toU64("an anchor", anchor)];
    try {
      const prepared = await this.prepare(asked, signal);
      const [read] = prepared.begin(newCall(signal));
      const item = await read;
      return typeof item === "object" ? item : undefined;
    } catch (error) {
      throw withContext(error, { field: this.name, anchor: asked[0] });
    }
  }

  /**
   * The Items at many anchors: an outcome for each, in the order of `anchors`, repetitions included; the failure of one is that of no other.
   *
   * Costs the Track's index once, of a paged one the pages on the way to the Items; then what {@link plan} tells. Items of one pack share
   * requests: neighbours come in one, whatever their order here.
   *
   * @throws {DreamDbError} `InvalidArgument`; `WrongKind`; `RequestBudget` before the first request, if not enough are left for all of them; the
   * codes of the Track's index, but those of its pages. What befalls single Items is in their outcomes, with the codes of {@link read}
   */
  async readMany(anchors: Iterable<U64>, { signal }: ItemReadOptions = {}): Promise<Outcome<V>[]> {
    const asked = anchorsArgument(anchors);
    const field = this.name;
    let reads: Promise<V | "absent" | "deleted">[];
    try {
      const prepared = await this.prepare(asked, signal);
      if (asked.length > 1) this.access.objects.afford(prepared.requests);
      reads = prepared.begin(newCall(signal));
    } catch (error) {
      throw withContext(error, { field });
    }
    return outcomes(field, asked, reads, signal);
  }

  /**
   * The Items of a window of anchors as one value, ascending; those of deleted rows are left out. All of it, or the first failure.
   *
   * Costs the Track's index once, of a paged one the pages of the window; then as {@link readMany}, with little work of its own per Item.
   *
   * @throws {DreamDbError} `InvalidArgument`; `WrongKind` for a Constant; `TooLarge` beyond `maxBytes`, before anything is fetched where the index
   * or the type tells; `RequestBudget` before the first request; as {@link read}, with the `anchor` of the Item that failed
   */
  async column(options: O = {} as O): Promise<C> {
    const window = windowOf(options);
    try {
      const runs: Selection[] = [];
      for await (const run of this.scan(window, options.signal)) runs.push(run);
      // With the first failure, what is under way for the others ends.
      return await scoped(options.signal, (signal) => this.columnOf(concat(runs), { ...options, signal }));
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  /**
   * The Items of a window, some at a time: columns of `batchSize` Items, the last one smaller. The next batch is fetched while the caller uses
   * one; ending the iteration stops what is under way.
   *
   * Costs as {@link column}, with two batches in memory.
   *
   * @throws {DreamDbError} `InvalidArgument` at once; when it comes to it, as {@link column}
   */
  batches(options: BatchOptions = {}): AsyncGenerator<C, void, undefined> {
    const window = windowOf(options);
    const runs = (signal: AbortSignal | undefined) => this.scan(window, signal);
    // What is said of whole columns is not said of batches.
    const read = (selection: Selection, signal: AbortSignal | undefined) => this.columnOf(selection, { signal } as O);
    return batchesOf(runs, read, options, this.name);
  }

  /**
   * What {@link readMany} would cost now: requests and bytes, told before any of them is sent. Costs the Track's index, once, of a paged one the
   * pages on the way. Deletions are not looked up; deleted Items count as if they were read. Of a pack of which a page need not tell all Items, what
   * the page tells is taken for all: its length and its outboard may turn out larger.
   *
   * @throws {DreamDbError} `InvalidArgument`; `WrongKind`; the codes of the Track's index
   */
  async plan(anchors: Iterable<U64>, { signal }: ItemReadOptions = {}): Promise<ReadPlan> {
    const asked = anchorsArgument(anchors);
    try {
      const found = await this.access.track.find(asked, signal);
      const there = found.flatMap((place, at) => (place === undefined ? [] : { anchor: asked[at] ?? 0n, place }));
      return this.#source.cost(selected(there));
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  /** @internal Items of a window that are not deleted, in runs. */
  async *scan({ start, end }: Window, signal: AbortSignal | undefined): AsyncGenerator<Selection, void, undefined> {
    const { track, tombstones } = this.access;
    for await (const run of track.scan(start, end, signal)) {
      const [first, last] = [run.anchors.at(0), run.anchors.at(-1)];
      if (first === undefined || last === undefined) continue;
      if (tombstones.isEmpty) yield run;
      else yield without(run, await tombstones.within(track.binding.timeline, first, last + 1n, signal));
    }
  }

  /** @internal The Items of a window, to be lined up with those of other fields. */
  cursor(window: Window, signal: AbortSignal): RowCursor {
    return cursorOver(this.name, this.#told(this.scan(window, signal)), {
      slice,
      concat,
      column: (selection, own) => this.columnOf(selection, { signal: own } as O),
      values: (selection, call) => this.#source.fetch(selection, call),
    });
  }

  /** Runs of Items whose failures say of which field they are. */
  async *#told(runs: AsyncIterable<Selection>): AsyncGenerator<Selection, void, undefined> {
    try {
      yield* runs;
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  /** @internal The column of these Items. */
  async columnOf(selection: Selection, options: O): Promise<C> {
    const { objects } = this.access;
    if (objects.isLimited) objects.afford(this.#source.cost(selection).requests);
    return this.#source.column(selection, options);
  }

  /** @internal Finds the Items and what is deleted of them; fetches nothing of them yet. */
  async prepare(asked: readonly bigint[], signal: AbortSignal | undefined): Promise<PreparedReads<V>> {
    const { track, tombstones, objects } = this.access;
    const places = await track.findEach(asked, signal);
    const { timeline } = track.binding;
    const fates = tombstones.isEmpty
      ? []
      : await Promise.allSettled(asked.map(async (anchor, at) => isFound(places[at]) && tombstones.has(timeline, anchor, signal)));
    const wanted: { anchor: bigint; place: Found }[] = [];
    const turns = asked.map((anchor, at): number | "absent" | "deleted" | Error => {
      const place = places[at];
      const fate = fates[at];
      if (place === undefined) return "absent";
      if (!isFound(place)) return place;
      if (fate?.status === "rejected") return fate.reason as Error;
      if (fate?.value === true) return "deleted";
      return wanted.push({ anchor, place }) - 1;
    });
    const selection = selected(wanted);
    return {
      requests: objects.isLimited ? this.#source.cost(selection).requests : 0,
      begin: (call) => {
        const reads = this.#source.fetch(selection, call);
        // Rejections are made only now: one that was begun before a budget is refused would be nobody's.
        return turns.map((turn): Promise<V | "absent" | "deleted"> => {
          if (typeof turn === "number") return reads[turn] ?? Promise.resolve("absent");
          return typeof turn === "string" ? Promise.resolve(turn) : Promise.reject(turn);
        });
      },
    };
  }
}

function isFound(place: Found | undefined | Error): place is Found {
  return place !== undefined && "part" in place;
}

/** Anchors as a caller gives them. */
export function anchorsArgument(anchors: Iterable<U64>): bigint[] {
  if (!(Symbol.iterator in Object(anchors))) throw refused("anchors", "iterable", kindOf(anchors));
  return Array.from(anchors, (anchor) => toU64("an anchor", anchor));
}

function selected(items: readonly { anchor: bigint; place: Found }[]): Selection {
  return select(
    items.map(({ anchor }) => anchor),
    items.map(({ place }) => place),
  );
}

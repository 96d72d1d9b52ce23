/**
 * Fields with an Item per anchor: one, many, and what they would cost.
 *
 * Finds the Items; how the Items of a kind are fetched and what they become is said by the kinds of field.
 */
import type { CoreIndex } from "../../pkg/dreamdb_arrays.js";
import { toU64, type U64 } from "../codec/integers.js";
import { withContext } from "../errors.js";
import { type Call, newCall } from "../io/call.js";
import { Field, type FieldAccess, type ItemReadOptions } from "./field.js";
import type { FieldInfo } from "./fields.js";
import { type Outcome, outcomes } from "./outcome.js";
import type { PlanSum, ReadPlan } from "./plan.js";
import { findAnchor } from "./track.js";

/** An Item that is to be read. */
export interface WantedItem {
  readonly anchor: bigint;
  /** Its place in the index. */
  readonly position: number;
}

/** How Items of one kind are found and fetched. */
export interface ItemSource<V> {
  /**
   * First anchors of an index's Items.
   *
   * @throws {DreamDbError} `WrongKind`
   */
  starts(index: CoreIndex): BigUint64Array;
  /** Reads Items, one promise each, in the same order. */
  fetch(index: CoreIndex, wanted: readonly WantedItem[], call: Call): Promise<V>[];
  /** What reading these Items would cost now. */
  cost(index: CoreIndex, positions: readonly number[]): PlanSum;
}

/** A field with an Item per anchor. `I` is what the manifest says of its kind, `V` what an Item is read as. */
export abstract class AnchoredField<I extends FieldInfo, V extends object> extends Field<I> {
  readonly #source: ItemSource<V>;

  /** @internal */
  constructor(info: I, access: FieldAccess, source: ItemSource<V>) {
    super(info, access);
    this.#source = source;
  }

  /**
   * The Item at an anchor, the last one written if there are several; `undefined` if the Track has none there or its row is deleted. Items over
   * an extent are found by their first anchor.
   *
   * Costs the Track's index once, then what {@link plan} tells: one request for an Item that is an object of its own.
   *
   * @throws {DreamDbError} `InvalidArgument`; `WrongKind` for a Constant; `HashMismatch`; the codes of payloads, packs and chunks; `TooLarge`;
   * `RequestBudget`; the store's codes; each with `field` and `anchor`
   */
  async read(anchor: U64, { signal }: ItemReadOptions = {}): Promise<V | undefined> {
    const asked = [toU64("an anchor", anchor)];
    try {
      const [read] = await this.#reads(asked, signal);
      const item = await read;
      return typeof item === "object" ? item : undefined;
    } catch (error) {
      throw withContext(error, { field: this.name, anchor: asked[0] });
    }
  }

  /**
   * The Items at many anchors: an outcome for each, in the order of `anchors`, repetitions included; the failure of one is that of no other.
   *
   * Costs the Track's index once, then what {@link plan} tells. Items of one pack share requests: neighbours come in one, whatever their
   * order here.
   *
   * @throws {DreamDbError} `InvalidArgument`; `WrongKind`; `RequestBudget` before the first request, if not enough are left for all of them; the
   * codes of the Track's index. What befalls single Items is in their outcomes, with the codes of {@link read}
   */
  async readMany(anchors: Iterable<U64>, { signal }: ItemReadOptions = {}): Promise<Outcome<V>[]> {
    const asked = Array.from(anchors, (anchor) => toU64("an anchor", anchor));
    const field = this.name;
    let reads: Promise<V | "absent" | "deleted">[];
    try {
      reads = await this.#reads(asked, signal);
    } catch (error) {
      throw withContext(error, { field });
    }
    return outcomes(field, asked, reads, signal);
  }

  /**
   * What {@link readMany} would cost now: requests and bytes, told before any of them is sent. Costs the Track's index, once. Deletions are not
   * looked up; deleted Items count as if they were read.
   *
   * @throws {DreamDbError} `InvalidArgument`; `WrongKind`; the codes of the Track's index
   */
  async plan(anchors: Iterable<U64>, { signal }: ItemReadOptions = {}): Promise<ReadPlan> {
    const asked = Array.from(anchors, (anchor) => toU64("an anchor", anchor));
    try {
      const index = await this.index(signal);
      const starts = this.#source.starts(index);
      const positions = asked.flatMap((anchor) => findAnchor(starts, anchor) ?? []);
      return this.#source.cost(index, positions);
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  /** One promise for each anchor. */
  async #reads(asked: readonly bigint[], signal: AbortSignal | undefined): Promise<Promise<V | "absent" | "deleted">[]> {
    const { track, tombstones, objects } = this.access;
    const index = await this.index(signal);
    const starts = this.#source.starts(index);
    const positions = asked.map((anchor) => findAnchor(starts, anchor));
    const { timeline } = track.binding;
    const fates = tombstones.isEmpty
      ? []
      : await Promise.allSettled(asked.map(async (anchor, at) => positions[at] !== undefined && tombstones.has(timeline, anchor, signal)));
    const wanted: WantedItem[] = [];
    const turns = asked.map((anchor, at): number | "absent" | "deleted" | Error => {
      const position = positions[at];
      const fate = fates[at];
      if (position === undefined) return "absent";
      if (fate?.status === "rejected") return fate.reason as Error;
      if (fate?.value === true) return "deleted";
      return wanted.push({ anchor, position }) - 1;
    });
    if (objects.isLimited && wanted.length > 1) {
      objects.afford(
        this.#source.cost(
          index,
          wanted.map(({ position }) => position),
        ).requests,
      );
    }
    const reads = this.#source.fetch(index, wanted, newCall(signal));
    // Rejections are made only now: one that was begun before a budget is refused would be nobody's.
    return turns.map((turn): Promise<V | "absent" | "deleted"> => {
      if (typeof turn === "number") return reads[turn] ?? Promise.resolve("absent");
      return typeof turn === "string" ? Promise.resolve(turn) : Promise.reject(turn);
    });
  }
}

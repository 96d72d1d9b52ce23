/** What the fields of all kinds have in common: a Track whose index says how many Items there are, and where. */
import { withContext } from "../error-context.js";
import type { ObjectReader } from "../io/objects.js";
import type { FieldInfo } from "./fields.js";
import { concat, type Selection } from "./selection.js";
import type { Tombstones } from "./tombstones.js";
import type { Track } from "./track.js";
import { windowOf, type WindowOptions } from "./window.js";

/** Options of a read. */
export interface ItemReadOptions {
  /** Cancels the read, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** What a field reads through. */
export interface FieldAccess {
  readonly objects: ObjectReader;
  readonly track: Track;
  readonly tombstones: Tombstones;
}

/** A field of a dataset. `I` is what the manifest says of its kind. */
export abstract class Field<I extends FieldInfo> {
  /** What the manifest says of the field. */
  readonly info: I;
  /** @internal */
  readonly access: FieldAccess;

  constructor(info: I, access: FieldAccess) {
    this.info = info;
    this.access = access;
  }

  /** Name of the field. */
  get name(): string {
    return this.info.name;
  }

  /**
   * Number of stored Items, deleted and replaced ones included. Costs the Track's index, once, of a paged one no page.
   *
   * @throws {DreamDbError} the codes of a Track and of its index, `HashMismatch`, the store's codes, each with `field`
   */
  async count({ signal }: ItemReadOptions = {}): Promise<number> {
    try {
      return await this.access.track.count(signal);
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  /**
   * Anchors of all stored Items, ascending, deleted and replaced ones included; of a window, if one is given, each once. Costs the Track's index,
   * once, of a paged one every page, or those of the window, and a copy.
   *
   * @throws {DreamDbError} `InvalidArgument`; the codes of a Track and of its index, `HashMismatch`, the store's codes, each with `field`; of a
   * window, `WrongKind` for a Constant
   */
  async anchors(options: WindowOptions = {}): Promise<BigUint64Array<ArrayBuffer>> {
    const { start, end } = windowOf(options);
    const { signal } = options;
    const { track } = this.access;
    try {
      if (start === 0n && end === undefined) return await track.anchors(signal);
      const runs: Selection[] = [];
      for await (const run of track.scan(start, end, signal)) runs.push(run);
      return new BigUint64Array(concat(runs).anchors);
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }
}

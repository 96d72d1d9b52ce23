/** What the fields of all kinds have in common: a Track whose index says how many Items there are, and where. */
import { withContext } from "../error-context.js";
import type { ObjectReader } from "../io/objects.js";
import type { FieldInfo } from "./fields.js";
import type { Tombstones } from "./tombstones.js";
import type { Track } from "./track.js";

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
   * Anchors of all stored Items, ascending, deleted and replaced ones included. Costs the Track's index, once, of a paged one every page, and a
   * copy.
   *
   * @throws {DreamDbError} the codes of a Track and of its index, `HashMismatch`, the store's codes, each with `field`
   */
  async anchors({ signal }: ItemReadOptions = {}): Promise<BigUint64Array<ArrayBuffer>> {
    try {
      return await this.access.track.anchors(signal);
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }
}

/**
 * Audits: every stored Item of a field read and checked, those of deleted rows included, and the index held against what it counts.
 *
 * A fault is noted and the audit goes on. What is checked of an Item is what a read checks; it is only not made a value.
 */
import { DreamDbError, isDreamDbError, type ErrorCode } from "../errors.js";
import { pump } from "../io/pump.js";
import { throwIfAborted } from "../store/abort.js";
import type { ItemReadOptions } from "./field.js";

/** What is wrong with a dataset. */
export interface Fault {
  /** Name of the field. */
  readonly field: string;
  /** Anchor of the Item; absent where the fault is none of a single Item. */
  readonly anchor?: bigint | undefined;
  /** Code of the error. */
  readonly code: ErrorCode;
  /** What a read of it would have failed with. */
  readonly error: DreamDbError;
}

/** What the audit of one field found. */
export interface FieldAudit {
  /** Name of the field. */
  readonly field: string;
  /** Stored Items that were looked at, faulty ones included. */
  readonly items: number;
  /** Bytes of the Items that are right. */
  readonly bytes: number;
  /** What is wrong, in the order of the Items. */
  readonly faults: readonly Fault[];
}

/** What the audit of a dataset found. */
export interface Audit {
  /** Stored Items of all fields. */
  readonly items: number;
  /** Bytes of the Items that are right. */
  readonly bytes: number;
  /** What is wrong, field by field. */
  readonly faults: readonly Fault[];
  /** What was found in each field. */
  readonly fields: readonly FieldAudit[];
}

/** How far an audit is. */
export interface AuditProgress {
  /** Name of the field that is looked at. */
  readonly field: string;
  /** Items of the field that were looked at. */
  readonly items: number;
  /** Items that the field has. */
  readonly total: number;
  /** Bytes of those that are right. */
  readonly bytes: number;
  /** Faults found in the field so far. */
  readonly faults: number;
}

/** Options of an audit. */
export interface AuditOptions extends ItemReadOptions {
  /** Told after each Item; of a pack, after all of its Items. */
  readonly onProgress?: ((progress: AuditProgress) => void) | undefined;
}

/** Items that are looked at together: one, or those of one pack. */
export interface AuditUnit {
  readonly anchors: readonly (bigint | undefined)[];
  /** Checks them; gives the bytes of each, or what is wrong with it. Rejects with what is wrong with all of them. */
  check(): Promise<readonly (number | DreamDbError)[]>;
}

/** What there is to be looked at in a field. */
export interface AuditPlan {
  readonly units: readonly AuditUnit[];
  /** What is wrong with the index. */
  readonly faults: readonly DreamDbError[];
}

/**
 * Looks at all of one field, `width` units at a time.
 *
 * @throws the abort reason; whatever else goes wrong is among the faults
 */
export async function auditField(field: string, plan: () => Promise<AuditPlan>, width: number, options: AuditOptions): Promise<FieldAudit> {
  const { signal, onProgress } = options;
  const faults: { readonly at: number; readonly fault: Fault }[] = [];
  const note = (at: number, cause: unknown, anchor?: bigint): void => {
    throwIfAborted(signal);
    const error = isDreamDbError(cause) ? cause : new DreamDbError("Network", `the store failed with an error of its own: ${String(cause)}`, { cause });
    faults.push({ at, fault: { field, ...(anchor === undefined ? {} : { anchor }), code: error.code, error } });
  };
  let found: AuditPlan = { units: [], faults: [] };
  try {
    found = await plan();
  } catch (error) {
    note(-1, error);
  }
  for (const error of found.faults) note(-1, error);
  const { units } = found;
  const total = units.reduce((sum, { anchors }) => sum + anchors.length, 0);
  let [items, bytes] = [0, 0];
  await pump(units.length, width, async (at) => {
    throwIfAborted(signal);
    const unit = units[at];
    if (unit === undefined) return;
    try {
      for (const [number, outcome] of (await unit.check()).entries()) {
        if (typeof outcome === "number") bytes += outcome;
        else note(at, outcome, unit.anchors[number]);
      }
    } catch (error) {
      for (const anchor of unit.anchors) note(at, error, anchor);
    }
    items += unit.anchors.length;
    onProgress?.({ field, items, total, bytes, faults: faults.length });
  });
  const inOrder = faults.sort((a, b) => a.at - b.at).map(({ fault }) => fault);
  return { field, items, bytes, faults: inOrder };
}

/** What was found in all fields together. */
export function summed(fields: readonly FieldAudit[]): Audit {
  return {
    items: fields.reduce((sum, { items }) => sum + items, 0),
    bytes: fields.reduce((sum, { bytes }) => sum + bytes, 0),
    faults: fields.flatMap(({ faults }) => faults),
    fields,
  };
}

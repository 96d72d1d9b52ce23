/**
 * What a caller wants to write, as payloads by field: from rows, each of which has some of the fields. Columns are column-items.ts's matter.
 *
 * A whole call is judged before anything of it is stored, so that a refusal leaves nothing behind.
 */
import { bytesArgument, kindOf, refused } from "../codec/arguments.js";
import { type ArrayInit, encodePayload } from "../codec/encode.js";
import { toU64, type U64 } from "../codec/integers.js";
import type { BoundField } from "../dataset/bound-fields.js";
import { type ArrayFieldInfo, isArrayField, isMediaField, isScalarField, type MediaFieldInfo, type ScalarFieldInfo } from "../dataset/fields.js";
import { withContext } from "../error-context.js";
import { DreamDbError } from "../errors.js";

/** A value of a scalar column: text of labels and texts, a number of floats, an integer of integers and times. */
export type ScalarInit = string | boolean | number | bigint;

/** A value to write: of an array field, of a scalar column, or the bytes of a media field's Item; what was read will do. */
export type ItemInit =
  | ArrayInit
  | ScalarInit
  | Uint8Array
  | {
      /** The bytes of a media field's Item. */
      readonly bytes: Uint8Array;
    };

/** A row to write: values by field, absent ones left out. */
export interface RowInit {
  /** Where it stands; all rows of a call say, or none, which the clock then places. */
  readonly anchor?: U64 | undefined;
  /** The values by field; `undefined` is none, of optional fields alone. */
  readonly values: Readonly<Record<string, ItemInit | undefined>>;
}

/** What is stored of a value; of a scalar column the value itself. */
export type Payload = Uint8Array | ScalarInit;

/** Items of one field that are ready to be stored. */
export interface FieldItems {
  readonly info: ArrayFieldInfo | MediaFieldInfo | ScalarFieldInfo;
  readonly anchors: readonly bigint[];
  readonly payloads: readonly Payload[];
}

/** Everything that one call is to write. */
export interface NewRows {
  /** Anchors of the rows, in the caller's order. */
  readonly anchors: readonly bigint[];
  /** Items by field; fields without any are not among them. */
  readonly items: readonly FieldItems[];
}

/** Nanoseconds between rows that the clock places, as the reference has it. */
const STEP = 1000n;

/**
 * Rows, taken apart.
 *
 * @throws {DreamDbError} `NoSuchField`, `WrongKind`, `Unsupported`; `MissingValue`; `InvalidArgument`; the codes of `codec.encode…`, with field and
 * anchor
 */
export function itemsOfRows(rows: readonly RowInit[], fields: ReadonlyMap<string, BoundField>, now: bigint): NewRows {
  const anchors = anchorsOf(rows, now);
  const found = new Map<string, { info: FieldItems["info"]; anchors: bigint[]; payloads: Payload[] }>();
  const required = requiredFields(fields);
  for (const [at, { values }] of rows.entries()) {
    const anchor = anchors[at] ?? 0n;
    if (typeof values !== "object" || values === null) throw refused(`rows[${at}].values`, "an object with values by field", kindOf(values));
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const info = writableField(fields, name);
      const items = found.get(name) ?? { info, anchors: [], payloads: [] };
      found.set(name, items);
      items.anchors.push(anchor);
      items.payloads.push(payloadOf(info, value, anchor));
    }
    const missing = required.find((name) => !Object.hasOwn(values, name) || values[name] === undefined);
    if (missing !== undefined) throw missingValue(missing, anchor);
  }
  return { anchors, items: [...found.values()] };
}

/** Names of the fields of which each row must have a value. */
export function requiredFields(fields: ReadonlyMap<string, BoundField>): string[] {
  const all = Array.from(fields.values(), ({ info }) => info);
  return all.flatMap(({ name, required, trackKind }) => (required === true && trackKind !== "constant" ? [name] : []));
}

/** The error of a row that lacks a value. */
export function missingValue(field: string, anchor: bigint): DreamDbError {
  return new DreamDbError("MissingValue", `the row at anchor ${anchor} has no value for field ${JSON.stringify(field)}, which is required`, { field, anchor });
}

/**
 * A field to which Items can be written.
 *
 * @throws {DreamDbError} `NoSuchField`; `WrongKind` for a Constant; `Unsupported` for a kind that this version does not write
 */
export function writableField(fields: ReadonlyMap<string, BoundField>, name: string): FieldItems["info"] {
  const bound = fields.get(name);
  if (bound === undefined) {
    const known = Array.from(fields.keys(), (known) => JSON.stringify(known)).join(", ");
    throw new DreamDbError("NoSuchField", `the dataset has no field ${JSON.stringify(name)}; it has ${known || "none"}`, { field: name });
  }
  const { info } = bound;
  if (info.trackKind === "constant") {
    throw new DreamDbError("WrongKind", `field ${JSON.stringify(name)} is a Constant: one value for the whole dataset, and none in rows`, { field: name });
  }
  if (isArrayField(info) || isMediaField(info) || isScalarField(info)) return info;
  throw new DreamDbError("Unsupported", `field ${JSON.stringify(name)} is of kind ${info.kind}, which this version does not write`, { field: name });
}

/** What is stored of one value. */
export function payloadOf(info: FieldItems["info"], value: ItemInit, anchor: bigint): Payload {
  try {
    if (isArrayField(info)) return encodePayload({ type: info.type, cbor: cborOf(info) }, value as ArrayInit);
    // Judged where it is encoded, before anything is stored.
    if (isScalarField(info)) return value as ScalarInit;
    const bytes: unknown = typeof value === "object" && value !== null && "bytes" in value ? value.bytes : value;
    // Copied, as packs and uploads take their time and the caller's memory is the caller's.
    return new Uint8Array(bytesArgument(`values.${info.name}`, bytes));
  } catch (error) {
    throw withContext(error, { field: info.name, anchor });
  }
}

const cbors = new WeakMap<ArrayFieldInfo, Uint8Array>();

/** A field's type as bytes, which it copies at each access. */
export function cborOf(info: ArrayFieldInfo): Uint8Array {
  const cbor = cbors.get(info) ?? info.typeCbor;
  cbors.set(info, cbor);
  return cbor;
}

function anchorsOf(rows: readonly RowInit[], now: bigint): bigint[] {
  if (!Array.isArray(rows)) throw refused("rows", "an array of rows", kindOf(rows));
  for (const [at, row] of (rows as readonly unknown[]).entries()) {
    if (typeof row !== "object" || row === null) throw refused(`rows[${at}]`, "{ anchor, values }", kindOf(row));
  }
  const said = rows.filter(({ anchor }) => anchor !== undefined).length;
  if (said !== 0 && said !== rows.length) {
    const message = `${said} of ${rows.length} rows have an anchor; either all say theirs, or the clock places all`;
    throw new DreamDbError("InvalidArgument", message, { subject: "anchor", expected: `0 or ${rows.length}`, actual: String(said) });
  }
  return rows.map(({ anchor }, at) => toU64(`rows[${at}].anchor`, anchor === undefined ? now + STEP * BigInt(at) : anchor));
}

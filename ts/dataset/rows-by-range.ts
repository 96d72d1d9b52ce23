/**
 * Rows of one ragged or CSR Item by byte range (0025 §11.4): its header, the offsets of the rows, then their spans.
 *
 * Each step is checked before the next one is sent, and none reaches beyond the Item, whatever its bytes say. What the core decides is
 * where things lie and whether they may; here it is fetched. Where the Item is, and what the rows are to their reader, does not belong here.
 */
import type { CoreRows, CoreSpan } from "../../pkg/dreamdb_arrays.js";
import type { DType, DTypeArrays } from "../codec/dtype.js";
import { toNumber } from "../codec/integers.js";
import type { CsrType, RaggedType } from "../codec/item-type.js";
import { type DeclaredType, requireLittleEndian, scanColumnIndices, scanRowOffsets, valuesOf } from "../codec/payload.js";
import { withContext } from "../error-context.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import { type Call, under } from "../io/call.js";
import type { ObjectReader } from "../io/objects.js";
import type { ProvableObject } from "../io/outboards.js";
import type { Front } from "../io/ranges.js";
import type { CheckedBytes, ObjectId, Verified } from "../io/verifier.js";
import { scoped } from "../store/scope.js";
import { call as core } from "../wasm.js";

/** Bytes that every valid Item has at least: its header and one offset. */
const FRONT = { "ragged-array": 32, "sparse-csr": 40 } as const;

const NOTHING: CoreSpan = { offset: 0n, length: 0n };

/** Where an Item lies. */
export interface Located {
  readonly object: ObjectId;
  /** Bytes before it in the object: none, if it is one by itself. */
  readonly offset: number;
  /** Its bytes, if the index tells; only then can it be a part of an object. */
  readonly size?: bigint;
  /** Bytes of the whole object, where these are others than the Item's; the least of them, if it has no outboard to tell. */
  readonly length?: number;
  /** Refuses another length of the object than `length`. */
  readonly check?: (length: bigint) => void;
}

/** Rows of an Item: from `start` to `end`, the latter excluded. */
export interface RowRange {
  /** The first row, from 0. */
  readonly start: bigint;
  /** The row after the last. */
  readonly end: bigint;
}

/** What was checked of an Item of which rows were read. Its other rows were not looked at. */
export interface RowsChecked {
  /** Magic, version and counts, and the shape that is declared. */
  readonly header: true;
  /**
   * What the size that the header's counts make was held against: the size that the index gives, the length in the object's outboard, the
   * object itself, which was fetched, the length that a server's answer named, or nothing.
   */
  readonly size: "index" | "outboard" | "object" | "answer" | "none";
  /** Order of the offsets that were read, and that they stay within the header's count; nothing, if no row was asked for. */
  readonly offsets: "rows" | "none";
  /** Order and bounds of the column indices that were read. */
  readonly columns?: "rows" | "none";
}

/** Rows as they were read. */
export interface ReadRows<D extends DType> {
  /** Where each row begins and the last one ends in what was read: the first is 0. */
  readonly rowOffsets: BigUint64Array<ArrayBuffer>;
  /** Of CSR rows. */
  readonly columnIndices: BigUint64Array<ArrayBuffer>;
  readonly values: DTypeArrays[D];
  /** Rows of the whole Item. */
  readonly rowCount: bigint;
  /** Bytes of the whole Item. */
  readonly itemBytes: bigint;
  readonly verified: Verified;
  readonly checked: RowsChecked;
}

/** An Item whose header was read, and the offsets of the wanted rows. */
interface Opened {
  readonly header: CoreRows;
  readonly front: Uint8Array;
  readonly against: RowsChecked["size"];
  /** Big-endian. */
  readonly offsets: CheckedBytes;
  /** What was checked of header and offsets. */
  readonly verified: Verified;
  /** Reads spans of the Item. */
  readonly read: (spans: readonly CoreSpan[]) => Promise<CheckedBytes[]>;
}

/** Which rows to read. */
export interface RowsQuery<D extends DType> {
  readonly objects: ObjectReader;
  readonly declared: DeclaredType<RaggedType<D> | CsrType<D>>;
  readonly item: Located;
  readonly range: RowRange;
}

/** A query under way. */
interface Task {
  readonly objects: ObjectReader;
  readonly declared: DeclaredType<RaggedType | CsrType>;
  readonly object: ObjectId;
  readonly range: RowRange;
  readonly call: Call;
}

/**
 * Reads rows of an Item.
 *
 * Costs three requests one after another for header, offsets and rows, fewer where they are close to each other or kept; beside the first,
 * one for the length in the outboard, where no index tells the size; and what proves them. Bytes: those of the rows and their offsets, in
 * whole chunks of 1 KiB where they are verified. The whole object, if it has to be verified and has no outboard.
 *
 * @throws {DreamDbError} `PayloadHeader`, `ShapeMismatch`, `PayloadLength` before anything else of the Item is asked for; `InvalidArgument`
 * for rows that it has not; `OffsetTerminal`, `OffsetOrder`, `ColumnBounds`, `ColumnOrder`; `HashMismatch`; `TooLarge`; what `check` throws;
 * `RequestBudget`; the store's codes
 */
export function readRows<D extends DType>({ objects, declared, item, range }: RowsQuery<D>, call: Call): Promise<ReadRows<D>> {
  requireLittleEndian();
  const { object } = item;
  // What is sent side by side is one thing: the first failure ends the others.
  return scoped(call.signal, async (own) => {
    const task: Task = { objects, declared, object, range, call: under(call, own) };
    try {
      return await rowsOf(task, declared.type, await (item.size === undefined ? openUnsized(task) : openSized(task, item, item.size)));
    } catch (error) {
      throw withContext(error, { key: object.key });
    }
  });
}

async function rowsOf<D extends DType>({ objects, declared, range }: Task, type: RaggedType<D> | CsrType<D>, opened: Opened): Promise<ReadRows<D>> {
  const { header, front, against, offsets } = opened;
  const { rows, count, columns } = header;
  const first = range.start;
  const isEmpty = first === range.end;
  // In the order in which whole payloads of the family are checked.
  if (columns !== undefined && range.end === rows && !isEmpty) core((functions) => functions.checkLastOffset(offsets.bytes.subarray(-8), count));
  const rowOffsets = isEmpty ? new BigUint64Array(1) : scanRowOffsets(offsets.bytes, { rows, count, first });
  const [start, end] = [rowOffsets[0] ?? 0n, rowOffsets.at(-1) ?? 0n];
  const spans = core((functions) => functions.locateRowParts(declared.cbor, front, header.size, start, end));
  const indexSpan = spans.columnIndices ?? NOTHING;
  objects.admit(spans.values.length + indexSpan.length, "the rows have");
  const parts = await opened.read([indexSpan, spans.values]);
  const [indices, values] = parts.map(({ bytes }) => bytes);
  if (values === undefined || indices === undefined) throw lost();
  const columnIndices = columns === undefined ? new BigUint64Array(0) : scanColumnIndices(indices, rowOffsets, { columns, first });
  for (const [at, offset] of rowOffsets.entries()) rowOffsets[at] = offset - start;
  const looked = isEmpty ? "none" : "rows";
  return {
    rowOffsets,
    columnIndices,
    values: valuesOf(type, values),
    rowCount: rows,
    itemBytes: header.size,
    verified: least([opened.verified, ...parts.map(({ verified }) => verified)]),
    checked: { header: true, size: against, offsets: looked, ...(columns !== undefined && { columns: looked }) },
  };
}

/** An Item whose size is known: its front is read as everything else is. */
async function openSized(task: Task, item: Located, size: bigint): Promise<Opened> {
  const { objects, object, call } = task;
  const { offset, length = toNumber("the size of the Item", size), check = otherLength(size) } = item;
  if (objects.way(object) === "whole") {
    // What `length` is said to be may be the least of it.
    const { bytes, verified } = await objects.whole(object, call, item.length === undefined ? length : undefined);
    check(BigInt(bytes.byteLength));
    return openWhole(task, { bytes: bytes.subarray(offset, offset + Number(size)), verified }, "index");
  }
  const read = reading(objects, { ...object, length, check }, offset, call);
  const atLeast = BigInt(frontOf(task));
  const [front] = await read([{ offset: 0n, length: size < atLeast ? size : atLeast }]);
  if (front === undefined) throw lost();
  return withOffsets(task, locate(task, front.bytes, size), front, "index", read);
}

/** An Item that is an object by itself, of a size that no index tells. */
async function openUnsized(task: Task): Promise<Opened> {
  const { objects, object, call } = task;
  if (objects.way(object) === "whole") return openWhole(task, await objects.whole(object, call));
  const bytes = frontOf(task);
  const [length, came] = await Promise.all([lengthOf(task), frontOrShort(objects.front(object, bytes, call))]);
  if (isDreamDbError(came)) {
    // All of so short an object is little, and says best what is wrong with it.
    if (length === undefined ? !objects.verifies : length >= bytes) throw came;
    return openWhole(task, await objects.whole(object, call));
  }
  if (came.isWhole) return openWhole(task, came);
  if (length === undefined && objects.verifies) return openWhole(task, await objects.whole(object, call));
  const front = came.bytes.slice(0, bytes);
  const total = came.total === undefined ? undefined : BigInt(came.total);
  const against = length !== undefined ? "outboard" : total !== undefined ? "answer" : "none";
  const proved = objects.way(object) === "proved";
  let header: CoreRows;
  let refusal: DreamDbError | undefined;
  try {
    header = locate(task, front, length ?? total);
  } catch (error) {
    if (isDreamDbError(error, "PayloadLength")) objects.forgetOutboard(object);
    // That there are no such rows is to be said by a header that is proved.
    if (!proved || !isDreamDbError(error, "InvalidArgument")) throw error;
    refusal = error;
    header = locate({ ...task, range: { start: 0n, end: 0n } }, front, length);
  }
  const whole = { ...object, length: toNumber("the size of the Item", header.size), check: otherLength(header.size) };
  const read = reading(objects, whole, 0, call);
  if (!proved) return withOffsets(task, header, { bytes: front, verified: "none" }, against, read);

  admitOffsets(objects, header);
  const [again, offsets] = await read([{ offset: 0n, length: BigInt(bytes) }, header.rowOffsets]);
  if (again === undefined || offsets === undefined) throw lost();
  if (again.bytes.some((byte, at) => byte !== front[at])) {
    throw new DreamDbError("HashMismatch", `the first ${bytes} bytes of the object came otherwise than its outboard proves them`);
  }
  if (refusal !== undefined) throw refusal;
  return { header, front, against, offsets, verified: least([again.verified, offsets.verified]), read };
}

/** An Item of which all is in memory. */
function openWhole(task: Task, { bytes, verified }: CheckedBytes, against: RowsChecked["size"] = "object"): Promise<Opened> {
  const cut = (spans: readonly CoreSpan[]) =>
    Promise.resolve(spans.map(({ offset, length }) => ({ bytes: bytes.slice(Number(offset), Number(offset + length)), verified })));
  const front = bytes.subarray(0, frontOf(task));
  return withOffsets(task, locate(task, front, BigInt(bytes.byteLength)), { bytes: front, verified }, against, cut);
}

async function withOffsets(task: Task, header: CoreRows, front: CheckedBytes, against: RowsChecked["size"], read: Opened["read"]): Promise<Opened> {
  admitOffsets(task.objects, header);
  const [offsets] = await read([header.rowOffsets]);
  if (offsets === undefined) throw lost();
  // Of no rows no offsets are read, and the core's word for nothing is not less.
  const verified = header.rowOffsets.length === 0n ? front.verified : least([front.verified, offsets.verified]);
  return { header, front: front.bytes, against, offsets, verified, read };
}

/** What the front says of the wanted rows. */
function locate({ declared, range }: Task, front: Uint8Array, size: bigint | undefined): CoreRows {
  return core((functions) => functions.locateRows(declared.cbor, front, size, range.start, range.end));
}

function frontOf({ declared }: Task): number {
  return FRONT[declared.type.family];
}

/** Reads spans of an Item that begins at `offset` of an object. */
function reading(objects: ObjectReader, object: ProvableObject, offset: number, call: Call): Opened["read"] {
  return (spans) => {
    const wanted = spans.map((span) => ({ start: offset + Number(span.offset), end: offset + Number(span.offset + span.length) }));
    return Promise.all(objects.parts(object, wanted, call));
  };
}

/** The length that the outboard names, if there is one. */
async function lengthOf(task: Task): Promise<bigint | undefined> {
  const { objects, object, call } = task;
  const isPlain = objects.way(object) === "plain";
  try {
    return await objects.lengthOf(object, frontOf(task), call);
  } catch (error) {
    // Who verifies nothing may be without the right to read proofs; no byte is then taken for more than it is.
    if (isPlain && isDreamDbError(error, "Forbidden")) return undefined;
    throw error;
  }
}

/** The front, or the failure that says that the object ends before it. */
async function frontOrShort(front: Promise<Front>): Promise<Front | DreamDbError> {
  try {
    return await front;
  } catch (error) {
    if (isDreamDbError(error, "BodyLength", "RangeNotSatisfiable")) return error;
    throw error;
  }
}

/** The index tables of more rows than anyone wants to hold are not read. */
function admitOffsets(objects: ObjectReader, { rowOffsets }: CoreRows): void {
  objects.admit(rowOffsets.length, "the rows' offsets have");
}

function otherLength(size: bigint): (length: bigint) => void {
  return (length) => {
    if (length === size) return;
    const message = `the Item has ${size} bytes by its header or index, the object has ${length}`;
    throw new DreamDbError("PayloadLength", message, { expected: String(size), actual: String(length) });
  };
}

/** The least of what was checked. */
function least(verified: readonly Verified[]): Verified {
  return verified.includes("none") ? "none" : verified.includes("range") ? "range" : "object";
}

function lost(): DreamDbError {
  return new DreamDbError("Internal", "a span was lost");
}

/**
 * Payloads: from the bytes of an array Item to its value (0025 §6, §7, §11).
 *
 * The core decides where the parts lie and checks the index tables; this file walks it through them window by window, so that its
 * memory stays small, and lays TypedArrays over the bytes. Little-endian, aligned values are the payload's own bytes, uncopied.
 */
import { call } from "../wasm.js";
import { DreamDbError } from "../errors.js";
import type { CoreParts, CoreSpan } from "../../pkg/dreamdb_arrays.js";
import { bytesPerElement, type DType, type DTypeArrays, typedView } from "./dtype.js";
import { toNumber } from "./integers.js";
import type { CsrType, DenseType, ItemType, RaggedType } from "./item-type.js";
import { type ArrayValue, type CsrArray, type DenseArray, type RaggedArray, stridesOf } from "./values.js";

/** Bytes that cross into the core and back at a time. */
const WINDOW = 1 << 16;

/** Row ends that accompany a window of column indices. */
const ROW_WINDOW = 1 << 13;

const LITTLE_ENDIAN_HOST = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** An item type in both of its forms. */
export interface DeclaredType<T extends ItemType = ItemType> {
  readonly type: T;
  /** Canonical CBOR of `type`. */
  readonly cbor: Uint8Array;
}

/**
 * Decode a payload that nobody else uses: it is changed in place, and the result lies in it.
 *
 * Costs nothing per element for little-endian dense data, one pass for big-endian values and index tables.
 *
 * @throws {DreamDbError} `PayloadLength`; `InvalidNpyHeader`, `CodecHeaderMismatch` for `.npy`; `PayloadHeader`, `ShapeMismatch`,
 * `OffsetTerminal`, `OffsetOrder`, `ColumnBounds`, `ColumnOrder` for structured payloads; `TooLarge` for an extent beyond 2^53 − 1
 */
export function decodeOwned(declared: DeclaredType, payload: Uint8Array<ArrayBuffer>): ArrayValue {
  requireLittleEndian();
  const { type, cbor } = declared;
  const parts = locate(declared, payload);
  switch (type.family) {
    case "dense-array":
      return dense(type, payload, parts);
    case "ragged-array":
      return ragged(type, payload, parts);
    case "sparse-csr":
      return csr(type, payload, parts);
    default:
      throw new DreamDbError("Internal", `the core decoded a type of an unknown family from ${cbor.byteLength} bytes`);
  }
}

/**
 * Check a payload as {@link decodeOwned} does, without a value of it: extents may be larger than a number holds. The payload stays as it is.
 *
 * Costs nothing per element of values, a copy of and one pass over the index tables.
 *
 * @throws {DreamDbError} as {@link decodeOwned}, but for `TooLarge`
 */
export function checkPayload(declared: DeclaredType, payload: Uint8Array): void {
  const parts = locate(declared, payload);
  const { family } = declared.type;
  if (family === "dense-array") return;
  requireLittleEndian();
  // The values come last.
  const own = new Uint8Array(payload.subarray(0, Number(parts.values.offset)));
  if (family === "ragged-array") scanOffsets(own, parts, parts.cells);
  else scanTables(own, parts);
}

/**
 * The values of a dense payload, in the byte order and layout that are declared.
 *
 * @throws {DreamDbError} `PayloadLength`; `InvalidNpyHeader`, `CodecHeaderMismatch` for `.npy`
 */
export function locateValues(declared: DeclaredType<DenseType>, payload: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  requireLittleEndian();
  return slice(payload, locate(declared, payload).values);
}

/** Turns big-endian elements of `width` bytes, in place. Costs one pass through a small window of the core's memory. */
export function swapValues(bytes: Uint8Array<ArrayBuffer>, width: number): void {
  if (width === 1) return;
  for (let at = 0; at < bytes.byteLength; at += WINDOW) call((core) => core.swapBytes(bytes.subarray(at, at + WINDOW), width));
}

/** @throws {DreamDbError} `Unsupported` on a host on which no array can be decoded */
export function requireLittleEndian(): void {
  if (!LITTLE_ENDIAN_HOST) throw new DreamDbError("Unsupported", "arrays can be decoded on little-endian hosts only");
}

/** The last payload of each dense type: how it begins, up to its values, how many bytes it has, and what the core said of it. */
const lastOf = new WeakMap<ItemType, { readonly front: Uint8Array; readonly length: number; readonly parts: CoreParts }>();

function locate({ type, cbor }: DeclaredType, payload: Uint8Array): CoreParts {
  const length = payload.byteLength;
  const last = lastOf.get(type);
  // Of a dense payload that is all that counts, and the Items of a field are alike.
  if (last?.length === length && last.front.every((byte, at) => byte === payload[at])) return last.parts;
  const headless = type.family === "dense-array" && type.codec === "raw";
  const parts = call((core) => core.locateParts(cbor, payload.subarray(0, headless ? 0 : core.payloadPrefixBytes()), BigInt(length)));
  if (type.family === "dense-array") lastOf.set(type, { front: payload.slice(0, Number(parts.values.offset)), length, parts });
  return parts;
}

function dense(type: DenseType, payload: Uint8Array<ArrayBuffer>, parts: CoreParts): DenseArray {
  const shape = numbers(type.shape);
  const { dtype, layout: order } = type;
  return { family: "dense-array", dtype, data: values(type, payload, parts), shape, strides: stridesOf(shape, order), order };
}

function ragged(type: RaggedType, payload: Uint8Array<ArrayBuffer>, parts: CoreParts): RaggedArray {
  const innerShape = numbers(type.innerShape);
  const rowOffsets = scanOffsets(payload, parts, parts.cells);
  return {
    family: "ragged-array",
    kind: "ragged-array",
    dtype: type.dtype,
    rowOffsets,
    values: values(type, payload, parts),
    innerShape,
  };
}

function csr(type: CsrType, payload: Uint8Array<ArrayBuffer>, parts: CoreParts): CsrArray {
  const { dtype, shape } = type;
  return { family: "sparse-csr", kind: "sparse-csr", dtype, shape, ...scanTables(payload, parts), values: values(type, payload, parts) };
}

/** Check both index tables of a CSR payload and turn them in place. */
function scanTables(payload: Uint8Array<ArrayBuffer>, parts: CoreParts): Pick<CsrArray, "rowOffsets" | "columnIndices"> {
  const offsets = slice(payload, parts.rowOffsets);
  call((core) => core.checkLastOffset(offsets.subarray(-8), parts.nnz ?? 0n));
  const rowOffsets = scanOffsets(payload, parts, parts.nnz);
  return { rowOffsets, columnIndices: scanColumns(payload, parts, rowOffsets) };
}

/** Check the row offsets and turn them in place. */
function scanOffsets(payload: Uint8Array<ArrayBuffer>, parts: CoreParts, count = 0n): BigUint64Array<ArrayBuffer> {
  return scanRowOffsets(slice(payload, parts.rowOffsets), { rows: parts.rows ?? 0n, count, first: 0n });
}

/** Check the column indices and turn them in place. */
function scanColumns(
  payload: Uint8Array<ArrayBuffer>,
  parts: CoreParts,
  rowOffsets: BigUint64Array<ArrayBuffer>,
): BigUint64Array<ArrayBuffer> {
  return scanColumnIndices(slice(payload, parts.columnIndices), rowOffsets, { columns: parts.columns ?? 0n, first: 0n });
}

function values<D extends DType>(type: ItemType<D>, payload: Uint8Array<ArrayBuffer>, parts: CoreParts) {
  return valuesOf(type, slice(payload, parts.values));
}

/**
 * Check row offsets and turn them in place: big-endian bytes of those from row `first` on, of an Item of so many rows and so many cells or
 * stored elements. The first of all must be 0, the last of all `count`.
 *
 * @throws {DreamDbError} `OffsetTerminal`, `OffsetOrder`
 */
export function scanRowOffsets(
  bytes: Uint8Array<ArrayBuffer>,
  { rows, count, first }: { rows: bigint; count: bigint; first: bigint },
): BigUint64Array<ArrayBuffer> {
  let last = 0n;
  for (let at = 0; at < bytes.byteLength; at += WINDOW) {
    const window = bytes.subarray(at, at + WINDOW);
    last = call((core) => core.scanRowOffsets(window, rows, count, first + BigInt(at / 8), last));
  }
  return typedView("u64", bytes);
}

/**
 * Check column indices and turn them in place: big-endian bytes of those of the rows from `first` on that `rowOffsets` delimit.
 *
 * @throws {DreamDbError} `ColumnBounds`, `ColumnOrder`
 */
export function scanColumnIndices(
  bytes: Uint8Array<ArrayBuffer>,
  rowOffsets: BigUint64Array<ArrayBuffer>,
  { columns, first }: { columns: bigint; first: bigint },
): BigUint64Array<ArrayBuffer> {
  const rows = rowOffsets.length - 1;
  const start = rowOffsets[0] ?? 0n;
  let state: BigUint64Array = BigUint64Array.of(first, start, 0n);
  let [row, position] = [0, 0];
  while (row < rows) {
    const window = bytes.subarray(position * 8, position * 8 + WINDOW);
    const rowEnds = rowOffsets.subarray(row + 1, row + 1 + ROW_WINDOW);
    state = call((core) => core.scanColumns(window, rowEnds, columns, state));
    [row, position] = [Number((state[0] ?? 0n) - first), Number((state[1] ?? 0n) - start)];
  }
  return typedView("u64", bytes);
}

/** Values in the declared byte order, turned in place if that is not the host's. */
export function valuesOf<D extends DType>(type: ItemType<D>, bytes: Uint8Array<ArrayBuffer>): DTypeArrays[D] {
  if (type.endianness === "big") swapValues(bytes, bytesPerElement(type.dtype));
  return typedView(type.dtype, bytes);
}

function slice(payload: Uint8Array<ArrayBuffer>, span: CoreSpan | undefined): Uint8Array<ArrayBuffer> {
  const offset = Number(span?.offset ?? 0n);
  return payload.subarray(offset, offset + Number(span?.length ?? 0n));
}

function numbers(extents: readonly bigint[]): number[] {
  return extents.map((extent) => toNumber("an extent of the declared shape", extent));
}

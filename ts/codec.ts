/**
 * The synchronous door: item types, identities, tags, addresses and payloads, without a dataset or a store.
 *
 * In Node, Deno, Bun and Workers these work at once; in browsers `await init()` first (or after any asynchronous call of the package).
 */
import { bytesArgument } from "./codec/arguments.js";
import { type CsrInit, type DenseInit, type RaggedInit, encodeCsrPayload, encodeDensePayload, encodeRaggedPayload } from "./codec/encode.js";
import { checkPayload, decodeOwned, type DeclaredType } from "./codec/payload.js";
import { cborOf, type CsrType, decodeItemType, type DenseType, encodeItemType, type Family, type ItemType, type ItemTypeInit, type RaggedType } from "./codec/item-type.js";
import type { DType } from "./codec/dtype.js";
import { type Pack, type PackItem, packOf } from "./codec/pack.js";
import type { ArrayValue } from "./codec/values.js";
import { DreamDbError } from "./errors.js";

export { addressOf, verifyAddress } from "./codec/hash.js";
export { bindModality, decodeItemType, encodeItemType, itemTypeId, modalityOf, parseModality } from "./codec/item-type.js";

/**
 * Decode an Item's payload as its type declares it. The bytes are copied first, so the result is independent of them.
 *
 * @param type the declared type, as canonical CBOR or as an object
 * @throws {DreamDbError} those of the type; `PayloadLength`; `InvalidNpyHeader`, `CodecHeaderMismatch`; `PayloadHeader`,
 * `ShapeMismatch`, `OffsetTerminal`, `OffsetOrder`, `ColumnBounds`, `ColumnOrder`; `InvalidArgument` for a payload that is no Uint8Array
 */
export function decode<D extends DType = DType>(type: Uint8Array | (ItemTypeInit & { dtype: D }), payload: Uint8Array): ArrayValue<D> {
  const cbor = cborOf(type);
  bytesArgument("payload", payload);
  return decodeOwned({ type: decodeItemType(cbor), cbor }, new Uint8Array(payload)) as ArrayValue<D>;
}

/**
 * Check an Item's payload against its type. Costs as {@link decode} at most, and nothing per element of dense data.
 *
 * Takes also what no array can hold, such as no elements of a shape with an extent beyond 2^53.
 *
 * @throws {DreamDbError} as {@link decode}
 */
export function validate(type: Uint8Array | ItemTypeInit, payload: Uint8Array): void {
  const cbor = cborOf(type);
  bytesArgument("payload", payload);
  checkPayload({ type: decodeItemType(cbor), cbor }, payload);
}

/** A type as these functions take it: canonical CBOR, or an object. */
type TypeArgument<D extends DType> = Uint8Array | (ItemTypeInit & { dtype: D });

/**
 * The payload of a dense Item, under the codec that its type declares.
 *
 * Elements of another dtype are refused, not converted; those in the other order are put into the declared layout, bit for bit. Costs a copy.
 *
 * @param value a TypedArray of the dtype in the declared layout, a value as it was read, or numbers in lists as deep as the shape
 * @throws {DreamDbError} those of the type; `WrongFamily`; `InvalidArgument` for another dtype and for numbers that the dtype does not hold;
 * `ShapeMismatch`
 */
export function encodeDense<D extends DType = DType>(type: TypeArgument<D>, value: DenseInit<D>): Uint8Array<ArrayBuffer> {
  return encodeDensePayload(declaredType<DenseType>(type, "dense-array"), value);
}

/**
 * A dense value as a NumPy file of its type (0025 §7), whatever codec that declares: what the payload is under codec `npy`. As NumPy writes it,
 * 64-byte aligned, with the declared byte order and layout; `fortran_order` is the declared layout at every rank. Costs a copy.
 *
 * @throws {DreamDbError} as {@link encodeDense}
 */
export function encodeNpy<D extends DType = DType>(type: TypeArgument<D>, value: DenseInit<D>): Uint8Array<ArrayBuffer> {
  const { version: _, codecVersion: __, ...declared } = declaredType<DenseType>(type, "dense-array").type;
  const cbor = encodeItemType({ ...declared, codec: "npy" });
  return encodeDensePayload({ type: decodeItemType(cbor) as DenseType, cbor }, value);
}

/**
 * The payload of a ragged Item (0025 §11.1). Costs a copy, and one pass over the offsets.
 *
 * @param value row offsets and values, as §14.1 has them or as they were read
 * @throws {DreamDbError} those of the type; `WrongFamily`; `InvalidArgument`; `OffsetTerminal`, `OffsetOrder`; `PayloadLength` for another number
 * of elements than the offsets count; `ShapeMismatch`
 */
export function encodeRagged<D extends DType = DType>(type: TypeArgument<D>, value: RaggedInit<D>): Uint8Array<ArrayBuffer> {
  return encodeRaggedPayload(declaredType<RaggedType>(type, "ragged-array"), value);
}

/**
 * The payload of a sparse matrix (0025 §11.2). Costs a copy, and one pass over offsets and columns; stored zeros stay.
 *
 * @param value row offsets, column indices and values, as §14.1 has them or as they were read; columns strictly increase within a row
 * @throws {DreamDbError} as {@link encodeRagged}; `ColumnOrder`, `ColumnBounds`
 */
export function encodeCsr<D extends DType = DType>(type: TypeArgument<D>, value: CsrInit<D>): Uint8Array<ArrayBuffer> {
  return encodeCsrPayload(declaredType<CsrType>(type, "sparse-csr"), value);
}

/**
 * One pack of these Items (0022 §3), for those who keep index entries themselves: its body, where each Item lies in it, and the outboard that proves
 * ranges of it. The entries are what `openArrayField` takes. Costs a copy, and one pass of BLAKE3.
 *
 * @throws {DreamDbError} `InvalidArgument` for no Item, for anchors that are no u64 below 2^64 − 1, and for bytes that are none; `IntegerRange` if an
 * Item would begin beyond what 32 bits can name; `TooLarge`
 */
export function packItems(items: readonly PackItem[]): Pack {
  return packOf(items);
}

function declaredType<T extends ItemType>(given: Uint8Array | ItemTypeInit, family: Family): DeclaredType<T> {
  const cbor = cborOf(given);
  const type = decodeItemType(cbor);
  if (type.family === family) return { type: type as T, cbor };
  const message = `the type is of family ${type.family}, not ${family}`;
  throw new DreamDbError("WrongFamily", message, { expected: family, actual: type.family });
}

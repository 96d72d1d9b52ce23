/**
 * The synchronous door: item types, identities, tags, addresses and payloads, without a dataset or a store.
 *
 * In Node, Deno, Bun and Workers these work at once; in browsers `await init()` first (or after any asynchronous call of the package).
 */
import { bytesArgument } from "./codec/arguments.js";
import { checkPayload, decodeOwned } from "./codec/payload.js";
import { cborOf, decodeItemType, type ItemTypeInit } from "./codec/item-type.js";
import type { DType } from "./codec/dtype.js";
import type { ArrayValue } from "./codec/values.js";

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

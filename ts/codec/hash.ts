/**
 * Addresses of bytes.
 *
 * Small objects are hashed in one call; larger ones window by window, so that the core's memory stays at the size of a window whatever
 * the object's is. The core holds nothing between the calls.
 */
import { call } from "../wasm.js";
import { bytesArgument, textArgument } from "./arguments.js";

/** Bytes that cross into the core at a time: a power of two of BLAKE3's chunks, as the tree asks. */
const WINDOW = 1 << 17;

/** Bytes of a chaining value. */
const CHAINING = 32;

/**
 * Address of `bytes`: the base32 text of their BLAKE3-256 multihash (0025 §3.1).
 *
 * Costs one pass of BLAKE3 with SIMD and one copy into the core.
 *
 * @throws {DreamDbError} `InvalidArgument` for anything but a Uint8Array
 */
export function addressOf(bytes: Uint8Array): string {
  bytesArgument("bytes", bytes);
  if (bytes.byteLength <= WINDOW) return call((core) => core.addressOf(bytes));
  const windows = Math.ceil(bytes.byteLength / WINDOW);
  const values = new Uint8Array(windows * CHAINING);
  for (let window = 0; window < windows; window++) {
    const offset = window * WINDOW;
    const part = bytes.subarray(offset, offset + WINDOW);
    values.set(call((core) => core.hashWindow(part, BigInt(offset))), window * CHAINING);
  }
  return call((core) => core.combineWindows(values));
}

/**
 * Refuse bytes whose address is not `address`. Costs as {@link addressOf}.
 *
 * @throws {DreamDbError} `HashMismatch` with both addresses; `Multihash` if `address` is none; `InvalidArgument` for arguments of other
 * types
 */
export function verifyAddress(bytes: Uint8Array, address: string): void {
  bytesArgument("bytes", bytes);
  textArgument("address", address);
  if (bytes.byteLength <= WINDOW) {
    call((core) => core.verifyBytes(bytes, address));
    return;
  }
  const computed = addressOf(bytes);
  call((core) => core.requireAddress(address, computed, BigInt(bytes.byteLength)));
}

/**
 * The 33 bytes of an address.
 *
 * @throws {DreamDbError} `Multihash`
 */
export function addressBytesOf(address: string): Uint8Array {
  return call((core) => core.addressBytes(address));
}

/** Objects to be stored, and how those that have one get their outboard. Where they lie is dataset/keys.ts's matter. */
import { addressOf } from "../codec/hash.js";
import { outboardKey } from "../io/outboards.js";
import { call } from "../wasm.js";

/** An object to be stored under its address. */
export interface NewObject {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** An object that has been addressed, with its outboard, if it is to have one. */
export interface AddressedObject {
  readonly address: string;
  readonly objects: readonly NewObject[];
}

/** Array Items, fragments and packs have an outboard (0007; everything that is read by parts). */
export function withOutboard(key: (address: string) => string, bytes: Uint8Array): AddressedObject {
  const { address, bytes: outboard } = call((core) => core.makeOutboard(bytes));
  return { address, objects: [{ key: key(address), bytes }, { key: outboardKey(address), bytes: outboard }] };
}

/** Constants, chunks and everything that describes have none. */
export function withoutOutboard(key: (address: string) => string, bytes: Uint8Array): AddressedObject {
  const address = addressOf(bytes);
  return { address, objects: [{ key: key(address), bytes }] };
}

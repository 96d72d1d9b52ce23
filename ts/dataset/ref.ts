/** Refs: mutable names of manifests. A Ref is only a pointer; what it points to is checked by its address. */
import { kindOf } from "../codec/arguments.js";
import { call } from "../wasm.js";
import { DreamDbError } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import { refKey } from "./keys.js";

/** Segments of a Ref's name; a snapshot's has its label behind an `@`. */
const NAME = /^[a-z0-9_-][a-z0-9_@-]{0,63}(\/[a-z0-9_-][a-z0-9_@-]{0,63})*$/;

/** Bytes of a Ref: one address. */
const REF_BYTES = 33;

/**
 * Address of the manifest that a Ref names.
 *
 * @throws {DreamDbError} `RefName` for a name that cannot be one; `RefBody` if the object is not one address; the store's codes
 */
export async function resolveRef(objects: ObjectReader, name: string, signal?: AbortSignal): Promise<string> {
  checkRefName(name);
  return addressInRef(await objects.pointer(refKey(name), signal), name);
}

/**
 * Refuses what cannot be the name of a Ref.
 *
 * @throws {DreamDbError} `RefName`
 */
export function checkRefName(name: string): void {
  if (typeof name === "string" && NAME.test(name)) return;
  const given = typeof name === "string" ? JSON.stringify(name) : kindOf(name);
  const message = `a Ref's name is segments of up to 64 of a-z, 0-9, _, @ and -, none of which begins with @, joined by "/", not ${given}`;
  throw new DreamDbError("RefName", message, { subject: name });
}

/**
 * The address that the body of a Ref is.
 *
 * @throws {DreamDbError} `RefBody`
 */
export function addressInRef(body: Uint8Array, name: string): string {
  const key = refKey(name);
  if (body.byteLength !== REF_BYTES) {
    const message = `Ref ${JSON.stringify(name)} has ${body.byteLength} bytes; it must be the ${REF_BYTES} bytes of a manifest's address`;
    throw new DreamDbError("RefBody", message, { key, expected: `${REF_BYTES}`, actual: `${body.byteLength}` });
  }
  try {
    return call((core) => core.addressTexts(body));
  } catch (cause) {
    throw new DreamDbError("RefBody", `Ref ${JSON.stringify(name)} does not hold a manifest's address`, { key, cause });
  }
}

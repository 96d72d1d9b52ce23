/** A Ref's body without an error to throw: here a wrong one is a finding. */
import { addressInRef } from "../../dataset/ref.js";
import { isDreamDbError } from "../../errors.js";

/** The address that it is; `undefined` if it is none. */
export function resolveRefBody(body: Uint8Array, name: string): string | undefined {
  try {
    return addressInRef(body, name);
  } catch (error) {
    if (isDreamDbError(error, "RefBody")) return undefined;
    throw error;
  }
}

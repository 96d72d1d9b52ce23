/** What writers of scalar columns are handed: with imports of their own, pages that write none would load the same code in more pieces. */
import type { CoreScalarPage, CoreScalarRoot } from "../../../pkg/dreamdb_arrays.js";
import type { kindOf, refused, textArgument } from "../../codec/arguments.js";
import type { DreamDbError } from "../../errors.js";

/** The surroundings of a column that gets rows. */
export interface Host {
  readonly kindOf: typeof kindOf;
  readonly refused: typeof refused;
  readonly textArgument: typeof textArgument;
  /** The class of refusals. */
  readonly Refusal: typeof DreamDbError;
  readonly addressOf: (object: Uint8Array) => string;
  readonly addressBytesOf: (address: string) => Uint8Array;
  /** The Track and what the core says of it. */
  readonly track: () => Promise<{ readonly object: Uint8Array; readonly root: CoreScalarRoot }>;
  /** A page and what the core says of it. */
  readonly page: (address: string | Uint8Array, level: bigint) => Promise<{ readonly object: Uint8Array; readonly page: CoreScalarPage }>;
}

/** What writers of scalar columns are handed: with imports of their own, pages that write none would load the same code in more pieces. */
import type { kindOf, refused, textArgument } from "../../codec/arguments.js";
import type { decodeScalarPage, decodeScalarTrack } from "../../dataset/scalars/index-objects.js";
import type { DreamDbError } from "../../errors.js";
import type { call } from "../../wasm.js";

/** The surroundings of a column that gets rows. */
export interface Host {
  readonly call: typeof call;
  readonly decodeScalarTrack: typeof decodeScalarTrack;
  readonly decodeScalarPage: typeof decodeScalarPage;
  readonly kindOf: typeof kindOf;
  readonly refused: typeof refused;
  readonly textArgument: typeof textArgument;
  /** The algorithm of the column's tree; `undefined` if its entries stand in the Track itself. */
  readonly algorithm: string | undefined;
  /** The class of refusals. */
  readonly Refusal: typeof DreamDbError;
  readonly addressOf: (object: Uint8Array) => string;
  readonly addressBytesOf: (address: string) => Uint8Array;
  /** The Track that gets rows. */
  readonly track: () => Promise<Uint8Array>;
  /** A page of its index. */
  readonly page: (address: string) => Promise<Uint8Array>;
}

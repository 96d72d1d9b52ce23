/** Who writes, and when: what manifests say of their making. */
import { textArgument } from "../codec/arguments.js";
import { VERSION } from "../version.js";

/** What a writer says of itself, and its clock. */
export interface Authorship {
  /** Nanoseconds since the epoch. */
  readonly clock: () => bigint;
  /** In place of what the package says of itself. */
  readonly writer?: string | undefined;
}

/** The system's clock, which knows milliseconds. */
export function systemClock(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** The text of a manifest's `writer`, in the reference's form. */
export function writerText({ writer }: Authorship, operation: string): string {
  return textArgument("writer", writer ?? `dreamdb-writer/1;sdk=npm%2Fdreamdb-arrays;version=${VERSION};operation=${operation}`);
}

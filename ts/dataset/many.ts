/** Items of several fields in one call. */
import type { U64 } from "../codec/integers.js";
import { type DreamDbError, isDreamDbError } from "../errors.js";
import { newCall } from "../io/call.js";
import { throwIfAborted } from "../store/abort.js";
import { anchorsArgument, type PreparedReads } from "./anchored-field.js";
import { type Outcome, outcomes } from "./outcome.js";

/** Items of one field. */
export interface FieldAnchors {
  /** Name of the field. */
  readonly field: string;
  /** Its anchors, in any order. */
  readonly anchors: Iterable<U64>;
}

/** A field that can prepare reads, and what a value of its reads is to the caller. */
export interface Readable<V> {
  prepare(asked: readonly bigint[], signal: AbortSignal | undefined): Promise<PreparedReads<object>>;
  valueOf(read: object): V;
}

/** Failures that are the call's, and not those of a field's Items. */
const OF_THE_CALL = ["InvalidArgument", "WrongKind"] as const;

/** Reads all together: an outcome for each anchor of each field, in the caller's order. */
export async function readMany<V>(
  fieldOf: (name: string) => Readable<V>,
  wanted: readonly FieldAnchors[],
  afford: (requests: number) => void,
  signal: AbortSignal | undefined,
): Promise<Outcome<V>[][]> {
  const asked = wanted.map(({ field, anchors }) => ({ field, anchors: anchorsArgument(anchors), reader: fieldOf(field) }));
  const prepared = await Promise.all(
    asked.map(async ({ anchors, reader }) => {
      try {
        return await reader.prepare(anchors, signal);
      } catch (error) {
        throwIfAborted(signal);
        if (!isDreamDbError(error) || isDreamDbError(error, ...OF_THE_CALL)) throw error;
        return failed(anchors, error);
      }
    }),
  );
  afford(prepared.reduce((sum, { requests }) => sum + requests, 0));
  const call = newCall(signal);
  return Promise.all(
    asked.map(async ({ field, anchors, reader }, at) => {
      const read = await outcomes(field, anchors, prepared[at]?.begin(call) ?? [], signal);
      return read.map((outcome): Outcome<V> => (outcome.status === "value" ? { ...outcome, value: reader.valueOf(outcome.value) } : outcome));
    }),
  );
}

/** What is read of a field whose index failed: that, for each anchor; the other fields are not spoiled by it. */
function failed(anchors: readonly bigint[], error: DreamDbError): PreparedReads<never> {
  return { requests: 0, begin: () => anchors.map(() => Promise.reject(error)) };
}

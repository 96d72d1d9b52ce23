/**
 * `dreamdb-arrays/conformance`: runs conformance vectors against any implementation of Specs 0025 and 0022.
 *
 * The runner knows the vectors' form and nothing of this package's own code: it uses neither its WebAssembly nor anything that a host
 * must offer. What an implementation has to offer is in implementation.ts.
 */
import { difference, type Outcome } from "./compare.js";
import type { Implementation } from "./implementation.js";
import { TYPE_OPERATIONS, type Operation } from "./operations.js";
import { STORAGE_OPERATIONS } from "./operations-storage.js";
import { Fields, type Vector, vectorsIn } from "./vector.js";

export type {
  Awaitable,
  ByteSpan,
  DeclarationArguments,
  DecodedPayload,
  FragmentEntry,
  Implementation,
  ItemTypeDocument,
  MediaBatch,
  PayloadInput,
  RangeProof,
  RequestPlan,
  ResolvedType,
  StoredObject,
  TaggedType,
  TrackEntry,
  TrackKindName,
  TypeIdentity,
  WantedSpans,
} from "./implementation.js";
export type { Json, JsonObject, Vector } from "./vector.js";

const OPERATIONS: { readonly [name: string]: Operation | undefined } = { ...TYPE_OPERATIONS, ...STORAGE_OPERATIONS };

/** Options of {@link runVectors}. */
export interface RunOptions {
  /** Parsed JSON of vector files: a vector, an array of vectors, or an array of such. */
  readonly vectors: unknown;
  /** Which vectors to run; all unless given. */
  readonly filter?: ((vector: Vector) => boolean) | undefined;
  /** Stops the run between two vectors; it then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Whether refusals must also name what the vectors say they are about, as `subject`. */
  readonly subjects?: boolean | undefined;
}

/** Numbers of vectors by outcome. */
export interface Counts {
  /** As expected. */
  readonly passed: number;
  /** Not as expected. */
  readonly failed: number;
  /** The implementation does not offer the operation. Never counted as passed. */
  readonly notRun: number;
}

/** Counts of one operation in one category. */
export interface CountsOf extends Counts {
  /** Of the vectors. */
  readonly category: string;
  /** Of the vectors. */
  readonly operation: string;
}

/** A vector whose outcome is not the expected one. */
export interface Disagreement {
  /** Of the vector. */
  readonly id: string;
  /** Of the vector. */
  readonly category: string;
  /** Of the vector. */
  readonly operation: string;
  /** What the vector says, in words. */
  readonly expected: string;
  /** What the implementation did, in words. */
  readonly actual: string;
}

/** What a run found. */
export interface Report extends Counts {
  /** By category and operation, in the order in which they occurred. */
  readonly counts: readonly CountsOf[];
  /** All vectors that failed. */
  readonly disagreements: readonly Disagreement[];
  /** Operations that vectors asked for and the implementation does not offer. */
  readonly notImplemented: readonly string[];
}

type Tally = { -readonly [name in keyof CountsOf]: CountsOf[name] };

/**
 * Run vectors against an implementation.
 *
 * Never stops at a disagreement: all of them are in the report. An operation that this runner does not know, and a vector that is not
 * well formed, are disagreements.
 *
 * @throws {TypeError} if something in `vectors` is no vector
 */
export async function runVectors(implementation: Implementation, options: RunOptions): Promise<Report> {
  const { filter = () => true, signal, subjects = false } = options;
  const tallies = new Map<string, Tally>();
  const disagreements: Disagreement[] = [];
  const notImplemented = new Set<string>();
  for (const vector of vectorsIn(options.vectors)) {
    signal?.throwIfAborted();
    if (!filter(vector)) continue;
    const { id, category, operation } = vector;
    const key = JSON.stringify([category, operation]);
    const tally = tallies.get(key) ?? { category, operation, passed: 0, failed: 0, notRun: 0 };
    tallies.set(key, tally);
    const outcome = await carryOut(vector, implementation, signal);
    if (outcome === undefined) {
      tally.notRun++;
      notImplemented.add(operation);
      continue;
    }
    const differing = difference(vector, outcome, subjects);
    if (differing === undefined) tally.passed++;
    else {
      tally.failed++;
      disagreements.push({ id, category, operation, ...differing });
    }
  }
  const counts = [...tallies.values()];
  const sum = (name: keyof Counts) => counts.reduce((total, tally) => total + tally[name], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    notRun: sum("notRun"),
    counts,
    disagreements,
    notImplemented: [...notImplemented],
  };
}

async function carryOut(
  vector: Vector,
  implementation: Implementation,
  signal: AbortSignal | undefined,
): Promise<Outcome | undefined> {
  const operation = Object.hasOwn(OPERATIONS, vector.operation) ? OPERATIONS[vector.operation] : undefined;
  if (operation === undefined) return { thrown: new Error(`this runner knows no operation ${JSON.stringify(vector.operation)}`) };
  if (implementation[operation.needs] === undefined) return undefined;
  try {
    // The one function that the operation needs was seen to be there.
    return { results: await operation.run(new Fields(vector), implementation as Required<Implementation>, signal) };
  } catch (thrown) {
    signal?.throwIfAborted();
    return { thrown };
  }
}

/** A report as lines of text: counts, then every disagreement. */
export function reportText(report: Report): string {
  const rows = report.counts.map(({ category, operation, passed, failed, notRun }) => {
    const rest = [failed > 0 ? `${failed} failed` : "", notRun > 0 ? `${notRun} not run` : ""].filter(Boolean);
    return `${category} ${operation}: ${[`${passed} passed`, ...rest].join(", ")}`;
  });
  const faults = report.disagreements.map(
    ({ id, operation, expected, actual }) => `${id} (${operation})\n  expected ${expected}\n  actual   ${actual}`,
  );
  return [...rows, ...faults].join("\n");
}

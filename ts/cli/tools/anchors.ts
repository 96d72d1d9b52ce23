/**
 * Where files get their anchors from. Never silently: from `--start` and `--step`; from names that are numbers, which is said; or from a list in a file.
 * Without any of these, and without such names, nothing is guessed.
 */
import { basename, extname } from "node:path";
import { UsageError } from "../manners/failures.js";
import { u64Argument } from "../program.js";
import { Option } from "../vendor.js";

/** The options of {@link anchorsOf}. */
export interface AnchorOptions {
  readonly start?: string;
  readonly step?: string;
}

/** How commands declare them. */
export const ANCHOR_OPTIONS: readonly Option[] = [
  new Option("--start <n>", "anchor of the first Item; unless given, names that are whole numbers are the anchors"),
  new Option("--step <n>", "from one anchor to the next, after --start; 1 unless given"),
];

/** Anchors of Items, and in words where they are from. */
export interface Anchors {
  readonly anchors: BigUint64Array;
  readonly from: string;
}

/** Items whose anchors are in memory at once; a stack of empty Items may declare any number. */
const MOST_ITEMS = 2 ** 28;

/** The largest anchor that an extent can end after. */
const MOST = 2n ** 64n - 2n;

/**
 * Anchors of files, one each.
 *
 * @throws {UsageError} for options that do not go together, names that are no numbers, anchors that repeat, and those beyond 64 bits
 */
export function anchorsOf(files: readonly string[], { start, step }: AnchorOptions): Anchors {
  if (start !== undefined) return counted(files.length, start, step);
  if (step !== undefined) throw new UsageError("--step says nothing without --start");
  const names = files.map((file) => basename(file, extname(file)));
  const other = names.findIndex((name) => !/^\d{1,20}$/.test(name));
  if (other >= 0) {
    throw new UsageError(`which anchors? ${JSON.stringify(basename(files[other] ?? ""))} is no number`, "give --start, and --step, or name the files by their anchors");
  }
  const anchors = names.map((name) => u64Argument("an anchor in a file's name", name));
  return { anchors: checked(anchors, (at) => JSON.stringify(files[at] ?? "")), from: "the names of the files" };
}

/**
 * Anchors from `--start` on.
 *
 * @throws {UsageError}
 */
export function counted(count: number, start: string, step = "1"): Anchors {
  const [first, by] = [u64Argument("--start", start), u64Argument("--step", step)];
  if (by === 0n) throw new UsageError("--step must be at least 1: each Item has an anchor of its own");
  if (count > MOST_ITEMS) throw new UsageError(`there are ${count} Items, and ${MOST_ITEMS} are the most at once`);
  if (count > 0) judge(first + by * BigInt(count - 1), `Item ${count - 1}`);
  const anchors = new BigUint64Array(count);
  for (let at = 0; at < count; at++) anchors[at] = first + by * BigInt(at);
  return { anchors, from: `--start ${first} --step ${by}` };
}

/**
 * Anchors as they were given, if each is one and none is there twice.
 *
 * @param nameOf what the Item at a place is called
 * @throws {UsageError}
 */
export function checked(anchors: readonly bigint[], nameOf: (at: number) => string): BigUint64Array {
  const seen = new Map<bigint, number>();
  for (const [at, anchor] of anchors.entries()) {
    judge(anchor, nameOf(at));
    const before = seen.get(anchor);
    if (before !== undefined) throw new UsageError(`${nameOf(before)} and ${nameOf(at)} have the same anchor, ${anchor}`);
    seen.set(anchor, at);
  }
  return BigUint64Array.from(anchors);
}

function judge(anchor: bigint, name: string): void {
  if (anchor < 0n || anchor > MOST) throw new UsageError(`${name} would be at anchor ${anchor}, and 2^64 − 2 is the last one`);
}

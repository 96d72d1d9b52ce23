/** Index entries of a pack in a JSON file: what `pack` prints and `unpack` reads, 64-bit integers as decimal strings (0022 §3.3). */
import { DreamDbError } from "../../errors.js";
import { toU64, type U64 } from "../../codec/integers.js";
import { advised } from "../manners/failures.js";
import { shownPath, wholeFile } from "./files.js";

/** An Item of a pack. */
export interface PackedEntry {
  readonly start: bigint;
  readonly size: bigint;
  readonly packOffset: bigint;
  readonly address: string;
  /** Name of the file that it was, if that is known. */
  readonly file: string | undefined;
}

/**
 * The entries in a file: a list, or an object that has it as `entries`.
 *
 * @throws {DreamDbError} `InvalidArgument` for anything else, those of files
 */
export async function entriesInFile(path: string, signal: AbortSignal): Promise<PackedEntry[]> {
  const text = new TextDecoder().decode(await wholeFile(path, signal));
  let parsed: unknown;
  try {
    // Integers beyond 2^53 keep their digits.
    parsed = JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) => (/^\d{16,}$/.test(token) ? `"${token}"` : token)));
  } catch (cause) {
    throw wrong(path, `no JSON text: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const list: unknown = !Array.isArray(parsed) && typeof parsed === "object" && parsed !== null && "entries" in parsed ? parsed.entries : parsed;
  if (!Array.isArray(list) || list.length === 0) throw wrong(path, "it holds no list of entries");
  return list.map((entry: unknown, at) => entryOf(path, entry, at));
}

function entryOf(path: string, entry: unknown, at: number): PackedEntry {
  const { start, anchor = start, size, packOffset, address, file } = (typeof entry === "object" && entry !== null ? entry : {}) as Readonly<Record<string, unknown>>;
  const number = (what: string, value: unknown): bigint => {
    try {
      return toU64(what, (typeof value === "string" && /^\d{1,20}$/.test(value) ? BigInt(value) : value) as U64);
    } catch {
      throw wrong(path, `entry ${at} has no \`${what}\` that is a whole number below 2^64`);
    }
  };
  if (typeof address !== "string") throw wrong(path, `entry ${at} has no \`address\``);
  if (file !== undefined && typeof file !== "string") throw wrong(path, `the \`file\` of entry ${at} is no text`);
  return { start: number("start", anchor), size: number("size", size), packOffset: number("packOffset", packOffset), address, file };
}

function wrong(path: string, message: string): DreamDbError {
  return advised(new DreamDbError("InvalidArgument", `${shownPath(path)}: ${message}`, { subject: path }), "`pack` prints such a list");
}

/**
 * Item types in files: JSON in the spelling of the specification (`semantic_type`, `inner_shape`) or of the package (`semanticType`, `innerShape`), or the
 * canonical CBOR itself. CBOR is told by its first byte: no map begins as JSON does.
 *
 * Nothing is filled in but what the package's own `encodeItemType` fills in; which rules a type follows, the core says.
 */
import { decodeItemType, encodeItemType, type ItemTypeInit } from "../../codec/item-type.js";
import { DreamDbError } from "../../errors.js";
import { advised } from "../manners/failures.js";
import { shownPath, wholeFile } from "./files.js";

/** Keys that the two spellings write differently. */
const SPELLINGS: Readonly<Record<string, string>> = {
  inner_shape: "innerShape",
  codec_version: "codecVersion",
  index_dtype: "indexDtype",
  semantic_type: "semanticType",
  axis_order: "axisOrder",
};

/** Strings, with the colon behind those that are keys; and numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Canonical CBOR of the type in a file.
 *
 * @throws {DreamDbError} the codes of item types; `InvalidArgument` for what is no JSON object; those of files
 */
export async function typeInFile(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = await wholeFile(path, signal);
  try {
    const front = bytes.findIndex((byte) => ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].includes(byte));
    if (bytes[front] === 0x7b) return encodeItemType(initOf(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
    decodeItemType(bytes);
    return bytes;
  } catch (error) {
    if (!(error instanceof DreamDbError)) throw told(path, new DreamDbError("InvalidArgument", `no JSON text: ${error instanceof Error ? error.message : String(error)}`, { cause: error }));
    throw told(path, error);
  }
}

/** A type as JSON text has it, in the package's spelling. */
function initOf(text: string): ItemTypeInit {
  const seen = new Set<string>();
  // Integers beyond 2^53 keep their digits; a fraction becomes a text, which no number of a type may be.
  const exact = text.replace(TOKENS, (token) => {
    if (token.startsWith('"')) {
      if (token.endsWith(":")) once(seen, JSON.parse(token.slice(0, -1)) as string);
      return token;
    }
    return /^-?\d+$/.test(token) && Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
  });
  const parsed = JSON.parse(exact) as Readonly<Record<string, unknown>>;
  const init: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parsed)) init[SPELLINGS[key] ?? key] = key === "shape" || /^inner_?shape$/i.test(key) ? extents(value) : value;
  return init as unknown as ItemTypeInit;
}

/** JSON's own reading takes the last of several, without a word. */
function once(seen: Set<string>, key: string): void {
  const name = SPELLINGS[key] ?? key;
  if (seen.has(name)) throw new DreamDbError("DuplicateField", `\`${key}\` is there twice`, { subject: key });
  seen.add(name);
}

function extents(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((extent: unknown) => (typeof extent === "string" && /^\d{1,20}$/.test(extent) ? BigInt(extent) : extent));
}

function told(path: string, error: DreamDbError): DreamDbError {
  const { code, message, subject, expected, actual } = error;
  return advised(new DreamDbError(code, `${shownPath(path)}: ${message}`, { subject, expected, actual, cause: error }), "`id --help` shows a type");
}

/** What every check works with: one source under examination, and the words for its objects. */
import { parseContentRange } from "../../store/content-range.js";
import { objectUrl, parseBase } from "../../store/url.js";
import type { Source } from "../source.js";
import type { Findings } from "./findings.js";
import type { Asked, Prober, Probed } from "./probe.js";

/** What a browser says that it takes, of whole objects. */
export const BROWSER_ENCODINGS = "gzip, deflate, br";

/** A source under examination. */
export interface Look {
  readonly source: Source;
  readonly url: URL;
  readonly prober: Prober;
  readonly findings: Findings;
  /** Of a page that would read. */
  readonly origin: string;
  /** Names of headers that the page would have to send, in lower case. */
  readonly ownHeaders: readonly string[];
  readonly silentMs: number;
  readonly signal: AbortSignal;
}

/** The object that ranges are asked of. */
export interface Target {
  readonly key: string;
  /** Bytes of the whole object; `undefined` if nobody knows. */
  readonly size: number | undefined;
  /** Its first bytes, or all; as far as they are known for sure, or at least as a plain request brings them. */
  readonly known: Uint8Array;
}

/** The address of an object, as the package spells it. */
export function addressOf({ url }: Look, key: string): string {
  return objectUrl(parseBase(url), key);
}

/** Asks for an object as Node does, or with an origin as a page does. */
export function ask(look: Look, key: string, asked: Partial<Asked> & { readonly limit: number }): Promise<Probed> {
  const headers = asked.origin === undefined ? { "Accept-Encoding": "identity" } : { "Accept-Encoding": BROWSER_ENCODINGS };
  return look.prober.probe({ url: addressOf(look, key), ...asked, headers: { ...headers, ...asked.headers } });
}

/** Asks for a range of an object; nobody takes compressed ranges, pages neither. */
export function askRange(look: Look, key: string, [offset, length]: readonly [number, number], origin?: string): Promise<Probed> {
  const headers = { "Range": `bytes=${offset}-${offset + length - 1}`, "Accept-Encoding": "identity" };
  return ask(look, key, { headers, limit: length + RANGE_SLACK, ...(origin !== undefined && { origin }) });
}

/** Bytes behind a range that are still read: enough to see a small object that came as a whole. */
const RANGE_SLACK = 64 * 1024;

/** A key as it is shown: only its ends, if it is long. */
export function shownKey(key: string): string {
  return key.length <= 70 ? key : `${key.slice(0, 30)}…${key.slice(-30)}`;
}

/** Codings other than none of an answer's body. */
export function encodingOf({ answer }: Probed): string | undefined {
  const codings = (answer?.headers["content-encoding"] ?? "").split(",").map((text) => text.trim().toLowerCase());
  return codings.find((coding) => coding !== "" && coding !== "identity");
}

/** What an answer's Content-Range says; `undefined` if it says nothing. */
export function contentRangeOf({ answer }: Probed): ReturnType<typeof parseContentRange> {
  return parseContentRange(answer?.headers["content-range"] ?? null);
}

/** `.npy` headers: what the reference's scan of the text finds, then whether NumPy would read it (0025 §7). */
import type { Document } from "./documents.js";
import { byteLength } from "./documents.js";
import { Refusal } from "./refusal.js";

/** White space as Rust's `trim` knows it, in which the reference reads. */
const SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*/;

const bad = (subject?: string): Refusal => new Refusal("InvalidNpyHeader", subject);

/** The elements behind a header that repeats the declaration. */
export function npyBody(document: Document, data: Uint8Array): Uint8Array {
  const { header, body } = split(data);
  const text = textOf(header);
  if (!trimmed(text).startsWith("{")) throw bad();
  const field = (key: string): string => {
    const places = ["'", '"'].flatMap((quote) => [...text.matchAll(new RegExp(`${quote}${key}${quote}`, "g"))]);
    const [place, ...others] = places;
    const rest = place === undefined ? "" : text.slice(place.index + place[0].length);
    const colon = rest.indexOf(":");
    if (others.length > 0 || colon === -1) throw bad(key);
    return trimmed(rest.slice(colon + 1));
  };

  const descr = /^(?:'([^']*)'|"([^"]*)")/.exec(field("descr"));
  if (descr === null) throw bad("descr");
  const order = /^(True|False)/.exec(field("fortran_order"))?.[1];
  if (order === undefined) throw bad("fortran_order");
  const list = /^\(([^)]*)\)/.exec(field("shape"))?.[1];
  if (list === undefined) throw bad();
  const pieces = list.split(",").map((piece) => trimmed(reversed(trimmed(reversed(piece)))));
  const shape = pieces.filter((piece) => piece !== "").map(extentOf);

  const { dtype, elementSize, endianness, extents } = document;
  const sign = elementSize === 1 ? "|" : endianness === "little" ? "<" : ">";
  if ((descr[1] ?? descr[2]) !== `${sign}${dtype.slice(0, 1)}${elementSize}`) throw new Refusal("CodecHeaderMismatch", "dtype/endianness");
  if (shape.join() !== extents.join()) throw new Refusal("CodecHeaderMismatch", "shape");
  if ((order === "True") !== (document.layout === "f")) throw new Refusal("CodecHeaderMismatch", "layout");
  if (BigInt(body.byteLength) !== byteLength(extents, elementSize)) throw new Refusal("PayloadLength");
  if (!LITERAL.test(text)) throw bad();
  return body;
}

function split(data: Uint8Array): { header: Uint8Array; body: Uint8Array } {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
  if (data.byteLength < 10 || !magic.every((byte, at) => data[at] === byte)) throw bad();
  const [major = 0, minor] = data.subarray(6, 8);
  if (minor !== 0 || major < 1 || major > 3) throw bad();
  if (major > 1 && data.byteLength < 12) throw bad();
  const start = major === 1 ? 10 : 12;
  const end = start + (major === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (end > data.byteLength || end === start || data[end - 1] !== 0x0a) throw bad();
  return { header: data.subarray(start, end), body: data.subarray(end) };
}

function textOf(header: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(header);
  } catch {
    throw bad();
  }
}

function extentOf(piece: string): bigint {
  if (!/^\+?[0-9]+$/.test(piece) || BigInt(piece.replace("+", "")) >= 1n << 64n) throw bad();
  return BigInt(piece.replace("+", ""));
}

const trimmed = (text: string): string => text.replace(SPACE, "");
const reversed = (text: string): string => Array.from(text).toReversed().join("");

/** A dictionary of three pairs as writers write it. That each key is there once was seen before. */
const LITERAL = literal();

function literal(): RegExp {
  const blank = String.raw`[ \t\f\r\n]*`;
  const integer = String.raw`\+?(?:0+|[1-9][0-9]*)${blank}`;
  const tuple = String.raw`\(${blank}(?:${integer},${blank}(?:${integer},${blank})*(?:${integer})?)?\)`;
  const string = `(?:'[^']*'|"[^"]*")`;
  const pairs = [["descr", string], ["fortran_order", "(?:True|False)"], ["shape", tuple]] as const;
  const pair = `(?:${pairs.map(([key, value]) => `(?:'${key}'|"${key}")${blank}:${blank}${value}${blank}`).join("|")})`;
  // Before the brace, blanks behind a line end would be an indentation.
  const front = String.raw`[ \t]*(?:[ \t\f\r\n]*[\f\r\n])?`;
  return new RegExp(String.raw`^${front}\{${blank}${pair},${blank}${pair},${blank}${pair}(?:,${blank})?\}${blank}$`);
}

/**
 * From whatever holds the WebAssembly code (a module, bytes, an answer, an address, text) to a compiled module, and the errors that
 * name what went wrong on the way.
 *
 * The usual failures are not WebAssembly's: a bundler that left the file behind, a server that answers every path with its start page,
 * a Content-Security-Policy. Each gets its own sentence. What is done with the module is not decided here; see wasm.ts.
 */
import type * as Glue from "../pkg/dreamdb_arrays.js";
import { DreamDbError, isDreamDbError, withoutSecrets } from "./errors.js";
import type { Loader } from "./wasm.js";

/** What `init` takes: the module, its bytes, an answer that holds it, or the address of the file. */
export type WasmSource = WebAssembly.Module | BufferSource | Response | URL | string;

/** Bytes as text: each a character of the alphabet, or two of which the first is one of its last. */
export interface WasmText {
  readonly alphabet: string;
  /** How many characters of the alphabet begin a pair. */
  readonly leads: number;
  /** The bytes, from those of the first character to those of the last pair. */
  readonly order: readonly number[];
  readonly text: string;
}

/** The generated module that holds the code as text. */
export interface InlineModule {
  readonly wasmText: WasmText;
}

/** `subject` of a {@link DreamDbError} that a page's policy caused: no other source of the same code can help. */
const POLICY = "Content-Security-Policy";

const REMEDY = 'Serve dreamdb_arrays_bg.wasm there, or import "dreamdb-arrays/inline", which holds it.';

/** A loader of the code that an entry has by itself, and of what callers bring. */
export function loaderOf(glue: typeof Glue, own: () => Promise<WebAssembly.Module>): Loader {
  return async (given) => ({ glue, module: given === undefined ? await own() : await moduleFrom(given) });
}

/**
 * Compile `source`.
 *
 * @throws {DreamDbError} `WasmLoad` with what arrived instead and from where; `InvalidArgument` for a source of another kind.
 */
export async function moduleFrom(source: WasmSource | PromiseLike<WasmSource>): Promise<WebAssembly.Module> {
  const given = await source;
  if (isModule(given)) return given;
  if (typeof given === "string" || given instanceof URL) return fetchModule(String(given));
  if (hasTag(given, "Response")) return responseModule(given as Response, (given as Response).url);
  if (ArrayBuffer.isView(given) || hasTag(given, "ArrayBuffer") || hasTag(given, "SharedArrayBuffer")) {
    const bytes = given as BufferSource;
    checkMagic(asBytes(bytes), "bytes were given", {});
    return compile(bytes);
  }
  throw new DreamDbError("InvalidArgument", "init() takes a WebAssembly.Module, bytes, a Response, a URL or the text of one");
}

/**
 * Compile the file at `url`, or else the inline copy: it costs some more bytes, but needs no server and no bundler that understands.
 *
 * @param url a function, because in a bundle without `import.meta` even naming the address fails
 * @param answer of that address, if it was asked for before this code was there
 */
export async function fetchOrInline(url: () => URL, inline: () => Promise<InlineModule>, answer?: Promise<Response>): Promise<WebAssembly.Module> {
  let first: unknown;
  try {
    return await fetchModule(url().href, answer);
  } catch (error) {
    if (isDreamDbError(error, "WasmLoad") && error.subject === POLICY) throw error;
    first = error;
  }
  try {
    return await inlineModule(inline);
  } catch (second) {
    if (!isDreamDbError(first)) throw second;
    const { url: from, status, actual, subject } = first;
    const reason = second instanceof Error ? second.message : String(second);
    throw new DreamDbError("WasmLoad", `${first.message} The inline copy failed too: ${reason}`, {
      url: from,
      status,
      actual,
      subject: isDreamDbError(second) ? second.subject : subject,
      cause: first,
    });
  }
}

/** Compile the inline copy. */
export async function inlineModule(inline: () => Promise<InlineModule>): Promise<WebAssembly.Module> {
  let text: WasmText;
  try {
    text = (await inline()).wasmText;
  } catch (cause) {
    throw new DreamDbError("WasmLoad", `the inline copy of the WebAssembly code could not be imported: ${messageOf(cause)}`, { cause });
  }
  return compile(bytesOfText(text));
}

/** The bytes that a text stands for. */
export function bytesOfText({ alphabet, leads, order, text }: WasmText): Uint8Array<ArrayBuffer> {
  const places = new Uint8Array(128);
  for (let at = 0; at < alphabet.length; at++) places[alphabet.charCodeAt(at)] = at;
  const place = (at: number) => places[text.charCodeAt(at)] ?? 0;
  const singles = alphabet.length - leads;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const first = place(at);
    bytes[length++] = order[first < singles ? first : singles + (first - singles) * alphabet.length + place(++at)] ?? 0;
  }
  return bytes.slice(0, length);
}

async function fetchModule(url: string, answer?: Promise<Response>): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await (answer ?? fetch(url));
  } catch (cause) {
    throw new DreamDbError("WasmLoad", `no answer for the WebAssembly file ${withoutSecrets(url)} (${messageOf(cause)}). ${REMEDY}`, { url, cause });
  }
  return responseModule(response, url);
}

async function responseModule(response: Response, url: string): Promise<WebAssembly.Module> {
  const { status } = response;
  const mime = response.headers.get("content-type") ?? "no MIME type";
  if (!response.ok) {
    void response.body?.cancel().catch(() => undefined);
    throw new DreamDbError("WasmLoad", `got HTTP ${status}, not WebAssembly, from ${withoutSecrets(url)}. ${REMEDY}`, {
      url,
      status,
      actual: `status ${status}, ${mime}`,
    });
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new DreamDbError("WasmLoad", `the WebAssembly file ${withoutSecrets(url)} broke off (${messageOf(cause)})`, { url, status, cause });
  }
  checkMagic(bytes, `status ${status}, ${mime}`, { url, status });
  return compile(bytes, url);
}

/** Refuse what does not begin as WebAssembly does, before an engine says so in its own words. */
function checkMagic(bytes: Uint8Array, about: string, where: { url?: string; status?: number }): void {
  if (bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d) return;
  const start = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const text = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  const what = bytes.length === 0 ? "nothing" : text.startsWith("<") ? "an HTML page" : "something else";
  const from = where.url ? `, from ${withoutSecrets(where.url)}` : "";
  throw new DreamDbError("WasmLoad", `got ${what}, not WebAssembly${from}. ${REMEDY}`, {
    ...where,
    expected: "first bytes 00 61 73 6d",
    actual: `${about}, first bytes ${start || "none"}`,
  });
}

async function compile(bytes: BufferSource, url?: string): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === "undefined") {
    throw new DreamDbError("WasmLoad", "this runtime has no WebAssembly; some browsers turn it off in a lockdown mode");
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw compileError(cause, url);
  }
}

function compileError(cause: unknown, url: string | undefined): DreamDbError {
  const reason = messageOf(cause);
  if (/unsafe-eval|wasm-eval|content security policy|\bCSP\b/i.test(reason)) {
    const message = "the page's Content-Security-Policy refuses WebAssembly: script-src needs 'wasm-unsafe-eval'";
    return new DreamDbError("WasmLoad", message, { url, subject: POLICY, cause });
  }
  if (/disallowed by embedder/i.test(reason)) {
    const message = "this runtime compiles no WebAssembly from bytes: import the .wasm file as a module and pass that to init()";
    return new DreamDbError("WasmLoad", message, { url, cause });
  }
  return new DreamDbError("WasmLoad", `the WebAssembly code does not compile here (${reason})`, { url, cause });
}

function isModule(value: unknown): boolean {
  return hasTag(value, "WebAssembly.Module");
}

/** By tag and not by `instanceof`, which fails for a value of another realm (a frame, a test runner's sandbox). */
function hasTag(value: unknown, tag: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${tag}]`;
}

function asBytes(source: BufferSource): Uint8Array {
  return ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The one instance of the WebAssembly core: starting it, reaching it, and replacing it after a trap.
 *
 * An entry (ts/entry/) says where the code comes from and, where the host allows it, starts the core at import. Everything else goes
 * through {@link ready} and {@link call}. How code is fetched and compiled is in wasm-load.ts; nothing here knows a file or an address, and a page
 * has nothing of that before it is needed.
 */
import type * as Glue from "../pkg/dreamdb_arrays.js";
import { DreamDbError, type ErrorCode, isDreamDbError } from "./errors.js";
import type { WasmSource } from "./wasm-load.js";

/** The functions of the Rust core. */
export type Core = Omit<typeof Glue, "default" | "initSync" | "forgetInstance">;

/** What the core is made of: compiled code, and what calls it. */
export interface Code {
  readonly glue: typeof Glue;
  readonly module: WebAssembly.Module;
}

/** Where an entry gets the code from when it is first needed, or makes it of what a caller brings. */
export type Loader = (given?: WasmSource | PromiseLike<WasmSource>) => Promise<Code>;

/** The code of the live instance, kept because a fresh instance can be made of it at any time. */
let live: Code | undefined;
let attempt: Promise<void> | undefined;
let loader: Loader | undefined;

/** Say where the code comes from. For entries. */
export function setLoader(next: Loader): void {
  loader = next;
}

/** Say it unless another entry of the program does: for one that has no code. */
export function setLastLoader(next: Loader): void {
  loader ??= next;
}

/**
 * Start the core at import, if this host lets it. For entries.
 *
 * A failure is not reported here, because an import that throws cannot be caught usefully: the first {@link ready} runs the loader
 * and tells what is wrong.
 */
export function startNow(code: () => Code): void {
  try {
    start(code());
  } catch {
    live = undefined;
  }
}

/**
 * Resolve once the core can be used; every asynchronous function of the package awaits this.
 *
 * Callers that come while the code is loading share one attempt. Only a success is remembered: after a failure the next call tries
 * again.
 *
 * @throws {DreamDbError} `WasmLoad`
 */
export function ready(): Promise<void> {
  if (live !== undefined) return Promise.resolve();
  attempt ??= load().finally(() => {
    attempt = undefined;
  });
  return attempt;
}

/**
 * Load the WebAssembly core, so that the synchronous functions of the package can be used.
 *
 * Needed only in browsers, before a synchronous function that no asynchronous one preceded, and with the `slim` entry, which must be
 * given the code. Does nothing if the core runs already, as it does from the import on in other hosts.
 *
 * @param source the code, for hosts with their own way to it: a `WebAssembly.Module`, bytes, a `Response`, a URL
 * @throws {DreamDbError} `WasmLoad` with what arrived instead of the code; the next call tries again; `InvalidArgument` for a source of another kind;
 * `WasmNotReady` from `slim` without a source
 */
export async function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  if (source === undefined) return ready();
  if (live === undefined) start(await loading(source));
}

/**
 * The functions of the core, for code that makes many calls and handles what they throw. Everybody else uses {@link call}.
 *
 * @throws {DreamDbError} `WasmNotReady` before the core is started
 */
export function core(): Core {
  if (live === undefined) {
    throw new DreamDbError("WasmNotReady", "the WebAssembly core is not loaded yet: `await init()` before the first synchronous call");
  }
  return live.glue;
}

/**
 * Use the core: `call((c) => c.someFunction(bytes))`.
 *
 * What Rust refuses arrives as a {@link DreamDbError} with Rust's code and message. A trap ends the instance, so it is replaced before
 * the error is thrown, and the next call works; therefore nothing may be kept in the core between two calls.
 *
 * @throws {DreamDbError} whatever the core refuses; `WasmNotReady`; `Internal` after a trap
 */
export function call<T>(use: (core: Core) => T): T {
  const functions = core();
  try {
    return use(functions);
  } catch (thrown) {
    throw translate(thrown);
  }
}

const loading: Loader = (given) => loader?.(given) ?? Promise.reject(new DreamDbError("Internal", "no entry of the package was imported"));

async function load(): Promise<void> {
  const code = await loading();
  if (live === undefined) start(code);
}

function start(code: Code): void {
  if (live !== undefined) return;
  try {
    code.glue.initSync({ module: code.module });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DreamDbError("WasmLoad", `the WebAssembly code does not start; is it of another version? (${reason})`, { cause });
  }
  live = code;
}

/** An error object that the core made without throwing it, as the error that it is. */
export function thrownByCore(error: unknown): unknown {
  return translate(error);
}

function translate(thrown: unknown): unknown {
  if (isDreamDbError(thrown)) return thrown;
  if (isTrap(thrown)) {
    replaceInstance();
    const message = `a defect of dreamdb-arrays: its core stopped (${thrown.message}). The core was restarted; please report the input`;
    return new DreamDbError("Internal", message, { cause: thrown });
  }
  const { code, message, expected, actual, subject } = fieldsOf(thrown);
  if (isCode(code)) return new DreamDbError(code, message ?? code, { expected, actual, subject });
  return thrown;
}

/** A trap, or the end of the stack inside the core (each engine has its own name for it): both leave the instance's memory half changed. */
function isTrap(thrown: unknown): thrown is Error {
  return thrown instanceof Error && ["RuntimeError", "RangeError", "InternalError"].includes(thrown.name);
}

function replaceInstance(): void {
  const code = live;
  live = undefined;
  if (code === undefined) return;
  code.glue.forgetInstance();
  // If even this fails (no memory left), the core counts as not loaded, and the next asynchronous call starts it anew.
  startNow(() => code);
}

/** The own properties of an error that Rust made, those that are text. */
function fieldsOf(thrown: unknown): { readonly [name in "code" | "message" | "expected" | "actual" | "subject"]?: string } {
  if (typeof thrown !== "object" || thrown === null) return {};
  return Object.fromEntries(
    ["code", "message", "expected", "actual", "subject"].flatMap((name) => {
      const value: unknown = Reflect.get(thrown, name);
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

/** By its form: what the core throws with a code is in the table, which tests hold; at run time the table would be weight for every page. */
function isCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && /^[A-Z][A-Za-z]+$/.test(code);
}

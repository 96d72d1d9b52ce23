/**
 * Vectors as the runner reads them: parsed JSON whose fields are checked when an operation asks for them.
 *
 * What the fields mean is vectors/README.md's matter. Nothing is guessed here: a field of another form than that document says makes
 * the vector a malformed one, which is reported and never passes.
 */

/** A parsed JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A parsed JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** One vector. */
export interface Vector extends JsonObject {
  /** Unique over all files. */
  readonly id: string;
  /** `typed-array`, `post-v1-typed-array`, `fragment-pack`, `bao` or `ranges`. */
  readonly category: string;
  /** What to do. */
  readonly operation: string;
}

/** A vector whose fields are not of the form that its operation needs. */
export class MalformedVector extends Error {
  override readonly name = "MalformedVector";
}

/** The vectors in parsed files: one vector, an array of vectors, or arrays of these at any depth. */
export function vectorsIn(parsed: unknown): Vector[] {
  if (Array.isArray(parsed)) return parsed.flatMap((part: unknown) => vectorsIn(part));
  if (isVector(parsed)) return [parsed];
  const shown = JSON.stringify(parsed)?.slice(0, 80) ?? String(parsed);
  throw new TypeError(`a vector is a JSON object with the texts \`id\`, \`category\` and \`operation\`, not ${shown}`);
}

function isVector(value: unknown): value is Vector {
  if (typeof value !== "object" || value === null) return false;
  const { id, category, operation } = value as { [key: string]: unknown };
  return [id, category, operation].every((field) => typeof field === "string");
}

/** Typed access to the fields of a vector, or of an object inside one. Every method throws {@link MalformedVector}. */
export class Fields {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    this.#object = object;
  }

  /** Whether the field is there. */
  has(name: string): boolean {
    return this.#object[name] !== undefined;
  }

  /** The value as it is. */
  raw(name: string): Json {
    return this.#get(name);
  }

  /** A text. */
  text(name: string): string {
    return textOf(this.#get(name), name);
  }

  /** A text, or `undefined` if the field is absent. */
  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  /** Bytes out of hex. */
  bytes(name: string): Uint8Array {
    return bytesOf(this.#get(name), name);
  }

  /** `true` or `false`. */
  boolean(name: string): boolean {
    const value = this.#get(name);
    if (typeof value === "boolean") return value;
    throw new MalformedVector(`\`${name}\` is neither true nor false`);
  }

  /** A list. */
  list(name: string): readonly Json[] {
    return listOf(this.#get(name), name);
  }

  /** An integer that a number holds exactly. */
  integer(name: string): number {
    return integerOf(this.#get(name), name);
  }

  /** A pair of decimal strings. */
  pair(name: string): [bigint, bigint] {
    return pairOf(this.#get(name), name);
  }

  /** The fields of an object. */
  object(name: string): Fields {
    return fieldsOf(this.#get(name), name);
  }

  #get(name: string): Json {
    const value = this.#object[name];
    if (value === undefined) throw new MalformedVector(`there is no \`${name}\``);
    return value;
  }
}

/** A list, refused if it is none. */
export function listOf(value: Json | undefined, what: string): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw new MalformedVector(`\`${what}\` is no list`);
}

/** The fields of an object, refused if it is none. */
export function fieldsOf(value: Json | undefined, what: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return new Fields(value as JsonObject);
  throw new MalformedVector(`\`${what}\` is no object`);
}

/** A text, refused if it is none. */
export function textOf(value: Json | undefined, what: string): string {
  if (typeof value === "string") return value;
  throw new MalformedVector(`\`${what}\` is no text`);
}

/** A safe integer, refused if it is none. */
export function integerOf(value: Json | undefined, what: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new MalformedVector(`\`${what}\` is no integer`);
}

/** An integer of decimal digits, refused if it is none. */
export function decimalOf(value: Json | undefined, what: string): bigint {
  if (typeof value === "string" && /^(0|[1-9][0-9]*)$/.test(value)) return BigInt(value);
  throw new MalformedVector(`\`${what}\` is no decimal string`);
}

/** A pair of decimal strings, refused if it is none. */
export function pairOf(value: Json | undefined, what: string): [bigint, bigint] {
  const [first, second, ...more] = listOf(value, what);
  if (first === undefined || second === undefined || more.length > 0) throw new MalformedVector(`\`${what}\` is no pair`);
  return [decimalOf(first, what), decimalOf(second, what)];
}

/** An extent: a number, or decimal digits above 2^53 − 1. */
export function extentOf(value: Json | undefined, what: string): bigint {
  return typeof value === "number" ? BigInt(integerOf(value, what)) : decimalOf(value, what);
}

/** Bytes out of lower-case hex, refused if it is none. */
export function bytesOf(value: Json | undefined, what: string): Uint8Array {
  if (typeof value !== "string" || !/^([0-9a-f]{2})*$/.test(value)) throw new MalformedVector(`\`${what}\` is no lower-case hex`);
  return Uint8Array.from({ length: value.length / 2 }, (_, at) => Number.parseInt(value.slice(2 * at, 2 * at + 2), 16));
}

/** Lower-case hex of bytes. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

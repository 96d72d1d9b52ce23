/**
 * JSON as the command line writes it. Integers of 64 bits are decimal strings, since most readers would round them; floats have the fewest digits that
 * read back the same, in their own precision; NaN and infinities, which JSON cannot say, are the strings `NaN`, `Infinity` and `-Infinity`; −0 stays −0.
 */
import type { AnyTypedArray, DType } from "../../codec/dtype.js";
import { inertJson } from "./inert.js";
import { elementText, numberText } from "./numbers.js";

/** What can be written. Keys whose value is `undefined` are left out. */
export type Json = string | number | bigint | boolean | null | undefined | ReadonlyMap<string, Json> | readonly Json[] | { readonly [key: string]: Json };

/** JSON text of a value, on one line, or indented for people. */
export function jsonText(value: Json, indent = 0): string {
  return inertJson(written(value, indent, 0));
}

/** One element of an array as JSON. */
export function elementJson(value: number | bigint, dtype: DType): string {
  const text = elementText(value, dtype);
  return typeof value === "bigint" || !Number.isFinite(value) ? `"${text}"` : text;
}

/** Elements of an array, nested by its shape in C order; `strides` say where they lie. */
export function nestedJson(data: AnyTypedArray, dtype: DType, shape: readonly number[], strides: readonly number[], offset = 0, axis = 0): string {
  if (axis === shape.length) return elementJson(data[offset] ?? 0, dtype);
  const [extent = 0, step = 1] = [shape[axis], strides[axis]];
  const parts: string[] = [];
  for (let at = 0; at < extent; at++) parts.push(nestedJson(data, dtype, shape, strides, offset + at * step, axis + 1));
  return `[${parts.join(",")}]`;
}

function written(value: Json, indent: number, depth: number): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "bigint") return `"${value}"`;
  if (typeof value === "number") return Number.isFinite(value) ? numberText(value) : `"${value}"`;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return enclosed("[]", value.map((part: Json) => written(part, indent, depth + 1)), indent, depth);
  const pairs: Iterable<[string, Json]> = value instanceof Map ? (value as ReadonlyMap<string, Json>) : Object.entries(value);
  const parts: string[] = [];
  for (const [key, part] of pairs) {
    if (part !== undefined) parts.push(`${JSON.stringify(key)}:${indent > 0 ? " " : ""}${written(part, indent, depth + 1)}`);
  }
  return enclosed("{}", parts, indent, depth);
}

function enclosed(brackets: "[]" | "{}", parts: string[], indent: number, depth: number): string {
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)];
  if (parts.length === 0 || indent === 0) return open + parts.join(",") + close;
  const pad = "\n" + " ".repeat(indent * (depth + 1));
  return `${open}${pad}${parts.join(`,${pad}`)}\n${" ".repeat(indent * depth)}${close}`;
}

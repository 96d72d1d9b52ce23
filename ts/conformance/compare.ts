/** Whether an outcome is the expected one, and if not, both in words that a person can read. */
import type { Results } from "./operations.js";
import { type Json, MalformedVector, type Vector } from "./vector.js";

/** What an implementation made of a vector. */
export type Outcome = { readonly results: Results } | { readonly thrown: unknown };

/** An outcome that is wrong in a way that no comparison of results shows. */
export class Disagreeing extends Error {
  override readonly name = "Disagreeing";
}

/** What was expected and what was found. */
export interface Difference {
  readonly expected: string;
  readonly actual: string;
}

/** Characters of a value that are shown. */
const SHOWN = 240;

/**
 * What differs from the expected outcome; `undefined` if nothing does.
 *
 * @param subjects whether a refusal must also be about what the vector says it is about
 */
export function difference(vector: Vector, outcome: Outcome, subjects: boolean): Difference | undefined {
  const code = textField(vector, "expected_error");
  const subject = textField(vector, "expected_subject");
  const about = subjects && subject !== undefined ? ` about ${JSON.stringify(subject)}` : "";
  const expected = code === undefined ? "acceptance" : `${code}${about}`;
  if ("results" in outcome) {
    const alternative = textField(vector, "accepted_alternative");
    if (alternative !== undefined && outcome.results["accepted_alternative"] === alternative) return undefined;
    return code === undefined ? differingResults(vector, outcome.results) : { expected, actual: "accepted" };
  }
  const { thrown } = outcome;
  if (thrown instanceof Disagreeing || thrown instanceof MalformedVector) return { expected, actual: thrown.message };
  const refusal = refusalOf(thrown);
  if (refusal === undefined) return { expected, actual: `an error without a code: ${String(thrown)}` };
  if (refusal.code === code && (about === "" || refusal.subject === subject)) return undefined;
  const named = refusal.subject === undefined ? "" : ` about ${JSON.stringify(refusal.subject)}`;
  return { expected, actual: shortened(`${refusal.code}${named} (${refusal.message})`) };
}

function textField(vector: Vector, name: string): string | undefined {
  const value = vector[name];
  return typeof value === "string" ? value : undefined;
}

function refusalOf(thrown: unknown): { code: string; subject: string | undefined; message: string } | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const { code, subject, message } = thrown as { code?: unknown; subject?: unknown; message?: unknown };
  if (typeof code !== "string") return undefined;
  return { code, subject: typeof subject === "string" ? subject : undefined, message: String(message) };
}

function differingResults(vector: Vector, results: Results): Difference | undefined {
  const names = Object.keys(vector).filter((name) => name.startsWith("expected_"));
  const wrong = names.filter((name) => !same(vector[name], results[name]));
  if (wrong.length === 0) return undefined;
  const show = (values: { readonly [name: string]: Json | undefined }) =>
    wrong.map((name) => `${name}: ${shown(values[name], vector[name], results[name])}`).join("; ");
  return { expected: show(vector), actual: show(results) };
}

/** A value, from a little before the place where the two differ. */
function shown(value: Json | undefined, first: Json | undefined, second: Json | undefined): string {
  if (value === undefined) return "not given";
  const [text, a, b] = [value, first ?? null, second ?? null].map((part) => JSON.stringify(part));
  if (text === undefined || a === undefined || b === undefined || text.length <= SHOWN) return text ?? "";
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - SHOWN / 2);
  return `${from > 0 ? "…" : ""}${shortened(text.slice(from))}`;
}

function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

/** Whether two JSON values are the same; the order of an object's fields does not count. */
export function same(first: Json | undefined, second: Json | undefined): boolean {
  if (typeof first !== "object" || typeof second !== "object" || first === null || second === null) return first === second;
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const names = Object.keys(first);
  if (names.length !== Object.keys(second).length) return false;
  return names.every((name) => same((first as { [name: string]: Json })[name], (second as { [name: string]: Json })[name]));
}

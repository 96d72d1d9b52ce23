/**
 * Recorded cases of the reference implementation as vectors: what was put in, and what came of it.
 *
 * A case is read by the fields that it has, so that new ones of the same form are understood. Where the expected outcome is another one
 * than the reference's, it is because a rule of vectors/divergences.json says so.
 */
import { type Fields, fieldsOf, type Json, type JsonObject, type Vector } from "../../../ts/conformance/vector.js";
import { built, DATASETS, TRACKS } from "./by-hand.js";
import { declared, type Inputs, ordinary, packed, payload } from "./inputs.js";
import { type Meaning, meaningOf, meaningOfVariant } from "./messages.js";

/** Expected outcomes by id, out of vectors/divergences.json: a class, or `ok`. */
export type Divergences = ReadonlyMap<string, string>;

/** Whether an object is a recorded case rather than a vector. */
export function isCase(object: JsonObject): boolean {
  return typeof object["expect"] === "string" && object["operation"] === undefined;
}

/** The outcomes that divergences.json lists. */
export function divergencesIn(parsed: Json): Divergences {
  const groups = fieldsOf(parsed, "divergences").list("groups").map((group) => fieldsOf(group, "groups"));
  const all = groups.flatMap((group) => Object.entries(group.raw("ours") as JsonObject));
  return new Map(all.map(([id, outcome]) => [id, String(outcome)]));
}

/** A case as a vector. */
export function vectorOfCase(object: JsonObject, divergences: Divergences): Vector {
  const fields = fieldsOf(object, "case");
  const [id, expect] = [fields.text("id"), fields.text("expect")];
  const { operation, inputs, results, instead } = inputsOf(fields, expect);
  const category = operation === "read-fragments" ? "fragment-pack" : isStructured(object) ? "post-v1-typed-array" : "typed-array";
  const vector = { id, category, operation, ...inputs };
  const listed = divergences.get(id);
  const ours = listed === "ok" ? null : listed === undefined ? instead : { code: listed, subject: undefined };
  const meaning = ours === undefined ? meaningIn(fields, expect) : (ours ?? undefined);
  if (meaning === undefined) return { ...vector, ...results() };
  const subject = ours === undefined && !(operation === "resolve-tag" && meaning.code === "RegistryAgreement") ? meaning.subject : undefined;
  return { ...vector, expected_error: meaning.code, ...(subject === undefined ? {} : { expected_subject: subject }) };
}

/** Our class for what the reference said; `undefined` if it accepted. A text without a meaning is its own class, which nothing has. */
function meaningIn(fields: Fields, expect: string): Meaning | undefined {
  if (expect === "ok") return undefined;
  return meaningOf(expect) ?? meaningOfVariant(fields.optionalText("variant")) ?? { code: `a text without a meaning: ${expect}`, subject: undefined };
}

function inputsOf(fields: Fields, expect: string): Inputs {
  const label = fields.text("id").split("--").slice(1).join("--");
  const group = fields.optionalText("group");
  const byHand = group === "dataset" ? DATASETS : group === "track" ? TRACKS : {};
  const known = Object.entries(byHand).find(([name]) => label.includes(name))?.[1];
  if (known !== undefined) return known(fields);
  if (fields.has("api_args")) return declared(fields, expect);
  if (fields.has("object_index_cbor_hex")) return packed(fields, expect);
  const typed = fields.has("type_cbor_hex_expected") || (fields.has("type_cbor_hex") && !fields.has("registry_cbor_hex"));
  if (fields.has("payload_hex") && typed) return payload(fields);
  return built(fields, label) ?? ordinary(fields);
}

/** Whether a case is about the families of 0025 §11. */
function isStructured(object: JsonObject): boolean {
  if (/--(ragged|csr)\b/.test(String(object["id"]))) return true;
  return /"(ragged-array|sparse-csr)"/.test(JSON.stringify([object["item_type"], object["api_args"]]));
}

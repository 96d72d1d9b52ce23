/** `tag`: what a modality tag says, and whether it names a type. */
import { bindModality, parseModality, type ParsedModality } from "../../codec/item-type.js";
import { type DreamDbError, isDreamDbError } from "../../errors.js";
import { STATUS } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { jsonText } from "../manners/json.js";
import { command } from "../program.js";
import { typeInFile } from "../tools/type-file.js";
import { Option } from "../vendor.js";

interface Options {
  readonly json?: boolean;
  readonly type?: string;
}

/** Parameters of array tags that have a line of their own. */
const TOLD = ["kind", "storage"];

/** What came of something that may be refused. */
type Judged<T> = { readonly value: T; readonly refusal?: undefined } | { readonly value?: undefined; readonly refusal: DreamDbError };

export const tag = command<[string], Options>({
  usage: "tag <tag>",
  summary: "what a modality tag says",
  description:
    "Takes a modality tag apart: class, encoding, Track kind, storage and parameters. With --type, says whether the tag names that item type, by its projection and its " +
    "full identity (Spec 0025 §3.2, §4). Ends with 1 if the tag is none, or does not name the type.",
  args: { tag: "the tag, as keys and manifests have it" },
  options: [new Option("--type <file>", "an item type, as `id` takes it"), new Option("--json", "one JSON document")],
  examples: ["tag image.png", "tag array.f32.kind=event.storage=unbucketed.shape=4x4.item=dyulsw4ssxbrtjwnjjdf3abnvzb5mt7mf26og25k66s2tlkcf2kmk --type pose.json"],
  async run({ output, signal }, [text], { json, type }) {
    const cbor = type === undefined ? undefined : await typeInFile(type, signal);
    const parsed = judged(() => parseModality(text));
    const bound = cbor === undefined ? undefined : judged(() => bindModality(text, cbor));
    const wrong = parsed.refusal !== undefined || bound?.refusal !== undefined;
    const parameters = parsed.value === undefined ? [] : parametersOf(text);
    if (json === true) {
      const { array, ...said } = parsed.value ?? {};
      const binds = bound === undefined ? undefined : { binds: bound.value ?? null, refusal: refusalJson(bound.refusal) };
      await output.line(jsonText({ tag: text, valid: parsed.value !== undefined, refusal: refusalJson(parsed.refusal), ...said, array, parameters: Object.fromEntries(parameters), type: binds }, 2));
    } else {
      const { dim } = output.colours;
      const lines: [string, string | undefined][] = parsed.value === undefined ? [["no tag", refusalText(parsed.refusal)]] : [...linesOf(parsed.value), ...parameters.filter(([key]) => !TOLD.includes(key))];
      if (bound !== undefined) lines.push(["binds", bound.value === undefined ? `no: ${refusalText(bound.refusal)}` : `yes, on Tracks of kind ${bound.value}`]);
      await output.line(...lines.flatMap(([what, said]) => (said === undefined ? [] : [`${dim(inert(what).padEnd(10))} ${inert(said)}`])));
    }
    return wrong ? STATUS.found : STATUS.ok;
  },
});

function judged<T>(judge: () => T): Judged<T> {
  try {
    return { value: judge() };
  } catch (error) {
    if (isDreamDbError(error)) return { refusal: error };
    throw error;
  }
}

function linesOf({ class: name, encoding, trackKind, storage, objectKind }: ParsedModality): [string, string | undefined][] {
  return [
    ["class", name],
    ["encoding", encoding],
    ["Track", trackKind],
    ["storage", storage === undefined || storage === objectKind ? storage : `${storage}, the object kind ${objectKind}`],
  ];
}

/** The parameters of a tag whose grammar was found to be right. */
function parametersOf(text: string): [string, string][] {
  return text.split(".").flatMap((segment): [string, string][] => {
    const at = segment.indexOf("=");
    return at < 0 ? [] : [[segment.slice(0, at), segment.slice(at + 1)]];
  });
}

function refusalText(refusal: DreamDbError | undefined): string {
  return refusal === undefined ? "" : `${refusal.code}, ${refusal.message}`;
}

function refusalJson(refusal: DreamDbError | undefined) {
  return refusal === undefined ? undefined : { code: refusal.code, message: refusal.message };
}

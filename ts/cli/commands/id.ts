/** `id`: from an item type to its canonical CBOR, its identity and its modality tags. */
import { decodeItemType, itemTypeId, modalityOf, type TrackKind } from "../../codec/item-type.js";
import { isDreamDbError } from "../../errors.js";
import { STATUS } from "../manners/failures.js";
import { writeWhole } from "../manners/files.js";
import { inert } from "../manners/inert.js";
import { type Json, jsonText } from "../manners/json.js";
import { command } from "../program.js";
import { typeInFile } from "../tools/type-file.js";
import { Option } from "../vendor.js";

interface Options {
  readonly json?: boolean;
  readonly cbor?: string;
}

const KINDS: readonly TrackKind[] = ["event", "continuous", "constant"];

export const id = command<[string], Options>({
  usage: "id <type>",
  summary: "identity and tags of an item type",
  description:
    "Reads an item type (Spec 0025 §3, §11) and prints its identity, its canonical CBOR in hexadecimal digits, and the modality tag that it has on Tracks of each kind. " +
    "A type is a JSON object with the keys of the specification (semantic_type, inner_shape) or of this package (semanticType, innerShape), or its canonical CBOR. " +
    "Left out, the family is dense-array, the byte order little, the layout c, the codec the family's own, each text none. Extents beyond 2^53 may be decimal strings.",
  args: { type: "file with the type, JSON or CBOR; - for standard input" },
  options: [new Option("--json", "one JSON document; integers of 64 bits are decimal strings"), new Option("--cbor <file>", "write the canonical CBOR to a file")],
  examples: [
    "id pose.json",
    `id - <<< '{"dtype": "f32", "shape": [4, 4], "semantic_type": "pose", "units": "m", "frame": "camera"}'`,
    "id pose.json --cbor pose.cbor",
    "id pose.json --json > pose.id.json",
  ],
  async run({ output, signal }, [path], { json, cbor: target }) {
    const cbor = await typeInFile(path, signal);
    const hex = Buffer.from(cbor).toString("hex");
    const type = decodeItemType(cbor);
    const itemId = itemTypeId(cbor);
    const tags = KINDS.map((kind) => tagOf(cbor, kind));
    if (target !== undefined) await writeWhole(target, (sink) => sink.write(cbor));
    if (json === true) {
      const modalities = Object.fromEntries(KINDS.map((kind, at) => [kind, tags[at]?.tag ?? null]));
      await output.line(jsonText({ itemId, cbor: hex, bytes: cbor.byteLength, modalities, type: { ...type } as unknown as Json }, 2));
      return STATUS.ok;
    }
    const { dim } = output.colours;
    const line = (what: string, text: string) => `${dim(what.padEnd(10))} ${text}`;
    await output.line(line("id", itemId), line("cbor", hex), ...KINDS.map((kind, at) => line(kind, tags[at]?.tag ?? `none: ${inert(tags[at]?.why ?? "")}`)));
    return STATUS.ok;
  },
});

/** A type of very many axes has an identity, but no tag. */
function tagOf(cbor: Uint8Array, kind: TrackKind): { readonly tag?: string; readonly why?: string } {
  try {
    return { tag: modalityOf(cbor, kind) };
  } catch (error) {
    if (!isDreamDbError(error)) throw error;
    return { why: `${error.code}, ${error.message}` };
  }
}

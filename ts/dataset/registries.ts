/**
 * Identity of types over datasets and versions: which modalities are one type, and whether two manifests agree on what they register
 * (0025 §5). Merging itself does not belong here.
 */
import { kindOf, bytesArgument, isBytes, refused, textArgument } from "../codec/arguments.js";
import { call } from "../wasm.js";
import type { Dataset } from "./dataset.js";

/** The manifest of each dataset, as it was fetched and checked. */
const manifests = new WeakMap<Dataset, Uint8Array>();

/** Remember the manifest that a dataset was opened by. */
export function keepManifest(dataset: Dataset, object: Uint8Array): Dataset {
  manifests.set(dataset, object);
  return dataset;
}

/**
 * Whether two array modalities are the same type: exactly if their wire strings are byte-identical (0025 §5).
 *
 * Nothing is parsed, reordered or folded, so a namespace, a parameter's place or the case of a letter make another type. Takes tags, or
 * what has one, such as the infos in `ds.fields`. Whether a tag is valid is another question: `codec.parseModality`.
 *
 * @throws {DreamDbError} `InvalidArgument` for what is neither
 */
export function sameType(first: string | { readonly modality: string }, second: string | { readonly modality: string }): boolean {
  return tagOf("first", first) === tagOf("second", second);
}

/**
 * Refuse two manifests that register one array modality with different declarations; to be asked before anything of them is merged (0025 §5).
 *
 * Compared is the `item_type` under each modality that both registries have, as it stands there: keys in another order differ, the width
 * of an integer does not, as within one manifest. Equal declarations are one, however often they stand there. Not compared are
 * modalities that only one of them has, what else an entry holds, and everything else in a registry (schema, indexes, tombstones, notes):
 * a merge may well be impossible for those reasons. Costs a pass over both manifests, and no request.
 *
 * @param first a dataset that was opened, or the bytes of a manifest, which are taken as they are
 * @throws {DreamDbError} `RegistryConflict` with the modality as `subject`, and in `expected` and `actual` what differs; for bytes `Cbor`,
 * `WireOrType`, `RegistryItemTypeDuplicate`, `RegistryAgreement`; `InvalidArgument`; `WasmNotReady` for bytes in browsers before `init()`
 */
export function checkRegistries(first: Dataset | Uint8Array, second: Dataset | Uint8Array): void {
  const [one, other] = [manifestOf("first", first), manifestOf("second", second)];
  call((core) => core.checkRegistries(one, other));
}

function tagOf(what: string, type: unknown): string {
  const tag: unknown = typeof type === "object" && type !== null && "modality" in type ? type.modality : type;
  return textArgument(what, tag);
}

function manifestOf(what: string, source: Dataset | Uint8Array): Uint8Array {
  if (isBytes(source)) return bytesArgument(what, source);
  const object = typeof source === "object" && source !== null ? manifests.get(source) : undefined;
  if (object === undefined) throw refused(what, "a dataset that openDataset gave, or the bytes of a manifest", kindOf(source));
  return object;
}

/** What a declared field comes to on the wire: its modality, its schema entry and its registry entry, all made by the core. */
import type { CoreNewField } from "../../pkg/dreamdb_arrays.js";
import { kindOf, refused, textArgument } from "../codec/arguments.js";
import { optionalU64 } from "../codec/integers.js";
import { encodeItemType, type TrackKind } from "../codec/item-type.js";
import { withContext } from "../error-context.js";
import { call } from "../wasm.js";
import type { FieldDeclaration } from "./schema.js";

/**
 * What a declaration comes to.
 *
 * @throws {DreamDbError} the codes of item types; `InvalidSegment` and its like for a mime; `InvalidArgument`; all with the field
 */
export function declare(name: string, declaration: FieldDeclaration): CoreNewField {
  try {
    const { required = true, kind } = declaration;
    if (typeof required !== "boolean") throw refused("required", "true or false", kindOf(required));
    if (kind === "array") {
      const { kind: _, required: __, trackKind = "event", ...type } = declaration;
      if (trackKind !== "event" && trackKind !== "continuous") {
        throw refused("trackKind", '"event" or "continuous"; a Constant is added with its value, by addArrayConstant', trackKind);
      }
      return declareArray(name, required, trackKind, encodeItemType(type));
    }
    if (kind === "scalar") {
      refuseOthers(declaration, ["type"]);
      return call((core) => core.mediaField(name, required, kind, textArgument("type", declaration.type)));
    }
    if (!["image", "audio", "video"].includes(kind)) throw refused("kind", '"array", "scalar", "image", "audio" or "video"', kind);
    const { mime, packItems, chunkSize } = declaration;
    textArgument("mime", mime);
    const [items, size] = [optionalU64("`packItems`", packItems), optionalU64("`chunkSize`", chunkSize)];
    refuseOthers(declaration, ["mime", "packItems", "chunkSize"]);
    return call((core) => core.mediaField(name, required, kind, mime, items, size));
  } catch (error) {
    throw withContext(error, { field: name });
  }
}

/** A field of arrays of a type that is encoded already. */
export function declareArray(name: string, required: boolean, kind: TrackKind, typeCbor: Uint8Array): CoreNewField {
  return call((core) => core.arrayField(name, required, kind, typeCbor));
}

/** A misspelt key must not be dropped: `pack_items` would silently pack nothing. */
function refuseOthers(declaration: FieldDeclaration, known: readonly string[]): void {
  for (const key of Object.keys(declaration)) {
    if (!["kind", "required", ...known].includes(key)) throw refused(key, "absent in such a field", "given");
  }
}

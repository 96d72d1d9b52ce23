/** Declarations of fields, looked at before they become what manifests/fields.ts makes of them. */
import { kindOf, refused, textArgument } from "../codec/arguments.js";
import { optionalU64 } from "../codec/integers.js";
import { encodeItemType } from "../codec/item-type.js";
import { withContext } from "../error-context.js";
import { arrayField, mediaField, type NewField, scalarField } from "./manifests/fields.js";
import type { FieldDeclaration } from "./schema.js";

/**
 * What a declaration comes to.
 *
 * @throws {DreamDbError} the codes of item types; `InvalidSegment` and its like for a mime; `InvalidArgument`; all with the field
 */
export function declare(name: string, declaration: FieldDeclaration): NewField {
  try {
    const { required = true, kind } = declaration;
    if (typeof required !== "boolean") throw refused("required", "true or false", kindOf(required));
    if (kind === "array") {
      const { kind: _, required: __, trackKind = "event", ...type } = declaration;
      if (trackKind !== "event" && trackKind !== "continuous") {
        throw refused("trackKind", '"event" or "continuous"; a Constant is added with its value, by addArrayConstant', trackKind);
      }
      return arrayField(name, required, trackKind, encodeItemType(type));
    }
    if (kind === "scalar") {
      refuseOthers(declaration, ["type"]);
      return scalarField(name, required, textArgument("type", declaration.type));
    }
    if (!["image", "audio", "video"].includes(kind)) throw refused("kind", '"array", "scalar", "image", "audio" or "video"', kind);
    const { mime, packItems, chunkSize } = declaration;
    textArgument("mime", mime);
    const [items, size] = [optionalU64("`packItems`", packItems), optionalU64("`chunkSize`", chunkSize)];
    refuseOthers(declaration, ["mime", "packItems", "chunkSize"]);
    return mediaField(name, required, kind, mime, items, size);
  } catch (error) {
    throw withContext(error, { field: name });
  }
}

/** A misspelt key must not be dropped: `pack_items` would silently pack nothing. */
function refuseOthers(declaration: FieldDeclaration, known: readonly string[]): void {
  for (const key of Object.keys(declaration)) {
    if (!["kind", "required", ...known].includes(key)) throw refused(key, "absent in such a field", "given");
  }
}

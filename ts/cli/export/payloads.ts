/** Payloads as they are stored (0025 §6, §7, §11): checked like all others, and then given as they are. */
import { checkPayload } from "../../codec/payload.js";
import type { FieldAccess } from "../../dataset/field.js";
import type { ArrayFieldInfo } from "../../dataset/fields.js";
import { ItemBytes } from "../../dataset/item-bytes.js";
import { constantKey } from "../../dataset/keys.js";
import type { Selection } from "../../dataset/selection.js";
import { withContext } from "../../error-context.js";
import { DreamDbError } from "../../errors.js";
import { newCall } from "../../io/call.js";
import type { BytesBatch } from "./contents.js";

interface Accessible {
  readonly access: FieldAccess;
}

/** Reads payloads of an array field's Items. */
export function payloadsOf({ type, typeCbor: cbor }: ArrayFieldInfo, { access }: Accessible): (selection: Selection, signal: AbortSignal) => Promise<BytesBatch> {
  return async (selection, signal) => {
    const { anchors } = selection;
    const items = new Array<Uint8Array>(anchors.length);
    await new ItemBytes(access.objects, access.track.place).readAll(selection, newCall(signal), (at, { bytes }) => {
      try {
        checkPayload({ type, cbor }, bytes);
      } catch (error) {
        throw withContext(error, { anchor: anchors[at] });
      }
      items[at] = bytes;
    });
    return { anchors, count: anchors.length, items };
  };
}

/**
 * The payload of a typed-array Constant.
 *
 * @throws {DreamDbError} `NotFound` for one that was never written; the codes of reads
 */
export async function constantPayload({ name, type, typeCbor: cbor }: ArrayFieldInfo, { access }: Accessible, signal: AbortSignal): Promise<Uint8Array> {
  const { objects, track } = access;
  try {
    const content = await track.content(signal);
    if (content.form !== "constant" || content.address === undefined) throw new DreamDbError("NotFound", "the Constant was never written");
    const key = constantKey(track.place, content.address);
    const { bytes } = await objects.item({ key, address: content.address }, newCall(signal));
    checkPayload({ type, cbor }, bytes);
    return bytes;
  } catch (error) {
    throw withContext(error, { field: name });
  }
}

/** What files of a medium end with: its subtype, if that can be part of a name. */
export function extensionOf(mime: string): string {
  const subtype = mime.split("/").at(-1) ?? "";
  return /^[a-z0-9]{1,12}$/i.test(subtype) ? subtype.toLowerCase() : "bin";
}

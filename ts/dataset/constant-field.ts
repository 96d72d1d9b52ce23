/** Text Constants: one text for the whole dataset, such as `title.text`. Typed-array Constants are array fields. */
import { withContext } from "../error-context.js";
import { DreamDbError } from "../errors.js";
import { newCall } from "../io/call.js";
import type { CheckedBytes } from "../io/verifier.js";
import { Field, type ItemReadOptions } from "./field.js";
import type { TextConstantInfo } from "./fields.js";
import { constantKey } from "./keys.js";

/** The value of a text Constant. */
export interface TextConstant extends CheckedBytes {
  /** Tells it from arrays. */
  readonly family: "text";
  /** The bytes as UTF-8; a `.json` Constant's is JSON text. */
  readonly text: string;
}

/** A field with one text for the whole dataset. */
export class TextConstantField extends Field<TextConstantInfo> {
  /**
   * The text; `undefined` if it was never written. Costs two requests.
   *
   * @throws {DreamDbError} `HashMismatch`; `Unsupported` for bytes that are not UTF-8; the store's codes, each with `field`
   */
  async read({ signal }: ItemReadOptions = {}): Promise<TextConstant | undefined> {
    const { objects, track } = this.access;
    try {
      const content = await track.content(signal);
      if (content.form !== "constant") throw new DreamDbError("Internal", "a Constant's Track has entries of another form");
      if (content.address === undefined) return undefined;
      const key = constantKey(track.place, content.address);
      const item = await objects.item({ key, address: content.address }, newCall(signal));
      return { family: "text", ...item, text: decodeText(item.bytes) };
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }
}

/**
 * The text that bytes are.
 *
 * @throws {DreamDbError} `Unsupported` for bytes that are not UTF-8
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    // A leading U+FEFF is part of the text.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DreamDbError("Unsupported", "the Constant's bytes are not UTF-8 text", { cause });
  }
}

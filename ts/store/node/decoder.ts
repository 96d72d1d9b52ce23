/** Undoes the codings of a body that `fetch` undoes. */

import type { Transform } from "node:stream";
import { pipeline } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Codings in one answer that are undone; each takes memory. */
const MOST_CODINGS = 5;

/** Who gets what was decoded. */
export interface Decoded {
  /** A piece; `false` stops the decoder until {@link Decoder.resume}. */
  onDecoded(piece: Uint8Array): boolean;
  /** All has been decoded. */
  onDecodedAll(): void;
  /** The body is not in the coding it says. */
  onUndecodable(error: Error): void;
  /** There is room for more to be decoded. */
  onRoom(): void;
}

/** A chain of decoders. */
export class Decoder {
  readonly #first: Transform;
  readonly #last: Transform;

  /** @param steps in the order in which they are taken */
  constructor(steps: readonly [Transform, ...Transform[]], to: Decoded) {
    this.#first = steps[0];
    this.#last = steps.reduce((before, step) => pipeline(before, step, () => undefined));
    for (const step of steps) step.on("error", (error) => to.onUndecodable(error));
    this.#first.on("drain", () => to.onRoom());
    this.#last.on("data", (piece: Uint8Array) => {
      if (!to.onDecoded(piece)) this.#last.pause();
    });
    this.#last.on("end", () => to.onDecodedAll());
  }

  /** Takes more of the body; `false` asks to wait for room. */
  write(piece: Uint8Array): boolean {
    return this.#first.write(piece);
  }

  /** The body is over. */
  end(): void {
    this.#first.end();
  }

  /** Goes on after a pause. */
  resume(): void {
    if (this.#last.isPaused()) this.#last.resume();
  }

  destroy(): void {
    this.#first.destroy();
    this.#last.destroy();
  }
}

/** What undoes the codings of a Content-Encoding; `undefined` where there are none, or one that is not known: the body stays as it is. */
export function decoderFor(header: string, to: Decoded): Decoder | undefined {
  const codings = header.toLowerCase().split(",");
  if (codings.length > MOST_CODINGS) return undefined;
  const [first, ...others] = codings.toReversed().map((coding) => stepOf(coding.trim()));
  const known = others.filter((step) => step !== undefined);
  return first && known.length === others.length ? new Decoder([first, ...known], to) : undefined;
}

/** What undoes a coding, as leniently as `fetch` does where the end is missing. */
function stepOf(coding: string): Transform | undefined {
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  if (coding === "gzip" || coding === "x-gzip") return createGunzip(flush);
  if (coding === "deflate") return createInflate(flush);
  const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };
  return coding === "br" ? createBrotliDecompress(brotli) : undefined;
}

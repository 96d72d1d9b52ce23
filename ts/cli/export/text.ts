/** Text that is written as it is made: pieces of 64 KiB, whatever the length of the whole. */
import type { Sink } from "../manners/files.js";

/** Characters of a piece, about. */
const PIECE = 1 << 16;

/** Gathers text for a sink. */
export class TextWriter {
  readonly #sink: Sink;
  #text = "";

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Takes text. Whoever has much of it looks at {@link isFull} now and then. */
  add(text: string): void {
    this.#text += text;
  }

  /** Whether it is time to {@link flush}. */
  get isFull(): boolean {
    return this.#text.length >= PIECE;
  }

  /** Writes what there is. */
  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = "";
    if (text !== "") await this.#sink.write(text);
  }
}

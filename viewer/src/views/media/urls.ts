/** URLs of bytes in memory: as many as are on screen and about to be, and no more however long one plays. */

/** Enough for what is shown, what is being shown instead, and one that was overtaken. */
const MOST = 3;

/** A few URLs, the oldest of which is given up for each new one beyond. */
export class Urls {
  readonly #live: string[] = [];

  /** A URL for bytes. */
  of(bytes: Uint8Array<ArrayBuffer>, type: string): string {
    while (this.#live.length >= MOST) URL.revokeObjectURL(this.#live.shift() ?? "");
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    this.#live.push(url);
    return url;
  }

  /** Gives all of them up. */
  close(): void {
    for (const url of this.#live.splice(0)) URL.revokeObjectURL(url);
  }
}

/** The head of an answer: its status, and its headers as the bytes they came in, looked at when they are asked for. */

/** Of these a second one is not looked at; of all others the values are joined, as by Node's own client. */
const ALONE: ReadonlySet<string> = new Set(["content-length", "content-type", "etag", "expires", "last-modified", "location", "retry-after", "server"]);

/** Offsets a header has in {@link AnswerHead}: where its name begins and ends, and its value. */
export const MARKS = 4;

/** What came before the body. */
export class AnswerHead {
  readonly status: number;
  readonly #text: string;
  readonly #marks: readonly number[];

  /**
   * @param text the head as it came, in Latin-1
   * @param marks {@link MARKS} offsets into it for each header
   */
  constructor(status: number, text: string, marks: readonly number[]) {
    this.status = status;
    this.#text = text;
    this.#marks = marks;
  }

  /** The value of a header by its name in lower case, in Latin-1 and without white space around it. */
  get(name: string): string | null {
    const marks = this.#marks;
    let found: string | null = null;
    for (let at = 0; at < marks.length; at += MARKS) {
      const start = marks[at] as number;
      if ((marks[at + 1] as number) - start !== name.length || !this.#isNamed(start, name)) continue;
      const value = this.#text.slice(marks[at + 2], marks[at + 3]);
      if (found === null) found = value;
      else if (!ALONE.has(name)) found += `, ${value}`;
    }
    return found;
  }

  #isNamed(start: number, name: string): boolean {
    for (let at = 0; at < name.length; at++) {
      const code = this.#text.charCodeAt(start + at);
      if ((code >= 0x41 && code <= 0x5a ? code + 0x20 : code) !== name.charCodeAt(at)) return false;
    }
    return true;
  }
}

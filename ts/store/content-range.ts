/**
 * Reads the Content-Range header, as far as it can contradict a body. Grammar only; what follows from it is decided by the reader.
 */

/** The numbers of a Content-Range; a part is missing where the header has `*`. */
export interface ContentRange {
  /** First byte of the body within the object. */
  readonly start?: number;
  /** Last byte, inclusive. */
  readonly last?: number;
  /** Bytes in the whole object. */
  readonly total?: number;
}

const GRAMMAR = /^\s*bytes\s+(?:(\d+)\s*-\s*(\d+)|\*)\s*\/\s*(\d+|\*)\s*$/i;

/**
 * Parses `bytes 10-14/20`, `bytes 10-14/*` and `bytes *\/20`, in any case and spacing.
 *
 * Returns `undefined` when the header is absent, hidden by CORS, or not of this form: it then says nothing.
 */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const match = GRAMMAR.exec(header ?? "");
  if (!match) return undefined;
  const [, start, last, total] = match;
  return {
    ...(start === undefined || last === undefined ? {} : { start: Number(start), last: Number(last) }),
    ...(total === undefined || total === "*" ? {} : { total: Number(total) }),
  };
}

/** Rows as the address names them. */

/** The row that a choice names, which a person went to; `undefined` for what is none. */
export function rowOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Texts that came with the data, so that each character of them can be seen. What shows them is ui/inert.tsx. */

/** Characters that would reorder or hide what stands around them, or that nobody sees. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** The text with a visible stand-in for each character that is none: `\u202e`. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

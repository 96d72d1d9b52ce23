/** Text that came with the data: shown as it is, never as anything else. */

/** Characters that would reorder or hide what stands around them, or that nobody sees. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** The text with a visible stand-in for each character that is none: `\u202e`. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

/** Longer texts are cut on screen; all of it is in the title and in what is copied. */
const MOST = 120;

/** Such a text, set apart so that its direction is its own matter. */
export function Inert({ text, most = MOST }: { readonly text: string; readonly most?: number }) {
  const seen = visible(text);
  const isLong = seen.length > most;
  return (
    <bdi class="inert" title={isLong ? seen.slice(0, 2000) : undefined}>
      {isLong ? `${seen.slice(0, most)}…` : seen}
    </bdi>
  );
}

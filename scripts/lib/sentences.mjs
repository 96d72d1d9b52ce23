/**
 * The sentences of the crate, which the module spells by four letters each (src/sentence.rs): a table of them, and what puts parts in.
 *
 * They are found in the sources, as literals of `say!`; the letters are those of the same hash. Two texts with the same letters are an error.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * Code for the end of the glue: `told(message)` is what a text of a refusal spells.
 * @param {string} folder of the sources
 */
export function sentencesCode(folder) {
  const table = [...sentences(folder)].sort(([first], [second]) => (first < second ? -1 : 1)).map(([letters, text]) => letters + text);
  if (table.length < 100) throw new Error(`only ${table.length} sentences were found in ${folder}`);
  return `
const SENTENCES = ${JSON.stringify(table.join("\n"))};
let sentences;
/**
 * What a text of a refusal spells.
 * @param {string} text
 * @returns {string}
 */
function told(text) {
    sentences ??= new Map(SENTENCES.split("\\n").map((line) => [line.slice(0, 4), line.slice(4)]));
    // Sentences that are open, each as its letters and its parts so far; at the bottom what is told.
    const open = [[""]];
    const say = (words) => (open[open.length - 1].push(open[open.length - 1].pop() + words));
    for (const piece of text.split(/([\\x01-\\x03])/)) {
        if (piece === "\\x01") open.push([""]);
        else if (piece === "\\x02") open[open.length - 1].push("");
        else if (piece === "\\x03") {
            const [letters, ...parts] = open.pop();
            say(sentences.get(letters).replace(/\\{\\}/g, () => parts.shift()));
        } else say(piece);
    }
    return open[0][0];
}
`;
}

/**
 * Texts by their letters.
 * @param {string} folder
 */
function sentences(folder) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".rs"))) {
    const source = readFileSync(join(folder, file), "utf8");
    const literals = [...source.matchAll(/\bsay!\(\s*"((?:[^"\\]|\\[^])*)"/g)];
    if (literals.length !== [...source.matchAll(/\bsay!\(/g)].length) throw new Error(`${file} has a sentence that is not read here`);
    for (const [, literal = ""] of literals) {
      const text = spelled(literal);
      const letters = lettersOf(text);
      if ((found.get(letters) ?? text) !== text) throw new Error(`two sentences have the letters ${letters}; word one otherwise:\n${text}\n${found.get(letters)}`);
      found.set(letters, text);
    }
  }
  return found;
}

/**
 * What a string literal of Rust means.
 * @param {string} literal
 */
function spelled(literal) {
  return literal.replaceAll(/\\(?:\n\s*|([^]))/g, (whole, letter) => {
    if (letter === undefined) return "";
    if (letter === '"' || letter === "\\") return letter;
    throw new Error(`a sentence has the escape ${whole}, which scripts/lib/sentences.mjs does not read`);
  });
}

/**
 * As `template` in src/sentence.rs.
 * @param {string} text
 */
function lettersOf(text) {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = (hash ^ (hash >>> 20)) >>> 0;
  return [0, 5, 10, 15].map((shift) => LETTERS.charAt((hash >>> shift) & 31)).join("");
}

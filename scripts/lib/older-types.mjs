/**
 * The declarations once more, for TypeScript before 5.7, whose TypedArrays have no parameter for the buffer under them.
 *
 * Newer compilers need `Uint8Array<ArrayBuffer>`: without the argument it may be a SharedArrayBuffer, which `fetch`, `Blob` and WebCrypto refuse.
 * Older ones call the argument an error. `package.json` sends each to its own by the condition `types@<5.7`.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the copies within dist/. */
export const OLDER_TYPES = "ts5.6";

/** As TypeScript 5.7 declares them all. */
const WITH_BUFFER = /\b((?:Big)?(?:Uint|Int|Float)(?:8|16|32|64)(?:Clamped)?Array)<ArrayBuffer(?:Like)?>/g;

/** What lies outside of dist/ is one folder further away. */
const OUTSIDE = /(["'](?:\.\.\/)+)(?=pkg\/)/g;

/**
 * A declaration file without what it says to people: a second time that would be a twentieth of the package, and who reads it has a newer compiler.
 * @param {typeof import("typescript")} ts
 * @param {string} text
 */
function withoutComments(ts, text) {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, false, ts.LanguageVariant.Standard, text);
  let plain = "";
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token !== ts.SyntaxKind.MultiLineCommentTrivia && token !== ts.SyntaxKind.SingleLineCommentTrivia) plain += scanner.getTokenText();
  }
  return plain.replaceAll(/\n(\s*\n)+/g, "\n").trimStart();
}

/**
 * Write the copies.
 * @param {string} dist
 */
export async function writeOlderTypes(dist) {
  // In a fresh clone it is not there yet when this file is read.
  const { default: ts } = await import("typescript");
  const declarations = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
  for (const file of declarations) {
    const text = withoutComments(ts, readFileSync(join(dist, file), "utf8")).replace(WITH_BUFFER, "$1").replace(OUTSIDE, "$1../");
    const copy = join(dist, OLDER_TYPES, file);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, text);
  }
}

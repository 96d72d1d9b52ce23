/**
 * What stands in the glue and not in the module: names of properties, codes and sentences of refusals, which the module has by their numbers, and the functions
 * that src/wasm/object.rs imports to make objects of them. The lists are found in the sources.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sentencesCode } from "./sentences.mjs";

/**
 * Code for the end of the glue.
 * @param {string} folder of the sources
 */
export function appendedCode(folder) {
  const names = listed(join(folder, "wasm/names.rs"), /^const NAMES: [^[]*\[[^\]]*\] = \[\n(.*?)^\];/ms, /^ {4}"(\w+)",$/gm);
  const codes = listed(join(folder, "error.rs"), /^codes! \{\n(.*?)^\}/ms, /^ {4}(\w+),$/gm);
  return `
const NAMES = ${JSON.stringify(names)};
const CODES = ${JSON.stringify(codes)};
function put(object, name, value) {
    object[NAMES[name]] = value;
}
/** As \`put\`, of a text that spells sentences. */
function say(object, name, text) {
    object[NAMES[name]] = told(text);
}
function refusal(code, message) {
    return Object.assign(new Error(told(message)), { code: CODES[code] });
}
/**
 * Every code that the crate's refusals can have.
 * @returns {string[]}
 */
export function errorCodes() {
    return [...CODES];
}
${sentencesCode(folder)}`;
}

/** Types of what is exported of it. */
export const APPENDED_TYPES = `
/** Every code that the crate's refusals can have. */
export function errorCodes(): string[];
`;

/**
 * What a list of the sources names, in its order.
 * @param {string} file
 * @param {RegExp} list
 * @param {RegExp} member
 */
function listed(file, list, member) {
  const members = [...(list.exec(readFileSync(file, "utf8"))?.[1] ?? "").matchAll(member)].map(([, name = ""]) => name);
  if (members.length < 60) throw new Error(`only ${members.length} names were found in ${file}`);
  return members;
}

/** docs/troubleshooting.md against the code tables: an entry for each code, none for another, and no link into nothing. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CORE_CODES, IO_CODES } from "../../ts/errors.js";

const docs = new URL("../../docs/", import.meta.url);
const text = readFileSync(new URL("troubleshooting.md", docs), "utf8");

/** Rows of tables, each as its cells. That of a code has it in backquotes at its beginning, as heads and rules have not. */
const rows = text
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()));

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));
}

describe("troubleshooting", () => {
  test("has one entry for each code, and none for another", () => {
    const listed = rows.map(([code = ""]) => code.replaceAll("`", ""));
    expect([...listed].sort()).toEqual([...CORE_CODES, ...IO_CODES].sort());
  });

  test("says of each what it means and what to do", () => {
    for (const [code, meaning, cause, advice, ...rest] of rows) {
      expect([code, rest]).toEqual([code, []]);
      const sentence: unknown = expect.stringMatching(/^[A-Z0-9`].*\.$/);
      expect([code, meaning, cause, advice]).toEqual([code, sentence, code === "`Internal`" ? "" : sentence, sentence]);
    }
  });

  test("leads to headings that are there", () => {
    const links = [...text.matchAll(/\]\(([a-z-]+\.md)#([a-z-]+)\)/g)];
    expect(links.length).toBeGreaterThan(4);
    for (const [, file = "", anchor = ""] of links) expect([file, ...anchorsOf(readFileSync(new URL(file, docs), "utf8"))]).toContain(anchor);
  });
});

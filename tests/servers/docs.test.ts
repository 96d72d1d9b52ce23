/** What docs/http.md shows is what these tests run; the configurations in it are read out of it by the set-up. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("the code for signed reads is that of the tests", async () => {
  const shown = await readFile(new URL("../../docs/http.md", import.meta.url), "utf8");
  const source = await readFile(new URL("support/signing.ts", import.meta.url), "utf8");
  const code = source.slice(source.indexOf("import "));
  expect(code).toContain("openPresigned");
  expect(shown).toContain(`\`\`\`ts\n${code}\`\`\``);
});

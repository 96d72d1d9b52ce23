/** That the conformance tests see every file of vectors there is, and that the list of divergences is that of the vectors. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { VECTOR_FILES } from "./support/vector-files.js";

const VECTORS = join(import.meta.dirname, "../../vectors");

it("finds the files that are in the folder", () => {
  const below = readdirSync(VECTORS, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("/") && name.endsWith(".json"));
  expect(VECTOR_FILES.map(({ name }) => name)).toEqual(below.sort());
});

it("finds in divergences.json exactly the vectors that diverge", async () => {
  const listed = JSON.parse(readFileSync(join(VECTORS, "divergences.json"), "utf8")) as {
    groups: { group: string; reason: string; ours: Record<string, string> }[];
  };
  const found: Record<string, Record<string, string>> = {};
  for (const file of VECTOR_FILES) {
    for (const { id, divergence, expected_error, reference_outcome } of await file.load()) {
      if (divergence === undefined) continue;
      const outcome = String(expected_error ?? "ok");
      expect(reference_outcome, `outcome of ${id}`).not.toBe(outcome);
      found[String(divergence)] = { ...found[String(divergence)], [id]: outcome };
    }
  }
  expect(Object.fromEntries(listed.groups.map(({ group, ours }) => [group, ours]))).toEqual(found);
  for (const { group, reason } of listed.groups) expect(reason.length, `reason of ${group}`).toBeGreaterThan(40);
});

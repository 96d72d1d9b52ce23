/// <reference types="vite/client" />
/** Every vector against the package, in Node and in Chromium, and that docs/conformance.md says what came of it. */
import { init } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { type CountsOf, reportText, runVectors } from "../../ts/conformance/run.js";
import { ours } from "../../ts/cli/vectors/implementation.js";
import { levelTable } from "./support/level.js";
import { VECTOR_FILES } from "./support/vector-files.js";

const DOCUMENT = import.meta.glob<string>("../../docs/conformance.md", { query: "?raw", import: "default" });

/** Milliseconds for a file; one of them has every single bit of an object changed. */
const PATIENCE = 60_000;

describe("the package", () => {
  const ids = new Set<string>();
  const counts: CountsOf[] = [];

  beforeAll(() => init());

  it.each(VECTOR_FILES)("gives what $name expects", async ({ load }) => {
    const vectors = await load();
    for (const { id } of vectors) {
      if (ids.has(id)) expect.fail(`${id} is there twice`);
      ids.add(id);
    }
    const report = await runVectors(ours, { vectors, subjects: true });
    counts.push(...report.counts);
    if (report.passed < vectors.length) expect.fail(reportText(report));
  }, PATIENCE);

  it("was put to every vector of every file", () => {
    expect(counts.reduce((sum, { passed }) => sum + passed, 0)).toBe(ids.size);
    expect(ids.size).toBeGreaterThan(4750);
  });

  it("passes what docs/conformance.md says; npm run -s vectors -- --document writes it", async () => {
    const [load] = Object.values(DOCUMENT);
    expect(await load?.()).toContain(levelTable(counts));
  });
});

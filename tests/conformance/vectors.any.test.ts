/** Every vector against the package, in Node and in Chromium. */
import { init } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { reportText, runVectors } from "../../ts/conformance/run.js";
import { ours } from "./ours/implementation.js";
import { VECTOR_FILES } from "./support/vector-files.js";

/** Milliseconds for a file; one of them has every single bit of an object changed. */
const PATIENCE = 60_000;

describe("the package", () => {
  const ids = new Set<string>();
  let passed = 0;

  beforeAll(() => init());

  it.each(VECTOR_FILES)("gives what $name expects", async ({ load }) => {
    const vectors = await load();
    for (const { id } of vectors) {
      expect(ids, `${id} is there twice`).not.toContain(id);
      ids.add(id);
    }
    const report = await runVectors(ours, { vectors, subjects: true });
    if (report.passed < vectors.length) expect.fail(reportText(report));
    passed += report.passed;
  }, PATIENCE);

  it("was put to every vector of every file", () => {
    expect(passed).toBe(ids.size);
    expect(passed).toBeGreaterThan(4600);
  });
});

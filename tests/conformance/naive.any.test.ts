/** The naive implementation gives what the vectors expect, through the same runner as ours: it can serve as oracle. */
import { describe, expect, it } from "vitest";
import { reportText, runVectors } from "../../ts/conformance/run.js";
import { naive } from "./naive/implementation.js";
import { VECTOR_FILES } from "./support/vector-files.js";

/** Operations that the naive implementation does not offer. */
const ABSENT = [
  "append-items", "decode-track", "make-outboard", "pack-items", "plan-range", "plan-requests", "resolve-registry", "verify-range",
];

describe("the naive implementation", () => {
  const absent = new Set<string>();
  let passed = 0;

  it.each(VECTOR_FILES)("gives what $name expects", async ({ load }) => {
    const report = await runVectors(naive, { vectors: await load(), subjects: true });
    if (report.failed > 0) expect.fail(reportText(report));
    passed += report.passed;
    report.notImplemented.forEach((operation) => absent.add(operation));
  });

  it("did what it offers, and only that", () => {
    expect([...absent].sort()).toEqual(ABSENT);
    expect(passed).toBeGreaterThan(3900);
  });
});

/** Plain tables, and counting what test runners report. */

/**
 * A table of text, columns padded, numbers to the right.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => String(row[column] ?? "").length)));
  const line = (/** @type {(string | number)[]} */ row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? "";
        return typeof cell === "number" ? String(cell).padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return `${[line(head), widths.map((width) => "─".repeat(width)).join("  ").trimEnd(), ...rows.map(line)].join("\n")}\n`;
}

/**
 * The same as Markdown has it.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export function markdownTable(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${head.map((_, column) => row[column] ?? "").join(" | ")} |\n`).join("");
}

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * What `cargo test` reported, over all its binaries.
 * @param {string} output
 * @returns {Counts}
 */
export function countCargo(output) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const match of output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm)) {
    counts.passed += Number(match[1]);
    counts.failed += Number(match[2]);
    counts.skipped += Number(match[3]);
  }
  return counts;
}

/**
 * What vitest's JSON reporter wrote. A file that could not even be loaded has no tests to fail, so it counts as one.
 * @param {string} json
 * @returns {Counts}
 */
export function countVitest(json) {
  const report = JSON.parse(json);
  /** @type {{ status: string, assertionResults: unknown[] }[]} */
  const files = report.testResults;
  const unloaded = files.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * The counts in the last line `N passed, N failed` of a program that prints one.
 * @param {string} output
 * @returns {Counts}
 */
export function countLastLine(output) {
  const found = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  return { passed: Number(found?.[1] ?? 0), failed: Number(found?.[2] ?? 0), skipped: 0 };
}

/**
 * The closing line of a run of `cargo test`, and the exit status. A run that ends badly although no test failed is one failure, and so is one without tests.
 * @param {{ code: number, output: string }} ended
 */
export function closeCargo({ code, output }) {
  const { passed, failed } = countCargo(output);
  const worse = failed || (code === 0 && passed > 0 ? 0 : 1);
  process.stdout.write(`${passed} passed, ${worse} failed\n`);
  if (worse > 0) process.exitCode = 1;
}

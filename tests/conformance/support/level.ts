/** The table of docs/conformance.md that says what the package passes: counts by category and operation. */
import type { Report } from "../../../ts/conformance/run.js";

/** Lines of Markdown. */
export function levelTable({ counts, passed, failed, notRun }: Report): string {
  const rows = [...counts].sort((first, second) => {
    const [a, b] = [first, second].map(({ category, operation }) => `${category} ${operation}`);
    return (a ?? "") < (b ?? "") ? -1 : 1;
  });
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["category", "operation", "passed", "failed", "not run"]),
    "|---|---|---:|---:|---:|",
    ...rows.map((row) => line([row.category, `\`${row.operation}\``, row.passed, row.failed, row.notRun])),
    line(["all", "", passed, failed, notRun]),
  ].join("\n");
}

/** The table of docs/conformance.md that says what the package passes: counts by category and operation. */
import type { CountsOf } from "../../../ts/conformance/run.js";

/** Lines of Markdown, for the counts of one run or of several. */
export function levelTable(counts: readonly CountsOf[]): string {
  const sums = new Map<string, { passed: number; all: number }>();
  const add = (key: string, { passed, failed, notRun }: CountsOf) => {
    const sum = sums.get(key) ?? { passed: 0, all: 0 };
    sums.set(key, { passed: sum.passed + passed, all: sum.all + passed + failed + notRun });
  };
  const order = [...counts].sort((first, second) => (keyOf(first) < keyOf(second) ? -1 : 1));
  for (const row of order) add(keyOf(row), row);
  for (const row of order) add("**all** | ", row);
  const rows = Array.from(sums, ([key, { passed, all }]) => `| ${key} | ${passed} | ${all} |`);
  return ["| category | operation | passed | of |", "|---|---|---:|---:|", ...rows].join("\n");
}

const keyOf = ({ category, operation }: CountsOf): string => `${category} | \`${operation}\``;

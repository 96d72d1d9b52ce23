/** A report as lines for people and as JSON. */
import { inert } from "../manners/inert.js";
import type { Json } from "../manners/json.js";
import type { Colours } from "../manners/output.js";
import { ADVICE, type Advice } from "./advice.js";
import type { Report } from "./examine.js";
import { type Finding, type Level, type Reader, READERS } from "./findings.js";

const NAMES: Readonly<Record<Reader, string>> = { page: "Browser pages", node: "Node", worker: "Edge workers" };
const HOSTS: readonly (readonly [keyof Advice, string])[] = [["nginx", "nginx"], ["buckets", "S3, R2, GCS"], ["cloudfront", "CloudFront"]];
const HEADINGS: Readonly<Record<Level, string>> = { fail: "Faults", warn: "To know", ok: "In order" };

/** The report for people: the verdict, then the findings, faults first. */
export function reportText({ verdicts, findings, kind }: Report, { bold, dim, red, yellow, green }: Colours): string {
  const colour = { fail: red, warn: yellow, ok: green };
  const lines = READERS.map((reader) => {
    const { can, because } = verdicts[reader];
    const text = can ? (because === undefined ? green("yes") : `${yellow("yes")}, but: ${inert(because)}`) : `${red("no")}, because: ${inert(because ?? "")}`;
    return `${bold(`${NAMES[reader]}:`)} ${text}`;
  });
  for (const level of ["fail", "warn", "ok"] as const) {
    const some = findings.filter((finding) => finding.level === level);
    if (some.length === 0) continue;
    lines.push("", bold(HEADINGS[level]));
    for (const { check, seen, means } of some) {
      lines.push(`  ${colour[level](check.padEnd(13))} ${inert(seen)}`);
      if (means !== undefined) lines.push(`  ${" ".repeat(13)} ${inert(means)}`);
      if (level === "ok") continue;
      for (const [host, change] of adviceFor(check, kind)) lines.push(dim(`  ${" ".repeat(13)} ${host === "" ? "" : `${host}: `}${change}`));
    }
  }
  if (findings.some(({ level }) => level !== "ok")) lines.push("", dim("Whole configurations: docs/http.md of the package's repository."));
  return lines.join("\n");
}

function adviceFor(check: Finding["check"], kind: Report["kind"]): (readonly [string, string])[] {
  const advice = ADVICE[check];
  if (advice === undefined) return [];
  if (advice.nginx === advice.buckets) return [["", advice.nginx]];
  return HOSTS.filter(([host]) => kind === undefined || kind === host).map(([host, name]) => [name, advice[host]]);
}

/** The report as `--json` has it. */
export function reportJson({ verdicts, findings, kind, speed, requests }: Report): Record<string, Json> {
  return {
    verdict: Object.fromEntries(READERS.map((reader) => [reader, { ...verdicts[reader] }])),
    findings: findings.map(({ check, level, seen, means, blocks }) => {
      const change = level === "ok" ? undefined : ADVICE[check];
      return { check, level, seen, means, blocks: [...blocks], change: change === undefined ? undefined : { ...change } };
    }),
    host: kind ?? null,
    speed: speed === undefined ? null : { ...speed },
    requests,
  };
}

/** What a look at a host found: one finding a fact, and the verdict that follows from all of them. */

/** What is looked at. */
export type Check =
  | "reach" | "status" | "length" | "ref" | "read" | "range" | "content-range" | "compression" | "redirects" | "cors" | "expose" | "preflight"
  | "keys" | "missing" | "etag" | "caching" | "http-version" | "scheme" | "steady" | "outboards" | "speed" | "parallel";

/** `fail` is a fault of the host, `warn` costs something or may surprise, `ok` is as it should be. */
export type Level = "ok" | "warn" | "fail";

/** Who reads: a page or its Workers, Node, a worker at the edge. */
export const READERS = ["page", "node", "worker"] as const;
/** One of these. */
export type Reader = (typeof READERS)[number];

/** One fact. */
export interface Finding {
  readonly check: Check;
  readonly level: Level;
  /** What was seen, in one sentence without a full stop. */
  readonly seen: string;
  /** What it means for those who read, in one sentence; nothing where all is well. */
  readonly means?: string;
  /** Who cannot read because of it. */
  readonly blocks: readonly Reader[];
}

/** Whether someone can read, and why not, or what about it is wrong all the same. */
export interface Verdict {
  readonly can: boolean;
  /** What was seen that keeps them from it; if nothing does, the first fault that does not. */
  readonly because?: string;
}

/** Findings of one look, as they come. */
export class Findings {
  readonly #all: Finding[] = [];

  ok(check: Check, seen: string): void {
    this.#all.push({ check, level: "ok", seen, blocks: [] });
  }

  warn(check: Check, seen: string, means: string): void {
    this.#all.push({ check, level: "warn", seen, means, blocks: [] });
  }

  fail(check: Check, seen: string, means: string, blocks: readonly Reader[] = READERS): void {
    this.#all.push({ check, level: "fail", seen, means, blocks });
  }

  /** Whether a check found a fault. */
  failed(...checks: readonly Check[]): boolean {
    return this.#all.some(({ check, level }) => level === "fail" && checks.includes(check));
  }

  /** Whether something was found by a check. */
  has(check: Check): boolean {
    return this.#all.some((finding) => finding.check === check);
  }

  /** All of them, the worst first, otherwise in the order in which they were found. The same fact twice is one. */
  sorted(): Finding[] {
    const order: Readonly<Record<Level, number>> = { fail: 0, warn: 1, ok: 2 };
    const seen = new Set<string>();
    const unique = this.#all.filter(({ check, level, seen: what }) => {
      const key = `${check} ${level} ${what}`;
      return !seen.has(key) && seen.add(key);
    });
    return unique.sort((a, b) => order[a.level] - order[b.level]);
  }

  /** Whether each reader can read. */
  verdicts(): Record<Reader, Verdict> {
    const all = this.sorted();
    const of = (reader: Reader): Verdict => {
      const blocking = all.find(({ blocks }) => blocks.includes(reader));
      if (blocking !== undefined) return { can: false, because: blocking.seen };
      const fault = all.find(({ level }) => level === "fail");
      // What only keeps others away is no matter of this reader's.
      return fault === undefined || fault.blocks.length > 0 ? { can: true } : { can: true, because: fault.seen };
    };
    return { page: of("page"), node: of("node"), worker: of("worker") };
  }
}

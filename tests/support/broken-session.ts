/** One test's view of the broken server: its objects, its rules, and what it was asked for. */

import { readFileSync } from "node:fs";
import { join, normalize, sep } from "node:path";
import { Random } from "../interop/support/random.js";
import { type AnyResponse, wasLeft, whenOver } from "./broken-exchange.js";
import type { Chaos, Log, ObjectSpec, Rule, Script, SeenRequest } from "./broken-log.js";
import { pattern } from "./bytes.js";
import { gate } from "./recording.js";

/** What the server writes into the addresses that its redirects lead to: the signature of a presigned URL. */
export const REDIRECTED = "X-Signature=target-secret";

/** Objects, rules and counts that no other session sees. */
export class Session {
  readonly name: string;
  readonly #objects = new Map<string, Uint8Array>();
  readonly #dataset: string | undefined;
  readonly #chaos: Chaos | undefined;
  /** Requests that chaos decided on, by key. */
  readonly #chances = new Map<string, number>();
  #rules: { readonly rule: Rule; count: number }[] = [];
  #requests: SeenRequest[] = [];
  #answered = new Map<string, number>();
  readonly #open = new Set<SeenRequest>();
  #most = 0;
  #gate = gate();

  /** @param fixtures folder of the datasets */
  constructor(name: string, { objects = {}, fixture, rules = [], chaos }: Script, fixtures: string) {
    this.name = name;
    this.#chaos = chaos;
    for (const [key, spec] of Object.entries(objects)) this.#objects.set(key, bytesOf(spec));
    if (fixture !== undefined) this.#dataset = join(fixtures, fixture, "data");
    this.steer(rules);
  }

  /** New rules in place of the old ones, counted from here on. */
  steer(rules: readonly Rule[]): void {
    this.#rules = rules.map((rule) => ({ rule, count: 0 }));
  }

  /** The object under a key, if there is one. */
  object(key: string): Uint8Array | undefined {
    if (this.#dataset === undefined || this.#objects.has(key)) return this.#objects.get(key);
    const path = normalize(join(this.#dataset, key));
    if (!path.startsWith(this.#dataset + sep)) return undefined;
    try {
      return readFileSync(path);
    } catch {
      return undefined;
    }
  }

  /** How a request is answered: as the first rule says that fits it, as chance has it, or as its path says; where a redirect led, always so. */
  modeOf({ key, target, ranged }: { key: string; target: string; ranged: boolean }, inPath: string): string {
    if (target.includes(REDIRECTED)) return inPath;
    let mode: string | undefined;
    for (const counted of this.#rules) {
      const { rule } = counted;
      if (rule.key !== undefined && !key.includes(rule.key)) continue;
      if (rule.target !== undefined && !target.includes(rule.target)) continue;
      if (rule.ranged !== undefined && rule.ranged !== ranged) continue;
      counted.count++;
      if (rule.nth !== undefined && !rule.nth.includes(counted.count)) continue;
      if (counted.count <= (rule.after ?? 0)) continue;
      mode ??= rule.mode;
    }
    return mode ?? this.#byChance(key) ?? inPath;
  }

  #byChance(key: string): string | undefined {
    if (this.#chaos === undefined) return undefined;
    const { seed, likelihood, modes } = this.#chaos;
    const nth = (this.#chances.get(key) ?? 0) + 1;
    this.#chances.set(key, nth);
    const random = new Random(seed, nth, ...Buffer.from(key));
    return random.chance(likelihood) ? random.pick(modes) : undefined;
  }

  /** Take down a request; which one in its mode it is, from 1. */
  begin(seen: SeenRequest, response: AnyResponse): number {
    this.#requests.push(seen);
    this.#open.add(seen);
    this.#most = Math.max(this.#most, this.#open.size);
    let finished = false;
    response.on("finish", () => (finished = true));
    whenOver(response, () => {
      this.#open.delete(seen);
      seen.over = true;
      seen.clientLeft = wasLeft(response, finished);
    });
    const nth = (this.#answered.get(seen.mode) ?? 0) + 1;
    this.#answered.set(seen.mode, nth);
    return nth;
  }

  /** When what is held now may be answered. */
  get released(): Promise<void> {
    return this.#gate.opened;
  }

  /** Let go of what is held, and hold what comes after it. */
  release(): void {
    this.#gate.open();
    this.#gate = gate();
  }

  /** Start anew, but for objects and rules; what is still open is not looked at any more. */
  forget(): void {
    this.#requests = [];
    this.#answered = new Map();
    this.#most = this.#open.size;
  }

  /** Requests that are being answered. */
  get open(): readonly SeenRequest[] {
    return [...this.#open];
  }

  /** What was seen since. */
  log(): Log {
    return { requests: this.#requests, most: this.#most };
  }
}

function bytesOf(spec: ObjectSpec): Uint8Array {
  if ("pattern" in spec) return pattern(spec.pattern);
  return "text" in spec ? new TextEncoder().encode(spec.text) : new Uint8Array(Buffer.from(spec.base64, "base64"));
}

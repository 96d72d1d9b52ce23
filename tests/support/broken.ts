/** Sessions of the broken server, for tests in Node and in a page. */

import { inject } from "vitest";
import type { BrokenUrls, Log, Rule, Script, SeenRequest } from "./broken-log.js";
import type { Mode } from "./broken-modes.js";

export type { Log, Rule, Script, SeenRequest } from "./broken-log.js";
export type { Mode } from "./broken-modes.js";

/** How long something may take that is sure to come: far longer than it ever does. */
const PATIENCE_MS = 10_000;

/** One session: objects that nobody else reads, and the requests for them. */
export interface Broken {
  /** Base URL whose objects are served in this way. */
  base(mode: Mode, at?: Exclude<keyof BrokenUrls, "control">): string;
  /** What was asked since the last `forget`. */
  log(): Promise<Log>;
  /** The requests alone. */
  requests(): Promise<readonly SeenRequest[]>;
  /** Forgets requests and counts. */
  forget(): Promise<void>;
  /** Replaces the rules. */
  rules(...rules: Rule[]): Promise<void>;
  /** Answers what is held. */
  release(): Promise<void>;
  /** The log as soon as `condition` holds, which it must before long. */
  until(condition: (log: Log) => boolean): Promise<Log>;
}

/** Opens a session. */
export async function openBroken(script: Script): Promise<Broken> {
  const urls = inject("brokenUrls");
  // Text is what a page may send to another origin without asking first.
  const control = async (path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${urls.control}/${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`the broken server refused ${path}: ${await answer.text()}`);
    return await answer.json();
  };
  const session = String(await control("session", script));
  const log = async (): Promise<Log> => (await control(`${session}/log`)) as Log;
  return {
    base: (mode, at = "near") => `${urls[at]}/${session}/${mode}`,
    log,
    requests: async () => (await log()).requests,
    forget: async () => void (await control(`${session}/forget`, null)),
    rules: async (...rules) => void (await control(`${session}/rules`, rules)),
    release: async () => void (await control(`${session}/release`, null)),
    async until(condition) {
      const start = performance.now();
      for (;;) {
        const seen = await log();
        if (condition(seen)) return seen;
        if (performance.now() - start > PATIENCE_MS) throw new Error(`the server never saw what was waited for, but ${JSON.stringify(seen)}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

/** The Range header of each request. */
export function rangesOf(requests: readonly SeenRequest[]): (string | undefined)[] {
  return requests.map(({ headers }) => headers["range"]);
}

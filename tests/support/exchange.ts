/** One GET by Node's own client and one by this package's: what came of it, as far as the two can be compared. */

import { Agent, get } from "node:http";
import { onTestFinished } from "vitest";
import type { Ending, HttpAnswer } from "../../ts/store/http-answer.js";

/** Headers that the store reads. */
const READ = ["content-length", "content-encoding", "content-range", "content-type", "etag", "location", "retry-after"];

/** What came; `undefined` for a failure of any kind. */
export type Outcome = { readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string | null>> } | undefined;

/** An end that never comes by itself. */
export const ENDLESS: Ending = { ended: undefined, signal: new AbortController().signal, tell: () => undefined };

/** An end that comes with a signal. */
export function endingBy(signal: AbortSignal): Ending {
  let told: (() => void) | undefined;
  return {
    get ended() {
      return signal.aborted ? { reason: signal.reason as unknown } : undefined;
    },
    signal,
    tell: (listener) => {
      if (told !== undefined) signal.removeEventListener("abort", told);
      if (listener !== undefined) signal.addEventListener("abort", listener);
      told = listener;
    },
  };
}

/** All bytes of an answer. */
export async function readAll(found: HttpAnswer): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const reader = found.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (!read?.value) return Buffer.concat(chunks);
    chunks.push(read.value);
  }
}

/** Outcome of an answer of ours. */
export async function outcomeOf(answer: Promise<HttpAnswer>): Promise<Outcome> {
  try {
    const found = await answer;
    const body = (await readAll(found)).toString("latin1");
    return { status: found.status, body, headers: Object.fromEntries(READ.map((name) => [name, found.headers.get(name)])) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

/** Node's own client, which keeps its connections for the test. */
export function nodeClient(): (url: string) => Promise<Outcome> {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return (url) =>
    new Promise((resolve) => {
      const fail = (): void => resolve(undefined);
      const request = get(url, { agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () => {
          const headers = Object.fromEntries(READ.map((name) => [name, (response.headers[name] as string | undefined) ?? null]));
          if (response.complete) resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("latin1"), headers });
          else fail();
        });
      });
      request.on("error", fail);
      request.on("close", () => setImmediate(fail));
    });
}

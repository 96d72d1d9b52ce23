/**
 * Starts SeaweedFS and nginx once for all tests of `tests/servers`, whichever projects take part, and stops them.
 *
 * When a test failed, the end of both logs is shown.
 */

import type { TestProject } from "vitest/node";
import { startNginx } from "./nginx.js";
import type { NginxUrls } from "./nginx-log.js";
import type { Program } from "./program.js";
import type { S3 } from "./s3.js";
import { startSeaweed } from "./seaweed.js";

declare module "vitest" {
  interface ProvidedContext {
    s3: S3;
    nginx: NginxUrls;
  }
}

interface Servers {
  readonly s3: S3;
  readonly nginx: NginxUrls;
  readonly programs: Readonly<Record<string, Program>>;
}

/** Each project loads this module anew, all in one process. */
const shared = globalThis as { dreamdbServers?: { readonly started: Promise<Servers>; users: number } | undefined };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.dreamdbServers ??= { started: start(), users: 0 };
  const servers = shared.dreamdbServers;
  servers.users += 1;
  const { s3, nginx, programs } = await servers.started;
  project.provide("s3", s3);
  project.provide("nginx", nginx);
  return async () => {
    servers.users -= 1;
    if (servers.users > 0) return;
    shared.dreamdbServers = undefined;
    if (project.vitest.state.getCountOfFailedTests() > 0) await show(programs);
    await stop(programs);
  };
}

async function start(): Promise<Servers> {
  const [seaweed, nginx] = await Promise.allSettled([startSeaweed(), startNginx()]);
  if (seaweed.status === "fulfilled" && nginx.status === "fulfilled") {
    return { s3: seaweed.value.s3, nginx: nginx.value.urls, programs: { SeaweedFS: seaweed.value.program, nginx: nginx.value.program } };
  }
  const outcomes = [seaweed, nginx];
  for (const outcome of outcomes) if (outcome.status === "fulfilled") await outcome.value.program.stop();
  throw new Error(outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : [])).join("\n\n"));
}

async function show(programs: Servers["programs"]): Promise<void> {
  for (const [name, program] of Object.entries(programs)) process.stderr.write(`\n── log of ${name} ──\n${await program.log()}\n`);
}

async function stop(programs: Servers["programs"]): Promise<void> {
  await Promise.all(Object.values(programs).map((program) => program.stop()));
}

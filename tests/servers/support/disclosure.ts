/** Everything that the package tells about its reads, gathered, so that a test can look for secrets in all of it. */

import { type Dataset, type DatasetEvent, DreamDbError, type TransferEvent } from "dreamdb-arrays";
import { expect } from "vitest";
import { secretsOf } from "./s3.js";

/** What was told. */
export class Told {
  readonly parts: string[] = [];

  /** An observer of a store or a dataset. */
  readonly event = (event: TransferEvent | DatasetEvent): void => this.add(event);

  add(...parts: unknown[]): void {
    for (const part of parts) this.parts.push(part instanceof Error ? textOf(part) : JSON.stringify(part, bigints));
  }

  /** What a dataset tells of itself. */
  addDataset(ds: Dataset): void {
    this.add(ds.stats(), ds.manifest, ds.fields, String(ds));
  }
}

/** Fails if a key, a signature or a query is in what was told; and if there is nothing in which one could be. */
export function expectNoSecret({ parts }: Told): void {
  expect(parts.length).toBeGreaterThan(0);
  for (const part of parts) {
    expect(part).not.toMatch(secretsOf());
    // No address of an object with a query; those of modules, in browsers' stacks, have one.
    expect(part).not.toMatch(/https?:\/\/127\.0\.0\.1[^\s"]*\?/);
  }
}

/** An error in every form in which one is shown: JSON, stack, each property, and the causes. */
function textOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return String(error);
  const own = Object.fromEntries(Object.getOwnPropertyNames(error).map((name) => [name, (error as unknown as Record<string, unknown>)[name]]));
  const json = error instanceof DreamDbError ? JSON.stringify(error) : "";
  return [json, String(error), error.stack, JSON.stringify(own, bigints), textOf(error.cause, depth + 1)].join("\n");
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/**
 * Every fault that the test server has, upon every Item of a dataset: what comes out is the right bytes or an error with a code and words,
 * after a bounded number of requests. A fault that is new to the server is tried here without being named.
 */

import { type DreamDbError, init, isDreamDbError, openDataset, type Outcome, type VerifyPolicy } from "dreamdb-arrays";
import { h2Fetch } from "h2-fetch";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { type Built, FIELD, packedDataset, singlesDataset } from "../support/built.js";
import { loadSidecar } from "../support/fixtures.js";

beforeAll(() => init());

/** Wrong bytes under right headers: what nothing but a hash can tell. */
const UNDETECTABLE: readonly Mode[] = ["206-shifted", "206-gzip-hidden", "wrong-bit"];
const TRIES = 2;

const sizes = [1100, 0, 1500, 1, 2000, 700];
const PACKS = "/0000000000000000/";

/** Outcomes of all Items when every request for their bytes is answered in this way. */
async function read(broken: Broken, built: Built, verify: VerifyPolicy, mode: Mode, at: "near" | "http2") {
  await broken.rules();
  const ds = await openDataset(broken.base("exact206", at), built.version, {
    verify,
    timeoutMs: 300,
    retry: { attempts: TRIES, minDelayMs: 1, maxDelayMs: 5 },
    ...(at === "http2" && { fetch: h2Fetch }),
  });
  await ds.media(FIELD).count();
  await broken.rules({ key: PACKS, mode });
  await broken.forget();
  const outcomes = await ds.media(FIELD).readMany(built.items.map((_, anchor) => anchor));
  return { outcomes, sent: ds.stats().requests - 2, seen: (await broken.requests()).length };
}

/** What a user needs to act on an error. */
function expectExplained(error: DreamDbError, anchor: bigint): void {
  expect(error).toMatchObject({ name: "DreamDbError", field: FIELD, anchor });
  expect(error.code).not.toMatch(/^(Internal|InvalidArgument|Aborted)$/);
  expect(error.key).toContain(PACKS);
  expect(error.message.length).toBeGreaterThan(40);
  // It says where: the field, the Item, and the address or key of the object.
  expect(error.message).toMatch(/field "m", anchor \d+/);
  expect(error.message).toContain(error.key?.split("/").at(-1));
  // What no text can tell is a value that was left out.
  expect(error.message).not.toMatch(/undefined|NaN|\[object/);
}

function expectRightOrRefused(outcomes: readonly Outcome<{ readonly bytes: Uint8Array; readonly verified: string }>[], built: Built, mode: Mode): void {
  expect(outcomes).toHaveLength(built.items.length);
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === "error") {
      expectExplained(outcome.error, BigInt(at));
      continue;
    }
    // A failure is never absence.
    if (outcome.status !== "value") throw new Error(`the Item at ${at} is said to be ${outcome.status}`);
    const { bytes, verified } = outcome.value;
    expect(bytes.byteLength).toBe(built.items[at]?.byteLength);
    if (verified === "none" && UNDETECTABLE.includes(mode)) continue;
    expect(bytes).toEqual(built.items[at]);
  }
}

const proved = packedDataset([{ sizes, outboard: true }]);
const plain = packedDataset([{ sizes }]);

describe.each([
  ["a pack with an outboard", "near", "always", proved],
  ["a pack with an outboard", "http2", "always", proved],
  ["a pack without one", "near", "always", plain],
  ["a pack without one", "near", "available", plain],
  ["objects of their own", "near", "always", singlesDataset(6)],
] as const)("Items in %s at the server %s, verified %s,", (_where, at, verify, built) => {
  it.each(inject("brokenModes"))("from a server of the kind %s", async (mode) => {
    const broken = await openBroken({ objects: built.objects });
    const { outcomes, sent, seen } = await read(broken, built, verify, mode, at);
    expectRightOrRefused(outcomes, built, mode);
    // For each Item a request, tries and an outboard; what redirects and browsers repeat comes on top.
    expect(sent).toBeLessThanOrEqual(TRIES * built.items.length + 2);
    expect(seen).toBeLessThanOrEqual(mode === "redirect-loop" ? 25 * sent : 4 * sent + 8);
  });
});

describe("opening a dataset", () => {
  it.each(inject("brokenModes"))("from a server of the kind %s", async (mode) => {
    const broken = await openBroken({ fixture: "hand-minimal" });
    const address = (await loadSidecar("hand-minimal")).refs["main"]?.manifest;
    const options = { timeoutMs: 300, retry: { attempts: TRIES, minDelayMs: 1, maxDelayMs: 5 } };
    const opened = await openDataset(broken.base(mode), "main", options).then((ds) => ds.manifest.address, (error: unknown) => error);
    if (isDreamDbError(opened)) {
      expect(opened.code).not.toMatch(/^(Internal|InvalidArgument|Aborted)$/);
      expect(opened.key).toMatch(/^(refs|manifests)\//);
      expect(opened.message).toContain(opened.key?.split("/").at(-1));
    } else {
      expect(opened).toBe(address);
    }
    expect((await broken.requests()).length).toBeLessThanOrEqual(mode === "redirect-loop" ? 25 * TRIES : 8 * TRIES);
  });
});

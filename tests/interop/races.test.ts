/** Refs that both move at once: a folder's locks and a server's conditional PUTs let one of them win, never both. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { httpStore, type WritableStore } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import { testDir } from "../support/temp-dir.js";
import type { FieldSpec } from "./support/model.js";
import { Random } from "./support/random.js";
import { Reference, ReferenceError, type ReferenceDataset } from "./support/reference.js";
import { base64 } from "./support/values.js";

const RACES = 25;
const IMAGE: FieldSpec = { kind: "image", name: "im", required: true, mime: "png" };

let reference: Reference;
beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

async function append(dataset: ReferenceDataset, anchor: number): Promise<void> {
  await dataset.append([{ anchor: BigInt(anchor), values: [["im", { bytes: base64(Uint8Array.of(anchor)) }]] }]);
}

/** Whether the reference's append was published; it may lose, and nothing else. */
async function appended(dataset: ReferenceDataset, anchor: number): Promise<boolean> {
  try {
    await append(dataset, anchor);
    return true;
  } catch (error) {
    if (error instanceof ReferenceError && error.text.startsWith("publish conflict on ref")) return false;
    throw error;
  }
}

/** `place` is what the reference calls the place of `store`. */
async function race(place: string, store: WritableStore): Promise<void> {
  const random = new Random(3);
  const main = await reference.create(place, "main", [IMAGE]);
  const side = await main.branch("side");
  const versions: Uint8Array[] = [];
  for (let at = 0; at < RACES; at++) {
    await append(side, at);
    versions.push(await store.get("refs/side"));
  }
  for (const [at, version] of versions.entries()) {
    const dataset = await reference.open(place, "main");
    const { tag } = await store.getTagged("refs/main");
    // Some begin when the other is done.
    const delay = random.integer(0, 30);
    const moved = sleep(delay).then(() => store.replace("refs/main", version, tag));
    const [theirs, ours] = await Promise.all([appended(dataset, 100 + at), moved]);
    expect(theirs).toBe(ours === "conflict");
    const now = await store.get("refs/main");
    expect(base64(now) === base64(version)).toBe(ours === "replaced");
  }
}

test("in a folder", async () => {
  const folder = await testDir();
  await race(folder, fsStore(folder));
});

test("over HTTP", async () => {
  const server = await serveDirectory(await testDir(), { writable: true });
  try {
    await race(server.url, httpStore(server.url));
  } finally {
    await server.close();
  }
});

/**
 * One wrong bit, or a missing byte, in any object of any fixture: no wrong value ever comes out. All that reads the damaged bytes is refused by a
 * typed error, and what was not read is shown not to have been asked for. Which error befalls whom is told apart in bit-flips.any.test.ts.
 */

import * as api from "dreamdb-arrays";
import { httpStore, init, isDreamDbError, memoryStore, type Store } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { readVersion } from "../../scripts/lib/dataset-check/reading.mjs";
import { ALL_FIXTURES, fixtureUrl, loadSidecar } from "../support/fixtures.js";
import { inPage } from "../support/host.js";
import { type RecordedRead, recording } from "../support/recording.js";

await init();

type Objects = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Items read of a field: all of them but of the one with thousands, where these still touch every page of its index. */
const MOST = 250;

/** What a version gave, each part as text by its name; or the code of its refusal. */
interface Outcomes {
  readonly values: ReadonlyMap<string, string>;
  readonly refusals: ReadonlyMap<string, string>;
}

/** The code of a typed error; any other error is a fault of the package. */
function codeOf(error: unknown): string {
  if (isDreamDbError(error)) return error.code;
  throw error;
}

/** A value as text, to the bit; without how it was checked, which depends on what was read before. */
function spelled(value: unknown): string {
  const text = JSON.stringify(value, (name, part: unknown) => {
    if (name === "verified") return undefined;
    if (typeof part === "bigint") return `${part}n`;
    if (part instanceof Map) return [...part];
    return ArrayBuffer.isView(part) ? `${part.constructor.name} ${new Uint8Array(part.buffer, part.byteOffset, part.byteLength).join()}` : part;
  });
  return text ?? "undefined";
}

/** Everything of a version, through the public API. */
async function outcomesOf(store: Store, version: string): Promise<Outcomes> {
  const values = new Map<string, string>();
  const refusals = new Map<string, string>();
  const note = (name: string, { value, error }: { value?: unknown; error?: unknown }) => {
    if (error === undefined) values.set(name, spelled(value));
    else refusals.set(name, codeOf(error));
  };
  let reading;
  try {
    reading = await readVersion(api, store, version, { most: MOST });
  } catch (error) {
    return { values, refusals: new Map([["", codeOf(error)]]) };
  }
  const { manifest, timeline, fields, readings } = reading;
  note("manifest", { value: { ...manifest, timeline, fields } });
  for (const [name, { value, error }] of readings) {
    if (value === undefined) {
      note(`${name}/`, { error });
      continue;
    }
    const { outcomes, stored, count, constant, audit, ...attempts } = value;
    const [fault] = audit?.value?.faults ?? [];
    if (audit !== undefined) note(`${name}/audit`, fault ?? audit);
    note(`${name}/all`, { value: { stored, count, constant } });
    for (const [way, attempt] of Object.entries(attempts)) note(`${name}/${way}`, attempt);
    for (const [anchor, outcome] of outcomes ?? []) note(`${name}/${anchor}`, outcome.status === "error" ? { error: outcome.error } : { value: outcome });
  }
  return { values, refusals };
}

/** A number that depends on the text alone, so that every run damages the same bits. */
function seedOf(text: string): number {
  return Array.from(text).reduce((hash, character) => Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);
}

/** Ways to damage an object: its new bytes, and the first byte that is not what it was. */
const DAMAGES: Readonly<Record<string, (key: string, bytes: Uint8Array) => { at: number; bytes: Uint8Array<ArrayBuffer> } | undefined>> = {
  "a wrong bit": (key, bytes) => {
    if (bytes.byteLength === 0) return { at: 0, bytes: Uint8Array.of(0) };
    const bit = seedOf(key) % (bytes.byteLength * 8);
    const copy = new Uint8Array(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return { at: bit >> 3, bytes: copy };
  },
  "a missing byte": (_, bytes) => (bytes.byteLength === 0 ? undefined : { at: bytes.byteLength - 1, bytes: new Uint8Array(bytes.subarray(0, -1)) }),
};

/** Whether some read of this object took that byte, or would have. */
function touches({ kind, offset = 0, length = 0 }: RecordedRead, at: number): boolean {
  return kind === "get" || (offset <= at && at < offset + length);
}

/** Each version as it is when nothing is damaged, and the objects that its reading asks for. */
async function undamaged(fixture: (typeof ALL_FIXTURES)[number]) {
  const { refs, objects: sizes } = await loadSidecar(fixture);
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const versions = [];
  for (const version of Object.keys(refs)) {
    const store = recording(httpStore(fixtureUrl(fixture)));
    const { values, refusals } = await outcomesOf(store, version);
    expect([fixture, version, [...refusals]]).toEqual([fixture, version, []]);
    versions.push({ version, values, keys: new Set(store.keys()) });
  }
  const source = httpStore(fixtureUrl(fixture));
  for (const key of new Set(versions.flatMap(({ keys }) => [...keys]))) {
    // What is not there was asked for as well: the outboards of packs that have none.
    const bytes = await source.get(key).catch((error: unknown) => void (codeOf(error) === "NotFound" || expect(error).toBeUndefined()));
    if (bytes !== undefined) objects.set(key, bytes);
  }
  const unread = Object.keys(sizes ?? {}).filter((key) => !objects.has(key));
  return { fixture, versions, objects: objects as Objects, unread };
}

const datasets = await Promise.all(ALL_FIXTURES.map(undamaged));

describe.each(datasets)("$fixture", ({ versions, objects, unread }) => {
  test("what no reading asks for is history, and proofs of what is read whole", () => {
    for (const key of unread) expect(key).toMatch(/^(genesis|manifests|refs\/tags|bao-outboard|tombstones|scalar-index|entity-key-index)\/|\/(track|index|bucket|items)\/|\/[0-9a-f]{16}\//);
    expect(objects.size).toBeGreaterThan(0);
  });

  test.each(Object.entries(DAMAGES))("%s in any object is refused, or was not read", async (_, damage) => {
    const wrong: string[] = [];
    let damaged = 0;
    for (const [key, bytes] of objects) {
      // A page is slower, and no different in this: it takes every third.
      const change = inPage && seedOf(`third ${key}`) % 3 > 0 ? undefined : damage(key, bytes);
      if (change === undefined) continue;
      damaged++;
      for (const { version, values } of versions.filter(({ keys }) => keys.has(key))) {
        const store = recording(memoryStore(new Map(objects).set(key, change.bytes)));
        const now = await outcomesOf(store, version);
        const changed = [...values].filter(([name, value]) => now.values.has(name) && now.values.get(name) !== value);
        for (const [name] of changed) wrong.push(`${key}: ${version} has another ${name}`);
        const read = store.reads.some((one) => one.key === key && touches(one, change.at));
        // Of an outboard, no range needs all nodes, so the one that is wrong may have come and not been used.
        if (now.refusals.size === 0 && read && !key.startsWith("bao-outboard/")) wrong.push(`${key}: ${version} read the damaged byte and refused nothing`);
      }
    }
    expect(wrong).toEqual([]);
    expect(damaged).toBeGreaterThan(0);
  });
});

/** One wrong bit in any object that a read depends on: refused by its address, and everything else reads as before. */

import { type Dataset, init, isDreamDbError, memoryStore, openDataset } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { expectFailure } from "../support/failure.js";
import { loadObjects, loadSidecar } from "../support/fixtures.js";
import { recording } from "../support/recording.js";
import { addressOfDigest, blake3Hex, integer, type RefFact } from "../support/sidecar.js";

await init();

/** One read of a dataset, by what it is called. */
interface Read {
  readonly name: string;
  run(ds: Dataset): Promise<unknown>;
}

type Objects = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Every Item and Constant of a version. */
function readsOf(fact: RefFact): Read[] {
  return Object.entries(fact.fields).flatMap(([name, { items, mime }]): Read[] => {
    if (items === undefined) return [{ name, run: (ds) => ds.constant(name).read() }];
    return items.map(({ anchor }) => {
      const at = integer(anchor);
      return { name: `${name} at ${at}`, run: (ds) => (mime === undefined ? ds.readArrayItem(name, at) : ds.media(name).read(at)) };
    });
  });
}

/** `bytes` with one bit turned: which one depends on the key, so every run turns the same. An object of no bytes gets one. */
function flipped(key: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.byteLength === 0) return Uint8Array.of(0);
  const copy = new Uint8Array(bytes);
  const seed = Array.from(key).reduce((hash, character) => Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);
  const bit = seed % (bytes.byteLength * 8);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

/** The objects with one of them damaged. */
function damaged(objects: Objects, key: string): Objects {
  return new Map(objects).set(key, flipped(key, objects.get(key) ?? new Uint8Array(0)));
}

/**
 * A value as text, to the bit: thousands are compared. Without what was checked of it: a range, read alone, is part of a whole later, when
 * a neighbour's read brought that.
 */
function spelled(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (name === "verified") return undefined;
    if (typeof part === "bigint") return `${part}n`;
    return ArrayBuffer.isView(part) ? `${part.constructor.name} ${new Uint8Array(part.buffer, part.byteOffset, part.byteLength).join()}` : part;
  });
}

/** What became of a read: its value, or what its refusal says. */
async function outcome(read: Promise<unknown>): Promise<string> {
  try {
    return spelled(await read);
  } catch (error) {
    if (!isDreamDbError(error)) throw error;
    const { code, key, expected, actual } = error;
    return spelled({ code, key, expected, actual });
  }
}

const datasets = await Promise.all(
  (["arrays-basic", "packs", "constants"] as const).map(async (fixture) => {
    const sidecar = await loadSidecar(fixture);
    const objects: Objects = await loadObjects(fixture, sidecar);
    const fact = sidecar.refs["main"];
    if (fact === undefined) throw new Error(`${fixture} has no main`);
    const reads = await Promise.all(
      readsOf(fact).map(async (read) => {
        const store = recording(memoryStore(objects));
        const result = await read.run(await openDataset(store));
        const { form, verified } = result as { form?: string; verified?: string };
        return { ...read, value: spelled(result), packed: form === "packed", ranged: verified === "range", keys: new Set(store.keys()) };
      }),
    );
    const touched = new Set(reads.flatMap(({ keys }) => [...keys]));
    return { fixture, objects, fact, reads, keys: [...touched].sort(), manifest: `manifests/${fact.manifest}` };
  }),
);

describe.each(datasets)("$fixture", ({ objects, fact, reads, keys, manifest }) => {
  const tracks = Object.values(fact.fields).map(({ modality, track }) => `${fact.timeline}/${modality}/track/${track}`);

  test("everything is read from the Ref, its manifest, the Tracks in force, payloads, and the outboards of packs", async () => {
    expect(keys.filter((key) => key.startsWith("refs/"))).toEqual(["refs/main"]);
    expect(keys.filter((key) => key.startsWith("manifests/"))).toEqual([manifest]);
    expect(keys.filter((key) => key.includes("/track/"))).toEqual([...new Set(tracks)].sort());
    const packs = new Set(reads.filter(({ ranged }) => ranged).flatMap(({ keys: needs }) => [...needs].filter((key) => key.includes("/0000000000000000/"))));
    expect(keys.filter((key) => key.startsWith("bao-outboard/")).sort()).toEqual([...packs].map((key) => `bao-outboard/${key.split("/").at(-1)}`).sort());
    expect(keys.filter((key) => key.startsWith("genesis/"))).toEqual([]);
    expect([...objects.keys()].some((key) => key.startsWith("genesis/"))).toBe(true);

    const least = memoryStore(keys.map((key) => [key, objects.get(key) ?? new Uint8Array(0)] as const));
    const ds = await openDataset(least);
    for (const { run, value } of reads) expect(await outcome(run(ds))).toBe(value);
  });

  test("a wrong bit in the manifest is refused when the dataset is opened", async () => {
    const error = await expectFailure(openDataset(memoryStore(damaged(objects, manifest))), "HashMismatch");
    expect(error.key).toBe(manifest);
    expect(error.expected).toBe(fact.manifest);
  });

  test.each(keys.filter((key) => !/^(refs|manifests)\//.test(key)))("a wrong bit in %s is refused by all that depends on it, and by nothing else", async (key) => {
    const objectsNow = damaged(objects, key);
    const actual = addressOfDigest(blake3Hex(objectsNow.get(key) ?? new Uint8Array(0)));
    const refusal = spelled({ code: "HashMismatch", key, expected: key.split("/").at(-1), actual });
    const ds = await openDataset(memoryStore(objectsNow));
    let refused = 0;
    for (const { name, run, value, packed, keys: needs } of reads) {
      const depends = needs.has(key);
      const first = await outcome(run(ds));
      if (depends && packed && !key.includes("/track/")) {
        // A range is proved by itself: where the bit is in none of its bytes and nodes, it is what it was; elsewhere it is refused by name.
        expect(first === value || first.includes('"HashMismatch"') || (key.startsWith("bao-outboard/") && /"Pack(Length|SliceOutOfBounds)"/.test(first))).toBe(true);
        refused += Number(first !== value);
        expect([name, await outcome(run(ds))]).toEqual([name, first]);
        continue;
      }
      refused += Number(depends);
      expect([name, first]).toEqual([name, depends ? refusal : value]);
      // Nor is it taken for good at the second time.
      if (depends) await expectFailure(run(ds), "HashMismatch");
    }
    // Items cover their packs; of an outboard, no range needs the nodes within it.
    if (!key.startsWith("bao-outboard/")) expect(refused).toBeGreaterThan(0);
  });

  test("the right object in its place again is read by the same dataset", async () => {
    const key = keys.find((candidate) => candidate.includes("/track/")) ?? "";
    const store = memoryStore(damaged(objects, key));
    const ds = await openDataset(store);
    const [dependent] = reads.filter(({ keys: needs }) => needs.has(key));
    if (dependent === undefined) throw new Error("no read depends on a Track");
    await expectFailure(dependent.run(ds), "HashMismatch");
    store.set(key, objects.get(key) ?? new Uint8Array(0));
    expect(await outcome(dependent.run(ds))).toBe(dependent.value);
  });
});

test("a wrong bit in a Ref leads to no other manifest than an absent one", async () => {
  const [first] = datasets;
  if (first === undefined) throw new Error("no datasets");
  const ref = first.objects.get("refs/main") ?? new Uint8Array(0);
  for (let bit = 0; bit < ref.byteLength * 8; bit++) {
    const wrong = new Uint8Array(ref);
    wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    await expectFailure(openDataset(memoryStore(new Map(first.objects).set("refs/main", wrong))), bit < 8 ? "RefBody" : "NotFound");
  }
});

describe.each(["available", "never"] as const)("under verify: %s", (verify) => {
  test.each(datasets)("$fixture: manifests and Tracks are checked all the same, whole Items unless never", async ({ objects, reads, keys, manifest }) => {
    await expectFailure(openDataset(memoryStore(damaged(objects, manifest)), "main", { verify }), "HashMismatch");
    for (const key of keys.filter((candidate) => !/^(refs|manifests)\//.test(candidate))) {
      const ds = await openDataset(memoryStore(damaged(objects, key)), "main", { verify });
      for (const { name, run, ranged, value } of reads.filter((read) => read.keys.has(key))) {
        const checked = key.includes("/track/") || (verify === "available" && !ranged);
        const result = await outcome(run(ds));
        // What is not hashed may still be refused for what it says.
        if (!ranged || verify === "never") expect([name, result.includes('"HashMismatch"')]).toEqual([name, checked]);
        else expect(result === value || /"(HashMismatch|PackLength|PackSliceOutOfBounds)"/.test(result)).toBe(true);
      }
    }
  });
});

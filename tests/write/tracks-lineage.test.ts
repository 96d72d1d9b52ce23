/** The fixtures' Tracks along their lineage: each comes of the one before it, of its new entries, with all its pages. */
import { codec, init } from "dreamdb-arrays";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { call } from "../../ts/wasm.js";
import { constantTrack } from "../../ts/write/tracks.js";
import { type Decoded, decoded, inside } from "../conformance/support/cbor-reader.js";
import { bindingOf, columnsOf, decodeOf, empty, entriesIn, type Entry, grow, type PageMap } from "../support/track-writes.js";

const FIXTURES = new URL("../fixtures/", import.meta.url).pathname;

/** Objects of the folders of a name, by address. */
function objectsIn(folder: string): PageMap {
  const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true }).filter((file) => file.isFile() && basename(file.parentPath) === folder);
  return new Map(
    files.map((file) => {
      const object = new Uint8Array(readFileSync(join(file.parentPath, file.name)));
      return [codec.addressOf(object), object];
    }),
  );
}

const nameOf = (entry: Entry): string => Object.values(entry).join();

/** The entries of a child that its parent does not have; `undefined` if it lacks some of the parent's. */
function newEntries(parent: readonly Entry[], child: readonly Entry[]): Entry[] | undefined {
  const left = new Map<string, number>();
  for (const entry of parent) left.set(nameOf(entry), (left.get(nameOf(entry)) ?? 0) + 1);
  const added = child.filter((entry) => {
    const count = left.get(nameOf(entry)) ?? 0;
    left.set(nameOf(entry), count - 1);
    return count <= 0;
  });
  return [...left.values()].some((count) => count > 0) ? undefined : added;
}

let tracks: PageMap;
let pages: PageMap;

beforeAll(async () => {
  await init();
  [tracks, pages] = [objectsIn("track"), objectsIn("index")];
});

const addressIn = (edge: Decoded, end: string): string => call((core) => core.addressTexts(inside(edge, end, "address") as Uint8Array));

it("is there without Items, and as a Constant", () => {
  const counts = { empty: 0, constant: 0 };
  for (const track of tracks.values()) {
    const { modality, timeline } = bindingOf(track);
    if (modality.startsWith("scalar.")) continue;
    const index = decodeOf(track);
    if (index.form === "constant" && index.address !== undefined) {
      expect(constantTrack({ modality }, timeline, index.address).objects[0]?.bytes).toEqual(track);
      counts.constant++;
    } else if (index.form !== "constant" && index.form !== "paged" && entriesIn(pages, track).length === 0) {
      expect(empty(modality, timeline)).toEqual(track);
      counts.empty++;
    }
  }
  expect(counts.empty).toBeGreaterThanOrEqual(20);
  expect(counts.constant).toBeGreaterThanOrEqual(10);
});

it("comes of the one before it", async () => {
  const edges = new Map<string, readonly [string, string]>();
  for (const manifest of objectsIn("manifests").values()) {
    const listed = inside(decoded(manifest), "tracks", "edges");
    for (const edge of Array.isArray(listed) ? (listed as readonly Decoded[]) : []) {
      const pair = [addressIn(edge, "exact_parent"), addressIn(edge, "child")] as const;
      edges.set(pair.join(), pair);
    }
  }
  let compared = 0;
  for (const [before, after] of edges.values()) {
    const [parent, child] = [tracks.get(before), tracks.get(after)];
    if (parent === undefined || child === undefined) continue;
    const { modality } = bindingOf(child);
    const { array: isArray, trackKind } = call((core) => core.parseModality(modality));
    if (modality.startsWith("scalar.") || trackKind === "constant") continue;
    const added = newEntries(entriesIn(pages, parent), entriesIn(pages, child));
    // Beside appends there are other edits.
    if (added === undefined || added.length === 0) continue;
    const grown = await grow(new Map(pages), parent, columnsOf(added, isArray));
    expect(codec.addressOf(grown.track)).toBe(after);
    for (const { address, object } of grown.pages) expect(pages.get(address)).toEqual(object);
    compared++;
  }
  expect(compared).toBeGreaterThanOrEqual(40);
});

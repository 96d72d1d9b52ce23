/** Manifests for tests of writers: those that the reference wrote into the fixtures, and versions that follow a given one. */
import { codec } from "dreamdb-arrays";
import { inject } from "vitest";
import type { CoreManifest } from "../../pkg/dreamdb_arrays.js";
import { call } from "../../ts/wasm.js";
import type { Placed } from "../../ts/write/manifests/bindings.js";
import { type Edit, firstManifest, nextManifest, type WrittenManifest } from "../../ts/write/manifests/edit.js";
import type { NewField } from "../../ts/write/manifests/fields.js";
import { ALL_FIXTURES, fixtureUrl, loadSidecar } from "./fixtures.js";

/** An address for a test to name. */
export const named = (text: string): string => codec.addressOf(new TextEncoder().encode(text));

/** Any timeline. */
export const timeline = (): string => named("a timeline");

/** What the core reads in a manifest. */
export const read = (object: Uint8Array): CoreManifest => call((core) => core.decodeManifest(object));

/** A Track of that name. */
export const placed = (track: string, start = 0n, end = 1n): Placed => ({ address: named(track), start, end });

/** A first version with these fields. */
export function first(...fields: readonly NewField[]): WrittenManifest {
  const place = ({ kind }: NewField): Placed => (kind === "constant" ? placed("k", 0n, 2n ** 64n - 1n) : placed("empty"));
  return firstManifest(timeline(), { timestamp: 1n, writer: "w", moved: [], added: fields.map((field) => ({ field, track: place(field) })) });
}

/** The version that follows. */
export function next(parent: Uint8Array, edit: Partial<Edit>): WrittenManifest {
  return nextManifest(parent, read(parent), { timestamp: 0n, writer: "", moved: [], added: [], ...edit });
}

/** The version that follows, in which fields have the Tracks of these names. */
export function moved(parent: Uint8Array, tracks: Readonly<Record<string, string>>): WrittenManifest {
  return next(parent, { moved: Object.entries(tracks).map(([field, track]) => ({ field, track: placed(track, 5n, 6n) })) });
}

/** The version that follows, with one more field. */
export const grown = (parent: Uint8Array, field: NewField): WrittenManifest => next(parent, { added: [{ field, track: placed("new") }] });

/** Every manifest that the reference wrote into the fixtures, by address. */
export async function fixtureManifests(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const found = new Map<string, Uint8Array<ArrayBuffer>>();
  const walk = async (data: string, address: string): Promise<void> => {
    const answer = await fetch(`${data}/manifests/${address}`);
    // A fixture may lack versions that are merged into one that it has.
    if (found.has(address) || !answer.ok) return;
    const object = new Uint8Array(await answer.arrayBuffer());
    found.set(address, object);
    for (const parent of read(object).parents) await walk(data, parent);
  };
  const refs = async (data: string, names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const body = await (await fetch(`${data}/refs/${name}`)).arrayBuffer();
      await walk(data, call((core) => core.addressTexts(new Uint8Array(body))));
    }
  };
  await Promise.all(
    ALL_FIXTURES.map(async (fixture) => refs(fixtureUrl(fixture), Object.keys((await loadSidecar(fixture)).refs))),
  );
  await refs(`${inject("fixturesUrl")}/scalar-tree/data`, ["main"]);
  return found;
}

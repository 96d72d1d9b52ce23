/** The fixtures over HTTP, for every host that tests run in. */

import { inject } from "vitest";
import type { Sidecar } from "./sidecar.js";

/** Datasets that this version reads whole. */
export const FIXTURES = ["arrays-basic", "arrays-continuous", "constants", "packs", "singles-bao", "hand-minimal"] as const;

/** Every dataset of tests/fixtures. */
export const ALL_FIXTURES = [
  "arrays-basic", "arrays-continuous", "branches", "chunked", "constants", "episode", "hand-minimal", "layers", "lineage-v4-entity", "packs",
  "paged-image-reference", "paged-small", "scalars", "singles-bao", "tombstones", "union-merge",
] as const;

/** Name of a fixture. */
export type Fixture = (typeof ALL_FIXTURES)[number];

/** URL of a fixture's dataset. */
export function fixtureUrl(fixture: Fixture): string {
  return `${inject("fixturesUrl")}/${fixture}/data`;
}

/** What a fixture holds, as the reference says; of `episode` it says the values alone. */
export async function loadSidecar(fixture: Fixture): Promise<Sidecar> {
  const answer = await fetch(`${inject("fixturesUrl")}/${fixture}/expected.json`);
  if (!answer.ok) throw new Error(`no sidecar of ${fixture}: ${answer.status}`);
  return (await answer.json()) as Sidecar;
}

/** Every object of a fixture, by key. */
export async function loadObjects(fixture: Fixture, sidecar: Sidecar): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const keys = Object.keys(sidecar.objects);
  const load = async (key: string) => {
    const answer = await fetch(`${fixtureUrl(fixture)}/${key}`);
    if (!answer.ok) throw new Error(`no object ${key} in ${fixture}: ${answer.status}`);
    return [key, new Uint8Array(await answer.arrayBuffer())] as const;
  };
  return new Map(await Promise.all(keys.map(load)));
}

/** Whole fixtures read through a store and compared with what the reference reads back, under every policy. */

import { type Dataset, init, isArrayField, openDataset, type Store, type VerifyPolicy } from "dreamdb-arrays";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { expectDeclared, expectField, expectManifest, expectRows, type Opened } from "../../support/fixtures-check.js";
import { recording } from "../../support/recording.js";
import { type ArrayFact, type BytesFact, expectArray, expectBytes, integer, type ItemFact, type PartsFact, type RefFact, type Sidecar } from "../../support/sidecar.js";

await init();

export const POLICIES: readonly VerifyPolicy[] = ["always", "available", "never"];

/** What a fixture holds. */
export async function sidecarOf<T = Sidecar>(fixture: string): Promise<T> {
  const answer = await fetch(`${inject("fixturesUrl")}/${fixture}/expected.json`);
  if (!answer.ok) throw new Error(`no sidecar of ${fixture}: ${answer.status}`);
  return (await answer.json()) as T;
}

/** What the version `main` of a fixture is. */
export function mainOf({ refs }: Sidecar): RefFact {
  const main = refs["main"];
  if (main === undefined) throw new Error("the fixture has no main");
  return main;
}

/** Define the tests of one fixture: everything that its sidecar says, under each policy. */
export function describeFixture(
  fixture: string,
  sidecar: Sidecar,
  makeStore: (verify: VerifyPolicy) => Store,
  policies: readonly VerifyPolicy[] = POLICIES,
): void {
  const fact = mainOf(sidecar);
  describe.each(policies)(`${fixture}, verified %s`, (verify) => {
    let opened: Opened;
    beforeAll(async () => {
      const store = recording(makeStore(verify));
      opened = { ds: await openDataset(store, "main", { verify }), store, fact, verify };
    });

    test("the manifest says what the sidecar says", () => expectManifest(opened));

    test.each(Object.entries(fact.fields))("field %s is declared and reads as in the sidecar", async (name, field) => {
      expectDeclared(opened.ds.fields.find((info) => info.name === name), field);
      await expectField(opened, name, field);
    });

    test("the rows of all fields are those of the sidecar", () => expectRows(opened));
  });
}

/** The fixture `episode`, whose sidecar is of an older form: values alone. */
export interface Episode {
  readonly refs: { readonly main: { readonly manifest: string; readonly count: number; readonly fields: Readonly<Record<string, EpisodeField>> } };
}

interface EpisodeField {
  readonly items?: readonly ItemFact[];
  readonly constant?: ArrayFact | string;
}

/** Define the tests of `episode`: every value, under each policy. */
export function describeEpisode(sidecar: Episode, makeStore: (verify: VerifyPolicy) => Store): void {
  const { manifest, fields } = sidecar.refs.main;
  test.each(POLICIES)("episode, verified %s: every value is the sidecar's", async (verify) => {
    const ds = await openDataset(makeStore(verify), "main", { verify });
    expect(ds.manifest.address).toBe(manifest);
    expect(ds.fields.map(({ name }) => name).sort()).toEqual(Object.keys(fields).sort());
    for (const [name, { items = [], constant }] of Object.entries(fields)) {
      if (constant !== undefined) await expectConstant(ds, name, constant);
      else expect(items.length).toBeGreaterThan(0);
      for (const item of items) await expectItem(ds, name, item);
    }
  });
}

async function expectItem(ds: Dataset, name: string, { anchor, value }: ItemFact): Promise<void> {
  if (ds.fields.some((info) => info.name === name && isArrayField(info))) {
    const item = await ds.readArrayItem(name, integer(anchor));
    if (item === undefined) throw new Error(`${name} has no Item at its anchor`);
    expectArray(item, value as ArrayFact | PartsFact);
    return;
  }
  const item = await ds.media(name).read(integer(anchor));
  if (item === undefined) throw new Error(`${name} has no Item at its anchor`);
  expectBytes(item.bytes, value as BytesFact);
}

async function expectConstant(ds: Dataset, name: string, constant: ArrayFact | string): Promise<void> {
  const value = await ds.constant(name).read();
  if (value === undefined) throw new Error(`${name} has no value`);
  if (value.family === "text") expect(value.text).toBe(constant);
  else expectArray(value, constant as ArrayFact);
}

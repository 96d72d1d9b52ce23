/** Every value of the fixtures that the reference wrote, against what the reference reads back: over each store, under each policy. */

import { fileURLToPath } from "node:url";
import { httpStore, init, memoryStore, openDataset, type Store, type VerifyPolicy } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { beforeAll, describe, expect, test } from "vitest";
import { FIXTURES, type Fixture, fixtureUrl, loadObjects, loadSidecar } from "../support/fixtures.js";
import { expectDeclared, expectField, expectManifest, expectObjects, expectRows, type Opened } from "../support/fixtures-check.js";
import { recording } from "../support/recording.js";
import { hexBytes, type RefFact, type Sidecar } from "../support/sidecar.js";

await init();

const STORES: Readonly<Record<string, (fixture: Fixture, sidecar: Sidecar) => Promise<Store>>> = {
  folder: async (fixture) => fsStore(fileURLToPath(new URL(`../fixtures/${fixture}/data`, import.meta.url))),
  HTTP: async (fixture) => httpStore(fixtureUrl(fixture)),
  memory: async (fixture, sidecar) => memoryStore(await loadObjects(fixture, sidecar)),
};

const POLICIES: readonly VerifyPolicy[] = ["always", "available", "never"];

const sidecars = await Promise.all(FIXTURES.map(async (fixture) => [fixture, await loadSidecar(fixture)] as const));

describe.each(sidecars)("%s", (fixture, sidecar) => {
  test("every object is what its name says, also by another BLAKE3", async () => {
    const objects = await loadObjects(fixture, sidecar);
    expectObjects(objects, sidecar.objects);
    for (const [ref, hex] of Object.entries(sidecar.ref_bytes)) expect(objects.get(`refs/${ref}`)).toEqual(hexBytes(hex));
  });

  describe.each(Object.keys(STORES))("from %s", (medium) => {
    describe.each(Object.entries(sidecar.refs))("version %s", (ref, fact) => {
      checkVersion(async () => (await STORES[medium]?.(fixture, sidecar)) ?? memoryStore(), ref, fact, medium === "memory" ? POLICIES : ["always"]);
    });
  });
});

function checkVersion(makeStore: () => Promise<Store>, ref: string, fact: RefFact, policies: readonly VerifyPolicy[]): void {
  describe.each(policies)("verified %s", (verify) => {
    let opened: Opened;
    beforeAll(async () => {
      const store = recording(await makeStore());
      opened = { ds: await openDataset(store, ref, { verify }), store, fact, verify };
    });

    test("the Ref and its manifest alone are read, and say what the sidecar says", () => {
      expect(opened.store.keys()).toEqual([`refs/${ref}`, `manifests/${fact.manifest}`]);
      expectManifest(opened);
    });

    test("the manifest can be pinned by its address", async () => {
      const store = recording(opened.store);
      const pinned = await openDataset(store, { manifest: fact.manifest }, { verify });
      expect(store.keys()).toEqual([`manifests/${fact.manifest}`]);
      expect(pinned.manifest).toEqual(opened.ds.manifest);
      expect(pinned.fields).toEqual(opened.ds.fields);
    });

    test.each(Object.entries(fact.fields))("field %s is declared and reads as in the sidecar", async (name, field) => {
      expectDeclared(opened.ds.fields.find((info) => info.name === name), field);
      await expectField(opened, name, field);
    });

    test("the rows of all fields are those of the sidecar", () => expectRows(opened));
  });
}

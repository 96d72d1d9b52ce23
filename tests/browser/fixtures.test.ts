/** The fixtures as a page of another origin reads them: every value over HTTP, and packed Items by Range. */

import { blobStore, type Fetch, httpStore, init, openDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { FIXTURES, fixtureUrl, loadObjects, loadSidecar } from "../support/fixtures.js";
import { expectDeclared, expectField, expectManifest, expectRows, type Opened } from "../support/fixtures-check.js";
import { recording } from "../support/recording.js";
import { type BytesFact, expectBytes, integer } from "../support/sidecar.js";

await init();

const sidecars = await Promise.all(FIXTURES.map(async (fixture) => [fixture, await loadSidecar(fixture)] as const));

describe.each(sidecars)("%s", (fixture, sidecar) => {
  describe.each(Object.entries(sidecar.refs))("version %s", (ref, fact) => {
    let opened: Opened;
    beforeAll(async () => {
      const store = recording(httpStore(fixtureUrl(fixture)));
      opened = { ds: await openDataset(store, ref), store, fact, verify: "always" };
    });

    test("the manifest says what the sidecar says", () => expectManifest(opened));

    test.each(Object.entries(fact.fields))("field %s is declared and reads as in the sidecar", async (name, field) => {
      expectDeclared(opened.ds.fields.find((info) => info.name === name), field);
      await expectField(opened, name, field);
    });

    test("the rows of all fields are those of the sidecar", () => expectRows(opened));
  });
});

test("files that a user picked read the same", async () => {
  const sidecar = await loadSidecar("arrays-continuous");
  const objects = await loadObjects("arrays-continuous", sidecar);
  const store = recording(blobStore(Array.from(objects, ([key, bytes]) => [key, new Blob([bytes])] as const)));
  const fact = sidecar.refs["main"];
  if (fact === undefined) throw new Error("the fixture has no main");
  const opened: Opened = { ds: await openDataset(store), store, fact, verify: "always" };
  for (const [name, field] of Object.entries(fact.fields)) await expectField(opened, name, field);
});

test("a packed Item is one request of exactly its bytes, and an empty one none", async () => {
  const ranges: (string | null)[] = [];
  const spy: Fetch = (input, options) => {
    ranges.push(new Headers(options?.headers).get("range"));
    return fetch(input, options);
  };
  const fact = (await loadSidecar("packs")).refs["main"];
  const items = fact?.fields["im2"]?.items ?? [];
  const images = (await openDataset(fixtureUrl("packs"), "main", { verify: "never", fetch: spy })).media("im2");
  await images.count();
  expect(items.length).toBe(18);
  for (const { anchor, value } of items) {
    ranges.splice(0);
    const image = await images.read(integer(anchor));
    const expected = value as BytesFact;
    expectBytes(image?.bytes ?? new Uint8Array(1), expected);
    const [first, last] = /^bytes=(\d+)-(\d+)$/.exec(ranges[0] ?? "")?.slice(1).map(Number) ?? [0, -1];
    expect(ranges.length).toBe(expected.len === 0 ? 0 : 1);
    expect((last ?? 0) - (first ?? 0) + 1).toBe(expected.len);
  }
});

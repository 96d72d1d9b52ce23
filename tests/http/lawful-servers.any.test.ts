/** Whole datasets from servers that do something oddly, but within their rights: every value is the same as from any other. */

import { httpStore, init, openDataset } from "dreamdb-arrays";
import { h2Fetch } from "h2-fetch";
import { beforeAll, describe, expect, it } from "vitest";
import { type Mode, openBroken } from "../support/broken.js";
import { loadSidecar } from "../support/fixtures.js";
import { type ArrayFact, type BytesFact, type PartsFact, expectArray, expectBytes, integer } from "../support/sidecar.js";
import { expectField, expectManifest, expectRows, type Opened } from "../support/fixtures-check.js";
import { recording } from "../support/recording.js";

beforeAll(() => init());

const LAWFUL: readonly Mode[] = [
  "416-past-end", "exact206-noContentRange", "star-total", "odd-content-range", "no-expose-headers", "HEAD-405", "OPTIONS-405", "raw-path",
  "etag-changing", "cacheable", "200-full", "206-identity", "redirect-cross-origin",
];

describe.each(["packs", "arrays-basic", "constants"] as const)("the dataset %s", (fixture) => {
  it.each(LAWFUL)("from a server of the kind %s", async (mode) => {
    const fact = (await loadSidecar(fixture)).refs["main"];
    if (fact === undefined) throw new Error("the fixture has no main");
    const broken = await openBroken({ fixture });
    const at = mode === "star-total" ? "http2" : "near";
    const verify = mode === "cacheable" ? "available" : "always";
    const store = recording(httpStore(`${broken.base(mode, at)}?sig=x`, at === "http2" ? { fetch: h2Fetch } : {}));
    const opened: Opened = { ds: await openDataset(store, "main", { verify }), store, fact, verify };
    expectManifest(opened);
    for (const [name, field] of Object.entries(fact.fields)) await expectField(opened, name, field);
    await expectRows(opened);
    const requests = await broken.requests();
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(requests.every(({ headers }) => /^(bytes=\d+-\d+)?$/.test(headers["range"] ?? ""))).toBe(true);
  });
});

describe("Items of every kind of the dataset episode", () => {
  it.each(LAWFUL)("from a server of the kind %s", async (mode) => {
    const fields = (await loadSidecar("episode")).refs["main"]?.fields ?? {};
    const broken = await openBroken({ fixture: "episode" });
    const ds = await openDataset(broken.base(mode));
    const families = { pose: ds.array("pose"), joints: ds.array("joints"), hits: ds.ragged("hits"), contacts: ds.csr("contacts") } as const;
    for (const [name, field] of Object.entries(families)) {
      const items = fields[name]?.items ?? [];
      const outcomes = await field.readMany(items.map(({ anchor }) => integer(anchor)));
      expect(outcomes.length).toBeGreaterThan(0);
      for (const [at, outcome] of outcomes.entries()) {
        if (outcome.status !== "value") throw new Error(`${name} at ${outcome.anchor}: ${outcome.status}`);
        expectArray(outcome.value, items[at]?.value as ArrayFact | PartsFact);
      }
    }
    const images = fields["image"]?.items ?? [];
    const outcomes = await ds.media("image").readMany(images.map(({ anchor }) => integer(anchor)));
    expect(outcomes.length).toBe(12);
    for (const [at, outcome] of outcomes.entries()) expectBytes(outcome.status === "value" ? outcome.value.bytes : new Uint8Array(0), images[at]?.value as BytesFact);
  });
});

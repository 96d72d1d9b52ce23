/** Pages of other origins: no preflight, hidden headers are no obstacle, and what a browser blocks is explained. */

import { httpStore } from "dreamdb-arrays";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken, rangesOf } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const KEY = "t/array.f32.kind=event/item@1";
const OBJECT = pattern(20);
let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { [KEY]: { pattern: 20 } } });
});
beforeEach(() => broken.forget());

const store = (mode: Mode) => httpStore(`${broken.base(mode)}?sig=secret`, { timeoutMs: 5000 });

it("this page is of another origin than the servers", () => {
  expect(new URL(broken.base("exact206")).origin).not.toBe(location.origin);
});

describe("a page of another origin", () => {
  it("reads without asking for leave, from servers that would refuse to give it", async () => {
    for (const mode of ["exact206", "no-expose-headers", "OPTIONS-405", "200-full", "HEAD-403", "HEAD-405", "redirect-cross-origin"] as const) {
      expect(await store(mode).getRange(KEY, 10, 5)).toEqual(OBJECT.slice(10, 15));
      expect(await store(mode).get(KEY)).toEqual(OBJECT);
    }
    const requests = await broken.requests();
    expect(requests.map(({ method }) => method)).toEqual(requests.map(() => "GET"));
  });

  it("gets the range after a redirect to a third origin, to which it is sent again", async () => {
    expect(await store("redirect-cross-origin").getRange(KEY, 10, 5)).toEqual(OBJECT.slice(10, 15));
    const requests = await broken.requests();
    expect(requests.map(({ at }) => at)).toEqual(["near", "far"]);
    expect(rangesOf(requests)).toEqual(["bytes=10-14", "bytes=10-14"]);
  });

  it("finds out by count what hidden headers do not tell", async () => {
    const hidden: [Mode, string][] = [["206-short", "BodyLength"], ["206-long", "BodyLength"], ["close-early", "BodyLength"], ["close-delimited", "BodyLength"]];
    for (const [mode, code] of hidden) expect(await expectFailure(store(mode).getRange(KEY, 10, 5))).toMatchObject({ code });
  });

  it.each(["no-cors", "redirect-no-cors", "redirect-hidden", "503-no-cors"] as const)(
    "is told of an answer that the browser blocked (%s) what may have been the cause, and where",
    async (mode) => {
      const error = await expectFailure(store(mode).getRange(KEY, 10, 5), "Network");
      expect(error.url).toBe(`${broken.base(mode)}/${KEY}`);
      expect(error.message).toMatch(/the server, or the target of a redirect, does not allow this origin \(CORS\)/);
      expect(error.message).toMatch(/offline.*DNS.*mixed content.*blocker/);
      expect(error.message).not.toContain("secret");
    },
  );

  it("resolves a base against its own address", () => {
    expect(httpStore("/data/set?sig=secret").describe("refs/main")).toBe(`${location.origin}/data/set/refs/main`);
  });
});

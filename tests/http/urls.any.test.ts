/** The URL that base and key spell, as it arrives: one encoding, applied once, the key in the path and the base's query behind it. */

import { httpStore } from "dreamdb-arrays";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, openBroken } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const KEY = "t/array.f32.kind=event.storage=dense/refs/main@v1";
const ODD = "odd %?#\\ é";
let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { [KEY]: { pattern: 20 }, [ODD]: { pattern: 3 }, "set/d/k": { pattern: 4 } } });
});
beforeEach(() => broken.forget());

/** The targets of the requests, without the session. */
async function targets(): Promise<string[]> {
  return (await broken.requests()).map(({ target }) => target.replace(/^\/s\d+/, ""));
}

describe("a base URL", () => {
  it.each([
    ["as it is", "", ""],
    ["with a slash at its end", "/", ""],
    ["with a query", "?sv=1&sig=a%2Fb=", "?sv=1&sig=a%2Fb="],
    ["with a slash and a query", "/?sv=1&sig=x", "?sv=1&sig=x"],
    ["with a fragment", "#part", ""],
    ["with a query and a fragment", "?sig=x#part", "?sig=x"],
  ])("%s keeps its last segment, and its query is sent with every key", async (_what, end, query) => {
    const store = httpStore(`${broken.base("exact206")}/set/d${end}`);
    expect(await store.get("k")).toEqual(pattern(4));
    expect(await store.getRange("k", 1, 2)).toEqual(pattern(4).slice(1, 3));
    expect(await targets()).toEqual([`/exact206/set/d/k${query}`, `/exact206/set/d/k${query}`]);
    expect(store.describe("k")).toBe(`${broken.base("exact206")}/set/d/k`);
  });

  it("with a name and a password is refused in words, and sent by a fetch of the caller's own without them", async () => {
    const base = broken.base("exact206").replace("//", "//user:hunter2@");
    expect(() => httpStore(base)).toThrow(/pass a `fetch` that adds an Authorization header/);
    expect(() => httpStore(base)).not.toThrow(/hunter2/);
    const authorized = httpStore(base, { fetch: (url, init) => fetch(url.replace(/\/\/.*@/, "//"), init) });
    expect(await authorized.get("set/d/k")).toEqual(pattern(4));
  });
});

describe("a key", () => {
  // Servers and signers disagree on the encoded form of "=", so it goes out as it is written.
  it.each(["exact206", "raw-path"] as const)("with = and @ in it is found by a server that decodes paths and by one that does not: %s", async (mode) => {
    expect(await httpStore(broken.base(mode)).get(KEY)).toEqual(pattern(20));
    expect(await httpStore(broken.base(mode)).getRange(KEY, 10, 5)).toEqual(pattern(20).slice(10, 15));
    expect(await targets()).toEqual([`/${mode}/${KEY}`, `/${mode}/${KEY}`]);
  });

  it("that would end the path or be read as an escape is encoded, once", async () => {
    expect(await httpStore(broken.base("exact206")).get(ODD)).toEqual(pattern(3));
    expect(await targets()).toEqual(["/exact206/odd%20%25%3F%23%5C%20%C3%A9"]);
  });

  it("that looks encoded already is another key", async () => {
    await expectFailure(httpStore(broken.base("exact206")).get(KEY.replaceAll("=", "%3D")), "NotFound");
    expect((await targets())[0]).toContain("kind%253Devent");
  });
});

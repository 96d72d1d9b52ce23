/** Joining keys to base URLs: nothing lost, nothing eaten, nothing encoded twice. */

import { describe, expect, it } from "vitest";
import { httpStore } from "../../ts/store/http.js";
import { describeUrl, objectUrl, parseBase } from "../../ts/store/url.js";
import { expectThrown } from "../support/failure.js";

const join = (base: string | URL, key: string) => objectUrl(parseBase(base), key);

describe("a base URL", () => {
  it.each([
    ["https://h/d", "https://h/d/k"],
    ["https://h/d/", "https://h/d/k"],
    ["https://h", "https://h/k"],
    ["https://h/", "https://h/k"],
    ["https://h:8443/a/b.c", "https://h:8443/a/b.c/k"],
    ["https://h/d?sv=1&sig=a%2Bb", "https://h/d/k?sv=1&sig=a%2Bb"],
    ["https://h/d/?sv=1", "https://h/d/k?sv=1"],
    ["https://h?sv=1", "https://h/k?sv=1"],
    ["https://h/d#frag", "https://h/d/k"],
    ["https://h/d?sv=1#frag", "https://h/d/k?sv=1"],
    ["https://h/d?", "https://h/d/k"],
    ["https://h/a%2Fb/c%20d", "https://h/a%2Fb/c%20d/k"],
    ["https://h/kind=event", "https://h/kind=event/k"],
    ["HTTP://H/D", "http://h/D/k"],
  ])("%s leads to %s", (base, url) => {
    expect(join(base, "k")).toBe(url);
    expect(join(new URL(base), "k")).toBe(url);
  });

  it("given as a URL object is not changed by it", () => {
    const base = new URL("https://h/d?sv=1#frag");
    join(base, "k");
    expect(base.href).toBe("https://h/d?sv=1#frag");
  });

  it("must be http or https", () => {
    for (const base of ["file:///d", "s3://bucket/d", "data:,x"]) {
      expect(expectThrown(() => parseBase(base), "InvalidArgument").subject).toBe("base");
    }
  });

  it("with user info needs a fetch of its own, and never shows it", () => {
    const error = expectThrown(() => httpStore("https://user:hunter2@h/d?sig=secret"), "InvalidArgument");
    expect(JSON.stringify(error)).not.toMatch(/hunter2|secret/);
    const store = httpStore("https://user:hunter2@h/d?sig=secret", { fetch: async () => new Response() });
    expect(store.describe("k")).toBe("https://h/d/k");
  });
});

describe("a relative base URL", () => {
  const here = (globalThis as { location?: { href: string } }).location?.href;

  it("resolves against the location; where there is none it is refused, without its query", () => {
    if (here === undefined) {
      expect(expectThrown(() => parseBase("/data?sig=secret"), "InvalidArgument").message).not.toContain("secret");
    } else {
      expect(join("/data", "k")).toBe(new URL("/data/k", here).href);
      expect(join("data/x/", "k")).toBe(new URL("data/x/k", here).href);
    }
  });
});

describe("a key", () => {
  it.each([
    ["t/array.f32.kind=event.storage=dense/000000000000000a/d2xr", "t/array.f32.kind=event.storage=dense/000000000000000a/d2xr"],
    ["refs/main@v1", "refs/main@v1"],
    ["a:b,c;d+e&f!g*h'(i)~$", "a:b,c;d+e&f!g*h'(i)~$"],
    ["100%", "100%25"],
    ["a%3Db", "a%253Db"],
    ["%2e%2e/x", "%252e%252e/x"],
    ["a?b", "a%3Fb"],
    ["a#b", "a%23b"],
    ["a\\b", "a%5Cb"],
    ["a b\tc\nd", "a%20b%09c%0Ad"],
    ["\u00e9/\u65e5/\u{1f600}", "%C3%A9/%E6%97%A5/%F0%9F%98%80"],
    ['"<>^`{|}', "%22%3C%3E%5E%60%7B%7C%7D"],
    ["...", "..."],
  ])("%s is spelled %s", (key, path) => {
    const url = join("https://h/d?sv=1", key);
    expect(url).toBe(`https://h/d/${path}?sv=1`);
    // The spelling is final: no URL parser changes it any more.
    expect(new URL(url).href).toBe(url);
    expect(decodeURIComponent(new URL(url).pathname)).toBe(`/d/${key}`);
  });

  it("that could leave the base is refused, however it is described", () => {
    const base = parseBase("https://h/d?sv=1");
    for (const key of ["", ".", "..", "/a", "a/", "a//b", "a/..", "../a", "a/./b", "\0", "\udc00"]) {
      expectThrown(() => objectUrl(base, key), "InvalidArgument");
      expect(describeUrl(base, key)).toBe(`https://h/d/${key}`);
    }
  });
});

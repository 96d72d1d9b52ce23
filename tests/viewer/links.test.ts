/** The address bar: whoever opens it sees the same. */
import { Schema } from "dreamdb-arrays";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parseLink, queryOf } from "../../viewer/src/data/address.js";
import { served, type Served } from "./support/dataset.js";
import { type Stage, stage } from "./support/viewer.js";

let one: Stage;
let data: Served;
beforeAll(async () => {
  one = await stage();
  const rows = Array.from({ length: 50 }, (_, at) => ({ anchor: 1_000n * BigInt(at), values: { a: Float32Array.of(at, -at), b: new Float32Array(6).fill(at) } }));
  data = await served(new Schema().array("a", { dtype: "f32", shape: [2] }).array("b", { dtype: "f32", shape: [2, 3] }), rows);
});
afterAll(async () => {
  await one.close();
  await data.close();
});

const factOf = (name: string) => `.facts > div:has(dt:text-is("${name}")) dd`;

describe("a link", () => {
  test("is the same after it was taken apart and put together", () => {
    const query = "?source=https://h/d&ref=main&manifest=m&field=a+b&view=lines&anchor=18446744073709551615&from=1&to=2&x.rows=1";
    expect(queryOf(parseLink(query))).toBe(query);
    expect(parseLink("?anchor=18446744073709551616&from=-1&to=1e3")).toMatchObject({ anchor: undefined, from: undefined, to: undefined });
  });

  test("holds source, pinned manifest, field, anchor, view and window; opened elsewhere it shows the same, whatever the Ref names by then", async () => {
    const first = await one.open({ source: data.source, query: { field: "b", anchor: "7000", view: "table" } });
    await first.page.locator(factOf("Item at")).getByText("7000").waitFor();
    await first.page.keyboard.press("ArrowRight");
    await first.page.locator(factOf("Item at")).getByText("8000").waitFor();
    await first.page.keyboard.press("+");
    await expect.poll(() => new URL(first.page.url()).searchParams.get("from")).not.toBeNull();
    await expect.poll(() => new URL(first.page.url()).searchParams.get("anchor")).toBe("8000");
    const address = first.page.url();
    const { searchParams } = new URL(address);
    expect(Object.fromEntries(searchParams)).toMatchObject({ source: data.source, ref: "main", field: "b", view: "table", manifest: data.ds.current.manifest.address });
    await first.close();

    await data.ds.append([{ anchor: 60_000n, values: { a: new Float32Array(2), b: new Float32Array(6) } }]);
    const second = await one.open({ source: data.source, query: Object.fromEntries(searchParams) });
    await second.page.locator(factOf("Item at")).getByText("8000").waitFor();
    await second.page.locator(factOf("Items")).getByText("50", { exact: true }).waitFor();
    expect(await second.page.getByRole("button", { name: "Table", exact: true }).getAttribute("aria-pressed")).toBe("true");
    expect(await second.page.getByRole("textbox", { name: "from", exact: true }).inputValue()).toBe(searchParams.get("from"));
    await second.page.getByRole("button", { name: "Newest" }).click();
    await second.page.locator(factOf("Items")).getByText("51", { exact: true }).waitFor();
    await second.close();
  });

  test("to a version alone names no Ref that could be read again", async () => {
    const { address } = data.ds.current.manifest;
    const { page, close } = await one.open({ source: data.source, query: { manifest: address, field: "a" } });
    await page.locator(".field-head").waitFor();
    expect(await page.getByRole("button", { name: "Newest" }).count()).toBe(0);
    await expect.poll(() => new URL(page.url()).searchParams.get("manifest")).toBe(address);
    expect(new URL(page.url()).searchParams.has("ref")).toBe(false);
    await close();
  });

  test("to another field is one step back", async () => {
    const { page, close } = await one.open({ source: data.source, query: { field: "a" } });
    const fields = page.getByRole("navigation", { name: "Fields" });
    await fields.getByRole("button", { name: /^b/ }).click();
    await page.getByRole("heading", { name: "b", exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "a", exact: true }).waitFor();
    await page.goForward();
    await page.getByRole("heading", { name: "b", exact: true }).waitFor();
    await close();
  });

  test.each([
    ["a field that is not there", { field: "gone" }],
    ["a view that cannot show it", { field: "a", view: "spy" }],
    ["an anchor beyond the last", { field: "a", anchor: "99999999999" }],
    ["a window without Items", { field: "a", from: "1", to: "2" }],
    ["nonsense", { field: "a", anchor: "x", from: "9", to: "1", view: "<b>", "x.draw": "\u0000" }],
  ])("with %s still shows something, and no failure", async (_, query) => {
    const { page, close } = await one.open({ source: data.source, query });
    await page.locator(".field-head h2").waitFor();
    await expect.poll(() => page.locator(".waiting").count()).toBe(0);
    expect(await page.locator(".failure").count()).toBe(0);
    await close();
  });
});

describe("round trips", () => {
  /** The longest chain of requests each of which began after the one before it had ended. */
  function chain(spans: readonly { readonly start: number; readonly end: number }[]): number {
    const ordered = spans.toSorted((a, b) => a.end - b.end);
    const longest: number[] = [];
    for (const [at, { start }] of ordered.entries()) {
      longest.push(1 + Math.max(0, ...ordered.slice(0, at).flatMap(({ end }, before) => (end <= start ? [longest[before] ?? 0] : []))));
    }
    return Math.max(0, ...longest);
  }

  test.each([
    ["the first value comes three after a pinned version is asked for", "episode", "force", 3],
    ["and with the Ref before it, four in all", "episode", "force", 4],
  ])("%s", async (_, fixture, field, most) => {
    const source = `${inject("fixturesUrl")}/${fixture}/data`;
    const before = await one.open({ source, query: { field, view: "table" } });
    await before.page.locator(".verified").waitFor();
    await expect.poll(() => new URL(before.page.url()).searchParams.get("manifest")).not.toBeNull();
    const manifest = new URL(before.page.url()).searchParams.get("manifest") ?? "";
    await before.close();
    const { page, close } = await one.open({ source, query: { field, view: "table", ...(most === 3 ? { manifest } : {}) } });
    await page.locator(".verified").waitFor();
    const spans = await page.evaluate((origin) => {
      const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      return entries.filter(({ name }) => name.startsWith(origin)).map(({ name, startTime, responseEnd }) => ({ name, start: startTime, end: responseEnd }));
    }, new URL(source).origin);
    // Only what came up to the value: other strips are read after it.
    const value = spans.findIndex(({ name }) => name.includes("/data/") && /\/[0-9a-f]{16}\/[a-z0-9]{53}$/.test(name));
    expect(value).toBeGreaterThan(-1);
    expect(chain(spans.filter(({ end }) => end <= (spans[value]?.end ?? 0)))).toBe(most);
    await close();
  });
});

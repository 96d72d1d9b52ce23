/** Text that came with the data does nothing but stand there. */
import { Schema } from "dreamdb-arrays";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { served, type Served } from "./support/dataset.js";
import { type Stage, stage } from "./support/viewer.js";

const MARKUP = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>`;
const TURNED = "safe\u202egnp.exe\u2066\u0007";
const LONG = "x".repeat(100_000);

let one: Stage;
let data: Served;
beforeAll(async () => {
  one = await stage();
  const schema = new Schema()
    .array(MARKUP, { dtype: "f32", shape: [2, 3], units: MARKUP, frame: TURNED, axisOrder: `${MARKUP},"><b>`, semanticType: LONG })
    .array(TURNED, { dtype: "f32", shape: [3], units: "\u200b\u202d" })
    .array("__proto__", { dtype: "u8", shape: [] })
    .array("javascript:alert(1)", { dtype: "u8", shape: [2] });
  data = await served(schema, [{ anchor: 5, values: { [MARKUP]: new Float32Array(6), [TURNED]: new Float32Array(3), ["__proto__"]: Uint8Array.of(7), "javascript:alert(1)": new Uint8Array(2) } }]);
});
afterAll(async () => {
  await one.close();
  await data.close();
});

describe("of a dataset full of markup", () => {
  test.each([MARKUP, TURNED, "__proto__", "javascript:alert(1)"])("field %j is shown in every view, and is text everywhere", async (field) => {
    const { page, close } = await one.open({ source: data.source, query: { field } });
    const buttons = page.getByRole("navigation", { name: "Views" }).getByRole("button");
    await buttons.first().waitFor();
    for (const button of await buttons.all()) {
      await button.click();
      await expect.poll(() => page.locator(".waiting").count()).toBe(0);
      expect(await page.locator("#viewer img[src=x], #viewer script, #viewer b").count()).toBe(0);
    }
    await page.getByText("Type document and identity").click();
    expect(await page.evaluate(() => "hurt" in window)).toBe(false);
    // Nothing that turns or hides what stands around it is left, wherever it came from.
    const text = await page.evaluate(() => `${document.body.innerText} ${Array.from(document.querySelectorAll("*"), (e) => `${e.getAttribute("title") ?? ""} ${e.getAttribute("aria-label") ?? ""}`).join(" ")}`);
    expect([...text].filter((character) => /[\u202a-\u202e\u2066-\u2069\u200b]/.test(character) || character === "\u0007")).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await close();
  });
});

/** Loading the core where nothing goes wrong: the same in Node, which starts it at import, and in a browser, which fetches it. */
import { init } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { call, core, ready } from "../../ts/wasm.js";

test("concurrent first calls load once, and the core then answers", async () => {
  await Promise.all([init(), ready(), ready()]);
  expect(core()).toBe(core());
  expect(call((c) => typeof c)).toBe("object");
});

test("init() with a source does nothing once the core runs", async () => {
  await ready();
  await init("http://127.0.0.1:9/never-asked.wasm");
  expect(core()).toBeDefined();
});

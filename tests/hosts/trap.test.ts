/** What leaves the core when it fails: named errors, and after a trap a core that works again. */
import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import * as glue from "../../pkg/dreamdb_arrays.js";
import { init } from "../../ts/entry/slim.js";
import { call } from "../../ts/wasm.js";

const wasm = new Uint8Array(await readFile(new URL("../../pkg/dreamdb_arrays_bg.wasm", import.meta.url)));
await init(wasm);

/** The raw exports of the live instance. */
const raw = () => glue.initSync({ module: wasm });

/** Pages of the live instance; a fresh one has as many as the module declares. */
const pages = () => raw().memory.buffer.byteLength / 65536;

test("a real trap becomes Internal, and a fresh instance takes over", () => {
  const before = raw().memory;
  raw().memory.grow(16);
  const grown = pages();
  // No address space has room for this, and the allocator's way to say so is to trap.
  expect(() => call(() => raw().__wbindgen_malloc(-16, 1))).toThrow(
    expect.objectContaining({ name: "DreamDbError", code: "Internal", cause: expect.any(WebAssembly.RuntimeError) as Error }),
  );
  expect(raw().memory).not.toBe(before);
  expect(pages()).toBeLessThan(grown);
  expect(call(() => raw().__wbindgen_malloc(8, 1))).toBeGreaterThan(0);
});

test("a stack that ran out inside the core is Internal too", () => {
  const before = raw().memory;
  const deep = (): number => 1 + deep();
  expect(() => call(deep)).toThrow(expect.objectContaining({ code: "Internal", cause: expect.any(RangeError) as Error }));
  expect(raw().memory).not.toBe(before);
});

test("an instance that cannot be replaced counts as not loaded, and init() brings it back", async () => {
  const instance = vi.spyOn(WebAssembly, "Instance").mockImplementation(function () {
    throw new RangeError("out of memory");
  });
  try {
    const trap = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    expect(() => call(trap)).toThrow(expect.objectContaining({ code: "Internal" }));
    expect(() => call(() => 1)).toThrow(expect.objectContaining({ code: "WasmNotReady" }));
  } finally {
    instance.mockRestore();
  }
  await init(wasm);
  expect(call(() => 1)).toBe(1);
});

test("an error that Rust made keeps its code, message and facts", () => {
  const refusal = Object.assign(new Error("the payload holds 3 bytes, its type needs 4"), { code: "PayloadLength", expected: "4", actual: "3" });
  const before = raw().memory;
  expect(() => call(() => {
    throw refusal;
  })).toThrow(expect.objectContaining({ name: "DreamDbError", code: "PayloadLength", message: refusal.message, expected: "4", actual: "3" }));
  expect(raw().memory).toBe(before);
});

test("everything else passes through untouched", () => {
  const odd = new TypeError("not a function");
  expect(() => call(() => {
    throw odd;
  })).toThrow(odd);
});

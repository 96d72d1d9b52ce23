/** The memory store's own promises; what all stores promise is in store-contract.test.ts. */
import { memoryStore } from "dreamdb-arrays";
import { describe, expect, it } from "vitest";
import { expectThrown } from "../support/failure.js";

describe("an object given to a memory store", () => {
  it("must be bytes, not a number or a text that could be taken for a length or be cut", () => {
    for (const thing of [5, "text", [1, 2], null, undefined, Float32Array.of(1.5), new DataView(new ArrayBuffer(4)), new ArrayBuffer(4)]) {
      expectThrown(() => memoryStore([["k", thing as unknown as Uint8Array]]), "InvalidArgument");
    }
  });

  it("is copied: what becomes of the caller's bytes does not matter", async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const store = memoryStore({ k: bytes });
    bytes.fill(9);
    expect(await store.get("k")).toEqual(Uint8Array.of(1, 2, 3));
  });
});

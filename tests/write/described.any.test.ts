/** Small objects as a writer makes them: ItemManifests, which the core reads, and the genesis of a dataset, whose address is the timeline. */
import * as fc from "fast-check";
import { codec, Dataset, init, memoryStore, Schema } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { call } from "../../ts/wasm.js";
import { itemManifest } from "../../ts/write/store-items.js";
import { CborMap, decode, encodeSorted } from "../conformance/naive/cbor.js";
import { base32, multihash } from "../conformance/support/address.js";
import { concat } from "../conformance/support/cbor-writer.js";

await init();

const sizes = fc.array(fc.oneof(fc.nat(70_000), fc.integer({ min: 0, max: 2 ** 40 })), { minLength: 1, maxLength: 40 });

test("an ItemManifest says what it was made of, in its one encoding", () => {
  const property = fc.property(sizes, (all) => {
    const hashes = all.map((size) => multihash(new TextEncoder().encode(String(size))));
    const made = itemManifest(all.map((size, at) => [base32(hashes[at] ?? new Uint8Array(0)), size]));
    const total = all.reduce((sum, size) => sum + BigInt(size), 0n);
    const read = call((core) => core.decodeItemManifest(made, total));
    expect([read.addresses, read.sizes]).toEqual([concat(...hashes), BigUint64Array.from(all, BigInt)]);
    const chunks = all.map((size, at) => new CborMap([["hash", hashes[at] ?? null], ["size", BigInt(size)]]));
    expect(made).toEqual(encodeSorted([["total_size", total], ["chunks", chunks]]));
  });
  fc.assert(property, { numRuns: 300 });
});

test("the genesis is a nonce, and its address the timeline", async () => {
  const nonce = Uint8Array.from({ length: 16 }, (_, at) => 240 + at);
  const store = memoryStore();
  const ds = await Dataset.create(store, "main", new Schema().array("a", { dtype: "u8", shape: [1] }), { nonce });
  const { timeline } = ds.current;
  const genesis = await store.get(`genesis/${timeline}`);
  expect(genesis).toEqual(encodeSorted([["nonce", nonce]]));
  expect(decode(genesis)).toEqual(new CborMap([["nonce", nonce]]));
  expect(codec.addressOf(genesis)).toBe(timeline);
});

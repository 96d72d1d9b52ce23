/** The length at the front of an outboard: what asking for it costs, what it saves later, and what it says when there is none. */

import { init, memoryStore } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { newCall } from "../../ts/io/call.js";
import { LIMITS, ObjectReader } from "../../ts/io/objects.js";
import { call } from "../../ts/wasm.js";
import { address } from "../conformance/support/address.js";
import { noise } from "../support/built-packs.js";
import { expectFailure } from "../support/failure.js";
import { gate, recording, steered } from "../support/recording.js";

await init();

const KIB = 1024;

/** An object of noise, its outboard, and a reader of both. */
function stored(length: number, { outboard = true, cacheBytes = LIMITS.cacheBytes } = {}) {
  const body = noise(length, length);
  const id = { key: "object", address: address(body), length, check: () => undefined };
  const proofKey = `bao-outboard/${id.address}`;
  const proof = new Uint8Array(call((core) => core.makeOutboard(body)).bytes);
  const memory = memoryStore([["object", body], ...(outboard ? [[proofKey, proof] as const] : [])]);
  const store = recording(memory);
  const options = { ...LIMITS, cacheBytes, concurrency: 8, verify: "always", retry: { attempts: 1 } } as const;
  const reader = new ObjectReader(store, options);
  const asked = () => store.reads.filter(({ key }) => key === proofKey).map(({ kind, offset, length: size }) => (kind === "get" ? "all" : [offset, size]));
  return { body, id, proof, proofKey, memory, store, reader, options, asked };
}

describe("the length that an outboard names", () => {
  test.each([
    ["nothing is known of the object", 0, [0, 8]],
    ["it has one chunk at least", 1024, [0, 8]],
    ["it has more than one chunk", 1025, [0, 72]],
    ["it has a hundred chunks", 100 * KIB, [0, 8 + 64 * 99]],
    ["it has a gigabyte", 2 ** 30, [0, 256 * KIB]],
  ] as const)("costs one range when %s", async (_, atLeast, range) => {
    const { id, reader, asked } = stored(6144 * KIB);
    expect(await reader.lengthOf(id, atLeast, newCall())).toBe(6_291_456n);
    expect(asked()).toEqual([range]);
    // And nothing the second time, whatever was learnt of the object meanwhile.
    expect(await reader.lengthOf(id, 6144 * KIB, newCall())).toBe(6_291_456n);
    expect(asked()).toEqual([range]);
  });

  test("is asked for once by those who ask at once", async () => {
    const { id, reader, asked } = stored(3000);
    expect(await Promise.all([0, 0, 3000].map((atLeast) => reader.lengthOf(id, atLeast, newCall())))).toEqual([3000n, 3000n, 3000n]);
    expect(asked()).toEqual([[0, 8]]);
  });

  test("is not fetched again for a proof: of a small outboard the rest is, of a large one the rest of its pages", async () => {
    for (const [length, atLeast, rest] of [
      [100 * KIB, 40, [[8, 64 * 99]]],
      [100 * KIB, 100 * KIB, []],
      [6144 * KIB, 40, [[8, 4088]]],
      [6144 * KIB, 2048 * KIB, []],
    ] as const) {
      const { id, body, reader, asked } = stored(length);
      await reader.lengthOf(id, atLeast, newCall());
      const before = asked().length;
      const [read] = await Promise.all(reader.spans(id, [{ start: 10, end: 20 }], newCall()));
      expect(read).toEqual({ bytes: body.slice(10, 20), verified: "range" });
      expect(asked().slice(before)).toEqual(rest);
      expect(reader.stats().bytesOfProofs).toBe(asked().reduce((sum, [, size = 0]) => sum + Number(size), 0));
    }
  });

  test("joins a proof that is on its way, and is joined by one", async () => {
    const { id, reader, asked, body } = stored(100 * KIB);
    const span = [{ start: 5, end: 6 }];
    const [length, ...read] = await Promise.all([reader.lengthOf(id, 40, newCall()), ...reader.spans(id, span, newCall())]);
    expect([length, read[0]?.bytes]).toEqual([102_400n, body.slice(5, 6)]);
    expect(asked()).toEqual([[0, 8], [8, 64 * 99]]);
    const other = stored(100 * KIB);
    await Promise.all([...other.reader.spans(other.id, span, newCall()), other.reader.lengthOf(other.id, 40, newCall())]);
    expect(other.asked().length).toBeLessThanOrEqual(2);
  });

  test("is still told where nothing is kept", async () => {
    const { id, reader, asked } = stored(3000, { cacheBytes: 0 });
    for (const at of [1, 2]) {
      expect(await reader.lengthOf(id, 0, newCall())).toBe(3000n);
      expect(asked().length).toBe(at);
    }
  });

  test("is none without an outboard, which is remembered", async () => {
    const { id, reader, asked, body } = stored(3000, { outboard: false });
    for (let time = 0; time < 2; time++) expect(await reader.lengthOf(id, 0, newCall())).toBeUndefined();
    expect(asked()).toEqual([[0, 8]]);
    const [read] = await Promise.all(reader.spans(id, [{ start: 10, end: 20 }], newCall()));
    expect(read).toEqual({ bytes: body.slice(10, 20), verified: "object" });
    expect(asked()).toEqual([[0, 8]]);
  });

  test("is told of an outboard that ends before it must", async () => {
    const { id, reader, asked, memory, proofKey, proof } = stored(3000);
    memory.set(proofKey, proof.subarray(0, 50));
    expect(await reader.lengthOf(id, 5000, newCall())).toBe(3000n);
    expect(asked()).toEqual([[0, 264], [0, 8]]);
    for (const size of [0, 7]) {
      const short = stored(3000);
      short.memory.set(short.proofKey, proof.subarray(0, size));
      const error = await expectFailure(short.reader.lengthOf(short.id, 0, newCall()), "BodyLength");
      expect(error.key).toBe(short.proofKey);
    }
  });

  test("that is refused is forgotten: the right one is found in its place", async () => {
    const { id, reader, memory, proofKey, proof, body } = stored(3000);
    const wrong = proof.slice();
    wrong[0] = 9;
    memory.set(proofKey, wrong);
    const refuse = (length: bigint) => {
      throw new RangeError(`it has ${length} bytes`);
    };
    const object = { ...id, check: refuse };
    expect(await reader.lengthOf(id, 0, newCall())).toBe(2825n);
    await expect(Promise.all(reader.spans(object, [{ start: 10, end: 20 }], newCall()))).rejects.toThrow("2825 bytes");
    memory.set(proofKey, proof);
    const [read] = await Promise.all(reader.spans(object, [{ start: 10, end: 20 }], newCall()));
    expect(read).toEqual({ bytes: body.slice(10, 20), verified: "range" });
  });

  test("is no reason for a caller to wait who has left", async () => {
    const { id, memory, options } = stored(3000);
    const door = gate();
    const reader = new ObjectReader(steered(memory, () => door.opened), options);
    const controller = new AbortController();
    const [left, stayed] = [reader.lengthOf(id, 0, newCall(controller.signal)), reader.lengthOf(id, 0, newCall())];
    controller.abort(new RangeError("enough"));
    await expect(left).rejects.toThrow("enough");
    door.open();
    expect(await stayed).toBe(3000n);
  });
});

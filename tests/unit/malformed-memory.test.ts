/** Payloads that lie about their size, and bytes as Node's callers hold them: no time, no memory, no wrong base. */

import { codec } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import * as glue from "../../pkg/dreamdb_arrays.js";
import { core } from "../../ts/wasm.js";
import { expectThrown } from "../support/failure.js";
import { detached, fastest } from "../support/hostile.js";
import { addressOfDigest, blake3Hex } from "../support/sidecar.js";

/** Big-endian 64-bit numbers, one after another. */
function u64(...values: readonly bigint[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  for (const [at, value] of values.entries()) view.setBigUint64(at * 8, value);
  return new Uint8Array(view.buffer);
}

function payload(magic: string, ...rest: readonly bigint[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(...new TextEncoder().encode(magic), 0, 0, 0, 1, ...u64(...rest));
}

const MAX = (1n << 64n) - 1n;
const RAGGED = { family: "ragged-array", dtype: "f64", innerShape: [3] } as const;
const ENDLESS = { family: "sparse-csr", dtype: "f64", shape: [MAX, MAX] } as const;
const TALL = { family: "sparse-csr", dtype: "f64", shape: [1n << 61n, 4n] } as const;

const LIES: readonly (readonly [string, Parameters<typeof codec.decode>[0], Uint8Array<ArrayBuffer>])[] = [
  ["2^64 − 1 rows of ragged cells", RAGGED, payload("RAG1", MAX, 0n, 0n)],
  ["2^61 − 1 rows, whose offsets fill 64 bits", RAGGED, payload("RAG1", (1n << 61n) - 1n, 0n, 0n)],
  ["2^40 rows", RAGGED, payload("RAG1", 1n << 40n, 1n << 40n, 0n)],
  ["2^64 − 1 ragged cells", RAGGED, payload("RAG1", 1n, MAX, 0n, MAX)],
  ["cells whose bytes wrap around to none", RAGGED, payload("RAG1", 1n, 1n << 61n, 0n, 1n << 61n)],
  ["2^64 − 1 rows and columns", ENDLESS, payload("CSR1", MAX, MAX, 0n, 0n)],
  ["2^61 rows, whose offsets wrap around to one", TALL, payload("CSR1", 1n << 61n, 4n, 0n, 0n)],
  ["2^64 − 1 elements", { ...TALL, shape: [1n, 4n] }, payload("CSR1", 1n, 4n, MAX, 0n, MAX)],
  ["elements whose bytes wrap around to none", { ...TALL, shape: [1n, 4n] }, payload("CSR1", 1n, 4n, 1n << 60n, 0n, 1n << 60n)],
  ["dense data of 2^50 bytes", { dtype: "u8", shape: [1n << 50n] }, new Uint8Array(64)],
  ["dense data of 2^64 − 1 bytes", { dtype: "u8", shape: [MAX] }, new Uint8Array(64)],
];

describe.each(LIES)("%s", (_, type, bytes) => {
  test("are refused in no time, and no memory is taken for them", () => {
    const wasm = () => glue.initSync({ module: new Uint8Array(0) }).memory.buffer.byteLength;
    expect(core()).toBeDefined();
    const [before, pages] = [process.memoryUsage(), wasm()];
    const refuse = () => expectThrown(() => codec.decode(type, bytes), "PayloadLength", "PayloadHeader", "ShapeMismatch", "OffsetTerminal");
    expect(fastest(refuse)).toBeLessThan(50);
    expectThrown(() => codec.validate(type, bytes), "PayloadLength", "PayloadHeader", "ShapeMismatch", "OffsetTerminal");
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1 << 20);
    expect(after.rss - before.rss).toBeLessThan(64 << 20);
    expect(wasm()).toBe(pages);
  });
});

test("an npy header of 4 GiB takes no memory", () => {
  const bytes = Uint8Array.of(0x93, ...Buffer.from("NUMPY"), 2, 0, 0xf0, 0xff, 0xff, 0xff);
  const before = process.memoryUsage().arrayBuffers;
  expect(fastest(() => expectThrown(() => codec.decode({ dtype: "u8", shape: [3], codec: "npy" }, bytes), "InvalidNpyHeader"))).toBeLessThan(50);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20);
});

describe("bytes as callers hold them", () => {
  const type = { dtype: "f64", shape: [2], endianness: "big" } as const;
  const plain = Uint8Array.of(0x40, 9, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18, 0xc0, 5, 0xbf, 0x0a, 0x8b, 0x14, 0x57, 0x69);
  const values = Float64Array.of(Math.PI, -Math.E);
  const cbor = codec.encodeItemType(type);

  /** A Buffer out of Node's pool, so that it starts somewhere within a larger, shared one. */
  function pooled(bytes: Uint8Array): Buffer {
    Buffer.from("moves the pool to an odd offset");
    const buffer = Buffer.from(bytes);
    if (buffer.buffer.byteLength === buffer.byteLength) throw new Error("the Buffer is not pooled");
    return buffer;
  }

  function offset(bytes: Uint8Array): Uint8Array {
    const larger = new Uint8Array(bytes.byteLength + 7).fill(0xee);
    larger.set(bytes, 3);
    return larger.subarray(3, 3 + bytes.byteLength);
  }

  function sharedMemory(bytes: Uint8Array): Uint8Array {
    const view = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
    view.set(bytes);
    return view;
  }

  function resizable(bytes: Uint8Array): Uint8Array {
    const Growable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer;
    const view = new Uint8Array(new Growable(bytes.byteLength, { maxByteLength: 4096 }));
    view.set(bytes);
    return view;
  }

  class OwnArray extends Uint8Array {}

  test.each([
    ["a Buffer of the pool", pooled],
    ["a view into a larger buffer", offset],
    ["shared memory", sharedMemory],
    ["a resizable buffer", resizable],
    ["a subclass", (bytes: Uint8Array) => new OwnArray(bytes)],
  ])("%s is read as its bytes say, and left as it was", (_, hold) => {
    const [payload, document] = [hold(plain), hold(cbor)];
    const value = codec.decode(type, payload);
    expect(value).toMatchObject({ data: values, shape: [2] });
    expect(codec.decode(document, payload)).toEqual(value);
    codec.validate(document, payload);
    expect(codec.decodeItemType(document)).toEqual(codec.decodeItemType(cbor));
    expect(codec.addressOf(payload)).toBe(codec.addressOf(plain));
    codec.verifyAddress(payload, codec.addressOf(plain));
    expect([...payload]).toEqual([...plain]);
    expect([...document]).toEqual([...cbor]);
  });

  test("a large one that is hashed in windows, too", () => {
    const large = Uint8Array.from({ length: 300_001 }, (_, at) => at % 251);
    const address = addressOfDigest(blake3Hex(large));
    for (const hold of [offset, sharedMemory, (bytes: Uint8Array) => new OwnArray(bytes)]) {
      expect(codec.addressOf(hold(large))).toBe(address);
      codec.verifyAddress(hold(large), address);
    }
  });

  test("a view that its buffer left behind is refused, not taken for no bytes", () => {
    expectThrown(() => codec.addressOf(detached()), "InvalidArgument");
    const shrunk = resizable(plain);
    (shrunk.buffer as unknown as { resize(length: number): void }).resize(0);
    const fixed = new Uint8Array(shrunk.buffer);
    expect(codec.addressOf(fixed)).toBe(codec.addressOf(new Uint8Array(0)));
  });
});

/** Bytes that are none of what they should be: truncated, changed, random, lying. Each is refused by name or read, and the core lives on. */

import { codec, init, isDreamDbError, memoryStore, openDataset } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { call } from "../../ts/wasm.js";
import { expectFailure, expectThrown } from "../support/failure.js";
import { fastest } from "../support/hostile.js";
import { FIXTURES, loadObjects, loadSidecar } from "../support/fixtures.js";
import { hexBytes } from "../support/sidecar.js";

await init();

/** Pseudo-random numbers below 2^32, the same in every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

function randomBytes(next: () => number, size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, () => next() & 0xff);
}

/** Run `use`, which must give something or refuse by name; whether it was refused. */
function refused(use: () => unknown): boolean {
  try {
    use();
    return false;
  } catch (error) {
    if (!isDreamDbError(error)) throw error;
    expect(error.code).not.toBe("Internal");
    expect(error.message).not.toMatch(/unreachable|out of bounds|recursive use/);
    return true;
  }
}

const DENSE = { dtype: "i16", shape: [2, 3] } as const;
const RAGGED = { family: "ragged-array", dtype: "f32", innerShape: [] } as const;
const CSR = { family: "sparse-csr", dtype: "f32", shape: [1, 3] } as const;
const NPY = { dtype: "u8", shape: [3], codec: "npy" } as const;

/** One valid payload of each kind; ragged and CSR as the specification's examples spell them. */
const VALID: readonly (readonly [string, Parameters<typeof codec.decode>[0], Uint8Array<ArrayBuffer>])[] = [
  ["dense", DENSE, Uint8Array.from({ length: 12 }, (_, i) => i)],
  ["npy", NPY, npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", [1, 2, 3])],
  [
    "ragged",
    RAGGED,
    hexBytes("52414731", "00000001", "0000000000000002", "0000000000000003", "000000000000000000000000000000020000000000000003", "0000803f0000004000004040"),
  ],
  [
    "CSR",
    CSR,
    hexBytes(
      "43535231", "00000001", "0000000000000001", "0000000000000003", "0000000000000002",
      "00000000000000000000000000000002", "00000000000000000000000000000002", "0000000000000080",
    ),
  ],
];

function npy(header: string, data: readonly number[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(`${header}\n`);
  return Uint8Array.of(0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, text.byteLength & 0xff, text.byteLength >> 8, ...text, ...data);
}

/** Every kind of payload still decodes. */
function expectWorking(): void {
  for (const [, type, payload] of VALID) codec.validate(type, payload);
}

test("the valid payloads are valid, and what they hold is kept to the bit", () => {
  expectWorking();
  expect(codec.decode(RAGGED, VALID[2]?.[2] ?? new Uint8Array(0))).toMatchObject({ rowOffsets: BigUint64Array.of(0n, 2n, 3n), values: Float32Array.of(1, 2, 3) });
  // Explicit zeros of both signs are elements.
  expect(codec.decode(CSR, VALID[3]?.[2] ?? new Uint8Array(0))).toMatchObject({ columnIndices: BigUint64Array.of(0n, 2n), values: Float32Array.of(0, -0) });
});

describe.each(VALID)("a %s payload", (_, type, payload) => {
  test("is refused at every shorter length, and with one byte more", () => {
    for (let length = 0; length < payload.byteLength; length++) {
      expect([length, refused(() => codec.decode(type, payload.subarray(0, length)))]).toEqual([length, true]);
      expect([length, refused(() => codec.validate(type, payload.subarray(0, length)))]).toEqual([length, true]);
    }
    expect(refused(() => codec.decode(type, Uint8Array.of(...payload, 0)))).toBe(true);
    expectWorking();
  });

  test("with any one byte changed is refused or read, by decode and validate alike", () => {
    for (let at = 0; at < payload.byteLength; at++) {
      for (const change of [0x01, 0x80, 0xff]) {
        const changed = new Uint8Array(payload);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect([at, change, refused(() => codec.decode(type, changed))]).toEqual([at, change, refused(() => codec.validate(type, changed))]);
      }
    }
    expectWorking();
  });

  test("of random bytes is refused or read", () => {
    const next = random(7);
    const front = payload.subarray(0, 8);
    for (let round = 0; round < 300; round++) {
      const bytes = randomBytes(next, next() % 200);
      refused(() => codec.decode(type, bytes));
      refused(() => codec.decode(type, Uint8Array.of(...front, ...bytes)));
    }
    expectWorking();
  });
});

describe("an encoded item type", () => {
  const cbor = codec.encodeItemType(DENSE);

  test("is refused at every shorter length, and with one byte more", () => {
    for (let length = 0; length < cbor.byteLength; length++) {
      for (const use of [codec.decodeItemType, codec.itemTypeId]) expectThrown(() => use(cbor.subarray(0, length)), "Cbor");
    }
    expectThrown(() => codec.decodeItemType(Uint8Array.of(...cbor, 0)), "Cbor");
  });

  test("with any bit changed is refused, or another type", () => {
    for (let bit = 0; bit < cbor.byteLength * 8; bit++) {
      const changed = new Uint8Array(cbor);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      if (refused(() => codec.itemTypeId(changed))) continue;
      expect(codec.itemTypeId(changed)).not.toBe(codec.itemTypeId(cbor));
      expect(codec.encodeItemType(codec.decodeItemType(changed))).toEqual(changed);
    }
    expectWorking();
  });

  test("of random bytes is refused", () => {
    const next = random(11);
    for (let round = 0; round < 1000; round++) expect(refused(() => codec.decodeItemType(randomBytes(next, next() % 64)))).toBe(true);
    expectWorking();
  });

  test.each([
    ["a list of 2^32 − 1 items", hexBytes("9affffffff")],
    ["a byte string of 2^64 − 1 bytes", hexBytes("5bffffffffffffffff")],
    ["a map of 2^64 − 1 pairs", hexBytes("bbffffffffffffffff")],
    ["an endless list", hexBytes("9f")],
    ["200,000 lists in each other", new Uint8Array(200_000).fill(0x81)],
    ["200,000 tags in each other", new Uint8Array(200_000).fill(0xc1)],
    ["a megabyte of maps", new Uint8Array(1 << 20).fill(0xa1)],
  ])("that says it is %s is refused at once", (_, bytes) => {
    expect(fastest(() => expectThrown(() => codec.decodeItemType(bytes), "Cbor", "NotAMap", "NonStringKey"))).toBeLessThan(50);
    expectWorking();
  });
});

test("tags of every length and of random text are refused or parsed", () => {
  const next = random(13);
  const alphabet = "abz09._=-xé\u{1f600} \0\n";
  const letters = [...alphabet];
  const text = (length: number) => Array.from({ length }, () => letters[next() % letters.length] ?? "").join("");
  for (let round = 0; round < 500; round++) {
    const tag = `array.f32.kind=event.${text(next() % 40)}`;
    for (const candidate of [tag, text(next() % 40)]) {
      refused(() => codec.parseModality(candidate));
      refused(() => codec.bindModality(candidate, DENSE));
    }
  }
  expectThrown(() => codec.parseModality("a.".repeat(1 << 20)), "ModalityTooLong");
  expectThrown(() => codec.parseModality(""), "EmptyModality");
  expectWorking();
});

const BASE = "d2xrgsnz6x42djvaibg6unw4zfezxszfzgw4cevxzsnjhsxed4zge";

test.each([
  ["an unused bit that is set", `${BASE.slice(0, -1)}f`],
  ["upper case", BASE.toUpperCase()],
  ["padding", `${BASE}===`],
  ["52 characters", BASE.slice(0, -1)],
  ["54 characters", `${BASE}a`],
  ["the length byte of common multihashes", "dyqk6e2jxh27tinkaeaunpi3v6jzuu3y5oq5brq5jzlxh45dz3yemwzi"],
  ["a digit 0", `${BASE.slice(0, 10)}0${BASE.slice(11)}`],
  ["a digit 1", `${BASE.slice(0, 10)}1${BASE.slice(11)}`],
  ["a space in front", ` ${BASE}`],
  ["a newline at the end", `${BASE}\n`],
  ["another hash function", `b${BASE.slice(1)}`],
  ["letters beyond ASCII", `${BASE.slice(0, -1)}é`],
  ["nothing", ""],
  ["a megabyte", "a".repeat(1 << 20)],
])("an address with %s is none", async (_, address) => {
  codec.verifyAddress(new Uint8Array(0), BASE);
  expectThrown(() => codec.verifyAddress(new Uint8Array(0), address), "Multihash");
  await expectFailure(openDataset(memoryStore(), { manifest: address }), "Multihash");
});

describe.each(FIXTURES)("objects of %s, changed and named by their new address", (fixture) => {
  test("open or are refused by name", async () => {
    const sidecar = await loadSidecar(fixture);
    const next = random(17);
    const manifests = [...(await loadObjects(fixture, sidecar))].filter(([key]) => key.startsWith("manifests/")).map(([, bytes]) => bytes);
    let refusals = 0;
    for (const manifest of manifests) {
      for (let round = 0; round < 40; round++) {
        const bytes = new Uint8Array(manifest);
        bytes[next() % bytes.byteLength] = next() & 0xff;
        const changed = round % 4 === 0 ? bytes.subarray(0, next() % bytes.byteLength) : bytes;
        const address = codec.addressOf(changed);
        const opened = openDataset(memoryStore([[`manifests/${address}`, changed]]), { manifest: address });
        const error = await opened.then(() => undefined, (reason: unknown) => reason);
        if (error === undefined) continue;
        refusals++;
        expect(isDreamDbError(error) && error.code !== "Internal" && error.key === `manifests/${address}` ? "named" : error).toBe("named");
      }
    }
    expect(refusals).toBeGreaterThan(manifests.length * 10);
    expectWorking();
  });

  test("Tracks and tombstones decode or are refused by name", async () => {
    const objects = await loadObjects(fixture, await loadSidecar(fixture));
    const next = random(19);
    for (const [key, object] of objects) {
      const [timeline = "", modality = "", track] = key.split("/");
      if (track !== "track" && timeline !== "tombstones") continue;
      for (let round = 0; round < 40; round++) {
        const bytes = new Uint8Array(object);
        bytes[next() % bytes.byteLength] = next() & 0xff;
        const changed = round % 4 === 0 ? bytes.subarray(0, next() % bytes.byteLength) : bytes;
        if (track === "track") refused(() => call((core) => core.decodeTrack(changed, modality, timeline, 0n, 1n)));
        else refused(() => call((core) => core.decodeTombstones(changed)));
      }
    }
    expectWorking();
  });
});

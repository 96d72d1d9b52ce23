/** Datasets built by hand: what no fixture holds. Chunked Items, lies about sizes, text that is none, fields that share everything. */

import { codec, init, memoryStore, openDataset, type OpenOptions, type VerifyPolicy } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { arrayField, manifest, mediaField, schema, TIMELINE, track } from "../../ts/cli/vectors/documents.js";
import { address, multihash } from "../conformance/support/address.js";
import { array, bytes, FALSE, map, text, TRUE, uint } from "../conformance/support/cbor-writer.js";
import { pattern } from "../support/bytes.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { fastest } from "../support/hostile.js";
import { recording } from "../support/recording.js";

await init();

type Objects = Map<string, Uint8Array>;

/** A Track Object of `modality` around those entries, put where it belongs; its address. */
function putTrack(objects: Objects, modality: string, entries: readonly Uint8Array[]): string {
  const object = track(modality, array(entries));
  objects.set(`${TIMELINE}/${modality}/track/${address(object)}`, object);
  return address(object);
}

/** A dataset of one media field over those entries. */
async function mediaDataset(objects: Objects, entries: readonly Uint8Array[], verify: VerifyPolicy = "always", maxItemBytes?: number) {
  const binding = { field: "m", kind: "continuous", modality: "image.png", track: putTrack(objects, "image.png", entries) };
  const { ds, store } = await open(objects, manifest([binding], map([["dreamdb.schema", schema([mediaField("m", "image", "png")])]])), { verify, maxItemBytes });
  const field = ds.media("m");
  await field.count();
  store.forget();
  return { store, field };
}

/** The dataset of those objects and that manifest. */
async function open(objects: Objects, object: Uint8Array, options: OpenOptions = {}) {
  const store = recording(memoryStore([...objects, [`manifests/${address(object)}`, object]]));
  return { store, ds: await openDataset(store, { manifest: address(object) }, options) };
}

const PLACE = `${TIMELINE}/image.png`;

/** A chunked Item of those chunks, put where it belongs; what its ItemManifest says of sizes may be changed. Its entry of the Track. */
function putChunked(objects: Objects, chunks: readonly Uint8Array[], sizes: readonly (bigint | number)[] = chunks.map(({ byteLength }) => byteLength)): Uint8Array {
  for (const chunk of chunks) objects.set(`${PLACE}/0000000000000000/${address(chunk)}`, chunk);
  const total = sizes.reduce<bigint>((sum, size) => sum + BigInt(size), 0n);
  const list = chunks.map((chunk, at) => map([["hash", bytes(multihash(chunk))], ["size", uint(sizes[at] ?? 0)]]));
  const object = map([["chunks", array(list)], ["total_size", uint(total)]]);
  objects.set(`${PLACE}/items/${address(object)}`, object);
  return array([uint(0), uint(1), uint(total), bytes(multihash(object)), TRUE]);
}

describe("a chunked Item", () => {
  const whole = pattern(2500);
  const chunks = [whole.subarray(0, 1000), whole.subarray(1000, 2000), whole.subarray(2000)];

  test.each([["always", "object"], ["available", "object"], ["never", "none"]] as const)("is put together in order, verified %s", async (verify, verified) => {
    const objects: Objects = new Map();
    const { store, field } = await mediaDataset(objects, [putChunked(objects, chunks)], verify);
    expect(await field.read(0n)).toEqual({ kind: "image", mime: "png", anchor: 0n, form: "chunked", verified, bytes: whole });
    expect(store.reads.map(({ kind, bytes: read }) => [kind, read?.byteLength]).slice(1)).toEqual([["get", 1000], ["get", 1000], ["get", 500]]);
  });

  test("of one chunk is that chunk, uncopied", async () => {
    const objects: Objects = new Map();
    const { store, field } = await mediaDataset(objects, [putChunked(objects, [whole])]);
    expect((await field.read(0n))?.bytes.buffer).toBe(store.reads.at(-1)?.given?.buffer);
  });

  test("with a chunk of another length than it says is refused, by chunk", async () => {
    for (const change of [-1, 1]) {
      const objects: Objects = new Map();
      const { field } = await mediaDataset(objects, [putChunked(objects, chunks, [1000, 1000 + change, 500])]);
      const error = await expectFailure(field.read(0n), "ChunkLength");
      expect([error.expected, error.actual, error.field, error.anchor]).toEqual([`${1000 + change}`, "1000", "m", 0n]);
      expect(error.key).toBe(`${PLACE}/0000000000000000/${address(chunks[1] ?? whole)}`);
    }
  });

  test("that says it is 2^50 bytes long takes no memory for it", async () => {
    const objects: Objects = new Map();
    const { field } = await mediaDataset(objects, [putChunked(objects, chunks, [1000n, 1n << 50n, 500n])], "always", Infinity);
    const started = performance.now();
    expect((await expectFailure(field.read(0n), "ChunkLength")).expected).toBe(`${1n << 50n}`);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("whose index says another size is refused with its list's key", async () => {
    const objects: Objects = new Map();
    putChunked(objects, chunks);
    const list = [...objects.keys()].find((key) => key.includes("/items/")) ?? "";
    const entry = array([uint(0), uint(1), uint(2501), bytes(multihash(objects.get(list) ?? whole)), TRUE]);
    const { field } = await mediaDataset(objects, [entry]);
    expect((await expectFailure(field.read(0n), "ChunkLength")).key).toBe(list);
  });

  test("is refused for a wrong bit in its list, even unverified, and in any chunk", async () => {
    for (const verify of ["always", "never"] as const) {
      for (const place of ["/items/", "/0000000000000000/"]) {
        const objects: Objects = new Map();
        const entry = putChunked(objects, chunks);
        const key = [...objects.keys()].filter((candidate) => candidate.includes(place)).at(-1) ?? "";
        objects.set(key, Uint8Array.from(objects.get(key) ?? [], (byte, at) => (at === 7 ? byte ^ 0x10 : byte)));
        const { field } = await mediaDataset(objects, [entry], verify);
        const outcome = await field.read(0n).then(() => "read", (error: { code: string; key: string }) => `${error.code} ${error.key}`);
        expect(outcome).toBe(verify === "never" && place !== "/items/" ? "read" : `HashMismatch ${key}`);
      }
    }
  });

  test("can be cancelled between its chunks", async () => {
    const objects: Objects = new Map();
    const { store, field } = await mediaDataset(objects, [putChunked(objects, chunks)]);
    const controller = new AbortController();
    const reason = new Error("enough");
    const read = expectRejection(field.read(0n, { signal: controller.signal }));
    while (store.reads.length < 2) await Promise.resolve();
    controller.abort(reason);
    expect(await read).toBe(reason);
    // The list first, then chunks side by side.
    expect(store.reads[0]?.key).toContain("/items/");
    expect(store.reads.slice(1).every(({ signal }) => signal?.aborted)).toBe(true);
  });
});

describe("an index that lies about sizes", () => {
  const body = pattern(9);
  const single = (size: bigint) => array([uint(0), uint(1), uint(size), bytes(multihash(body))]);
  const packed = (size: bigint, offset: number) => array([uint(0), uint(1), uint(size), bytes(multihash(body)), FALSE, uint(offset)]);
  const objects = (): Objects => new Map([[`${PLACE}/0000000000000000/${address(body)}`, body]]);

  test.each([8n, 10n, 1n << 30n])("a single Item of 9 bytes, said to have %i", async (size) => {
    for (const verify of ["always", "available", "never"] as const) {
      const { field } = await mediaDataset(objects(), [single(size)], verify);
      expect((await expectFailure(field.read(0n), "PayloadLength")).expected).toBe(`${size}`);
    }
  });

  test.each([10n, 2000n, 1n << 30n])("a packed Item of %i bytes in a pack of 9", async (size) => {
    for (const verify of ["always", "available"] as const) {
      const { field } = await mediaDataset(objects(), [packed(size, 0)], verify);
      const error = await expectFailure(field.read(0n), "PackSliceOutOfBounds", ...(verify === "available" ? (["BodyLength"] as const) : []));
      expect([error.field, error.anchor]).toEqual(["m", 0n]);
    }
  });

  test.each([(1n << 30n) + 1n, 5_000_000_000n, (1n << 64n) - 1n])("Items of %i bytes, which are not even asked for", async (size) => {
    for (const entry of [single(size), packed(size, 0), array([uint(0), uint(1), uint(size), bytes(multihash(body)), TRUE])]) {
      const { field, store } = await mediaDataset(objects(), [entry]);
      const error = await expectFailure(field.read(0n), "TooLarge");
      expect(error.message).toContain(`${size} bytes, maxItemBytes is 1073741824`);
      expect(store.reads).toEqual([]);
    }
  });

  test.each(["always", "available", "never"] as const)("packed Items that leave a gap, verified %s", async (verify) => {
    const { store, field } = await mediaDataset(objects(), [packed(5n, 4)], verify);
    expect((await expectFailure(field.read(0n), "PackInvariant")).message).toContain(address(body));
    expect(store.reads.length).toBe(verify === "always" ? 1 : 0);
  });

  test.each(["always", "available", "never"] as const)("a pack of empty Items that is not empty, known without a request, verified %s", async (verify) => {
    const { store, field } = await mediaDataset(objects(), [packed(0n, 0)], verify);
    await expectFailure(field.read(0n), "PackLength");
    const none = await mediaDataset(new Map(), [array([uint(0), uint(1), uint(0), bytes(multihash(new Uint8Array(0))), FALSE, uint(0)])], verify);
    expect((await none.field.read(0n))?.bytes).toEqual(new Uint8Array(0));
    expect([store.reads.length, none.store.reads.length]).toEqual([0, 0]);
  });

  test("a pack that goes on behind its last Item", async () => {
    const { field } = await mediaDataset(objects(), [packed(8n, 0)]);
    const error = await expectFailure(field.read(0n), "PackLength");
    expect([error.expected, error.actual]).toEqual(["8", "9"]);
  });

  test("array Items whose type is larger than any buffer", async () => {
    const type = { dtype: "u8", shape: [1n << 62n] } as const;
    const modality = codec.modalityOf(type, "event");
    const all: Objects = new Map([[`${TIMELINE}/${modality}/0000000000000000/${address(body)}`, body]]);
    const binding = { field: "a", kind: "event", modality, track: putTrack(all, modality, [array([bytes(multihash(body)), uint(0)])]) };
    const document = codec.encodeItemType(type);
    const registry = map([["dreamdb.schema", schema([arrayField("a", document, "event", "unbucketed")])], [modality, map([["item_type", document]])]]);
    const { ds } = await open(all, manifest([binding], registry));
    expect(ds.array("a", { shape: [1n << 62n] }).info.shape).toEqual([1n << 62n]);
    const error = await expectFailure(ds.array("a").read(0n), "PayloadLength");
    expect([error.field, error.anchor]).toEqual(["a", 0n]);
    expect(fastest(() => codec.decodeItemType(document))).toBeLessThan(50);
  });
});

describe("a text Constant", () => {
  async function read(payload: Uint8Array) {
    const objects: Objects = new Map([[`${TIMELINE}/title.text/${address(payload)}`, payload]]);
    const object = track("title.text", array([bytes(multihash(payload))]));
    objects.set(`${TIMELINE}/title.text/track/${address(object)}`, object);
    const binding = { field: "t", kind: "constant", modality: "title.text", track: address(object) };
    const field = map([["kind", text("constant")], ["name", text("t")], ["modality", text("title.text")], ["required", FALSE]]);
    const { ds } = await open(objects, manifest([binding], map([["dreamdb.schema", schema([field])]])));
    return await ds.constant("t").read();
  }

  test.each([["nothing", ""], ["a byte order mark", "\ufeffa"], ["a NUL", "a\0b"], ["all planes", "aé日\u{1f600}"], ["a decomposed letter", "e\u0301"]])(
    "with %s comes out as it is",
    async (_, value) => {
      expect(await read(new TextEncoder().encode(value))).toMatchObject({ family: "text", text: value });
    },
  );

  test.each([["a lone byte", [0xff]], ["a cut letter", [0x61, 0xc3]], ["a surrogate", [0xed, 0xa0, 0x80]], ["an overlong slash", [0xc0, 0xaf]]])(
    "of %s is no text, and says so",
    async (_, payload) => {
      expect((await expectFailure(read(Uint8Array.from(payload)), "Unsupported")).field).toBe("t");
    },
  );
});

/**
 * What the package's core offers to writers, put together as a writer does it.
 *
 * The core groups Items, checks anchors and writes indexes. That packing and chunking exclude each other is said here as long as the
 * package has no writer of its own that could say it.
 */
import { codec } from "dreamdb-arrays";
import type { Implementation, MediaBatch, StoredObject } from "../../../ts/conformance/implementation.js";
import { DreamDbError } from "../../../ts/errors.js";
import { call } from "../../../ts/wasm.js";
import { concat } from "../support/cbor-writer.js";

/** Forms of a fragment entry, as the core numbers them. */
const [SINGLE, PACKED] = [0, 2];

/** One entry to be indexed. */
interface Entry {
  readonly start: bigint;
  readonly size: bigint;
  readonly object: string;
  readonly form: number;
  readonly offset: number;
}

const rawAddresses = (addresses: readonly string[]) => concat(...addresses.map((address) => call((core) => core.addressBytes(address))));

/** Objects to be stored, and the entries that name them. */
class Storing {
  readonly objects = new Map<string, StoredObject>();
  readonly entries: Entry[] = [];

  put(bytes: Uint8Array): string {
    const address = codec.addressOf(bytes);
    this.objects.set(address, { path: `0000000000000000/${address}`, bytes });
    return address;
  }

  append({ items, packItems = 1, chunkSize }: MediaBatch): void {
    if (chunkSize !== undefined) throw new DreamDbError("InvalidArgument", "Items are packed or chunked, not both", { subject: "chunk_size" });
    const sizes = BigUint64Array.from(items, ([, bytes]) => BigInt(bytes.byteLength));
    const groups = call((core) => core.packGroups(sizes, BigInt(packItems)));
    if (groups.length === 0) {
      for (const [start, bytes] of items) {
        this.entries.push({ start, size: BigInt(bytes.byteLength), object: this.put(bytes), form: SINGLE, offset: 0 });
      }
    }
    let at = 0;
    for (const count of groups) {
      const group = items.slice(at, at + count);
      const object = this.put(concat(...group.map(([, bytes]) => bytes)));
      let offset = 0;
      for (const [start, bytes] of group) {
        this.entries.push({ start, size: BigInt(bytes.byteLength), object, form: PACKED, offset });
        offset += bytes.byteLength;
      }
      at += count;
    }
  }

  index(): Uint8Array {
    const { entries } = this;
    const column = (of: (entry: Entry) => bigint) => BigUint64Array.from(entries, of);
    const objects = rawAddresses(entries.map(({ object }) => object));
    const [forms, offsets] = [Uint8Array.from(entries, ({ form }) => form), Uint32Array.from(entries, ({ offset }) => offset)];
    return call((core) => core.encodeFragmentIndex(column(({ start }) => start), column(({ size }) => size), objects, forms, offsets));
  }
}

/** Operations of a writer. */
export const writes = {
  appendItems({ typeCbor, modality, samples, existingAnchors }) {
    const kind = codec.bindModality(modality, typeCbor);
    const anchors = BigUint64Array.from(samples.flatMap(({ anchor }) => (anchor === undefined ? [] : [anchor])));
    const items = rawAddresses(samples.map(({ payload }) => codec.addressOf(payload)));
    const objectIndexCbor = call((core) => core.encodeArrayIndex(kind, anchors, items, BigUint64Array.from(existingAnchors)));
    for (const { payload } of samples) codec.validate(typeCbor, payload);
    return { objectIndexCbor };
  },
  packItems({ batches }) {
    const storing = new Storing();
    for (const batch of batches) storing.append(batch);
    return { objects: [...storing.objects.values()], objectIndexCbor: storing.index() };
  },
} as const satisfies Implementation;

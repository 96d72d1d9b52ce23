/**
 * The index of a scalar column: entries in the order of their values, each with the place of its record. Read whole, once.
 *
 * The index is ordered by values, so whoever looks for anchors needs all of it; which records are needed is then found in memory.
 */
import type { ObjectReader } from "../../io/objects.js";
import type { Shared } from "../../io/shared.js";
import type { Core } from "../../wasm.js";
import type { ScalarFieldInfo } from "../fields.js";
import type { Track } from "../track.js";
import { ADDRESS, type LeafEntries } from "./entries.js";
import type { Host } from "./host.js";
import { checkScalarIndex, decodeScalarPage, decodeScalarTrack } from "./index-objects.js";

/** Characters of an address as text. */
const ADDRESS_TEXT = 53;

/** Entries of one column at most: what would be held in memory for them is some gigabytes. */
const MOST_ENTRIES = 1n << 24n;

/** All entries of a column. */
export interface ScalarEntries extends Required<Omit<LeafEntries, "addresses">> {
  readonly addresses: readonly string[];
}

/** Pages as they are read, counted against what the Track says. */
interface Walk {
  readonly signal: AbortSignal;
  readonly pages: bigint;
  seen: bigint;
}

/** The index of one column. */
export class ScalarIndex {
  readonly #host: Host;
  readonly #objects: ObjectReader;
  readonly #track: Track;
  readonly #info: ScalarFieldInfo;
  readonly #descriptor: string | undefined;
  readonly #loading: Shared<ScalarEntries>;
  #entries: ScalarEntries | undefined;
  #byStart: { order: Uint32Array; reach: BigUint64Array } | undefined;

  constructor(host: Host, objects: ObjectReader, track: Track, info: ScalarFieldInfo, descriptor: string | undefined) {
    this.#host = host;
    this.#loading = new host.Shared();
    this.#objects = objects;
    this.#track = track;
    this.#info = info;
    this.#descriptor = descriptor;
  }

  /**
   * All entries. Costs the Track, the descriptor of the index and every page of it the first time, and again after a failure.
   *
   * @throws {DreamDbError} `HashMismatch`; `ScalarIndex`; the codes of Tracks and entries; `TooLarge`; the store's codes
   */
  async entries(signal?: AbortSignal): Promise<ScalarEntries> {
    return this.#entries ?? this.#loading.run("index", (shared) => this.#host.scoped(shared, (own) => this.#load(own)), signal);
  }

  /** Positions of the entries whose records may have an anchor, in the order of the index. */
  at(entries: ScalarEntries, anchor: bigint): number[] {
    const { order, reach } = (this.#byStart ??= sortByStart(entries));
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries.starts[order[middle] ?? 0] ?? 0n) <= anchor) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (let at = low - 1; at >= 0 && (reach[at] ?? 0n) > anchor; at--) {
      const position = order[at] ?? 0;
      if ((entries.ends[position] ?? 0n) > anchor) found.push(position);
    }
    return found.sort((a, b) => a - b);
  }

  async #load(signal: AbortSignal): Promise<ScalarEntries> {
    const { Refusal, trackKey, scalarIndexKey } = this.#host;
    const { binding, place } = this.#track;
    const { modality, track } = binding;
    const { valueType, name } = this.#info;
    const descriptor = this.#descriptor;
    if (descriptor === undefined) {
      throw new Refusal("ScalarIndex", `the registry names no index for modality ${JSON.stringify(modality)}`, { subject: modality });
    }
    const [root] = await Promise.all([
      this.#read(trackKey(place, track), track, signal, (core, object) => decodeScalarTrack(core, object, binding, valueType)),
      this.#read(scalarIndexKey(descriptor), descriptor, signal, (core, object) => checkScalarIndex(core, object, modality, valueType, name)),
    ]);
    if (root.entries !== undefined) return (this.#entries = this.#joined([root.entries]));
    if (root.total > MOST_ENTRIES) {
      const message = `the index has ${root.total} entries; at most ${MOST_ENTRIES} are read`;
      throw new Refusal("TooLarge", message, { expected: `at most ${MOST_ENTRIES}`, actual: String(root.total) });
    }
    const walk: Walk = { signal, pages: root.pages, seen: 0n };
    const leaves = await this.#below(root.root, root.height - 1n, walk);
    const entries = this.#joined(leaves);
    if (walk.seen !== root.pages || BigInt(entries.starts.length) !== root.total) {
      const actual = `${walk.seen} pages with ${entries.starts.length} entries`;
      const expected = `${root.pages} pages with ${root.total} entries`;
      throw new Refusal("ScalarIndex", `the index has ${actual}, its Track says ${expected}`, { expected, actual });
    }
    return (this.#entries = entries);
  }

  /** Leaves below a page, from front to back. */
  async #below(address: string, level: bigint, walk: Walk): Promise<LeafEntries[]> {
    const { Refusal, indexPageKey } = this.#host;
    walk.seen++;
    if (walk.seen > walk.pages) {
      const message = `the index has more pages than the ${walk.pages} that its Track says`;
      throw new Refusal("ScalarIndex", message, { expected: String(walk.pages) });
    }
    const { modality } = this.#track.binding;
    const page = await this.#read(indexPageKey(this.#track.place, address), address, walk.signal, (core, object) =>
      decodeScalarPage(core, object, modality, this.#info.valueType, level),
    );
    if (page.entries !== undefined) return [page.entries];
    const below = this.#addresses(page.children).map((child) => this.#below(child, level - 1n, walk));
    return (await Promise.all(below)).flat();
  }

  async #read<T>(key: string, address: string, signal: AbortSignal, decode: (core: Core, object: Uint8Array) => T): Promise<T> {
    const object = await this.#objects.metadata({ key, address }, signal);
    try {
      return this.#host.call((core) => decode(core, object));
    } catch (error) {
      throw this.#host.withContext(error, { key });
    }
  }

  #addresses(bytes: Uint8Array): string[] {
    const texts = bytes.length === 0 ? "" : this.#host.call((core) => core.addressTexts(bytes));
    return Array.from({ length: bytes.length / ADDRESS }, (_, at) => texts.slice(at * ADDRESS_TEXT, (at + 1) * ADDRESS_TEXT));
  }

  /** The entries of all leaves as one. */
  #joined(leaves: readonly LeafEntries[]): ScalarEntries {
    const numbers = new Map<string, number>();
    const objects = new Uint32Array(leaves.reduce((sum, leaf) => sum + leaf.objects.length, 0));
    let at = 0;
    for (const leaf of leaves) {
      const own = this.#addresses(leaf.addresses).map((address) => {
        const known = numbers.get(address) ?? numbers.size;
        numbers.set(address, known);
        return known;
      });
      for (const object of leaf.objects) objects[at++] = own[object] ?? 0;
    }
    return {
      texts: leaves.flatMap((leaf) => leaf.texts ?? []),
      words: concatenated(leaves.map((leaf) => leaf.words ?? new BigUint64Array(0))),
      starts: concatenated(leaves.map((leaf) => leaf.starts)),
      ends: concatenated(leaves.map((leaf) => leaf.ends)),
      objects,
      addresses: [...numbers.keys()],
      offsets: concatenated(leaves.map((leaf) => leaf.offsets)),
      lengths: concatenated(leaves.map((leaf) => leaf.lengths)),
    };
  }
}

function concatenated(parts: readonly BigUint64Array[]): BigUint64Array<ArrayBuffer> {
  const whole = new BigUint64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Entries by their starts, and how far those up to each reach: who walks back may stop where none reaches any more. */
function sortByStart({ starts, ends }: ScalarEntries): { order: Uint32Array; reach: BigUint64Array } {
  const order = Uint32Array.from(starts, (_, position) => position);
  order.sort((a, b) => {
    const [first, second] = [starts[a] ?? 0n, starts[b] ?? 0n];
    return first < second ? -1 : Number(first > second);
  });
  const reach = new BigUint64Array(order.length);
  let furthest = 0n;
  for (const [at, position] of order.entries()) {
    const end = ends[position] ?? 0n;
    if (end > furthest) furthest = end;
    reach[at] = furthest;
  }
  return { order, reach };
}

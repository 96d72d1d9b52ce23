/** Tracks and pages as the reference extends them: every append of tests/fixtures/appends.json gives its Track, byte for byte, and with it all pages. */
import { codec, init } from "dreamdb-arrays";
import { beforeAll, expect, it } from "vitest";
import recorded from "../fixtures/appends.json" with { type: "json" };
import { array, bytes, concat, map, uint } from "../conformance/support/cbor-writer.js";
import { multihash } from "../conformance/support/address.js";
import { columnsOf, decodeOf, empty, type Entry, grow, type PageMap } from "../support/track-writes.js";

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly sizes: number;
  readonly pack_items?: number;
  readonly chunk_size?: number;
  readonly timeline: string;
  readonly modality: string;
  readonly empty: string;
  readonly appends: readonly { readonly runs: readonly (readonly [string, number, number])[]; readonly track: string }[];
}

const CASES = recorded.cases as unknown as readonly Case[];

beforeAll(() => init());

const anchorsOf = (runs: Case["appends"][number]["runs"]): bigint[] =>
  runs.flatMap(([first, step, count]) => Array.from({ length: count }, (_, at) => BigInt(first) + BigInt(step * at)));

/** What is written of the Items at these anchors: as the tool beside the fixture says. */
function entriesOf({ kind, sizes, pack_items: packItems, chunk_size: chunkSize }: Case, anchors: readonly bigint[]): Entry[] {
  const bodies = anchors.map((anchor) => new Uint8Array(1 + Number(anchor % BigInt(sizes))).fill(Number(anchor % 251n)));
  const each = (object: (body: Uint8Array) => string, more: Partial<Entry> = {}): Entry[] =>
    bodies.map((body, at) => ({ anchor: anchors[at] ?? 0n, size: BigInt(body.byteLength), object: object(body), ...more }));
  if (kind !== "media" || (packItems === undefined && chunkSize === undefined)) return each(codec.addressOf);
  if (packItems === undefined) {
    const chunksOf = (body: Uint8Array) => Array.from({ length: Math.ceil(body.byteLength / (chunkSize ?? 1)) }, (_, at) => body.subarray(at * (chunkSize ?? 1), (at + 1) * (chunkSize ?? 1)));
    const listed = (chunk: Uint8Array) => map([["hash", bytes(multihash(chunk.slice()))], ["size", uint(chunk.byteLength)]]);
    return each((body) => codec.addressOf(map([["chunks", array(chunksOf(body).map(listed))], ["total_size", uint(body.byteLength)]])), { form: 1 });
  }
  const entries: Entry[] = [];
  for (let first = 0; first < bodies.length; first += packItems) {
    const own = bodies.slice(first, first + packItems);
    const object = codec.addressOf(concat(...own));
    let offset = 0;
    for (const [at, { byteLength }] of own.entries()) {
      entries.push({ anchor: anchors[first + at] ?? 0n, size: BigInt(byteLength), object, form: 2, offset });
      offset += byteLength;
    }
  }
  return entries;
}

it("has 74 appends", () => {
  expect(CASES.reduce((sum, { appends }) => sum + appends.length, 0)).toBe(74);
});

it.each(CASES)("$name", async (one) => {
  const pages: PageMap = new Map();
  let track = empty(one.modality, one.timeline);
  expect(codec.addressOf(track)).toBe(one.empty);
  let items = 0n;
  for (const { runs, track: expected } of one.appends) {
    const anchors = anchorsOf(runs);
    ({ track } = await grow(pages, track, columnsOf(entriesOf(one, anchors), one.kind !== "media")));
    expect(codec.addressOf(track)).toBe(expected);
    items += BigInt(anchors.length);
    const index = decodeOf(track);
    if (index.form === "paged") expect(index.items).toBe(items);
  }
}, 60_000);

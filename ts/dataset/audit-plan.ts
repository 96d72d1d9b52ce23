/** What there is to be audited in a field with anchors: each Item that is an object of its own, and packs as a whole. */
import type { CoreEntries, CoreFragments } from "../../pkg/dreamdb_arrays.js";
import { type DreamDbError, isDreamDbError } from "../errors.js";
import { newCall } from "../io/call.js";
import type { CheckedBytes } from "../io/verifier.js";
import { call as core } from "../wasm.js";
import type { AuditPlan, AuditUnit } from "./audit.js";
import { startsOf } from "./entries.js";
import type { FieldAccess } from "./field.js";
import { Fragments } from "./fragments.js";
import { constantKey } from "./keys.js";
import { ItemBytes } from "./item-bytes.js";
import { type Part, select } from "./selection.js";

/** Refuses the bytes of an Item. */
export type Judge = (bytes: CheckedBytes) => void;

/** Form of a packed entry, as the core numbers them. */
const PACKED = 2;

/** All that a field's Track has. */
export async function auditPlan(access: FieldAccess, judge: Judge, signal: AbortSignal | undefined): Promise<AuditPlan> {
  const { track, objects } = access;
  const content = await track.content(signal);
  if (content.form === "constant") {
    const { address } = content;
    if (address === undefined) return { units: [], faults: [] };
    const key = constantKey(track.place, address);
    const check = async () => [judged(await objects.item({ key, address }, newCall(signal)), judge)];
    return { units: [{ anchors: [undefined], check }], faults: [] };
  }
  const { parts, faults, isWhole } = content.form === "pages" ? await content.pages.inventory(signal) : { parts: [content.part], faults: [], isWhole: true };
  return { units: joined(parts, isWhole).flatMap((part) => unitsOf(access, part, judge, signal)), faults };
}

function unitsOf({ objects, track: { place } }: FieldAccess, part: Part, judge: Judge, signal: AbortSignal | undefined): AuditUnit[] {
  const { entries, isWhole } = part;
  const starts = startsOf(entries);
  const reader = new ItemBytes(objects, place);
  const single = (position: number): AuditUnit => {
    const anchor = starts[position] ?? 0n;
    const check = async () => {
      const selection = select([anchor], [{ part, position }]);
      return Promise.all(reader.read(selection, newCall(signal), (_, bytes) => judged(bytes, judge)));
    };
    return { anchors: [anchor], check };
  };
  if (entries.form !== "fragments") return Array.from(starts, (_, position) => single(position));
  const units: AuditUnit[] = [];
  const packs = new Map<number, number[]>();
  for (const [position, form] of entries.forms.entries()) {
    const object = entries.objects[position] ?? 0;
    const members = packs.get(object);
    if (form !== PACKED) units.push(single(position));
    else if (members === undefined) packs.set(object, [position]);
    else members.push(position);
  }
  const fragments = new Fragments(objects, place, entries, isWhole);
  for (const [object, positions] of packs) units.push(packUnit(fragments, entries, object, positions, judge, signal));
  return units;
}

function packUnit(
  fragments: Fragments,
  { starts, offsets, sizes }: CoreFragments,
  object: number,
  positions: readonly number[],
  judge: Judge,
  signal: AbortSignal | undefined,
): AuditUnit {
  const check = async () => {
    const { bytes, verified } = await fragments.pack(object, newCall(signal));
    return positions.map((position) => {
      const start = offsets[position] ?? 0;
      return judged({ bytes: bytes.slice(start, start + Number(sizes[position] ?? 0n)), verified }, judge);
    });
  };
  return { anchors: positions.map((position) => starts[position] ?? 0n), check };
}

function judged(read: CheckedBytes, judge: Judge): number | DreamDbError {
  try {
    judge(read);
    return read.bytes.byteLength;
  } catch (error) {
    if (isDreamDbError(error)) return error;
    throw error;
  }
}

/**
 * Pages of media as one, since a pack's Items may stand on several; other pages as they are. Where some could not be read, nobody knows all Items
 * of a pack.
 */
function joined(parts: readonly Part[], isWhole: boolean): readonly Part[] {
  const pages = parts.map(({ entries }) => entries).filter(isFragments);
  if (parts.length === 0 || pages.length < parts.length) return parts;
  const [only] = pages;
  if (only !== undefined && pages.length === 1) return [{ entries: only, isWhole }];
  const numbers = (of: (page: CoreFragments) => BigUint64Array): BigUint64Array => {
    const columns = pages.map(of);
    const all = new BigUint64Array(columns.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const column of columns) {
      all.set(column, at);
      at += column.length;
    }
    return all;
  };
  const addresses = bytesOf(pages.flatMap((page) => Array.from(page.objects, (object) => page.addresses.subarray(33 * object, 33 * object + 33))));
  const forms = bytesOf(pages.map((page) => page.forms));
  const offsets = Uint32Array.from(pages.flatMap((page) => [...page.offsets]));
  const [starts, ends, sizes] = [numbers((page) => page.starts), numbers((page) => page.ends), numbers((page) => page.sizes)];
  const entries = core((functions) => functions.givenEntries(starts, ends, sizes, addresses, forms, offsets));
  return [{ entries, isWhole }];
}

function isFragments(entries: CoreEntries): entries is CoreFragments {
  return entries.form === "fragments";
}

function bytesOf(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

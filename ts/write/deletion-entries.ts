/**
 * Entries of leaves of deletions, as what stands around their anchors, and the strictness of writers: maps of known keys and no other. Leaves are those
 * that the core has decoded, with the anchors that it found.
 */
import { DreamDbError } from "../errors.js";
import { body, endingAt, headAt, type Item, map, nothing, number, pairs, putHead, text, uint } from "./cbor.js";

/** An entry without the value of its anchor: what stands before and after it. */
export type Frame = readonly [before: Item, after: Item];

/**
 * What stands around each anchor of a leaf. Those who delete many give one reason, so that most entries have what the one before has, and are compared
 * with it in place of being taken apart.
 *
 * @throws {DreamDbError} `Tombstones` for unknown keys, a reason that is not text, a time that is not a number
 */
export function framesOf(leaf: Uint8Array, anchors: BigUint64Array): Map<bigint, Frame> {
  const record = recordOf(leaf);
  close("a page of tombstones", record, ["kind", "level", "entries"]);
  const entries = record.get("entries") ?? nothing();
  const frames = new Map<bigint, Frame>();
  let at = headAt(entries, 0).next;
  let frame: Frame | undefined;
  for (const anchor of anchors) {
    let end = frame && endAround(entries, at, frame);
    if (end === undefined) {
      end = endingAt(entries, at);
      frame = readFrame(recordOf(entries.subarray(at, end)));
    }
    if (frame !== undefined) frames.set(anchor, frame);
    at = end;
  }
  return frames;
}

/** Where an entry ends, if it has this around its anchor. */
function endAround(entries: Uint8Array, start: number, [before, after]: Frame): number | undefined {
  const { major, next } = headAt(entries, start + before.length);
  const has = (at: number, part: Uint8Array): boolean => part.every((byte, place) => entries[at + place] === byte);
  return major === 0 && has(start, before) && has(next, after) ? next + after.length : undefined;
}

function readFrame(entry: ReadonlyMap<string, Item>): Frame {
  const place = "an entry of tombstones";
  const reason = entry.get("reason");
  if (reason !== undefined && headAt(reason, 0).major !== 3) throw refused(`${place} has a \`reason\` that is not text`, "reason");
  close(place, entry, ["anchor", "deleted_at", ...(reason === undefined ? [] : ["reason"])]);
  const deletedAt = unsigned(entry.get("deleted_at") ?? nothing());
  if (deletedAt === undefined) throw refused(`${place} has a \`deleted_at\` that is not an unsigned integer`, "deleted_at");
  return frameOf(uint(deletedAt), reason && text(spelt(reason)));
}

/** The list of a leaf's entries. */
export function entriesOf(anchors: BigUint64Array, frames: readonly Frame[]): Item {
  const out = new Uint8Array(frames.reduce((sum, [before, after]) => sum + before.length + 9 + after.length, 9));
  const view = new DataView(out.buffer);
  let at = putHead(view, 0, 4, frames.length);
  for (const [place, [before, after]] of frames.entries()) {
    out.set(before, at);
    at = putHead(view, at + before.length, 0, anchors[place] ?? 0n);
    out.set(after, at);
    at += after.length;
  }
  return out.subarray(0, at);
}

/** The encoding of an entry around its anchor, which is the value of the first key. */
export function frameOf(deletedAt: Item, reason: Item | undefined): Frame {
  const entry = map({ anchor: nothing(), reason, deleted_at: deletedAt });
  return [entry.subarray(0, 8), entry.subarray(9)];
}

/** A map's values by key; the core has seen that no key is repeated. */
export const recordOf = (item: Item): Map<string, Item> => new Map(pairs(item).map(([key, value]) => [spelt(key), value]));

/** What a text says. */
export const spelt = (item: Item): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(body(item));

/**
 * Refuses a map that lacks one of the keys, or has another one.
 *
 * @throws {DreamDbError} `Tombstones`
 */
export function close(place: string, record: ReadonlyMap<string, Item>, keys: readonly string[]): void {
  for (const key of record.keys()) if (!keys.includes(key)) throw refused(`${place} has the unknown key \`${key}\``, key);
  for (const key of keys) if (!record.has(key)) throw refused(`${place} lacks the key \`${key}\``, key);
}

/** The value of what decodes as an unsigned integer, which a big number of 64 bits does. */
function unsigned(item: Item): bigint | undefined {
  const { major, argument, next } = headAt(item, 0);
  if (major === 0) return number(item);
  const tagged = item.subarray(next);
  if (major !== 6 || argument !== 2 || headAt(tagged, 0).major !== 2) return undefined;
  const digits = body(tagged);
  // Of zeros alone the last one is left.
  const significant = digits.subarray(digits.findIndex((digit) => digit !== 0));
  return significant.byteLength > 8 ? undefined : significant.reduce((value, digit) => (value << 8n) | BigInt(digit), 0n);
}

/** A refusal, which may be about a key. */
export const refused = (message: string, subject?: string): DreamDbError => new DreamDbError("Tombstones", message, { subject });

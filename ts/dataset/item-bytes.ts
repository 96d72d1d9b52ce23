/**
 * Bytes of Items, whatever the form of their index entries: objects of their own, chunks, spans of packs.
 *
 * What the bytes are, is the matter of the kinds of fields.
 */
import { bytesPerElement } from "../codec/dtype.js";
import type { ItemType } from "../codec/item-type.js";
import { withContext } from "../error-context.js";
import type { Call } from "../io/call.js";
import type { ObjectReader } from "../io/objects.js";
import type { ObjectId } from "../io/verifier.js";
import { addressAt } from "./entries.js";
import { Fragments, type Make, retold, type Take } from "./fragments.js";
import { itemKey, type Place } from "./keys.js";
import { addPlans, emptyPlan, type PlanSum } from "./plan.js";
import type { Located } from "./rows-by-range.js";
import type { Found, Part, Selection } from "./selection.js";

/** Reads the bytes of one Track's Items. */
export class ItemBytes {
  readonly #objects: ObjectReader;
  readonly #place: Place;

  constructor(objects: ObjectReader, place: Place) {
    this.#objects = objects;
    this.#place = place;
  }

  /**
   * Reads Items, one promise each, in the same order.
   *
   * @throws nothing; the promises reject with the codes of objects, packs and chunks
   */
  read<T>(selection: Selection, call: Call, make: Make<T>): Promise<T>[] {
    const reads = new Array<Promise<T>>(selection.anchors.length);
    for (const [number, members] of byPart(selection).entries()) {
      const part = selection.parts[number];
      if (part === undefined || members.length === 0) continue;
      const positions = members.map((at) => selection.positions[at] ?? 0);
      const own = this.#readPart(part, positions, call, (at, bytes, form) => make(members[at] ?? 0, bytes, form));
      for (const [number, read] of own.entries()) reads[members[number] ?? 0] = read;
    }
    return reads;
  }

  /**
   * Reads Items for who has use for all of them or none: `take` is given each, in no certain order. Rejects with the first failure, with its anchor.
   */
  async readAll(selection: Selection, call: Call, take: Take): Promise<void> {
    const reads: Promise<void>[] = [];
    for (const [number, members] of byPart(selection).entries()) {
      const part = selection.parts[number];
      if (part === undefined || members.length === 0) continue;
      const positions = members.map((at) => selection.positions[at] ?? 0);
      const own: Take = (at, bytes, form) => take(members[at] ?? 0, bytes, form);
      const told = (at: number, error: unknown): unknown => withContext(error, { anchor: selection.anchors[members[at] ?? 0] });
      if (part.entries.form === "fragments") {
        reads.push(...new Fragments(this.#objects, this.#place, part.entries, part.isWhole).readAll(positions, call, own, told));
      } else {
        for (const [at, read] of this.#readPart(part, positions, call, own).entries()) reads.push(retold(read, (error) => told(at, error)));
      }
    }
    await Promise.all(reads);
  }

  /** What reading these Items now would fetch; `type` tells the sizes that the index does not, `chunkSize` those of chunks. */
  plan(selection: Selection, { type, chunkSize }: { type?: ItemType; chunkSize?: bigint | undefined }): PlanSum {
    const sum = emptyPlan();
    for (const [number, members] of byPart(selection).entries()) {
      const part = selection.parts[number];
      if (part === undefined) continue;
      if (part.entries.form === "fragments") {
        const positions = members.map((at) => selection.positions[at] ?? 0);
        addPlans(sum, new Fragments(this.#objects, this.#place, part.entries, part.isWhole).plan(positions, chunkSize));
      } else {
        const size = type && rawSize(type);
        const bytes = members.length * (size ?? 0);
        const unsized = size === undefined ? members.length : 0;
        addPlans(sum, { ...emptyPlan(), items: members.length, requests: members.length, bytesWanted: bytes, bytes, unsized });
      }
    }
    return sum;
  }

  /**
   * Where an Item lies, for those who read parts of it. Costs a request for the length of a pack of which the index does not tell all.
   *
   * @throws {DreamDbError} `Unsupported` for a chunked Item; the codes of packs and of outboards
   */
  async locate({ part: { entries, isWhole }, position }: Found, call: Call): Promise<Located> {
    if (entries.form === "fragments") return new Fragments(this.#objects, this.#place, entries, isWhole).locate(position, call);
    return { object: objectOf(this.#place, entries, position), offset: 0 };
  }

  #readPart<T>({ entries, isWhole }: Part, positions: readonly number[], call: Call, make: Make<T>): Promise<T>[] {
    if (entries.form === "fragments") return new Fragments(this.#objects, this.#place, entries, isWhole).read(positions, call, make);
    return positions.map(async (position, at) => {
      const object = objectOf(this.#place, entries, position);
      const bytes = await this.#objects.item(object, call);
      try {
        return make(at, bytes, "single");
      } catch (error) {
        throw withContext(error, { key: object.key });
      }
    });
  }
}

/** Entries of Items that are objects of their own. */
export type ObjectEntries = Exclude<Part["entries"], { form: "fragments" }>;

/** The object of an array Item of its own. */
export function objectOf(place: Place, entries: ObjectEntries, position: number): ObjectId {
  const address = addressAt(entries.addresses, position);
  return { key: itemKey(place, bucketOf(entries, position), address), address };
}

/** Bucket below which an array Item of its own is stored. */
export function bucketOf(entries: ObjectEntries, position: number): bigint {
  return (entries.form === "event" ? entries.anchors : entries.buckets)[position] ?? 0n;
}

/** Bytes of an Item, if its type tells: only raw dense Items have no header. */
export function rawSize(type: ItemType): number | undefined {
  if (type.family !== "dense-array" || type.codec !== "raw") return undefined;
  return Number(type.shape.reduce((product, extent) => product * extent, BigInt(bytesPerElement(type.dtype))));
}

/** Numbers of the Items of each part. */
function byPart({ parts, partOf }: Selection): number[][] {
  const members: number[][] = parts.map(() => []);
  for (const [at, part] of partOf.entries()) members[part]?.push(at);
  return members;
}


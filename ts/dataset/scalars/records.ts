/**
 * Records of a scalar column: the sets of anchors that have one value, as spans of packs or objects of their own.
 *
 * A pack's length stands nowhere but in its outboard; without one the pack is read whole where it is to be verified.
 */
import type { DreamDbError } from "../../errors.js";
import type { Call } from "../../io/call.js";
import type { ObjectReader } from "../../io/objects.js";
import type { ProvableObject } from "../../io/outboards.js";
import type { Span } from "../../io/spans.js";
import type { CheckedBytes, ObjectId } from "../../io/verifier.js";
import type { Place } from "../keys.js";
import type { ScalarEntries } from "./column-index.js";
import { WHOLE } from "./entries.js";
import type { Host } from "./host.js";

/** The records of one column. */
export class ScalarRecords {
  readonly #host: Host;
  readonly #objects: ObjectReader;
  readonly #place: Place;

  constructor(host: Host, objects: ObjectReader, place: Place) {
    this.#host = host;
    this.#objects = objects;
    this.#place = place;
  }

  /**
   * Reads the records of entries, one promise each, in the same order.
   *
   * @param together reads records that lie side by side as one: a wrong byte is then the failure of all of them
   * @throws nothing; the promises reject with `HashMismatch`, `PackSliceOutOfBounds`, `TooLarge`, the codes of requests
   */
  read(entries: ScalarEntries, positions: readonly number[], call: Call, together = false): Promise<CheckedBytes>[] {
    const reads = new Array<Promise<CheckedBytes>>(positions.length);
    const packs = new Map<number, number[]>();
    const wholes = new Map<number, Promise<CheckedBytes>>();
    for (const [at, position] of positions.entries()) {
      const object = entries.objects[position] ?? 0;
      if (entries.lengths[position] === WHOLE) {
        const whole = wholes.get(object) ?? this.#objects.item(this.#object(entries, object), call);
        wholes.set(object, whole);
        reads[at] = whole;
        continue;
      }
      const members = packs.get(object);
      if (members === undefined) packs.set(object, [at]);
      else members.push(at);
    }
    for (const [object, members] of packs) {
      const spans = members.map((at): Span => {
        const position = positions[at] ?? 0;
        const start = Number(entries.offsets[position] ?? 0n);
        return { start, end: start + Number(entries.lengths[position] ?? 0n) };
      });
      const read = this.#spans(this.#object(entries, object), spans, call, together);
      for (const [number, at] of members.entries()) {
        reads[at] = read.then((parts) => parts[number] ?? Promise.reject(new this.#host.Refusal("Internal", "a record was lost")));
      }
    }
    return reads;
  }

  #object(entries: ScalarEntries, object: number): ObjectId {
    const address = entries.addresses[object] ?? "";
    return { key: this.#host.recordKey(this.#place, address), address };
  }

  /** One promise for each span, once it is known how they are read. */
  async #spans(id: ObjectId, spans: readonly Span[], call: Call, together: boolean): Promise<Promise<CheckedBytes>[]> {
    // What lies side by side is one span.
    const order = [...spans.keys()].sort((a, b) => (spans[a]?.start ?? 0) - (spans[b]?.start ?? 0));
    const runs: { start: number; end: number }[] = [];
    const runOf = new Uint32Array(spans.length);
    for (const at of order) {
      const { start, end } = spans[at] ?? { start: 0, end: 0 };
      const last = runs.at(-1);
      if (together && last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
      else runs.push({ start, end });
      runOf[at] = runs.length - 1;
    }
    const reach = runs.reduce((most, { end }) => Math.max(most, end), 0);
    if (reach > Number.MAX_SAFE_INTEGER) throw this.#outOfBounds(id, reach, undefined);
    const length = await this.#objects.lengthOf(id, reach, call);
    if (length !== undefined && length < BigInt(reach)) throw this.#outOfBounds(id, reach, length);
    let read: Promise<CheckedBytes>[];
    if (length === undefined && this.#objects.verifies) {
      const { bytes, verified } = await this.#objects.item(id, call);
      if (bytes.byteLength < reach) throw this.#outOfBounds(id, reach, BigInt(bytes.byteLength));
      read = runs.map(({ start, end }) => Promise.resolve({ bytes: bytes.slice(start, end), verified }));
    } else {
      const check = (said: bigint): void => {
        if (said < BigInt(reach)) throw this.#outOfBounds(id, reach, said);
      };
      const pack: ProvableObject = { ...id, length: Number(length ?? BigInt(reach)), check };
      read = this.#objects.spans(pack, runs, call);
    }
    return spans.map(async ({ start, end }, at) => {
      const run = runOf[at] ?? 0;
      const { bytes, verified } = (await read[run]) ?? { bytes: new Uint8Array(0), verified: "none" };
      const from = start - (runs[run]?.start ?? 0);
      return { bytes: bytes.subarray(from, from + end - start), verified };
    });
  }

  #outOfBounds({ key }: ObjectId, reach: number, length: bigint | undefined): DreamDbError {
    const { Refusal, withContext } = this.#host;
    const actual = length === undefined ? "fewer" : `${length}`;
    const message = `the records of the pack reach to byte ${reach}, it has ${actual}`;
    return withContext(new Refusal("PackSliceOutOfBounds", message, { expected: String(reach), actual }), { key }) as DreamDbError;
  }
}

/** Datasets that are written to in tests: what is done to them, and stores in which each step can be made to fail. */
import { DreamDbError, isArrayField, openDataset, type RowInit, Schema, type WritableStore } from "dreamdb-arrays";

/** A schema with a field of each way of storing. */
export function schemaOfAll(): Schema {
  return new Schema()
    .array("pose", { dtype: "f32", shape: [2] })
    .ragged("hits", { dtype: "u16", innerShape: [], required: false })
    .image("frame", { mime: "png", packItems: 2, required: false })
    .audio("sound", { mime: "wav", chunkSize: 3, required: false });
}

/** Rows at `count` anchors from `first` on, with a value of every field. */
export function rowsFrom(first: number, count: number): RowInit[] {
  return Array.from({ length: count }, (_, at) => {
    const anchor = first + at;
    const hits = { rowOffsets: [0, 1], values: Uint16Array.of(anchor) };
    return { anchor, values: { pose: [anchor, 0 - anchor], hits, frame: Uint8Array.of(1, anchor), sound: new Uint8Array(5).fill(anchor) } };
  });
}

/** Anchors of the rows and what the first field has there; every Item is read and checked. */
export async function contentsOf(store: WritableStore, name = "main"): Promise<Map<bigint, unknown>> {
  const ds = await openDataset(store, name);
  const { faults } = await ds.audit();
  if (faults.length > 0) throw new Error(`the audit found ${JSON.stringify(faults)}`);
  const rows = new Map<bigint, unknown>();
  const field = ds.fields.find((info) => isArrayField(info) && info.family === "dense-array" && info.trackKind !== "constant")?.name ?? "";
  for await (const { anchor, values } of ds.rows()) {
    const value = values[field] as { readonly data?: ArrayLike<number> } | undefined;
    rows.set(anchor, value?.data && Array.from(value.data));
  }
  return rows;
}

/** How a call fails: before or after it was carried out, or by never ending. */
export type Fault = "before" | "after" | "hangs";

/** A store in which one call can be made to fail. */
export interface FaultyStore extends WritableStore {
  /** Calls since the last `arm`, by method and key. */
  readonly calls: readonly string[];
  /** Has call number `at` from now, from 0, fail so. */
  arm(at: number, fault: Fault): void;
  disarm(): void;
}

/** `store`, in which calls can be made to fail. */
export function faulty(store: WritableStore): FaultyStore {
  const calls: string[] = [];
  let armed: { readonly at: number; readonly fault: Fault } | undefined;
  async function call<T>(method: string, key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const fault = calls.push(`${method} ${key}`) - 1 === armed?.at ? armed.fault : undefined;
    if (fault === "before") throw new DreamDbError("Network", "the line was cut");
    if (fault === "hangs") {
      return await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
    }
    const result = await work();
    if (fault === "after") throw new DreamDbError("Network", "the line was cut");
    return result;
  }
  return {
    calls,
    arm(at, fault) {
      calls.length = 0;
      armed = { at, fault };
    },
    disarm() {
      armed = undefined;
    },
    describe: (key) => store.describe(key),
    get: (key, options) => call("get", key, options?.signal, () => store.get(key, options)),
    getRange: (key, offset, length, options) => call("getRange", key, options?.signal, () => store.getRange(key, offset, length, options)),
    getTagged: (key, options) => call("getTagged", key, options?.signal, () => store.getTagged(key, options)),
    create: (key, bytes, options) => call("create", key, options?.signal, () => store.create(key, bytes, options)),
    replace: (key, bytes, tag, options) => call("replace", key, options?.signal, () => store.replace(key, bytes, tag, options)),
  };
}

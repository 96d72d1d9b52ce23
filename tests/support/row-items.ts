/** Datasets of one ragged or CSR Item, with what is needed to ask for its rows and to see what was asked. */

import { init, memoryStore, openDataset, type OpenOptions } from "dreamdb-arrays";
import { type BuiltArrays, buildArrays, csrPayload, raggedPayload } from "./built-arrays.js";
import { recording } from "./recording.js";

await init();

/** Bytes. */
export const KIB = 1024;
/** So many, each made by its number. */
export const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

/** Type of ragged Items. */
export const RAGGED = { family: "ragged-array", dtype: "f32", innerShape: [] as number[] } as const;
/** 2000 rows of 0 to 6 cells: an index table of 16 KB before 24 KB of cells. */
export const ROWS = times(2000, (row) => times(row % 7, (at) => row + at / 8));
/** The ragged Item. */
export const PAYLOAD = raggedPayload(ROWS);
/** Columns of the sparse Item. */
export const COLUMNS = 1n << 40n;
/** Type of sparse Items, with more columns than memory has room for. */
export const CSR = { family: "sparse-csr", dtype: "f32", shape: [2000, COLUMNS] } as const;
/** Columns and values of each row. */
export const ENTRIES = times(2000, (row) => times(row % 5, (at) => [row * 3 + at * at + at, row - at / 4] as const));
/** The sparse Item. */
export const MATRIX = csrPayload(ENTRIES, COLUMNS);

/** Two ragged Items, the second without rows. */
export const BUILT = buildArrays(RAGGED, [PAYLOAD, raggedPayload([])]);
/** One sparse Item. */
export const BUILT_CSR = buildArrays(CSR, [MATRIX]);

/** Opens one, with its index read and a record of what is asked for from then on. */
export async function openRows({ objects, manifest, items }: BuiltArrays, options: OpenOptions = {}) {
  const memory = memoryStore(objects);
  const store = recording(memory);
  const ds = await openDataset(store, { manifest }, { retry: { attempts: 1 }, ...options });
  // The index is read beforehand.
  await ds.plan({ field: "a", anchors: [] });
  store.forget();
  /** Reads of the first Item and of its outboard, as [offset, length], or "all". */
  const asked = (which: "key" | "outboardKey") =>
    store.reads.filter(({ key }) => key === items[0]?.[which]).map(({ kind, offset, length }) => (kind === "get" ? "all" : [offset, length]));
  const bytes = () => store.reads.reduce((sum, { bytes: read }) => sum + (read?.byteLength ?? 0), 0);
  return { ds, store, memory, asked, bytes, ragged: ds.ragged.bind(ds, "a", { dtype: "f32" }), csr: ds.csr.bind(ds, "a", { dtype: "f32" }) };
}

/** What may be said of verification. */
export const POLICIES = ["always", "available", "never"] as const;

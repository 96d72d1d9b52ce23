/** A folder that a person picked with the browser's own picker. That reading it may need to be allowed again is this file's matter; picking it is not. */
import { blobStore, type DirectoryHandle, isDreamDbError, type Store } from "dreamdb-arrays";

/** What the picker gives. */
export interface PickedFolder extends DirectoryHandle {
  readonly name: string;
  /** Asks a person whether the page may read it. */
  requestPermission?(descriptor: { readonly mode: "read" }): Promise<PermissionState>;
}

/** Presses of keys and buttons so far. */
let presses = 0;
for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => (presses += 1), { capture: true });

/**
 * The folder as a store. Browsers take a permission back when a page was long out of sight, or when a person says so: then a read that a person caused, by another try
 * as by a step, asks for it anew, once for each press. Others reject with `Forbidden`, since browsers let nobody else ask.
 */
export function folderStore(folder: PickedFolder): Store {
  const store = blobStore(folder);
  let asking: Promise<boolean> | undefined;
  let refusedAt = -1;

  async function ask(): Promise<boolean> {
    const at = presses;
    const state = await Promise.resolve(folder.requestPermission?.({ mode: "read" })).catch(() => undefined);
    if (state !== "granted") refusedAt = at;
    asking = undefined;
    return state === "granted";
  }

  async function allowed<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isDreamDbError(error, "Forbidden")) throw error;
      if (asking === undefined && navigator.userActivation.isActive && presses !== refusedAt) asking = ask();
      if (asking === undefined || !(await asking)) throw error;
      return await read();
    }
  }

  return {
    get: (key, options) => allowed(() => store.get(key, options)),
    getRange: (key, offset, length, options) => allowed(() => store.getRange(key, offset, length, options)),
    describe: (key) => store.describe(key),
  };
}

/** A store that remembers what was read through it: so the objects behind values can be compared, too. */

/** @typedef {import("dreamdb-arrays").Store} Store */

/**
 * @param {Store} store
 * @returns {{ store: Store, asked: Set<string>, objects: Map<string, Uint8Array> }} keys that were asked for, and copies of the whole objects that came
 */
export function recorded(store) {
  /** @type {Set<string>} */
  const asked = new Set();
  /** @type {Map<string, Uint8Array>} */
  const objects = new Map();
  return {
    asked,
    objects,
    store: {
      describe: (key) => store.describe(key),
      async get(key, options) {
        asked.add(key);
        const bytes = await store.get(key, options);
        // The package may change in place what it is given.
        objects.set(key, new Uint8Array(bytes));
        return bytes;
      },
      getRange(key, offset, length, options) {
        asked.add(key);
        return store.getRange(key, offset, length, options);
      },
    },
  };
}

/** Lists that are kept in order. */
import { compared, type Item } from "../cbor.js";

/**
 * Items in the order of what `keysOf` gives of each, one after another by its bytes; equal ones keep theirs. Of a list in order with new items behind it,
 * each new one comes behind all that are not greater. Costs n comparisons, and n log n of what is out of order.
 */
export function ordered(items: readonly Item[], keysOf: (item: Item) => readonly Uint8Array[]): Item[] {
  const keyed = items.map((item) => ({ item, keys: keysOf(item) }));
  return keyed.sort((first, second) => byKeys(first.keys, second.keys)).map(({ item }) => item);
}

function byKeys(first: readonly Uint8Array[], second: readonly Uint8Array[]): number {
  for (const [at, key] of first.entries()) {
    const order = compared(key, second[at] ?? key);
    if (order !== 0) return order;
  }
  return 0;
}

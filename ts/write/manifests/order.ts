/** The order of items by what they hold, and lists that are kept in it. */
import { compared, type Item } from "../cbor.js";

/** How two items are ordered. */
export type Order = (first: Item, second: Item) => number;

/** The order of what `keysOf` gives of items, one after another by its bytes; of each item it is asked once. */
export function orderBy(keysOf: (item: Item) => readonly Uint8Array[]): Order {
  const known = new Map<Item, readonly Uint8Array[]>();
  const keys = (item: Item): readonly Uint8Array[] => {
    const found = known.get(item) ?? keysOf(item);
    known.set(item, found);
    return found;
  };
  return (first, second) => {
    const others = keys(second);
    for (const [at, key] of keys(first).entries()) {
      const order = compared(key, others[at] ?? key);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** A list in order with further items, each behind all that are not greater. Looks at log n items for each of these. */
export function inserted(there: readonly Item[], more: readonly Item[], order: Order): Item[] {
  const grown: Item[] = [];
  let from = 0;
  for (const item of [...more].sort(order)) {
    let [low, end] = [from, there.length];
    while (low < end) {
      const middle = (low + end) >> 1;
      if (order(there[middle] ?? item, item) > 0) end = middle;
      else low = middle + 1;
    }
    grown.push(...there.slice(from, low), item);
    from = low;
  }
  return [...grown, ...there.slice(from)];
}

/** Lists that are read as they come into sight. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { Blocks, type ReadBlock } from "../data/blocks.js";

/** Scrolling on within this time asks for nothing. */
const REST_MS = 60;

/** A list of so many entries in blocks of `size`, of which those from `first` to `last` are in sight. A change of `family` makes it another list. */
export function useBlocks<T>(family: readonly unknown[], { count, size, most }: { readonly count: number; readonly size: number; readonly most: number }, [first, last]: readonly [number, number], read: ReadBlock<T>): Blocks<T> {
  const [, setTold] = useState(0);
  const blocks = useMemo(() => new Blocks<T>({ count, size, most, read, tell: () => setTold((times) => times + 1) }), [...family, count, size]);
  useEffect(() => () => blocks.end(), [blocks]);
  const [from, to] = [Math.floor(first / size), Math.floor(last / size)];
  useEffect(() => {
    const timer = setTimeout(() => blocks.want(first, last), REST_MS);
    return () => clearTimeout(timer);
  }, [blocks, from, to]);
  return blocks;
}

/** What is on screen: of this statistics are made, and this is exported. Each view says it once it has drawn. */
import { signal } from "@preact/signals";
import type { AnyTypedArray, DenseArray, FieldInfo, Verified } from "dreamdb-arrays";

/** What a view shows. */
export interface Shown {
  readonly info: FieldInfo;
  /** Anchor of the Item, if it is one that is shown. */
  readonly anchor?: bigint | undefined;
  /** First and last anchor, if it is a window of Items. */
  readonly window?: readonly [first: bigint, last: bigint] | undefined;
  /** In words what of it is on screen: `Item`, `slice time = 3`, `column of 5 000 Items`. */
  readonly what: string;
  /** The elements on screen; absent for what has no numbers, such as images. */
  readonly data?: AnyTypedArray | undefined;
  /** The same as an array, which `.npy` has. */
  readonly array?: DenseArray | undefined;
  /** Names of the axes of `array`; those that are declared, if it is a whole Item. */
  readonly axes?: readonly string[] | undefined;
  /** The same as a table: a line of names, then lines of cells, made as they are asked for. */
  readonly table?: { readonly names: readonly string[]; lines(): Iterable<readonly string[]> } | undefined;
  /** The stored bytes, of media. */
  readonly file?: { readonly bytes: Uint8Array<ArrayBuffer>; readonly extension: string } | undefined;
  /** What was checked against the content address. */
  readonly verified: Verified;
  /** The picture, as PNG; absent where the view has none. */
  readonly picture?: (() => Promise<Blob>) | undefined;
}

/** What is on screen now; `undefined` while nothing is. */
export const shown = signal<Shown | undefined>(undefined);

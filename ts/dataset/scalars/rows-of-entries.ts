/** Rows with the entries that they are of, and what their values are in JavaScript. */
import type { Verified } from "../../io/verifier.js";
import type { ScalarArrays, ScalarColumn, ScalarType, ScalarValues } from "../scalar-values.js";
import type { ScalarEntries } from "./column-index.js";

/** Rows of a column, by ascending anchors. */
export class Rows<T extends ScalarType> {
  readonly anchors: BigUint64Array<ArrayBuffer>;
  readonly #type: T;
  readonly #entries: ScalarEntries;
  /** Of the entry of each row. */
  readonly #positions: Uint32Array;
  readonly #verified: Verified;

  constructor(type: T, entries: ScalarEntries, anchors: BigUint64Array<ArrayBuffer>, positions: Uint32Array, verified: Verified) {
    this.#type = type;
    this.#entries = entries;
    this.anchors = anchors;
    this.#positions = positions;
    this.#verified = verified;
  }

  /** Those with numbers from `from` up to `to`. */
  slice(from: number, to: number): Rows<T> {
    return this.#with(this.anchors.slice(from, to), this.#positions.slice(from, to));
  }

  /** Those of whose anchors that holds. */
  filter(holds: (anchor: bigint) => boolean): Rows<T> {
    const { anchors } = this;
    const kept = (_: unknown, row: number): boolean => holds(anchors[row] ?? 0n);
    return this.#with(anchors.filter(kept), this.#positions.filter(kept));
  }

  /** All values together. */
  column(): ScalarColumn<T> {
    const [valueType, positions] = [this.#type, this.#positions];
    const column = { valueType, anchors: this.anchors, values: valuesOf(valueType, this.#entries, positions), verified: this.#verified };
    if (valueType !== "categorical") return column as unknown as ScalarColumn<T>;
    const { categories, codes } = categoriesOf(this.#entries);
    return { ...column, codes: Uint32Array.from(positions, (position) => codes[position] ?? 0), categories } as unknown as ScalarColumn<T>;
  }

  /** The values one by one. */
  values(): ScalarValues[T][] {
    return Array.from(this.#positions, (position) => valueAt(this.#type, this.#entries, position));
  }

  #with(anchors: BigUint64Array<ArrayBuffer>, positions: Uint32Array): Rows<T> {
    return new Rows(this.#type, this.#entries, anchors, positions, this.#verified);
  }
}

/** The value of one entry. */
export function valueAt<T extends ScalarType>(type: T, entries: ScalarEntries, position: number): ScalarValues[T] {
  const [value] = valuesOf(type, entries, Uint32Array.of(position));
  return (type === "bool" ? value === 1 : value) as ScalarValues[T];
}

/** The values of entries. */
function valuesOf(type: ScalarType, { texts, words }: ScalarEntries, positions: Uint32Array): ScalarArrays[ScalarType] {
  if (type === "categorical" || type === "string") return Array.from(positions, (position) => texts[position] ?? "");
  if (type === "bool") return Uint8Array.from(positions, (position) => Number(words[position] ?? 0n));
  const own = BigUint64Array.from(positions as Iterable<number>, (position) => words[position] ?? 0n);
  return type === "float" ? new Float64Array(own.buffer) : new BigInt64Array(own.buffer);
}

/** The distinct texts of the index, and for each entry the position of its own among them. */
function categoriesOf({ texts }: ScalarEntries): { categories: string[]; codes: Uint32Array } {
  const numbers = new Map<string, number>();
  const codes = Uint32Array.from(texts, (text) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  });
  return { categories: [...numbers.keys()], codes };
}

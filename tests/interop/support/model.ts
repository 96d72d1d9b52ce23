/** What a dataset must contain after what was done to it, and what can be done: the words in which tests speak of both implementations. */
import type { DType } from "dreamdb-arrays";
import type { ArrayBits, Bits } from "./values.js";

interface Common {
  readonly dtype: DType;
  readonly endianness: "little" | "big";
  readonly semanticType: string;
  readonly units: string;
  readonly frame: string;
  readonly axisOrder: string;
}

/** An item type of which everything is said; extents are decimal texts. */
export type DeclaredType = Common &
  (
    | { readonly family: "dense-array"; readonly shape: readonly string[]; readonly layout: "c" | "f"; readonly codec: "raw" | "npy" }
    | { readonly family: "ragged-array"; readonly innerShape: readonly string[]; readonly layout: "c"; readonly codec: "offsets-values" }
    | { readonly family: "sparse-csr"; readonly shape: readonly [rows: string, columns: string]; readonly layout: "c"; readonly codec: "raw" }
  );

export interface ArraySpec {
  readonly kind: "array";
  readonly name: string;
  readonly required: boolean;
  readonly trackKind: "event" | "continuous";
  readonly type: DeclaredType;
}

export interface MediaSpec {
  readonly kind: "image" | "audio" | "video";
  readonly name: string;
  readonly required: boolean;
  readonly mime: string;
  readonly packItems?: number;
  readonly chunkSize?: number;
}

export type FieldSpec = ArraySpec | MediaSpec;

export interface ConstantSpec {
  readonly name: string;
  readonly type: DeclaredType;
  readonly value: ArrayBits;
}

/** A row: its values by field, absent ones left out. */
export interface RowSpec {
  readonly anchor: bigint;
  readonly values: readonly (readonly [field: string, value: Bits])[];
}

/** Something done to a dataset. */
export type Step =
  | { readonly do: "append"; readonly rows: readonly RowSpec[] }
  | { readonly do: "addArrayConstant"; readonly constant: ConstantSpec }
  | { readonly do: "addField"; readonly field: FieldSpec }
  | { readonly do: "delete"; readonly anchors: readonly bigint[]; readonly reason?: string };

/** Stored Items of a field. */
interface Items {
  /** Their anchors, in the order in which they were written. */
  readonly anchors: bigint[];
  /** The last one at each anchor. */
  readonly last: Map<bigint, Bits>;
}

/** The contents of a dataset. */
export class Model {
  readonly fields = new Map<string, FieldSpec>();
  readonly constants = new Map<string, ConstantSpec>();
  readonly deleted = new Set<bigint>();
  readonly #items = new Map<string, Items>();

  constructor(fields: readonly FieldSpec[]) {
    for (const field of fields) this.#add(field);
  }

  #add(field: FieldSpec): void {
    this.fields.set(field.name, field);
    this.#items.set(field.name, { anchors: [], last: new Map() });
  }

  apply(step: Step): void {
    switch (step.do) {
      case "append":
        for (const { anchor, values } of step.rows) for (const [field, value] of values) this.#store(field, anchor, value);
        return;
      case "addArrayConstant":
        this.constants.set(step.constant.name, step.constant);
        return;
      case "addField":
        this.#add(step.field);
        return;
      case "delete":
        for (const anchor of step.anchors) this.deleted.add(anchor);
    }
  }

  /** The same contents, to go another way from here. */
  copy(): Model {
    const copied = new Model([...this.fields.values()]);
    for (const [name, constant] of this.constants) copied.constants.set(name, constant);
    for (const anchor of this.deleted) copied.deleted.add(anchor);
    for (const [name, { anchors, last }] of this.#items) copied.#items.set(name, { anchors: [...anchors], last: new Map(last) });
    return copied;
  }

  #store(field: string, anchor: bigint, value: Bits): void {
    const { anchors, last } = this.#of(field);
    anchors.push(anchor);
    last.set(anchor, value);
  }

  #of(field: string): Items {
    const items = this.#items.get(field);
    if (items === undefined) throw new Error(`there is no field ${field}`);
    return items;
  }

  /** Anchors of a field's stored Items, ascending: those of deleted rows too, a repeated one as often as it was written. */
  stored(field: string): bigint[] {
    return ascending(this.#of(field).anchors);
  }

  /** A field's Items that a reader sees, ascending. */
  visible(field: string): (readonly [anchor: bigint, value: Bits])[] {
    return ascending([...this.#of(field).last.keys()]).flatMap((anchor) => {
      const value = this.at(field, anchor);
      return typeof value === "string" ? [] : [[anchor, value] as const];
    });
  }

  /** What a reader finds at an anchor; of several Items the last one. */
  at(field: string, anchor: bigint): Bits | "absent" | "deleted" {
    const value = this.#of(field).last.get(anchor);
    if (value === undefined) return "absent";
    return this.deleted.has(anchor) ? "deleted" : value;
  }

  /** Anchors of the rows that a reader sees, ascending. */
  anchors(): bigint[] {
    return ascending([...new Set([...this.fields.keys()].flatMap((field) => this.visible(field).map(([anchor]) => anchor)))]);
  }

  /** Anchors to ask every field for: all that were ever spoken of, and neighbours at which there may be nothing. */
  probes(): bigint[] {
    const known = [...this.fields.keys()].flatMap((field) => this.stored(field));
    return ascending([...new Set([...known, ...this.deleted, ...known.slice(0, 3).map((anchor) => anchor + 1n), 0n])]);
  }
}

export function ascending(anchors: readonly bigint[]): bigint[] {
  return [...anchors].sort((a, b) => (a < b ? -1 : Number(a > b)));
}

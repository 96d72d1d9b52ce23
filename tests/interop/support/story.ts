/** Random histories of datasets: schemas, and what is done to them, step by step. */
import { type ArraySpec, type ConstantSpec, type FieldSpec, type MediaSpec, Model, type RowSpec, type Step } from "./model.js";
import { Random } from "./random.js";
import { randomMedia, randomType, randomValue } from "./random-types.js";
import type { Bits } from "./values.js";

const NAMES = ["pose", "hits", "a b", "é", "日本", "x/y", "__proto__", "constructor", "A", "frame.0", "", "z_9", "🙂", "toString", "k=v", "ab", "b"];
const MIMES = { image: ["png", "jpeg", "x_raw.v2"], audio: ["wav", "flac"], video: ["mp4", "h264"] } as const;
/** Beyond it the reference still stores rows, but no longer lists them. */
const LAST_ANCHOR = 2n ** 63n - 2n;

/** A dataset that goes on: what was done is in its model. */
export class Story {
  readonly fields: readonly FieldSpec[];
  readonly model: Model;
  readonly #random: Random;
  readonly #names: string[];

  /** Whether rows come to stand at deleted anchors, which the reference writes in vain and the package refuses. */
  readonly #inVain: boolean;

  /** Equal seeds and rounds make equal histories. */
  constructor(seed: number, round: number, { inVain }: { readonly inVain: boolean }) {
    this.#inVain = inVain;
    this.#random = new Random(seed, round);
    this.#names = this.#random.shuffled(NAMES);
    const arrays = Array.from({ length: this.#random.integer(0, 4) }, () => this.#name());
    const media = Array.from({ length: this.#random.integer(arrays.length === 0 ? 1 : 0, 3) }, () => this.#name());
    const fields: FieldSpec[] = [];
    for (const name of arrays) fields.push(this.#array(name, fields));
    for (const name of media) fields.push(this.#media(name));
    this.fields = this.#random.shuffled(fields);
    this.model = new Model(this.fields);
  }

  #name(): string {
    const name = this.#names.pop();
    if (name === undefined) throw new Error("all names are taken");
    return name;
  }

  #array(name: string, before: readonly FieldSpec[]): ArraySpec {
    const random = this.#random;
    const required = random.chance(0.5);
    const twin = before.find((field) => field.kind === "array");
    // Fields of one type share what is stored.
    if (twin !== undefined && random.chance(0.25)) return { ...twin, name, required };
    return { kind: "array", name, required, trackKind: random.pick(["event", "continuous"] as const), type: randomType(random) };
  }

  #media(name: string): MediaSpec {
    const random = this.#random;
    const kind = random.pick(["image", "audio", "video"] as const);
    const packItems = random.pick([undefined, undefined, 0, 1, 2, 3, 32]);
    const chunkSize = random.pick([undefined, undefined, undefined, 1, 7, 1000]);
    const sizes = { ...(packItems === undefined ? {} : { packItems }), ...(chunkSize === undefined ? {} : { chunkSize }) };
    return { kind, name, required: random.chance(0.4), mime: random.pick(MIMES[kind]), ...sizes };
  }

  /** What comes next; the model has it already. */
  next(): Step {
    const step = this.#step();
    this.model.apply(step);
    return step;
  }

  /** Rows and nothing else; never none. */
  append(): Step {
    const step = this.#append();
    this.model.apply(step);
    return step;
  }

  #step(): Step {
    const random = this.#random;
    const chosen = random.pick(["append", "append", "append", "delete", "constant", "field"] as const);
    if (chosen === "delete") return this.#delete();
    if (chosen === "constant" && this.#names.length > 0) {
      const constant = this.#constant();
      if (constant !== undefined) return { do: "addArrayConstant", constant };
    }
    if (chosen === "field" && this.#names.length > 0) return { do: "addField", field: this.#laterField() };
    return this.#append();
  }

  /** Two Constants of one type are refused. */
  #constant(): ConstantSpec | undefined {
    const type = randomType(this.#random);
    const same = JSON.stringify(type);
    if ([...this.model.constants.values()].some((other) => JSON.stringify(other.type) === same)) return undefined;
    return { name: this.#name(), type, value: randomValue(this.#random, type) };
  }

  /** The reference adds images and videos without packs or chunks, and no audio. */
  #laterField(): FieldSpec {
    const random = this.#random;
    if (random.chance(0.6)) return this.#array(this.#name(), [...this.model.fields.values()]);
    const kind = random.pick(["image", "video"] as const);
    return { kind, name: this.#name(), required: random.chance(0.3), mime: random.pick(MIMES[kind]) };
  }

  #delete(): Step {
    const random = this.#random;
    const there = this.model.anchors();
    const some = there.filter(() => random.chance(0.2));
    const anchors = random.shuffled([...some, ...(some.length === 0 || random.chance(0.3) ? [this.#anchor()] : [])]);
    return { do: "delete", anchors, ...(random.chance(0.5) ? { reason: random.pick(["", "blurred", "é\n"]) } : {}) };
  }

  #anchor(): bigint {
    const random = this.#random;
    return random.pick([BigInt(random.integer(0, 60)), 1_700_000_000_000_000_000n + BigInt(random.integer(0, 1000)), random.u64() % (LAST_ANCHOR + 1n), LAST_ANCHOR]);
  }

  #append(): Step {
    const random = this.#random;
    const length = random.pick([1, 2, random.integer(1, 12), random.integer(1, 12)]);
    const rows: RowSpec[] = [];
    const taken = new Set<bigint>();
    while (rows.length < length) {
      const anchor = this.#anchorOfRow(taken);
      taken.add(anchor);
      rows.push({ anchor, values: this.#values(anchor) });
    }
    return { do: "append", rows };
  }

  /** A new one, or that of a row which has no Item yet where it must have one now: it is completed, and media replaced. */
  #anchorOfRow(taken: ReadonlySet<bigint>): bigint {
    const random = this.#random;
    const arrays = [...this.model.fields.values()].filter((field) => field.kind === "array" && field.required);
    const free = (anchor: bigint): boolean => !taken.has(anchor) && (this.#inVain || !this.model.deleted.has(anchor));
    const open = this.model.probes().filter((anchor) => anchor <= LAST_ANCHOR && free(anchor) && arrays.every(({ name }) => this.model.at(name, anchor) === "absent"));
    if (open.length > 0 && random.chance(0.15)) return random.pick(open);
    for (;;) {
      const anchor = this.#anchor();
      const held = [...this.model.fields.values()].some(({ name, kind }) => kind === "array" && this.model.at(name, anchor) !== "absent");
      if (free(anchor) && !held) return anchor;
    }
  }

  #values(anchor: bigint): (readonly [string, Bits])[] {
    const random = this.#random;
    return [...this.model.fields.values()].flatMap((field): (readonly [string, Bits])[] => {
      const { kind, name, required } = field;
      const held = kind === "array" && this.model.at(name, anchor) !== "absent";
      if (held || (!required && random.chance(0.4))) return [];
      return [[name, kind === "array" ? randomValue(random, field.type) : randomMedia(random, field)]];
    });
  }
}

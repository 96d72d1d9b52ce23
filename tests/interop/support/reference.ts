/** The reference implementation in a process of its own: reference/driver.py, which does the work. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { findReference } from "../../../scripts/lib/reference.mjs";
import type { ArraySpec, ConstantSpec, FieldSpec, Model, RowSpec } from "./model.js";
import type { Bits } from "./values.js";
import type { Implementation, Writer } from "./writer.js";

const DRIVER = fileURLToPath(new URL("../reference/driver.py", import.meta.url));

/** A refusal of the reference, or a panic. */
export class ReferenceError extends Error {
  override readonly name = "ReferenceError";

  constructor(
    /** Name of the Python exception. */
    readonly type: string,
    /** What it says. */
    readonly text: string,
    about: string,
  ) {
    super(`the reference refused ${about}: ${type}: ${text}`);
  }
}

/** Everything that the reference says of a dataset. Values at anchors are in the order of the anchors that were asked for. */
export interface ReferenceReading {
  readonly manifest: string;
  readonly timeline: string;
  readonly count: number;
  readonly anchors: readonly string[];
  readonly deleted: readonly string[];
  /** Point reads of array fields. */
  readonly points: readonly (readonly [field: string, values: readonly (Bits | null)[]])[];
  /** Stored Items of array fields, each validated. */
  readonly audits: readonly (readonly [field: string, items: number])[];
  readonly constants: readonly (readonly [field: string, value: Bits])[];
  readonly batches: readonly {
    readonly anchors: readonly string[];
    readonly columns: readonly (readonly [field: string, values: readonly (Bits | null)[]])[];
  }[];
}

type Answer = { readonly value: unknown; readonly error?: undefined } | { readonly error: { readonly type: string; readonly message: string } };

/** The reference at work. One process takes commands one by one, and keeps the datasets that it was told of. */
export class Reference implements Implementation {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  /** What was asked before must be answered first. */
  #last: Promise<unknown> = Promise.resolve();

  /** Needs what `scripts/setup.mjs --for interop` puts in place. */
  constructor() {
    const python = findReference();
    if (python === undefined) throw new Error("the reference is not installed: node scripts/setup.mjs --for interop");
    this.#child = spawn(python, ["-u", DRIVER], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, RUST_BACKTRACE: "0" } });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Ends the process. */
  async close(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    await ended;
  }

  async create(folder: string, ref: string, fields: readonly FieldSpec[]): Promise<ReferenceDataset> {
    return this.#dataset(await this.ask({ do: "create", backend: backendOf(folder), ref, fields }));
  }

  /** `place` is a folder or an http URL. */
  async open(place: string, ref: string): Promise<ReferenceDataset> {
    return this.#dataset(await this.ask({ do: "open", backend: backendOf(place), ref }));
  }

  /** Opens a dataset, and checks all Items of `field` if one is named. Rejects with what it says of a wrong one. */
  async judge(folder: string, ref: string, field?: string): Promise<void> {
    await this.ask({ do: "judge", backend: backendOf(folder), ref, ...(field === undefined ? {} : { field }) });
  }

  #dataset(handle: unknown): ReferenceDataset {
    return new ReferenceDataset((request) => this.ask({ ...request, dataset: handle }), (handle) => this.#dataset(handle));
  }

  /** @throws {ReferenceError} */
  async ask(request: Readonly<Record<string, unknown>> & { readonly do: string }): Promise<unknown> {
    const answered = this.#last.then(async () => {
      this.#child.stdin.write(`${JSON.stringify(request, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))}\n`);
      const { done, value } = await this.#lines.next();
      if (done === true) throw new Error(`the reference ended when asked to ${request.do}`);
      return JSON.parse(value) as Answer;
    });
    this.#last = answered.catch(() => undefined);
    const answer = await answered;
    if (answer.error !== undefined) throw new ReferenceError(answer.error.type, answer.error.message, `to ${request.do}`);
    return answer.value;
  }
}

function backendOf(place: string): string {
  return place.startsWith("http:") ? place : `file://${place}`;
}

type Ask = (request: Readonly<Record<string, unknown>> & { readonly do: string }) => Promise<unknown>;

/** A dataset as the reference has it. */
export class ReferenceDataset implements Writer {
  readonly #ask: Ask;
  readonly #dataset: (handle: unknown) => ReferenceDataset;

  constructor(ask: Ask, dataset: (handle: unknown) => ReferenceDataset) {
    this.#ask = ask;
    this.#dataset = dataset;
  }

  async append(rows: readonly RowSpec[]): Promise<void> {
    await this.#ask({ do: "append", rows });
  }

  async addArrayConstant(constant: ConstantSpec): Promise<void> {
    await this.#ask({ do: "addArrayConstant", ...constant });
  }

  async addField(field: FieldSpec): Promise<void> {
    await this.#ask({ do: "addField", field });
  }

  async delete(anchors: readonly bigint[], reason?: string): Promise<void> {
    await this.#ask({ do: "delete", anchors, reason });
  }

  async branch(name: string): Promise<ReferenceDataset> {
    return this.#dataset(await this.#ask({ do: "branch", name }));
  }

  async snapshot(label: string): Promise<void> {
    await this.#ask({ do: "snapshot", label });
  }

  /** Takes in another Ref; the address of the manifest that is the newest then. */
  async merge(other: string, strategy: "fast-forward" | "union-tracks"): Promise<string> {
    return (await this.#ask({ do: "merge", other, strategy })) as string;
  }

  async refs(): Promise<string[]> {
    return (await this.#ask({ do: "refs" })) as string[];
  }

  /** Reads all that there is; point reads at `anchors`. */
  async read({ fields, constants }: Model, anchors: readonly bigint[]): Promise<ReferenceReading> {
    const arrays = [...fields.values()].filter((field): field is ArraySpec => field.kind === "array").map(({ name }) => name);
    return (await this.#ask({ do: "read", arrays, constants: [...constants.keys()], anchors })) as ReferenceReading;
  }
}

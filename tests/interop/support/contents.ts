/** Everything that is in a dataset, as the model says it, as the package reads it, and as the reference does: three of a kind, to be compared. */
import {
  type ArrayFieldInfo,
  type ArrayValue,
  type ConstantField,
  type Dataset,
  type FieldInfo,
  isArrayField,
  isMediaField,
  type ItemType,
  type TextConstant,
} from "dreamdb-arrays";
import { cellsOf } from "../../../scripts/lib/dataset-check/columns.mjs";
import type { ConstantSpec, DeclaredType, FieldSpec, Model } from "./model.js";
import type { ReferenceReading } from "./reference.js";
import { type Bits, bitsOf } from "./values.js";

/** By name of the field, those that were asked for in the order of the model. */
type ByField<T> = readonly (readonly [field: string, T])[];
type Cells = readonly (readonly [anchor: string, Bits | string])[];

/** What both readers tell. */
interface Values {
  readonly rows: readonly string[];
  readonly deleted: readonly string[];
  /** The visible values of each field. */
  readonly cells: ByField<Cells>;
  readonly constants: ByField<Bits | string>;
}

/** What the package tells. */
interface Contents extends Values {
  readonly fields: ByField<unknown>;
  readonly stored: ByField<readonly string[]>;
  /** What became of each probe. */
  readonly outcomes: ByField<readonly (Bits | string)[]>;
  /** The same cells by other ways. */
  readonly columns: ByField<Cells>;
  readonly batches: ByField<Cells>;
  readonly audits: ByField<number>;
  readonly faults: readonly string[];
}

/** What the reference tells; it has no point reads of media, and audits arrays alone. */
interface ReferenceContents extends Values {
  readonly count: number;
  /** What each probe of an array field gave. */
  readonly points: ByField<readonly (Bits | null)[]>;
  readonly audits: ByField<number>;
}

function byField<T>(model: Model, of: (field: FieldSpec) => T): [string, T][] {
  return [...model.fields.values()].map((field) => [field.name, of(field)]);
}

function valuesOf(model: Model): Values {
  return {
    rows: model.anchors().map(String),
    deleted: [...model.deleted].map(String).sort(),
    cells: byField(model, ({ name }) => cellsIn(model, name)),
    constants: [...model.constants.values()].map(({ name, value }) => [name, value]),
  };
}

function cellsIn(model: Model, name: string): Cells {
  return model.visible(name).map(([anchor, value]) => [String(anchor), value]);
}

/** What the package must tell. */
export function expected(model: Model): Contents {
  const values = valuesOf(model);
  const constants = [...model.constants.values()];
  return {
    ...values,
    fields: [...model.fields.values(), ...constants].map((field) => [field.name, declarationOf(field)]),
    stored: byField(model, ({ name }) => model.stored(name).map(String)),
    outcomes: byField(model, ({ name }) => model.probes().map((anchor) => model.at(name, anchor))),
    columns: values.cells,
    batches: values.cells,
    audits: [...byField(model, ({ name }) => model.stored(name).length), ...constants.map(({ name }) => [name, 1] as const)],
    faults: [],
  };
}

/** What the reference must tell. */
export function expectedOfReference(model: Model): ReferenceContents {
  const arrays = [...model.fields.values()].filter(({ kind }) => kind === "array");
  const point = (name: string, anchor: bigint): Bits | null => {
    const value = model.at(name, anchor);
    return typeof value === "string" ? null : value;
  };
  return {
    ...valuesOf(model),
    count: model.anchors().length,
    points: arrays.map(({ name }) => [name, model.probes().map((anchor) => point(name, anchor))]),
    audits: [...arrays.map(({ name }) => [name, model.stored(name).length] as const), ...[...model.constants.keys()].map((name) => [name, 1] as const)],
  };
}

/** What the reference did tell. */
export function contentsOfReference(model: Model, { anchors, batches, ...reading }: ReferenceReading): ReferenceContents {
  const cells = (name: string) => {
    return batches.flatMap(({ anchors, columns }) => {
      const column = columns.find(([field]) => field === name)?.[1] ?? [];
      return column.flatMap((value, at): Cells => (value === null ? [] : [[anchors[at] ?? "", value]]));
    });
  };
  const { count, points, audits, constants } = reading;
  return {
    rows: anchors,
    deleted: [...reading.deleted].sort(),
    cells: byField(model, ({ name }) => cells(name)),
    constants,
    count,
    points,
    audits,
  };
}

function declarationOf(spec: FieldSpec | ConstantSpec): unknown {
  if (!("kind" in spec)) return { kind: "array", trackKind: "constant", objectKind: "constant", type: itemTypeOf(spec.type) };
  const { kind, required } = spec;
  if (kind === "array") {
    const { trackKind, type } = spec;
    return { kind, required, trackKind, objectKind: trackKind === "event" ? "unbucketed" : "time-batch", type: itemTypeOf(type) };
  }
  const { mime, packItems, chunkSize } = spec;
  return { kind, required, mime, packItems: packItems?.toString(), chunkSize: chunkSize?.toString() };
}

function itemTypeOf(type: DeclaredType): ItemType {
  const versions = { version: 1, codecVersion: 1 } as const;
  switch (type.family) {
    case "dense-array":
      return { ...type, ...versions, shape: type.shape.map(BigInt) };
    case "ragged-array":
      return { ...type, ...versions, innerShape: type.innerShape.map(BigInt) };
    case "sparse-csr":
      return { ...type, ...versions, shape: [BigInt(type.shape[0]), BigInt(type.shape[1])], indexDtype: "u64" };
  }
}

/** What the package did tell. */
export async function contentsOf(model: Model, ds: Dataset): Promise<Contents> {
  const infos = new Map(ds.fields.map((info) => [info.name, info]));
  const named = (name: string): FieldInfo => {
    const info = infos.get(name);
    if (info === undefined) throw new Error(`there is no field ${JSON.stringify(name)}`);
    return info;
  };
  const each = async <T>(of: (info: FieldInfo) => Promise<T>): Promise<[string, T][]> => {
    const names = [...model.fields.keys()];
    return Promise.all(names.map(async (name): Promise<[string, T]> => [name, await of(named(name))]));
  };
  const outcomes = await each(async (info) => {
    const read = await fieldOf(ds, info).readMany(model.probes());
    return read.map((outcome) => (outcome.status === "value" ? bitsOf(outcome.value) : outcome.status === "error" ? bitsOf(outcome.error) : outcome.status));
  });
  const { anchors, cells } = await rowsOf(ds);
  const audits = await ds.audit();
  const constants = [...model.constants.keys()];
  return {
    rows: anchors,
    // A dataset tells of deletions where Items were.
    deleted: [...model.deleted].filter((anchor) => !anchors.includes(String(anchor))).map(String).sort(),
    cells: [...model.fields.keys()].map((name) => [name, cells.get(name) ?? []]),
    constants: await Promise.all(constants.map(async (name) => [name, bitsOf(await constantOf(ds, name).read())] as const)),
    fields: [...model.fields.keys(), ...constants].map((name) => [name, declared(named(name))]),
    stored: await each(async (info) => Array.from(await fieldOf(ds, info).anchors(), String)),
    outcomes,
    columns: await each(async (info) => cellsIn(info, await fieldOf(ds, info).column())),
    batches: await each(async (info) => {
      const found: (readonly [string, Bits | string])[] = [];
      for await (const batch of fieldOf(ds, info).batches({ batchSize: 3 })) found.push(...cellsIn(info, batch));
      return found;
    }),
    audits: [...model.fields.keys(), ...constants].map((name) => [name, audits.fields.find(({ field }) => field === name)?.items ?? -1]),
    faults: audits.faults.map(({ field, code, error }) => `${field}: ${code}: ${error.message}`),
  };

  function cellsIn(info: FieldInfo, column: unknown): Cells {
    return cellsOf(info, column).map(({ anchor, value }) => [String(anchor), bitsOf(value)]);
  }
}

/** A field by the door of its kind and family. */
function fieldOf(ds: Dataset, info: FieldInfo) {
  if (isMediaField(info)) return ds.media(info.name);
  if (!isArrayField(info)) throw new Error(`${JSON.stringify(info.name)} is a field of kind ${info.kind}`);
  switch (info.family) {
    case "dense-array":
      return ds.array(info.name);
    case "ragged-array":
      return ds.ragged(info.name);
    case "sparse-csr":
      return ds.csr(info.name);
  }
}

function constantOf(ds: Dataset, name: string): ConstantField<ArrayValue | TextConstant> {
  return ds.constant(name);
}

function declared(info: FieldInfo): unknown {
  const { kind, required } = info;
  if (isArrayField(info)) return arrayDeclared(info);
  if (!isMediaField(info)) return { kind };
  const { mime, packItems, chunkSize } = info;
  return { kind, required, mime, packItems: packItems?.toString(), chunkSize: chunkSize?.toString() };
}

/** A Constant is never asked of a row. */
function arrayDeclared({ kind, required, trackKind, objectKind, type }: ArrayFieldInfo): unknown {
  return { kind, ...(trackKind === "constant" ? {} : { required }), trackKind, objectKind, type };
}

async function rowsOf(ds: Dataset): Promise<{ anchors: string[]; cells: Map<string, [string, Bits | string][]> }> {
  const anchors: string[] = [];
  const cells = new Map<string, [string, Bits | string][]>();
  for await (const { anchor, values } of ds.rows({ batchSize: 4 })) {
    anchors.push(String(anchor));
    for (const [name, value] of Object.entries(values)) {
      const own = cells.get(name) ?? [];
      own.push([String(anchor), bitsOf(value)]);
      cells.set(name, own);
    }
  }
  return { anchors, cells };
}

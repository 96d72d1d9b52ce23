/** Reading the faces that a person chose for a cloud of points: a Constant, or what holds at the playhead. */
import { type ArrayFieldInfo, type Dataset, type DenseArray, DreamDbError, type FieldInfo, type Item } from "dreamdb-arrays";
import { anchorsOf, holdsAt } from "../../data/anchors.js";
import { type Reading, useReading } from "../../reading.js";
import { faceFields } from "./faces.js";
import { triplesOfDense } from "./triples.js";

/** Indices as they are stored, three for each face, in the order of the faces. */
export interface Topology {
  readonly field: string;
  readonly data: Item<DenseArray>["data"];
  readonly verified: Item<DenseArray>["verified"];
}

/** The faces of a field; nothing while none is chosen, or one that is none. */
export function useTopology(ds: Dataset, name: string | undefined, anchor: bigint | undefined): Reading<Topology | undefined> {
  const info = faceFields(ds.fields).find((one) => one.name === name);
  const isConstant = info?.trackKind === "constant";
  return useReading([ds, info], [isConstant ? undefined : anchor], async (signal) => (info === undefined ? undefined : readFaces(ds, info, anchor, signal)));
}

async function readFaces(ds: Dataset, info: ArrayFieldInfo, anchor: bigint | undefined, signal: AbortSignal): Promise<Topology> {
  const item = info.trackKind === "constant" ? await ds.getArrayConstant(info.name, { signal }) : await readAt(ds, info, anchor ?? info.coverage.start, signal);
  if (item?.family !== "dense-array") throw new DreamDbError("NotFound", `field ${JSON.stringify(info.name)} has no faces here`, { field: info.name });
  return { field: info.name, data: triplesOfDense(item).data, verified: item.verified };
}

async function readAt(ds: Dataset, info: FieldInfo, anchor: bigint, signal: AbortSignal) {
  const anchors = await anchorsOf(ds, info, undefined, signal);
  const held = holdsAt(anchors, anchor);
  return held === undefined ? undefined : ds.readArrayItem(info.name, held, { signal });
}

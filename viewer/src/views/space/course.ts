/** Reading all matrices of a window, and what of it is known before. */
import { useState } from "preact/hooks";
import type { AnyTypedArray, ArrayFieldInfo, Dataset, DType, Progress, Verified } from "dreamdb-arrays";
import { DreamDbError } from "dreamdb-arrays";
import type { Window } from "../../data/anchors.js";
import { type Reading, useReading } from "../../reading.js";
import type { Size } from "./course-size.js";

/** The matrices of a window. */
export interface Course {
  readonly anchors: BigUint64Array;
  /** Sixteen elements for each, in C order. */
  readonly data: AnyTypedArray;
  readonly dtype: DType;
  readonly verified: Verified;
}

/** A course while it is read, and what can be done about that. */
export interface CourseReading {
  readonly reading: Reading<Course | "asked" | "stopped">;
  readonly progress: Progress | undefined;
  begin(): void;
  stop(): void;
}

/** Reads the matrices of a window; much of it only once that was agreed to. */
export function useCourse(ds: Dataset, info: ArrayFieldInfo, { start, end }: Window, size: Size): CourseReading {
  const key = `${start}-${end}`;
  const [will, setWill] = useState<{ readonly key: string; readonly does: "begin" | "stop" }>();
  const [progress, setProgress] = useState<Progress>();
  const does = will?.key === key ? will.does : size.isMuch ? "ask" : "begin";
  const reading = useReading([ds, info], [key, does], async (signal): Promise<Course | "asked" | "stopped"> => {
    if (does === "ask") return "asked";
    if (does === "stop") return "stopped";
    setProgress(undefined);
    return info.trackKind === "constant" ? readConstant(ds, info, signal) : readColumn(ds, info, { start, end }, signal, setProgress);
  });
  return { reading, progress, begin: () => setWill({ key, does: "begin" }), stop: () => setWill({ key, does: "stop" }) };
}

/** How often progress is told. */
const TELL_MS = 100;

async function readColumn(ds: Dataset, { name }: ArrayFieldInfo, window: Window, signal: AbortSignal, tell: (progress: Progress) => void): Promise<Course> {
  let told = performance.now();
  const onProgress = (progress: Progress): void => {
    if (signal.aborted || performance.now() - told < TELL_MS) return;
    told = performance.now();
    tell(progress);
  };
  const { anchors, data, dtype, verified } = await ds.array(name).column({ ...window, signal, onProgress, maxBytes: Infinity });
  return { anchors, data, dtype, verified };
}

async function readConstant(ds: Dataset, { name }: ArrayFieldInfo, signal: AbortSignal): Promise<Course> {
  const item = await ds.array(name).readConstant({ signal });
  if (item === undefined) throw new DreamDbError("NotFound", `field ${JSON.stringify(name)} has no value`, { field: name });
  const { data, dtype, strides, verified } = item;
  const sorted = data.slice();
  for (let at = 0; at < 16; at++) sorted[at] = data[Math.floor(at / 4) * (strides[0] ?? 0) + (at % 4) * (strides[1] ?? 0)] as never;
  return { anchors: new BigUint64Array(0), data: sorted, dtype, verified };
}

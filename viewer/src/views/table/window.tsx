/** A dense field as a table of its Items, a line each. Only the Items in sight are read; those that were scrolled past no longer are. */
import type { ComponentChildren } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";
import type { ArrayFieldInfo, DenseArray, Item, Verified } from "dreamdb-arrays";
import { lowerBound } from "../../data/anchors.js";
import { axisNames, unitsText } from "../../data/describe.js";
import { countText } from "../../data/numbers.js";
import { choose, link } from "../../state/link.js";
import { windowOfField } from "../../state/window.js";
import { FailureCard } from "../../ui/failure-card.js";
import { GridPanel } from "../../ui/grid/panel.js";
import { useBlocks } from "../blocks.js";
import { useShown, type ViewProps } from "../props.js";
import { type Line, placeOf, windowTable } from "./anchored.js";

/** Items of a block, and blocks that are kept. */
const [BLOCK, KEPT] = [32, 128];

/** The table. */
export function WindowTable({ ds, info, anchors: all, modes }: ViewProps<ArrayFieldInfo> & { readonly modes: ComponentChildren }) {
  const { start, end } = windowOfField(info);
  const live = all?.live;
  const anchors = useMemo(() => {
    if (live === undefined) return new BigUint64Array(0);
    return live.subarray(lowerBound(live, start), lowerBound(live, end));
  }, [live, start, end]);
  const [sight, setSight] = useState<readonly [number, number]>([0, 0]);
  const blocks = useBlocks<Line>([ds, info, anchors], { count: anchors.length, size: BLOCK, most: KEPT }, sight, async (from, to, signal) => {
    const outcomes = await ds.array(info.name).readMany(anchors.subarray(from, to), { signal });
    return outcomes.map((outcome): Line => (outcome.status === "value" ? { array: outcome.value } : { without: outcome.status === "error" ? outcome.error.code : outcome.status }));
  });
  const onSight = useCallback((first: number, last: number) => setSight([first, last]), []);
  const [first, last] = sight;
  const seen = Array.from({ length: Math.max(0, Math.min(last, anchors.length - 1) - first + 1) }, (_, at) => blocks.get(first + at));
  const isThere = seen.length > 0 && seen.every((line) => line !== undefined);
  const model = windowTable(
    { anchors, shape: (info.shape ?? []).map(Number), dtype: info.dtype, names: axisNames(info), units: info.type.units, line: (row) => blocks.get(row) },
    [first, Math.min(last, anchors.length - 1)],
  );
  useShown(() => {
    const arrays = isThere ? seen.flatMap((line) => (line !== undefined && "array" in line ? [line.array as Item<DenseArray>] : [])) : [];
    const [one] = arrays;
    const ends = [anchors[first], anchors[first + seen.length - 1]] as const;
    if (one === undefined || ends[0] === undefined || ends[1] === undefined) return undefined;
    const array = stacked(arrays);
    const what = `${seen.length} of ${anchors.length} Items: rows ${first} to ${first + seen.length - 1}`;
    return { info, window: [ends[0], ends[1]], what, verified: least(arrays.map(({ verified }) => verified)), data: array.data, array, axes: ["anchor", ...axisNames(info)], table: model };
  }, [anchors, first, last, isThere]);
  return (
    <>
      {all?.isWhole === false && (
        <p class="note">
          {countText(anchors.length)} of the {countText(all.count)} Items of the field: those of the window of the timeline.
        </p>
      )}
      {blocks.failure !== undefined && <FailureCard error={blocks.failure} retry={() => blocks.retry()} />}
      <GridPanel
        model={model}
        label={`Items of ${info.name}, a row each`}
        goTo="Go to anchor"
        units={unitsText(info)}
        row={rowAt(anchors, link.value.choices["row"])}
        onGo={(row) => choose("row", String(anchors[row] ?? ""))}
        onSight={onSight}
      >
        {modes}
      </GridPanel>
    </>
  );
}

/** The address has the anchor of the row, which stays right when the window changes. */
function rowAt(anchors: BigUint64Array, text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,20}$/.test(text) || anchors.length === 0) return undefined;
  return Math.min(anchors.length - 1, lowerBound(anchors, BigInt(text)));
}

/** Items as one array, an Item each along the first axis, in C order. */
function stacked(arrays: readonly Item<DenseArray>[]): DenseArray {
  const [one] = arrays;
  const [size, dtype, shape] = [one?.data.length ?? 0, one?.dtype ?? "f64", one?.shape ?? []];
  const data = new ((one?.data.constructor ?? Float64Array) as new (length: number) => DenseArray["data"])(size * arrays.length);
  for (const [at, array] of arrays.entries()) for (let place = 0; place < size; place++) data[at * size + place] = array.data[placeOf(place, array)] ?? 0;
  return { family: "dense-array", dtype, data, shape: [arrays.length, ...shape], strides: [size, ...cStrides(shape)], order: "c" };
}

function cStrides(shape: readonly number[]): number[] {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, extent) => product * extent, 1));
}

function least(verified: readonly Verified[]): Verified {
  return verified.includes("none") ? "none" : verified.includes("range") ? "range" : "object";
}

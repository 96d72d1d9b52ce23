/** Reading the one array Item that a view shows: at its anchor, or a Constant. */
import { type ArrayFieldInfo, type ArrayValue, type Dataset, DreamDbError, type Item } from "dreamdb-arrays";
import { type Reading, useReading } from "../reading.js";
import { useBusy, type ViewProps } from "./props.js";

/** The Item at the playhead. Stepping on cancels the read. */
export function useItem<V extends ArrayValue = ArrayValue>({ ds, info, anchor }: ViewProps<ArrayFieldInfo>): Reading<Item<V>> {
  const reading = useReading([ds, info], [anchor], (signal) => readItem<V>(ds, info, anchor, signal));
  useBusy(reading.state === "reading");
  return reading;
}

async function readItem<V extends ArrayValue>(ds: Dataset, { name }: ArrayFieldInfo, anchor: bigint | undefined, signal: AbortSignal): Promise<Item<V>> {
  const item = anchor === undefined ? await ds.getArrayConstant(name, { signal }) : await ds.readArrayItem(name, anchor, { signal });
  if (item !== undefined) return item as unknown as Item<V>;
  throw new DreamDbError("NotFound", `field ${JSON.stringify(name)} has no Item here`, { field: name, ...(anchor === undefined ? {} : { anchor }) });
}

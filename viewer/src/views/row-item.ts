/**
 * Items that have rows, ragged arrays and sparse matrices: whole if they are small, else only so much as is looked at.
 *
 * How large an Item is no index tells; its header does, which costs two small requests.
 */
import { type ArrayFieldInfo, type CsrArray, type Dataset, DreamDbError, type Item, type RaggedArray } from "dreamdb-arrays";
import { type Reading, useReading } from "../reading.js";
import { useBusy, type ViewProps } from "./props.js";

/** Items up to so many bytes are read whole without being asked to. */
export const WHOLE_UP_TO_BYTES = 8_000_000;

/** An Item in memory; or one too large for that, of which rows can be read. */
export type RowItem<V> = { readonly whole: Item<V> } | { readonly whole?: undefined; readonly anchor: bigint; readonly rows: number; readonly bytes: number };

/** The Item at the playhead. `isWhole` has it read whole, however large. */
export function useRowItem<V extends RaggedArray | CsrArray>({ ds, info, anchor }: ViewProps<ArrayFieldInfo>, isWhole: boolean): Reading<RowItem<V>> {
  const reading = useReading([ds, info], [anchor, isWhole], (signal) => read<V>(ds, info, anchor, isWhole, signal));
  useBusy(reading.state === "reading");
  return reading;
}

async function read<V>(ds: Dataset, info: ArrayFieldInfo, anchor: bigint | undefined, isWhole: boolean, signal: AbortSignal): Promise<RowItem<V>> {
  const { name, family } = info;
  if (anchor !== undefined && !isWhole) {
    const field = family === "ragged-array" ? ds.ragged(name) : ds.csr(name);
    const none = await field.readRows(anchor, { start: 0n, end: 0n }, { signal });
    if (none === undefined) throw absent(name, anchor);
    if (none.itemBytes > BigInt(WHOLE_UP_TO_BYTES)) return { anchor, rows: Number(none.rowCount), bytes: Number(none.itemBytes) };
  }
  const item = anchor === undefined ? await ds.getArrayConstant(name, { signal }) : await ds.readArrayItem(name, anchor, { signal });
  if (item === undefined) throw absent(name, anchor);
  return { whole: item as unknown as Item<V> };
}

function absent(field: string, anchor: bigint | undefined): DreamDbError {
  return new DreamDbError("NotFound", `field ${JSON.stringify(field)} has no Item here`, { field, ...(anchor === undefined ? {} : { anchor }) });
}

/** The lines by name, with their exact values at the playhead and under the pointer, and how many of their values are not finite. */
import { useMemo } from "preact/hooks";
import { type FieldInfo, isArrayField } from "dreamdb-arrays";
import { axisNames, unitsText } from "../../data/describe.js";
import { countText, valueText } from "../../data/numbers.js";
import { choose } from "../../state/link.js";
import { Inert } from "../../ui/inert.js";
import type { Stroke } from "./colours.js";
import { type NumberRows, valueOf } from "./columns.js";
import { gapsOf } from "./decimate.js";

/** A line. */
export interface Line {
  readonly element: number;
  readonly name: string;
  readonly stroke: Stroke;
  readonly values: Float64Array;
}

interface Props {
  readonly info: FieldInfo;
  readonly shape: readonly number[];
  readonly rows: NumberRows;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly Line[];
  /** Row of the Item at the playhead. */
  readonly at: number | undefined;
  /** Row of the Item under the pointer. */
  readonly hovered: number | undefined;
}

/** The table. */
export function Legend({ info, shape, rows, from, to, lines, at, hovered }: Props) {
  const gaps = useMemo(() => lines.map(({ values }) => gapsOf(values, from, to)), [lines, from, to]);
  const units = unitsText(info);
  const exact = (row: number | undefined, element: number) => {
    const value = row === undefined ? undefined : valueOf(rows, row, element);
    return value === undefined ? "" : valueText(value, rows.dtype);
  };
  const axes = isArrayField(info) && shape.length > 0 ? `[${axisNames(info).join(", ")}]` : "";
  const remove = (element: number) => () => choose("elements", lines.map((line) => line.element).filter((other) => other !== element).join(","));
  const infinite = gaps.some(({ above, below }) => above + below > 0);
  return (
    <div class="legend" tabIndex={0} role="region" aria-label="Values of the lines">
      <table class="values">
        <thead>
          <tr>
            <th scope="col" colSpan={2}>
              {axes === "" ? "line" : <Inert text={axes} most={40} />}
            </th>
            <th scope="col" class="number">
              at the playhead
              <span class="anchor" data-legend="anchor">
                {at === undefined ? "none in the window" : String(rows.anchors[at])}
              </span>
            </th>
            <th scope="col" class="number">
              under the pointer
              <span class="anchor" data-legend="hovered">
                {hovered === undefined ? "—" : String(rows.anchors[hovered])}
              </span>
            </th>
            <th scope="col" class="number">
              NaN
            </th>
            <th scope="col" class="number" title="+Inf and −Inf, marked by triangles at the upper and the lower edge">
              Inf ▲ / ▼
            </th>
            {lines.length > 1 && <th scope="col"><span class="unseen">Remove</span></th>}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ element, name, stroke }, line) => (
            <tr key={element} data-element={element}>
              <td class="swatch">
                <svg width="30" height="10" aria-hidden="true">
                  <line x1="0" y1="5" x2="30" y2="5" stroke={stroke.colour} stroke-width="2.5" stroke-dasharray={stroke.dash.join(" ") || undefined} />
                </svg>
              </td>
              <th scope="row">{name}</th>
              <td class="number" data-value="playhead">
                {exact(at, element)}
                {at !== undefined && units !== "" && <Inert text={units} most={16} />}
              </td>
              <td class="number" data-value="pointer">
                {exact(hovered, element)}
              </td>
              <td class="number" data-value="nan">
                {countText(gaps[line]?.nan ?? 0)}
              </td>
              <td class="number" data-value="infinite">
                {infinite ? `${countText(gaps[line]?.above ?? 0)} / ${countText(gaps[line]?.below ?? 0)}` : "0"}
              </td>
              {lines.length > 1 && (
                <td>
                  <button type="button" class="small" aria-label={`Remove the line ${name}`} onClick={remove(element)}>
                    ×
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

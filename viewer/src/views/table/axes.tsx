/** Which axes of a dense Item go down and across, and where the others are held. In the address as `x.rows`, `x.columns`, `x.at`. */
import type { ArrayFieldInfo } from "dreamdb-arrays";
import { axisNames } from "../../data/describe.js";
import { choose, go, link } from "../../state/link.js";
import { visible } from "../../data/visible.js";
import { heldAxes, sliceOf } from "./dense.js";

/** The pickers; none below rank two. */
export function AxisPickers({ info, shape }: { readonly info: ArrayFieldInfo; readonly shape: readonly number[] }) {
  if (shape.length < 2) return null;
  const names = axisNames(info);
  const slice = sliceOf(shape, link.value.choices);
  const { down = 0, across = 1, index } = slice;
  const choosePair = (rows: number, columns: number): void => go({ choices: { ...link.peek().choices, rows: String(rows), columns: String(columns) } });
  return (
    <div class="axes" role="group" aria-label="Axes">
      <Picker label="Rows" names={names} value={down} pick={(axis) => choosePair(axis, axis === across ? down : across)} />
      <Picker label="Columns" names={names} value={across} pick={(axis) => choosePair(axis === down ? across : down, axis)} />
      {heldAxes(shape.length, slice).map((axis) => (
        <label key={axis}>
          <span class="label">{visible(names[axis] ?? "")}</span>{" "}
          <input
            type="number"
            aria-label={`Index along ${visible(names[axis] ?? "")}`}
            min={0}
            max={(shape[axis] ?? 1) - 1}
            value={index[axis]}
            onInput={({ currentTarget }) => {
              const at = currentTarget.valueAsNumber;
              if (Number.isInteger(at) && at >= 0 && at < (shape[axis] ?? 0)) choose("at", index.map((now, other) => (other === axis ? at : now)).join(","));
            }}
          />{" "}
          <span class="label">of {shape[axis]}</span>
        </label>
      ))}
    </div>
  );
}

function Picker({ label, names, value, pick }: { readonly label: string; readonly names: readonly string[]; readonly value: number; pick(axis: number): void }) {
  return (
    <label>
      <span class="label">{label}</span>{" "}
      <select aria-label={`Axis of ${label.toLowerCase()}`} value={String(value)} onChange={({ currentTarget }) => pick(Number(currentTarget.value))}>
        {names.map((name, axis) => (
          <option value={String(axis)}>{visible(name)}</option>
        ))}
      </select>
    </label>
  );
}

/** Which axes are rows and columns, where along the others, and how values become colours. */
import { useState } from "preact/hooks";
import { choose, go, link } from "../../state/link.js";
import { visible } from "../../data/visible.js";
import { Inert } from "../../ui/inert.js";
import { MAPS, type MapName } from "./colours.js";
import type { Axes } from "./slice.js";

interface AxesProps {
  readonly shape: readonly number[];
  readonly names: readonly string[];
  readonly axes: Axes;
}

/** Changes several choices in one step. */
function chooseAll(changes: Readonly<Record<string, string>>): void {
  go({ choices: { ...link.peek().choices, ...changes } });
}

/** Pickers of axes, for Items of more than two; of two they can be turned. */
export function AxisPickers({ shape, names, axes }: AxesProps) {
  const { rows, columns, index } = axes;
  if (rows === undefined || columns === undefined) return null;
  const pick = (key: "rows" | "columns", axis: number): void => {
    const [here, there] = key === "rows" ? [rows, columns] : [columns, rows];
    // An axis that is taken from the other one leaves it what was here.
    const given = axis === there ? here : there;
    chooseAll(key === "rows" ? { rows: String(axis), columns: String(given) } : { rows: String(given), columns: String(axis) });
  };
  const select = (key: "rows" | "columns", label: string, chosen: number) => (
    <label>
      <span class="label">{label}</span>{" "}
      <select aria-label={label} value={String(chosen)} onChange={({ currentTarget }) => pick(key, Number(currentTarget.value))}>
        {names.map((name, axis) => (
          <option key={axis} value={String(axis)}>
            {visible(name).slice(0, 32)} ({shape[axis]})
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      {select("rows", "Rows", rows)}
      {select("columns", "Columns", columns)}
      <button type="button" class="small" onClick={() => chooseAll({ rows: String(columns), columns: String(rows) })}>
        Turn
      </button>
      {shape.map((extent, axis) =>
        axis === rows || axis === columns ? null : (
          <IndexPicker
            key={axis}
            name={names[axis] ?? ""}
            extent={extent}
            value={index[axis] ?? 0}
            set={(value) => choose("index", index.map((number, other) => (other === axis ? value : number)).join(","))}
          />
        ),
      )}
    </>
  );
}

function IndexPicker({ name, extent, value, set }: { readonly name: string; readonly extent: number; readonly value: number; set(value: number): void }) {
  const last = Math.max(0, extent - 1);
  const label = visible(name).slice(0, 32);
  const take = (number: number): void => {
    if (Number.isInteger(number) && number >= 0 && number <= last) set(number);
  };
  return (
    <div class="index">
      <span class="label">
        <Inert text={name} most={24} />
      </span>
      <input type="range" aria-label={`Index along ${label}`} min={0} max={last} value={value} onInput={({ currentTarget }) => take(currentTarget.valueAsNumber)} />
      <input type="number" aria-label={`Index along ${label}, as a number`} min={0} max={last} value={value} onChange={({ currentTarget }) => take(currentTarget.valueAsNumber)} />
      <span class="label">of {extent}</span>
    </div>
  );
}

/** What the range is taken from. */
export type RangeChoice = "slice" | "item" | "fixed";

interface ColoursProps {
  readonly map: MapName;
  readonly range: RangeChoice;
  /** Ends of the range in use, to begin a fixed one with. */
  readonly ends: readonly [least: string, greatest: string];
  /** Whether slice and Item are the same. */
  readonly isWhole: boolean;
}

/** Map of colours, and its range. */
export function ColourPickers({ map, range, ends: [least, greatest], isWhole }: ColoursProps) {
  // What is typed stays until it is entered, whatever the range does meanwhile.
  const [typed, setTyped] = useState<readonly [string, string]>();
  const texts = typed ?? [least, greatest];
  const isGood = texts.every((text) => text.trim() !== "" && Number.isFinite(Number(text))) && Number(texts[0]) < Number(texts[1]);
  const enter = (): void => {
    if (typed === undefined || !isGood) return;
    setTyped(undefined);
    chooseAll({ range: "fixed", min: typed[0].trim(), max: typed[1].trim() });
  };
  const end = (at: 0 | 1, label: string) => (
    <input
      class="end"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={!isGood}
      value={texts[at]}
      onInput={({ currentTarget }) => setTyped(at === 0 ? [currentTarget.value, texts[1]] : [texts[0], currentTarget.value])}
      onBlur={enter}
      onKeyDown={({ key }) => key === "Enter" && enter()}
    />
  );
  return (
    <>
      <label>
        <span class="label">Colours</span>{" "}
        <select aria-label="Colours" value={map} onChange={({ currentTarget }) => choose("map", currentTarget.value)}>
          {MAPS.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        <span class="label">Range</span>{" "}
        <select
          aria-label="Range"
          value={range}
          onChange={({ currentTarget: { value } }) => {
            setTyped(undefined);
            if (value === "fixed") chooseAll({ range: value, min: least, max: greatest });
            else choose("range", value === "slice" ? undefined : value);
          }}
        >
          <option value="slice">{isWhole ? "of the Item" : "of this slice"}</option>
          {!isWhole && <option value="item">of the whole Item</option>}
          <option value="fixed">fixed</option>
        </select>
      </label>
      {range === "fixed" && (
        <>
          {end(0, "Least of the range")} <span class="label">to</span> {end(1, "Greatest of the range")}
        </>
      )}
    </>
  );
}

/** Which elements are drawn, and how. */
import { useState } from "preact/hooks";
import { type FieldInfo, isArrayField } from "dreamdb-arrays";
import { axisNames } from "../../data/describe.js";
import { countText } from "../../data/numbers.js";
import { choose } from "../../state/link.js";
import { Inert } from "../../ui/inert.js";
import { elementAt, MOST_LINES } from "./elements.js";
import type { Draw } from "./plot.js";

interface Props {
  readonly info: FieldInfo;
  readonly shape: readonly number[];
  readonly elements: readonly number[];
  /** Elements of an Item. */
  readonly count: number;
  readonly draw: Draw;
}

/** The controls above the plot. */
export function Controls({ info, shape, elements, count, draw }: Props) {
  const turn = (by: number) => () => {
    const first = Math.min(Math.max(0, (elements[0] ?? 0) + by), Math.max(0, count - 1));
    choose("elements", Array.from({ length: Math.min(Math.abs(by), count - first) }, (_, at) => first + at).join(","));
  };
  const page = Math.min(MOST_LINES, Math.max(1, elements.length));
  return (
    <div class="controls">
      <label>
        <span class="label">Draw</span>{" "}
        <select aria-label="Draw" value={draw} onChange={({ currentTarget }) => choose("draw", currentTarget.value === "auto" ? undefined : currentTarget.value)}>
          <option value="auto">lines, and points while few</option>
          <option value="points">points</option>
          <option value="lines">lines</option>
          <option value="steps">steps</option>
        </select>
      </label>
      {count > 1 && isArrayField(info) && (
        <>
          <span class="label" data-lines="count">
            {countText(elements.length)} of {countText(count)} elements
          </span>
          {count > page && (
            <>
              <button type="button" class="small" disabled={(elements[0] ?? 0) === 0} onClick={turn(-page)}>
                ‹ {page} before
              </button>
              <button type="button" class="small" disabled={(elements[0] ?? 0) + page >= count} onClick={turn(page)}>
                {page} after ›
              </button>
            </>
          )}
          <Add names={axisNames(info)} shape={shape} elements={elements} />
        </>
      )}
    </div>
  );
}

/** Adds an element by its index. */
function Add({ names, shape, elements }: { readonly names: readonly string[]; readonly shape: readonly number[]; readonly elements: readonly number[] }) {
  const [index, setIndex] = useState<readonly number[]>(() => shape.map(() => 0));
  const element = elementAt(index, shape);
  const isFull = elements.length >= MOST_LINES;
  const cannot = element === undefined || elements.includes(element) || isFull;
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault();
        if (!cannot) choose("elements", [...elements, element].join(","));
      }}
    >
      {shape.map((extent, axis) => (
        <label key={axis}>
          <span class="label">
            <Inert text={names[axis] ?? ""} most={16} />
          </span>{" "}
          <input
            type="number"
            min={0}
            max={extent - 1}
            value={index[axis] ?? 0}
            onInput={({ currentTarget }) => setIndex(index.map((number, other) => (other === axis ? currentTarget.valueAsNumber : number)))}
          />
        </label>
      ))}
      <button type="submit" class="small" disabled={cannot} title={isFull ? `${MOST_LINES} lines at most` : undefined}>
        Add line
      </button>
    </form>
  );
}

/** A grid with what belongs to it: where to go, and what stands at its cursor, to be read and copied. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { announce } from "../announce.js";
import { Copy } from "../copy.js";
import { Inert } from "../inert.js";
import { Grid } from "./grid.js";
import type { Cell } from "./keys.js";
import type { GridModel } from "./model.js";

interface Props {
  readonly model: GridModel;
  readonly label: string;
  /** What the input that goes to a row is called. */
  readonly goTo: string;
  /** Behind a value, with a space before. */
  readonly units?: string;
  /** The row to begin at; another one is gone to. */
  readonly row?: number | undefined;
  /** Told where the cursor was put. */
  onCursor?(cell: Cell): void;
  /** Told of a row that a person went to. */
  onGo?(row: number): void;
  onSight?(first: number, last: number): void;
  /** Controls in front. */
  readonly children?: ComponentChildren;
}

/** The panel. */
export function GridPanel({ model, label, goTo, units = "", row, onCursor, onGo, onSight, children }: Props) {
  const [chosen, setChosen] = useState<Cell>({ row: row ?? 0, column: 0 });
  useEffect(() => {
    if (row !== undefined) setChosen((before) => (before.row === row ? before : { row, column: before.column }));
  }, [row]);
  // Of a smaller grid the cursor is at the end.
  const cursor = useMemo(() => {
    const isThere = chosen.row < model.rows && chosen.column < model.columns;
    return isThere ? chosen : { row: Math.max(0, Math.min(chosen.row, model.rows - 1)), column: Math.max(0, Math.min(chosen.column, model.columns - 1)) };
  }, [chosen, model.rows, model.columns]);
  const isEmpty = model.rows === 0 || model.columns === 0;
  const text = isEmpty ? undefined : model.cell(cursor.row, cursor.column);
  const moveTo = (cell: Cell): void => {
    setChosen(cell);
    onCursor?.(cell);
  };
  const copy = async (): Promise<void> => {
    if (text === undefined) return;
    try {
      await navigator.clipboard.writeText(text);
      announce("The cell was copied");
    } catch {
      announce("The browser does not allow it to be copied");
    }
  };
  return (
    <div class="grid-panel">
      <div class="bar">
        {children}
        <GoTo
          label={goTo}
          find={(typed) => model.find(typed)}
          go={(found) => {
            moveTo({ row: found, column: cursor.column });
            onGo?.(found);
          }}
        />
      </div>
      {isEmpty ? <p class="note">There are no elements.</p> : <Grid model={model} label={label} cursor={cursor} moveTo={moveTo} copy={() => void copy()} {...(onSight === undefined ? {} : { onSight })} />}
      {!isEmpty && (
        <div class="bar">
          <output class="at" aria-live="polite" data-cell={`${cursor.row},${cursor.column}`}>
            <span class="label">
              <Inert text={model.place(cursor.row, cursor.column)} most={120} />
            </span>{" "}
            <code>{text === undefined ? "…" : <Inert text={`${text}${model.isValue?.(cursor.column) === false ? "" : units}`} most={400} />}</code>
          </output>
          <Copy label="Copy the cell" text={() => text ?? ""} />
        </div>
      )}
    </div>
  );
}

function GoTo({ label, find, go }: { readonly label: string; find(text: string): number | undefined; go(row: number): void }) {
  const [isWrong, setWrong] = useState(false);
  return (
    <label>
      <span class="label">{label}</span>{" "}
      <input
        type="text"
        inputMode="numeric"
        spellcheck={false}
        aria-invalid={isWrong}
        onInput={() => setWrong(false)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== "Enter") return;
          const found = find(currentTarget.value);
          setWrong(found === undefined);
          if (found === undefined) announce("There is no such row");
          else go(found);
        }}
      />
    </label>
  );
}

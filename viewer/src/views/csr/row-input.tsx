/** Choosing a row of a matrix by its number, which may exceed what a number holds. In the address as `x.row`. */
import { useState } from "preact/hooks";
import { choose } from "../../state/link.js";
import { visible } from "../../data/visible.js";

/** The input, with steps to the neighbours. */
export function RowInput({ axis, row, rows }: { readonly axis: string; readonly row: bigint; readonly rows: bigint }) {
  const [isWrong, setWrong] = useState(false);
  const go = (to: bigint): void => {
    if (to >= 0n && to < rows) choose("row", String(to));
  };
  return (
    <p class="row-input">
      <label>
        <span class="label">{visible(axis)}</span>{" "}
        <input
          type="text"
          inputMode="numeric"
          aria-label="Row to read"
          aria-invalid={isWrong}
          value={String(row)}
          onInput={() => setWrong(false)}
          onChange={({ currentTarget }) => {
            const text = currentTarget.value.trim();
            const isRow = /^\d{1,20}$/.test(text) && BigInt(text) < rows;
            setWrong(!isRow);
            if (isRow) go(BigInt(text));
          }}
        />
      </label>
      <button type="button" class="small" aria-label="Row before" disabled={row === 0n} onClick={() => go(row - 1n)}>
        −
      </button>
      <button type="button" class="small" aria-label="Row after" disabled={row + 1n >= rows} onClick={() => go(row + 1n)}>
        +
      </button>
    </p>
  );
}

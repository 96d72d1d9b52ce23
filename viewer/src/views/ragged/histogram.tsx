/** How many rows are how long. */
import { useState } from "preact/hooks";
import { countText } from "../../data/numbers.js";
import { type Bin, binText, type Lengths } from "./lengths.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [600, 130, 52, 34, 8];

/** The histogram, its bins by pointer and arrow keys, and the same as a table. */
export function Histogram({ lengths }: { readonly lengths: Lengths }) {
  const { bins } = lengths;
  const [at, setAt] = useState(0);
  const [first] = bins;
  const last = bins.at(-1);
  if (first === undefined || last === undefined) return <p class="note">There are no rows.</p>;
  const bin = bins[Math.min(at, bins.length - 1)] ?? first;
  const most = Math.max(...bins.map(({ count }) => count));
  const step = (WIDTH - LEFT - 8) / bins.length;
  const height = (count: number): number => (count === 0 ? 0 : Math.max(1, (count / most) * (HEIGHT - BOTTOM - TOP)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const to: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bins.length - 1 };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(bins.length - 1, next)));
  };
  return (
    <figure class="lengths">
      <figcaption>
        Rows by their length, in cells{" "}
        <output aria-live="polite" data-bin={binText(bin)}>
          {binText(bin)}: {countText(bin.count)} {bin.count === 1 ? "row" : "rows"}
        </output>
      </figcaption>
      <div role="img" tabIndex={0} data-own-keys onKeyDown={onKeyDown} aria-label={`Histogram of ${lengths.rows} row lengths, from ${lengths.least} to ${lengths.greatest} cells, in ${bins.length} bins; the fullest has ${most} rows`}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
          {[0, 0.5, 1].map((part) => (
            <g class="mark" transform={`translate(0 ${HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP)})`}>
              <line x1={LEFT} x2={WIDTH - 8} />
              {(part !== 0.5 || most % 2 === 0) && (
                <text x={LEFT - 6} y={4} text-anchor="end">
                  {countText(most * part)}
                </text>
              )}
            </g>
          ))}
          {bins.map(({ count }, place) => (
            <g class={place === bins.indexOf(bin) ? "bin chosen" : "bin"} onPointerDown={() => setAt(place)} onPointerMove={() => setAt(place)}>
              <rect class="reach" x={LEFT + place * step} y={TOP} width={step} height={HEIGHT - BOTTOM - TOP} />
              <rect x={LEFT + place * step + 0.5} width={Math.max(1, step - 1)} y={HEIGHT - BOTTOM - height(count)} height={height(count)} />
            </g>
          ))}
          {labelled(bins).map((place) => (
            <text x={LEFT + (place + 0.5) * step} y={HEIGHT - BOTTOM + 14} text-anchor="middle">
              {bins[place]?.from}
            </text>
          ))}
          <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 4} text-anchor="middle">
            cells in a row
          </text>
        </svg>
      </div>
      <details>
        <summary>Counts as a table</summary>
        <table class="values">
          <thead>
            <tr>
              <th>cells</th>
              <th>rows</th>
            </tr>
          </thead>
          <tbody>
            {bins.map((one) => (
              <tr>
                <td>{binText(one)}</td>
                <td>{countText(one.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Bins whose length is written: some eight, evenly. */
function labelled(bins: readonly Bin[]): number[] {
  const step = Math.ceil(bins.length / 8);
  return bins.flatMap((_, at) => (at % step === 0 ? [at] : []));
}

/** The runs as a table, of which only the lines in sight are made: there may be as many as there are rows. */
import { useEffect, useRef, useState } from "preact/hooks";
import { countText } from "../../data/numbers.js";
import { moveTo } from "../../state/playhead.js";
import { announce } from "../../ui/announce.js";
import { visible } from "../../data/visible.js";
import type { Runs } from "./runs.js";
import { Swatch } from "./swatch.js";
import { EMPTY, Value } from "./value.js";

interface Props {
  readonly runs: Runs;
  readonly anchors: BigUint64Array;
  /** Place of the run that the playhead is in. */
  readonly current: number | undefined;
}

const LINE = 26;
/** Lines in sight. */
const SEEN = 9;
/** Lines made above and below, so that scrolling shows no gaps. */
const MORE = 8;

/** The table. */
export function RunsTable({ runs: { runs, values }, anchors, current }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [chosen, setChosen] = useState<number>();
  const marked = Math.min(chosen ?? current ?? 0, runs.length - 1);
  const show = (at: number): void => {
    const element = scroll.current;
    if (element === null) return;
    const room = element.clientHeight - LINE;
    if (at * LINE < element.scrollTop) element.scrollTop = at * LINE;
    else if ((at + 1) * LINE > element.scrollTop + room) element.scrollTop = (at + 1) * LINE - room;
  };
  useEffect(() => {
    // The playhead went on: what was chosen by hand is over.
    setChosen(undefined);
    if (current !== undefined) show(current);
  }, [current, runs]);
  const go = (at: number): void => {
    const run = runs[at];
    const anchor = run === undefined ? undefined : anchors[run.from];
    if (anchor !== undefined) moveTo(anchor);
  };
  const choose = (at: number): void => {
    const next = Math.min(runs.length - 1, Math.max(0, at));
    const run = runs[next];
    setChosen(next);
    show(next);
    if (run !== undefined) announce(`${visible(values[run.value] ?? "") || EMPTY} from ${anchors[run.from]}, ${run.to - run.from} rows`);
  };
  const first = Math.max(0, Math.floor(top / LINE) - MORE);
  const last = Math.min(runs.length, first + SEEN + 2 * MORE);
  const lines = runs.slice(first, last);
  return (
    <div
      class="runs"
      ref={scroll}
      tabIndex={0}
      data-own-keys
      role="region"
      aria-label={`Runs of equal values, ${runs.length}: arrow keys choose one, Enter moves the playhead there`}
      style={{ height: `${(Math.min(SEEN, Math.max(1, runs.length)) + 1) * LINE + 2}px` }}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={(event) => {
        const to = { ArrowDown: marked + 1, ArrowUp: marked - 1, PageDown: marked + SEEN, PageUp: marked - SEEN, Home: 0, End: runs.length - 1 }[event.key];
        if (to === undefined && event.key !== "Enter") return;
        event.preventDefault();
        if (to === undefined) go(marked);
        else choose(to);
      }}
    >
      <table class="values" aria-rowcount={runs.length + 1}>
        <thead>
          <tr>
            <th scope="col">value</th>
            <th scope="col">from</th>
            <th scope="col">to</th>
            <th scope="col">rows</th>
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr aria-hidden="true" style={{ height: `${first * LINE}px` }} />}
          {lines.map(({ from, to, value }, at) => (
            <tr
              key={first + at}
              aria-rowindex={first + at + 2}
              data-run={first + at}
              aria-current={first + at === current ? "true" : undefined}
              class={first + at === marked ? "marked" : undefined}
              onClick={() => go(first + at)}
            >
              <td>
                <Swatch value={value} /> <Value text={values[value] ?? ""} most={60} />
              </td>
              <td>{String(anchors[from])}</td>
              <td>{String(anchors[to - 1])}</td>
              <td>{countText(to - from)}</td>
            </tr>
          ))}
          {last < runs.length && <tr aria-hidden="true" style={{ height: `${(runs.length - last) * LINE}px` }} />}
        </tbody>
      </table>
    </div>
  );
}

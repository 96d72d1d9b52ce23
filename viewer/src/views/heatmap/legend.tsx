/** What the colours mean. */
import { useEffect, useRef } from "preact/hooks";
import { countText } from "../../data/numbers.js";
import { Inert } from "../../ui/inert.js";
import { paintBar, paintOdd } from "./surface.js";

/** Ends and counts, as text. */
export interface Meaning {
  readonly least: string;
  readonly greatest: string;
  readonly units: string;
  /** What the range was taken from. */
  readonly of: string;
  readonly nan: number;
  readonly above: number;
  readonly below: number;
}

const BAR = 160;
const HIGH = 14;

/** The legend. */
export function ColourLegend({ table, meaning }: { readonly table: Uint32Array; readonly meaning: Meaning }) {
  const { least, greatest, units, of, nan, above, below } = meaning;
  return (
    <div class="colour-legend" aria-label="Legend" role="group">
      <span data-legend="least">{least}</span>
      <Swatch wide={BAR} draw={(context) => paintBar(context, table, 0, 0, BAR, HIGH)} of={table} />
      <span data-legend="greatest">{greatest}</span>
      {units !== "" && <Inert text={units} most={24} />}
      <span class="label">range {of}</span>
      {([["nan", "NaN", nan], ["above", "+Inf", above], ["below", "−Inf", below]] as const).map(([kind, name, count]) =>
        count === 0 ? null : (
          <span class="odd" key={kind} data-legend={kind}>
            <Swatch wide={HIGH} draw={(context) => paintOdd(context, table, kind, 0, 0, HIGH)} of={table} /> {name} {countText(count)}
          </span>
        ),
      )}
    </div>
  );
}

function Swatch({ wide, draw, of }: { readonly wide: number; draw(context: CanvasRenderingContext2D): void; readonly of: unknown }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const ratio = devicePixelRatio;
    element.width = Math.round(wide * ratio);
    element.height = Math.round(HIGH * ratio);
    const context = element.getContext("2d");
    context?.scale(ratio, ratio);
    if (context !== null) draw(context);
  }, [of]);
  return <canvas ref={canvas} aria-hidden="true" style={{ width: `${wide}px`, height: `${HIGH}px` }} />;
}

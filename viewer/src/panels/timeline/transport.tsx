/** Buttons that move the playhead and the window. */
import { useState } from "preact/hooks";
import type { Dataset } from "dreamdb-arrays";
import { moveTo, playing, rate, step, toEnd } from "../../state/playhead.js";
import { boundsOf, chooseWindow, windowOf } from "../../state/window.js";

const RATES = [1, 2, 5, 10, 20, 30, 60] as const;

/** Playing, stepping, zooming, and going to an anchor by its number. */
export function Transport({ ds, playhead, zoom }: { readonly ds: Dataset; readonly playhead: bigint; zoom(factor: number): void }) {
  const window = windowOf(ds);
  return (
    <div class="transport" role="toolbar" aria-label="Playhead and window">
      <button type="button" aria-label="First Item" onClick={() => toEnd(false)}>
        |◀
      </button>
      <button type="button" aria-label="Item before" onClick={() => step(-1)}>
        ◀
      </button>
      <button type="button" class="play" aria-pressed={playing.value} onClick={() => (playing.value = !playing.value)}>
        {playing.value ? "Pause" : "Play"}
      </button>
      <button type="button" aria-label="Item after" onClick={() => step(1)}>
        ▶
      </button>
      <button type="button" aria-label="Last Item" onClick={() => toEnd(true)}>
        ▶|
      </button>
      <label>
        <select aria-label="Items a second" value={String(rate.value)} onChange={({ currentTarget }) => (rate.value = Number(currentTarget.value))}>
          {RATES.map((one) => (
            <option value={String(one)}>{one} Items/s</option>
          ))}
        </select>
      </label>
      <Anchor label="Anchor" value={playhead} commit={moveTo} />
      <span class="space" />
      <span class="label">Window</span>
      <Anchor label="from" value={window.start} commit={(start) => start < window.end && chooseWindow(ds, { start, end: window.end })} />
      <Anchor label="to" value={window.end} commit={(end) => end > window.start && chooseWindow(ds, { start: window.start, end })} />
      <button type="button" aria-label="Zoom in" onClick={() => zoom(0.6)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / 0.6)}>
        −
      </button>
      <button type="button" onClick={() => chooseWindow(ds, boundsOf(ds))}>
        All
      </button>
    </div>
  );
}

/**
 * A field for a u64: what is typed counts once it is entered, and only if it is one. From when it is gone to until then it stays as it is, whatever the
 * value does meanwhile: a text that changes loses what is selected in it.
 */
function Anchor({ label, value, commit }: { readonly label: string; readonly value: bigint; commit(value: bigint): void }) {
  const [typed, setTyped] = useState<string>();
  const [held, setHeld] = useState<string>();
  const hold = (): void => setHeld((before) => before ?? String(value));
  const text = typed ?? held ?? String(value);
  const isGood = /^\d{1,20}$/.test(text.trim()) && BigInt(text.trim()) < 1n << 64n;
  const enter = (): void => {
    setHeld(undefined);
    if (typed === undefined) return;
    setTyped(undefined);
    if (isGood) commit(BigInt(typed.trim()));
  };
  return (
    <label class="anchor">
      <span class="label">{label}</span>
      <input
        inputMode="numeric"
        aria-invalid={!isGood}
        value={text}
        size={Math.max(4, text.length)}
        onFocus={hold}
        onPointerDown={hold}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={enter}
        onKeyDown={({ key }) => key === "Enter" && enter()}
      />
    </label>
  );
}

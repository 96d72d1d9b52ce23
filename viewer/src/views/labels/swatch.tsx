/** A square in the paint of a value. */
import { useEffect, useRef } from "preact/hooks";
import { fill, paintOf } from "./colours.js";

const SIDE = 14;

/** The square of the value with this number. */
export function Swatch({ value }: { readonly value: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const ratio = devicePixelRatio;
    element.width = Math.round(SIDE * ratio);
    element.height = Math.round(SIDE * ratio);
    const context = element.getContext("2d");
    context?.scale(ratio, ratio);
    if (context !== null) fill(context, paintOf(value), 0, 0, SIDE, SIDE);
  }, [value]);
  return <canvas class="swatch" ref={canvas} aria-hidden="true" />;
}

/** A finger in the plot, which uPlot takes for nothing but a click: dragged along, it chooses a window as the mouse does. Along the other axis the page scrolls. */

/** What it does, in pixels of the plot. */
export interface FingerActs {
  /** It is at a place, over a stretch from where it began if it was dragged; `undefined` once it has gone. */
  at(x: number | undefined, stretch: readonly [left: number, right: number] | undefined): void;
  /** It was dragged over a stretch. */
  drag(left: number, right: number): void;
}

/** Shorter moves are a tap that trembles. */
const DRAG_PX = 8;

/** Listens to fingers and pens on an element. */
export function onFinger(element: HTMLElement, acts: FingerActs): void {
  let began: { readonly id: number; readonly x: number } | undefined;
  const place = ({ clientX }: PointerEvent): number => {
    const { left, width } = element.getBoundingClientRect();
    return Math.min(width, Math.max(0, clientX - left));
  };
  const stretch = (event: PointerEvent): readonly [number, number] | undefined => {
    const [from, to] = [began?.x ?? 0, place(event)];
    return Math.abs(to - from) < DRAG_PX ? undefined : [Math.min(from, to), Math.max(from, to)];
  };
  const end = (): void => {
    began = undefined;
    acts.at(undefined, undefined);
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    // A second finger ends it.
    if (began !== undefined) end();
    else began = { id: event.pointerId, x: place(event) };
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId === began?.id) acts.at(place(event), stretch(event));
  });
  element.addEventListener("pointerup", (event) => {
    if (event.pointerId !== began?.id) return;
    const chosen = stretch(event);
    end();
    if (chosen !== undefined) acts.drag(...chosen);
  });
  element.addEventListener("pointercancel", (event) => {
    if (event.pointerId === began?.id) end();
  });
}

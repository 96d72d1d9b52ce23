/** Moving the camera: by the pointer and by keys. Tells where it should stand; who draws it is another's matter. */
import { panned, type Pose, turned, zoomed } from "./camera.js";
import type { Stage } from "./stage.js";

/** Degrees a pixel, and a press of a key. */
const PER_PIXEL = 0.4;
const PER_KEY = 5;
const ZOOM = 1.15;
const PAN = 24;

/** Moves the camera of a stage that is there; `undefined` puts it back to where all is seen. */
export type Move = (change: (stage: Stage) => Pose | undefined) => void;

/** How far two fingers are apart: never nothing, by which one would divide. */
function apart([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number {
  return Math.max(1, Math.hypot(ax - bx, ay - by));
}

/** What an element of the page listens to. `hover` is told of the pointer while nothing is dragged, `click` of a press without a drag. Two fingers zoom and move. */
export function pointerHandlers(move: Move, hover: (x: number, y: number) => void, leave: () => void, click: (x: number, y: number) => void) {
  let dragged = 0;
  const down = new Map<number, readonly [x: number, y: number]>();
  const place = (event: PointerEvent & { readonly currentTarget: HTMLElement }): readonly [number, number] => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  return {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      event.currentTarget.setPointerCapture(event.pointerId);
      // With two fingers nobody means a point.
      dragged = down.size === 0 ? 0 : Infinity;
      down.set(event.pointerId, place(event));
    },
    onPointerMove(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      const now = place(event);
      const before = down.get(event.pointerId);
      if (before === undefined) {
        hover(...now);
        return;
      }
      down.set(event.pointerId, now);
      const [x, y] = [now[0] - before[0], now[1] - before[1]];
      dragged += Math.abs(x) + Math.abs(y);
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      move((stage) => {
        const { view, pose } = stage;
        if (other !== undefined) {
          const nearer = zoomed(pose, apart(before, other) / apart(now, other), stage.grid);
          return view === undefined ? nearer : panned(nearer, view, x / 2, y / 2);
        }
        const isPan = event.shiftKey || (event.buttons & 6) !== 0;
        return isPan && view !== undefined ? panned(pose, view, x, y) : turned(pose, -x * PER_PIXEL, y * PER_PIXEL);
      });
    },
    onPointerUp(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      down.delete(event.pointerId);
      if (dragged < 4) click(...place(event));
    },
    onPointerCancel(event: PointerEvent) {
      down.delete(event.pointerId);
    },
    onPointerLeave: leave,
    onContextMenu(event: Event) {
      event.preventDefault();
    },
    onWheel(event: WheelEvent) {
      event.preventDefault();
      // Browsers turn the wheel with Shift into one along the other axis.
      const delta = Math.max(-200, Math.min(200, event.deltaY === 0 ? event.deltaX : event.deltaY));
      move((stage) => zoomed(stage.pose, Math.exp(delta * 0.0015), stage.grid));
    },
  };
}

/** The camera's keys; whether it took one. */
export function pressed(event: KeyboardEvent, move: Move): boolean {
  const { key, shiftKey } = event;
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  const arrows: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const arrow = arrows[key];
  if (arrow !== undefined) {
    const [x, y] = arrow;
    move(({ pose, view }) => (shiftKey && view !== undefined ? panned(pose, view, -x * PAN, -y * PAN) : turned(pose, x * PER_KEY, -y * PER_KEY)));
  } else if (key === "PageUp" || key === "PageDown") move((stage) => zoomed(stage.pose, key === "PageUp" ? 1 / ZOOM : ZOOM, stage.grid));
  else if (key === "Home") move(() => undefined);
  else return false;
  return true;
}

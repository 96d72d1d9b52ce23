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

/** What an element of the page listens to. `hover` is told of the pointer while nothing is dragged, `click` of a press without a drag. */
export function pointerHandlers(move: Move, hover: (x: number, y: number) => void, leave: () => void, click: (x: number, y: number) => void) {
  let dragged = 0;
  const place = (event: PointerEvent & { readonly currentTarget: HTMLElement }): readonly [number, number] => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  return {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      event.currentTarget.setPointerCapture(event.pointerId);
      dragged = 0;
    },
    onPointerMove(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) {
        hover(...place(event));
        return;
      }
      const { movementX: x, movementY: y } = event;
      dragged += Math.abs(x) + Math.abs(y);
      move((stage) => {
        const { view, pose } = stage;
        const isPan = event.shiftKey || (event.buttons & 6) !== 0;
        return isPan && view !== undefined ? panned(pose, view, x, y) : turned(pose, -x * PER_PIXEL, y * PER_PIXEL);
      });
    },
    onPointerUp(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      if (dragged < 4) click(...place(event));
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

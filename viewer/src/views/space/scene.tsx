/** A place in the page that shows something in space: the drawing, what moves its camera, and in words how it is to be read. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ArrayFieldInfo } from "dreamdb-arrays";
import { isDark } from "../../state/theme.js";
import { choose, go, link } from "../../state/link.js";
import { countText } from "../../data/numbers.js";
import { visible } from "../../data/visible.js";
import { Inert } from "../../ui/inert.js";
import { type Box, gridOf, NO_BOX, union } from "./box.js";
import { parsePose, poseText, type Up, UPS, type View, zoomed } from "./camera.js";
import { type Move, pointerHandlers, pressed } from "./orbit.js";
import type { Mark } from "./overlay.js";
import { room, type Thing } from "./room.js";
import { Stage } from "./stage.js";
import "./space.css";

interface Props {
  readonly info: ArrayFieldInfo;
  readonly things: readonly Thing[];
  /** About what is shown. It grows with what comes, so that nothing jumps while Items are played. */
  readonly box: Box;
  readonly marks: readonly Mark[];
  /** Which elements the axes are. */
  readonly elements: string;
  /** What is on screen, in numbers. */
  readonly label: string;
  /** Filled with what makes the picture. */
  readonly picture: { current: (() => Promise<Blob>) | undefined };
  /** Told where the pointer is, in pixels; `undefined` when it has left. */
  hover?(pointed: Pointed | undefined): void;
  click?(pointed: Pointed): void;
  /** More controls. */
  readonly children?: ComponentChildren;
}

/** A place on screen, and what is seen there. */
export interface Pointed {
  readonly x: number;
  readonly y: number;
  readonly view: View;
}

/** The address follows the camera once it stands still for so long. */
const STILL_MS = 300;

/** The scene. */
export function Scene({ info, things, box, marks, elements, label, picture, hover, click, children }: Props) {
  const [host, overlay, stage] = [useRef<HTMLDivElement>(null), useRef<HTMLCanvasElement>(null), useRef<Stage | undefined>(undefined)];
  const [state, setState] = useState<"there" | "none" | "lost">("there");
  const grown = useRef<Box>(NO_BOX);
  grown.current = union(grown.current, box);
  const { units, frame } = info.type;
  const { up: asked, camera } = link.value.choices;
  const up: Up = UPS.find((one) => one === asked) ?? "z";
  const dark = isDark.value;
  const move = useCamera(stage, camera);
  const [part, setPart] = useState(1);

  useLayoutEffect(() => {
    const [there, paper, place] = [room(), overlay.current, host.current];
    if (there === undefined || paper === null || place === null) {
      if (there === undefined) setState("none");
      return undefined;
    }
    const own = new Stage(there, paper, setPart);
    stage.current = own;
    own.look(parsePose(link.peek().choices["camera"]));
    picture.current = () => own.picture();
    place.prepend(there.canvas);
    const lost = (event: Event): void => {
      event.preventDefault();
      setState("lost");
    };
    there.canvas.addEventListener("webglcontextlost", lost);
    const observer = new ResizeObserver(([entry]) => entry !== undefined && own.resize(entry.contentRect.width, entry.contentRect.height));
    observer.observe(place);
    return () => {
      observer.disconnect();
      there.canvas.removeEventListener("webglcontextlost", lost);
      own.close();
      stage.current = undefined;
      picture.current = undefined;
      setPart(1);
    };
  }, [state]);
  useLayoutEffect(() => {
    const unit = units === "none" ? "" : ` [${visible(units).slice(0, 16)}]`;
    stage.current?.show({ things, box: grown.current, names: [`x${unit}`, `y${unit}`, `z${unit}`], marks, up, isDark: dark });
  }, [things, box, marks, up, dark, units, state]);

  const pointed = (tell: ((one: Pointed) => void) | undefined) => (x: number, y: number) => {
    const view = stage.current?.view;
    if (view !== undefined) tell?.({ x, y, view });
  };
  const tell = useRef({ hover, click });
  tell.current = { hover, click };
  const handlers = useMemo(
    () => pointerHandlers(move, pointed((one) => tell.current.hover?.(one)), () => tell.current.hover?.(undefined), pointed((one) => tell.current.click?.(one))),
    [],
  );
  if (state !== "there") return <Missing isLost={state === "lost"} again={() => setState("there")} />;
  const { step } = gridOf(grown.current);
  return (
    <figure class="space-room">
      <div class="space-controls">
        {children}
        <label title="Nothing declares which axis points up: it is a choice of the viewer">
          Up{" "}
          <select value={up} onChange={({ currentTarget }) => choose("up", currentTarget.value === "z" ? undefined : currentTarget.value)}>
            {UPS.map((one) => (
              <option value={one}>{one.replace("-", "−")}</option>
            ))}
          </select>
        </label>
      </div>
      <div class="space-frame">
        <div
          class="space-view"
          ref={host}
          role="img"
          tabIndex={0}
          data-own-keys
          aria-label={`${label}. Arrow keys turn it, with Shift they move it, Page Up and Page Down zoom, Home shows all.`}
          onKeyDown={(event) => {
            if (pressed(event, move)) event.preventDefault();
          }}
          {...handlers}
        >
          <canvas class="overlay" ref={overlay} aria-hidden="true" />
        </div>
        {part > 1 && (
          <span class="space-detail" data-space="detail">
            1 of {countText(part)} points is drawn while it moves
          </span>
        )}
        <span class="space-zooming">
          <button type="button" class="small" aria-label="Nearer" onClick={() => move(({ pose, grid }) => zoomed(pose, 1 / 1.25, grid))}>
            +
          </button>
          <button type="button" class="small" aria-label="Farther" onClick={() => move(({ pose, grid }) => zoomed(pose, 1.25, grid))}>
            −
          </button>
          <button type="button" class="small" title="All of it on screen (Home)" onClick={() => move(() => undefined)}>
            Fit
          </button>
        </span>
      </div>
      <figcaption class="note">
        Grid step{" "}
        <span data-space="step">
          {String(Number(step.toPrecision(3)))}
          {units !== "none" && <Inert text={` ${units}`} most={24} />}
        </span>
        , one scale for all axes · frame {frame === "none" ? "not declared" : <Inert text={frame} most={60} />} · {units === "none" ? "units not declared" : null}
        {units === "none" ? " · " : ""}
        {up.replace("-", "−")} up by choice · {elements}
      </figcaption>
    </figure>
  );
}

/** Moves the camera, and has the address follow; and the camera the address, where somebody else changed that. */
function useCamera(stage: { readonly current: Stage | undefined }, camera: string | undefined): Move {
  const own = useRef({ text: camera, timer: 0 as unknown as ReturnType<typeof setTimeout> });
  useEffect(() => {
    if (camera === own.current.text) return;
    own.current.text = camera;
    stage.current?.look(parsePose(camera));
  }, [camera]);
  useEffect(() => () => clearTimeout(own.current.timer), []);
  return (change) => {
    const there = stage.current;
    if (there === undefined) return;
    const pose = change(there);
    there.look(pose);
    clearTimeout(own.current.timer);
    own.current.timer = setTimeout(() => {
      own.current.text = pose === undefined ? undefined : poseText(pose);
      choose("camera", own.current.text);
    }, STILL_MS);
  };
}

function Missing({ isLost, again }: { readonly isLost: boolean; again(): void }) {
  return (
    <section class="failure" role="alert" data-space="missing">
      <h3>{isLost ? "The browser took the 3-D drawing away" : "This browser draws nothing in 3-D"}</h3>
      <p>
        {isLost
          ? "It does so when the graphics card is short of memory or was reset. The data is still here."
          : "The view needs WebGL 2, which the browser does not have, or which is switched off in its settings. The exact values are in the table."}
      </p>
      <p class="buttons">
        {isLost && (
          <button type="button" onClick={again}>
            Draw again
          </button>
        )}
        <button type="button" onClick={() => go({ view: "table", choices: {} })}>
          Show the table
        </button>
      </p>
    </section>
  );
}

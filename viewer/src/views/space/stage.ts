/** The drawing of a scene: keeps what is to be seen, and draws it in the next frame once any of it has changed. */
import { type Box, type Grid, gridOf } from "./box.js";
import { fitted, type Pose, type Up, type View, viewFrom } from "./camera.js";
import { cssColour, palette } from "./colours.js";
import { Detail } from "./detail.js";
import { backSides, gridThing, type Mark, write } from "./overlay.js";
import type { Room, Thing } from "./room.js";

/** What is to be seen. */
export interface Scene {
  readonly things: readonly Thing[];
  /** About all that is shown. */
  readonly box: Box;
  /** Of the axes, with their units; made visible. */
  readonly names: readonly [string, string, string];
  readonly marks: readonly Mark[];
  readonly up: Up;
  readonly isDark: boolean;
}

/** What changes again within so many milliseconds moves; what has not for as long stands still, and is drawn whole. */
const STILL_MS = 200;
/** A frame counts for no more than this of it: while one takes long, nothing can move. */
const STILL_FRAME_MS = 50;

/** A scene on screen. */
export class Stage {
  readonly #room: Room;
  readonly #overlay: HTMLCanvasElement;
  readonly #sides = new Map<string, Thing>();
  #scene: Scene | undefined;
  #grid: Grid = gridOf({ min: [-1, -1, -1], max: [1, 1, 1] });
  #size = { width: 0, height: 0 };
  #pose: Pose | undefined;
  #frame = 0;
  readonly #detail = new Detail();
  readonly #tell: (part: number) => void;
  /** What is to be drawn in the next frame. */
  #due: "nothing" | "marks" | "all" = "nothing";
  #changedAt = -Infinity;
  #isMoving = false;
  /** Milliseconds of a motion in which nothing has moved. */
  #quiet = 0;
  #tickedAt = 0;
  /** Of how many points one was drawn. */
  #part = 1;
  /** When the last frame was drawn, if that was the last frame. */
  #drawnAt: number | undefined;

  /** `tell` is told one of how many points is drawn, whenever that changes. */
  constructor(room: Room, overlay: HTMLCanvasElement, tell: (part: number) => void) {
    this.#room = room;
    this.#overlay = overlay;
    this.#tell = tell;
  }

  /** Shows a scene. */
  show(scene: Scene): void {
    const [before, grid] = [this.#scene, gridOf(scene.box)];
    const isSameGrid = JSON.stringify(grid) === JSON.stringify(this.#grid);
    if (before?.isDark !== scene.isDark || !isSameGrid) this.#sides.clear();
    [this.#scene, this.#grid] = [scene, grid];
    if (before?.things === scene.things && before.isDark === scene.isDark && before.up === scene.up && isSameGrid) this.#later("marks");
    else this.#changed();
  }

  /** The pose that was chosen; all of the scene is seen without one. */
  get pose(): Pose {
    return this.#pose ?? fitted(this.#grid, this.#scene?.up ?? "z", Math.max(1, this.#size.width), Math.max(1, this.#size.height));
  }

  /** Puts the camera somewhere, or where all is seen. */
  look(pose: Pose | undefined): void {
    this.#pose = pose;
    this.#moved();
  }

  /** Gives it so many pixels of the page. */
  resize(width: number, height: number): void {
    this.#size = { width: Math.floor(width), height: Math.floor(height) };
    this.#later("all");
  }

  /** The grid that is drawn. */
  get grid(): Grid {
    return this.#grid;
  }

  /** What is seen now; `undefined` before anything is. */
  get view(): View | undefined {
    const { width, height } = this.#size;
    return this.#scene === undefined || width < 1 || height < 1 ? undefined : viewFrom(this.pose, this.#scene.up, this.#grid, width, height);
  }

  /** What is on screen as a PNG. */
  async picture(): Promise<Blob> {
    // What was drawn in a frame of before may be gone.
    this.#draw(1);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [this.#room.canvas.width, this.#room.canvas.height];
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("the browser gives no canvas for the picture");
    context.fillStyle = cssColour(palette(this.#scene?.isDark === true).ground);
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.#room.canvas, 0, 0);
    context.drawImage(this.#overlay, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error("the browser made no picture")) : resolve(blob)), "image/png");
    });
  }

  /** Ends it. */
  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#scene = undefined;
    this.#room.leave();
  }

  /** Something else is shown: once, or as one of many that follow. */
  #changed(): void {
    if (performance.now() - this.#changedAt < STILL_MS) this.#moved();
    else this.#changedAt = performance.now();
    this.#later("all");
  }

  #moved(): void {
    if (!this.#isMoving) this.#detail.begin();
    [this.#isMoving, this.#quiet, this.#changedAt] = [true, 0, performance.now()];
    this.#later("all");
  }

  #later(due: "nothing" | "marks" | "all"): void {
    if (this.#due !== "all" && due !== "nothing") this.#due = due;
    if (this.#frame !== 0 || this.#scene === undefined) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      this.#tick(time);
    });
  }

  #tick(time: number): void {
    if (this.#isMoving && this.#drawnAt !== undefined) this.#detail.took(time - this.#drawnAt, this.#room.points);
    this.#drawnAt = undefined;
    this.#quiet += Math.min(STILL_FRAME_MS, time - this.#tickedAt);
    this.#tickedAt = time;
    if (this.#isMoving && this.#quiet > STILL_MS) {
      this.#isMoving = false;
      if (this.#part > 1) this.#due = "all";
    }
    if (this.#due === "all") {
      this.#drawnAt = time;
      this.#draw(this.#isMoving ? this.#detail.partOf(this.#room.points) : 1);
    } else if (this.#due === "marks" && this.view !== undefined) this.#write(this.view);
    this.#due = "nothing";
    // The last frame of a motion is drawn whole, whatever comes or does not.
    if (this.#isMoving) this.#later("nothing");
  }

  #draw(part: number): void {
    const [scene, view] = [this.#scene, this.view];
    if (scene === undefined || view === undefined) return;
    const grid = backSides(view, this.#grid).map(({ axis, isHigh }) => this.#side(axis, isHigh, scene.isDark));
    this.#room.place(grid, scene.things);
    this.#room.draw(view, Math.min(2, devicePixelRatio), palette(scene.isDark).ground, part);
    this.#write(view);
    if (part !== this.#part) this.#tell(part);
    this.#part = part;
  }

  /** What is written and marked, over what is drawn. */
  #write(view: View): void {
    const [scene, dpr] = [this.#scene, Math.min(2, devicePixelRatio)];
    const [width, height] = [Math.round(view.width * dpr), Math.round(view.height * dpr)];
    if (this.#overlay.width !== width || this.#overlay.height !== height) [this.#overlay.width, this.#overlay.height] = [width, height];
    const context = this.#overlay.getContext("2d");
    if (context === null || scene === undefined) return;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    write(context, view, { grid: this.#grid, names: scene.names, marks: scene.marks }, scene.isDark);
  }

  #side(axis: 0 | 1 | 2, isHigh: boolean, isDark: boolean): Thing {
    const key = `${axis}${isHigh}`;
    const side = this.#sides.get(key) ?? gridThing(this.#grid, axis, isHigh, isDark);
    this.#sides.set(key, side);
    return side;
  }
}

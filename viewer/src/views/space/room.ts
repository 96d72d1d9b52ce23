/**
 * The room in which things are drawn: one canvas with one WebGL context for as long as the page is there, lent to the view that is on screen.
 *
 * Browsers allow a few contexts, and take them from those who make more. A view says what stands in the room as plain descriptions; what of them is
 * the same as before stays on the graphics card, what is gone is freed.
 */
import { Geometry, Mesh, Program, Renderer, Transform } from "ogl";
import type { Local } from "./box.js";
import { clipOf, type View } from "./camera.js";
import type { Colour } from "./colours.js";
import { FACES, LINES, POINTS, TINY } from "./shaders.js";
import { Smooth } from "./smooth.js";

interface Common {
  readonly local: Local;
  /** Red, green, blue and opacity of each point, or of each piece of a line. */
  readonly colours: Uint8Array<ArrayBuffer>;
}

/** What can stand in the room. */
export type Thing =
  /** Points of so many pixels, in an order of which each beginning is an even sample. */
  | (Common & { readonly kind: "points"; readonly positions: Float32Array<ArrayBuffer>; readonly size: number })
  /** Pieces of lines, each from its first three numbers to the next three. */
  | (Common & { readonly kind: "lines"; readonly pieces: Float32Array<ArrayBuffer>; readonly width: number })
  | (Common & {
      readonly kind: "faces";
      readonly positions: Float32Array<ArrayBuffer>;
      readonly normals: Float32Array<ArrayBuffer>;
      readonly index: Uint32Array<ArrayBuffer>;
      readonly isFlat: boolean;
    });

interface Placed {
  readonly thing: Thing;
  readonly mesh: Mesh;
}

/** Whether there is anything of it to draw: buffers of nothing are refused. */
function isThere(thing: Thing): boolean {
  return (thing.kind === "lines" ? thing.pieces : thing.kind === "faces" ? thing.index : thing.positions).length > 0;
}

/** Points no larger than this, in pixels of the screen, are squares: a circle would take corners of some and not of others. */
const SQUARE = 2;

let only: Room | undefined;

/** The room; `undefined` where the browser has no WebGL 2. */
export function room(): Room | undefined {
  if (only?.isLost !== false) only = Room.open();
  return only;
}

/** The one room. */
export class Room {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: Renderer;
  readonly #programs: Readonly<Record<Thing["kind"] | "tiny", Program>>;
  readonly #smooth: Smooth;
  /** What is drawn smoothly, and what after it and over it. */
  readonly #scenes = { smooth: new Transform(), plain: new Transform() };
  #placed: readonly Placed[] = [];
  #view: View | undefined;
  #part = 1;

  private constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#renderer = new Renderer({ canvas, webgl: 2 });
    const { gl } = this.#renderer;
    this.#smooth = new Smooth(gl as ConstructorParameters<typeof Smooth>[0]);
    const shared = { uClip: { value: new Float32Array(16) } };
    this.#programs = {
      points: new Program(gl, { ...POINTS, uniforms: { ...shared, uSize: { value: 1 }, uGround: { value: [0, 0, 0] } } }),
      tiny: new Program(gl, { ...TINY, uniforms: { ...shared, uSize: { value: 1 } } }),
      lines: new Program(gl, { ...LINES, cullFace: false, uniforms: { ...shared, uHalf: { value: [1, 1] }, uWidth: { value: 1 }, uNear: { value: 0 } } }),
      faces: new Program(gl, { ...FACES, cullFace: false, uniforms: { ...shared, uEye: { value: [0, 0, 0] }, uFlat: { value: 1 } } }),
    };
  }

  /** A canvas with a context, if one is given. */
  static open(): Room | undefined {
    const canvas = document.createElement("canvas");
    // The first call decides; the renderer gets the same context again.
    const gl = canvas.getContext("webgl2", { depth: true, antialias: false });
    return gl === null ? undefined : new Room(canvas);
  }

  /** Whether the browser took the context away. */
  get isLost(): boolean {
    return this.#renderer.gl.isContextLost();
  }

  /** Number of things that are on the graphics card. */
  get size(): number {
    return this.#placed.length;
  }

  /** Number of points that stand in it. */
  get points(): number {
    return this.#placed.reduce((sum, { thing }) => sum + (thing.kind === "points" ? thing.positions.length / 3 : 0), 0);
  }

  /** Says what stands in the room from now on, `behind` behind all `things`. */
  place(behind: readonly Thing[], things: readonly Thing[]): void {
    const before = new Map(this.#placed.map((one) => [one.thing, one]));
    this.#placed = [...behind, ...things].filter(isThere).map((thing) => {
      const same = before.get(thing);
      before.delete(thing);
      return same ?? { thing, mesh: this.#meshOf(thing) };
    });
    for (const { mesh } of before.values()) {
      mesh.setParent(null);
      mesh.geometry.remove();
    }
    // Edges of points need not be smooth; but beside faces they have to share their depths.
    const isPlain = things.every(({ kind }) => kind === "points");
    const { smooth, plain } = this.#scenes;
    smooth.children.length = 0;
    plain.children.length = 0;
    for (const { thing, mesh } of this.#placed) mesh.setParent(isPlain && thing.kind === "points" ? plain : smooth);
  }

  /** Draws it, at so many pixels of the screen for each of the page; of points one of `part`, beside which nothing is smooth. */
  draw(view: View, dpr: number, ground: Colour, part: number): void {
    const renderer = this.#renderer;
    if (this.isLost) return;
    if (renderer.dpr !== dpr || renderer.width !== view.width || renderer.height !== view.height) {
      renderer.dpr = dpr;
      renderer.setSize(view.width, view.height);
    }
    const { gl } = renderer;
    gl.clearColor(...ground, 1);
    [this.#view, this.#part] = [view, part];
    this.#programs.points.uniforms["uGround"] = { value: ground };
    const draw = (): void => renderer.render({ scene: this.#scenes.smooth, sort: false, frustumCull: false });
    // Where drawing is slow, edges are smooth once nothing moves.
    if (part > 1) draw();
    // The renderer takes what is bound for the canvas.
    else this.#smooth.onto(this.canvas.width, this.canvas.height, draw);
    if (this.#scenes.plain.children.length === 0) return;
    gl.clear(gl.DEPTH_BUFFER_BIT);
    renderer.render({ scene: this.#scenes.plain, sort: false, frustumCull: false, clear: false });
  }

  /** Frees what stands in it, and the pixels. */
  leave(): void {
    this.place([], []);
    this.#smooth.leave();
    this.canvas.remove();
    this.#renderer.dpr = 1;
    this.#renderer.setSize(1, 1);
  }

  #meshOf(thing: Thing): Mesh {
    const { gl } = this.#renderer;
    const bytes = { size: 4, type: gl.UNSIGNED_BYTE, normalized: true };
    const program = this.#programs[thing.kind];
    const mesh = new Mesh(gl, { geometry: this.#geometryOf(thing, bytes), program, mode: thing.kind === "points" ? gl.POINTS : gl.TRIANGLES, frustumCulled: false });
    mesh.onBeforeRender(() => this.#prepare(thing, mesh));
    return mesh;
  }

  #geometryOf(thing: Thing, bytes: { readonly size: number; readonly type: number; readonly normalized: boolean }): Geometry {
    const { gl } = this.#renderer;
    if (thing.kind === "lines") {
      // Both ends are in one buffer: six numbers for each piece.
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, thing.pieces, gl.STATIC_DRAW);
      this.#renderer.state.boundBuffer = buffer;
      const end = { size: 3, instanced: 1, stride: 24, count: thing.pieces.length / 6, type: gl.FLOAT, buffer };
      return new Geometry(gl, {
        corner: { size: 2, data: new Float32Array([0, -1, 1, -1, 0, 1, 0, 1, 1, -1, 1, 1]) },
        from: { ...end, offset: 0 },
        to: { ...end, offset: 12 },
        colour: { ...bytes, instanced: 1, data: thing.colours },
      });
    }
    return new Geometry(gl, {
      position: { size: 3, data: thing.positions },
      colour: { ...bytes, data: thing.colours },
      ...(thing.kind === "faces" ? { normal: { size: 3, data: thing.normals }, index: { data: thing.index } } : {}),
    });
  }

  /** Says to the program what it needs to know of a thing. */
  #prepare(thing: Thing, mesh: Mesh): void {
    const view = this.#view;
    if (view === undefined) return;
    const { origin, scale } = thing.local;
    const { dpr } = this.#renderer;
    if (thing.kind === "points") {
      mesh.program = this.#programs[thing.size * dpr <= SQUARE ? "tiny" : "points"];
      mesh.geometry.setDrawRange(0, Math.ceil(thing.positions.length / 3 / this.#part));
    }
    const { uniforms } = mesh.program;
    const set = (name: string, value: unknown): void => {
      uniforms[name] = { value };
    };
    set("uClip", clipOf(view, origin, scale));
    if (thing.kind === "points") set("uSize", thing.size * dpr);
    if (thing.kind === "lines") {
      set("uWidth", thing.width * dpr);
      set("uHalf", [(view.width * dpr) / 2, (view.height * dpr) / 2]);
      set("uNear", view.near);
    }
    if (thing.kind === "faces") {
      set("uEye", view.eye.map((one, axis) => (one - (origin[axis] ?? 0)) / scale));
      set("uFlat", thing.isFlat ? 1 : 0);
    }
  }
}

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
import { FACES, LINES, POINTS } from "./shaders.js";

interface Common {
  readonly local: Local;
  /** Red, green, blue and opacity of each point, or of each piece of a line. */
  readonly colours: Uint8Array<ArrayBuffer>;
}

/** What can stand in the room. */
export type Thing =
  /** Points of so many pixels; those of `index` alone. */
  | (Common & { readonly kind: "points"; readonly positions: Float32Array<ArrayBuffer>; readonly index: Uint32Array<ArrayBuffer>; readonly size: number })
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
  return (thing.kind === "lines" ? thing.pieces : thing.index).length > 0;
}

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
  readonly #programs: Readonly<Record<Thing["kind"], Program>>;
  readonly #scene = new Transform();
  #placed: readonly Placed[] = [];
  #view: View | undefined;

  private constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#renderer = new Renderer({ canvas, webgl: 2, antialias: true });
    const { gl } = this.#renderer;
    const shared = { uClip: { value: new Float32Array(16) } };
    this.#programs = {
      points: new Program(gl, { ...POINTS, uniforms: { ...shared, uSize: { value: 1 }, uGround: { value: [0, 0, 0] } } }),
      lines: new Program(gl, { ...LINES, cullFace: false, uniforms: { ...shared, uHalf: { value: [1, 1] }, uWidth: { value: 1 }, uNear: { value: 0 } } }),
      faces: new Program(gl, { ...FACES, cullFace: false, uniforms: { ...shared, uEye: { value: [0, 0, 0] }, uFlat: { value: 1 } } }),
    };
  }

  /** A canvas with a context, if one is given. */
  static open(): Room | undefined {
    const canvas = document.createElement("canvas");
    // The first call decides; the renderer gets the same context again.
    const gl = canvas.getContext("webgl2", { alpha: false, depth: true, antialias: true });
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

  /** Says what stands in the room from now on. */
  place(things: readonly Thing[]): void {
    const before = new Map(this.#placed.map((one) => [one.thing, one]));
    this.#placed = things.filter(isThere).map((thing) => {
      const same = before.get(thing);
      before.delete(thing);
      return same ?? { thing, mesh: this.#meshOf(thing) };
    });
    for (const { mesh } of before.values()) {
      mesh.setParent(null);
      mesh.geometry.remove();
    }
    this.#scene.children.length = 0;
    for (const { mesh } of this.#placed) mesh.setParent(this.#scene);
  }

  /** Draws it, at so many pixels of the screen for each of the page. */
  draw(view: View, dpr: number, ground: Colour): void {
    const renderer = this.#renderer;
    if (this.isLost) return;
    if (renderer.dpr !== dpr || renderer.width !== view.width || renderer.height !== view.height) {
      renderer.dpr = dpr;
      renderer.setSize(view.width, view.height);
    }
    renderer.gl.clearColor(...ground, 1);
    this.#view = view;
    this.#programs.points.uniforms["uGround"] = { value: ground };
    renderer.render({ scene: this.#scene, sort: false, frustumCull: false });
  }

  /** Frees what stands in it, and the pixels. */
  leave(): void {
    this.place([]);
    this.canvas.remove();
    this.#renderer.dpr = 1;
    this.#renderer.setSize(1, 1);
  }

  #meshOf(thing: Thing): Mesh {
    const { gl } = this.#renderer;
    const bytes = { size: 4, type: gl.UNSIGNED_BYTE, normalized: true };
    const program = this.#programs[thing.kind];
    const mesh = new Mesh(gl, { geometry: this.#geometryOf(thing, bytes), program, mode: thing.kind === "points" ? gl.POINTS : gl.TRIANGLES, frustumCulled: false });
    mesh.onBeforeRender(() => this.#prepare(thing, program));
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
      ...(thing.kind === "faces" ? { normal: { size: 3, data: thing.normals } } : {}),
      index: { data: thing.index },
    });
  }

  /** Says to the program what it needs to know of a thing. */
  #prepare(thing: Thing, { uniforms }: Program): void {
    const view = this.#view;
    if (view === undefined) return;
    const { origin, scale } = thing.local;
    const { dpr } = this.#renderer;
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

/**
 * Where edges are drawn smoothly: a frame of several samples a pixel, made into the canvas's pixels once it is drawn.
 *
 * A context could smooth by itself, but then whatever it draws. Points gain nothing by it, and by software they take twice as long.
 */
import type { OGLRenderingContext } from "ogl";

/** Samples a pixel, where that many are to be had. */
const SAMPLES = 4;

/** The frame. */
export class Smooth {
  readonly #gl: OGLRenderingContext & WebGL2RenderingContext;
  readonly #frame: WebGLFramebuffer;
  #buffers: readonly WebGLRenderbuffer[] = [];
  #size = { width: 0, height: 0 };

  constructor(gl: OGLRenderingContext & WebGL2RenderingContext) {
    this.#gl = gl;
    this.#frame = gl.createFramebuffer();
  }

  /** Draws into it by `draw`, then what was drawn onto the canvas. Whatever depths there were are gone. */
  onto(width: number, height: number, draw: () => void): void {
    const gl = this.#gl;
    if (width !== this.#size.width || height !== this.#size.height) this.#resize(width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#frame);
    draw();
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.#frame);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  /** Frees the pixels. */
  leave(): void {
    for (const buffer of this.#buffers) this.#gl.deleteRenderbuffer(buffer);
    [this.#buffers, this.#size] = [[], { width: 0, height: 0 }];
  }

  #resize(width: number, height: number): void {
    this.leave();
    const gl = this.#gl;
    const samples = Math.min(SAMPLES, Number(gl.getParameter(gl.MAX_SAMPLES)));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#frame);
    this.#buffers = ([[gl.COLOR_ATTACHMENT0, gl.RGBA8], [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24]] as const).map(([attachment, format]) => {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
      return buffer;
    });
    this.#size = { width, height };
  }
}

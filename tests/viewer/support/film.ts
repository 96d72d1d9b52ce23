/** Small films of which a test knows every frame: encoded, or recorded, by the browser in which the test runs. */
import { Buffer } from "node:buffer";
import type { Page } from "playwright";

/** Colours of frames: red, green and blue. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A film. */
export interface Film {
  readonly width: number;
  readonly height: number;
  /** Each is one frame. */
  readonly colours: readonly Colour[];
  /** How long each is seen. */
  readonly frameMs: number;
}

/** A WebM of VP8 whose frames are all keys; extents are even. Only the frames are the browser's; what says when and how long they are is written here. */
export async function film(page: Page, { width, height, colours, frameMs }: Film, saysLength = true): Promise<Uint8Array<ArrayBuffer>> {
  const frames = await page.evaluate(
    async ({ width, height, planes, frameMs }) => {
      const chunks: EncodedVideoChunk[] = [];
      const fail = (error: Error): never => {
        throw error;
      };
      const encoder = new VideoEncoder({ output: (chunk) => chunks.push(chunk), error: fail });
      encoder.configure({ codec: "vp8", width, height, bitrate: 1_000_000 });
      const [size, quarter] = [width * height, (width / 2) * (height / 2)];
      for (const [at, [y, u, v]] of planes.entries()) {
        const data = new Uint8Array(size + 2 * quarter);
        data.fill(Math.round(y), 0, size);
        data.fill(Math.round(u), size, size + quarter);
        data.fill(Math.round(v), size + quarter);
        const frame = new VideoFrame(data, { format: "I420", codedWidth: width, codedHeight: height, timestamp: at * frameMs * 1000, duration: frameMs * 1000 });
        encoder.encode(frame, { keyFrame: true });
        frame.close();
      }
      await encoder.flush();
      return chunks.map((chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        return [...bytes];
      });
    },
    { width, height, planes: colours.map(planesOf), frameMs },
  );
  const info = element("1549a966", element("2ad7b1", uint(1_000_000)), ...(saysLength ? [element("4489", float(colours.length * frameMs))] : []), element("4d80", text("test")), element("5741", text("test")));
  const video = element("e0", element("b0", uint(width)), element("ba", uint(height)));
  const track = element("ae", element("d7", uint(1)), element("73c5", uint(1)), element("83", uint(1)), element("86", text("V_VP8")), video);
  const clusters = frames.map((frame, at) => element("1f43b675", element("e7", uint(at * frameMs)), element("a3", Buffer.from([0x81, 0, 0, 0x80, ...frame]))));
  const head = element("1a45dfa3", element("4282", text("webm")), element("4287", uint(2)), element("4285", uint(2)));
  return new Uint8Array(Buffer.concat([head, element("18538067", info, element("1654ae6b", track), ...clusters)]));
}

/** A colour as films without a word on colours have it: luma and chroma of BT.601, in the range of television. */
function planesOf(colour: Colour): readonly [y: number, u: number, v: number] {
  const [r, g, b] = colour.map((part) => part / 255) as [number, number, number];
  return [16 + 65.481 * r + 128.553 * g + 24.966 * b, 128 - 37.797 * r - 74.203 * g + 112 * b, 128 + 112 * r - 93.786 * g - 18.214 * b];
}

/** An element of EBML: identifier, length in eight bytes, content. */
function element(id: string, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE((1n << 56n) | BigInt(content.length));
  return Buffer.concat([Buffer.from(id, "hex"), length, content]);
}

function uint(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

const text = (value: string): Buffer => Buffer.from(value, "latin1");

/** The same as a page records it while it happens. */
export async function recording(page: Page, { width, height, colours, frameMs }: Film): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await page.evaluate(
    async ({ width, height, colours, frameMs }) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [width, height];
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("no canvas");
      const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm;codecs=vp8" });
      const parts: Blob[] = [];
      recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
      const ended = new Promise((resolve) => recorder.addEventListener("stop", resolve));
      recorder.start();
      for (const colour of colours) {
        const until = performance.now() + frameMs;
        while (performance.now() < until) {
          context.fillStyle = `rgb(${colour.join(" ")})`;
          context.fillRect(0, 0, width, height);
          await new Promise(requestAnimationFrame);
        }
      }
      recorder.stop();
      await ended;
      return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
    },
    { width, height, colours, frameMs },
  );
  return Uint8Array.from(bytes);
}

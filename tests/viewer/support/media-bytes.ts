/** Media of which a test knows every pixel and every sample. */
import { Buffer } from "node:buffer";
import { encodePng } from "../../../viewer/episode/png.mjs";

/** A PNG of RGB pixels, of which `colour` says what each is. */
export function png(width: number, height: number, colour: (x: number, y: number) => readonly [number, number, number]): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels.set(colour(x, y), 3 * (y * width + x));
  return new Uint8Array(encodePng(width, height, pixels));
}

/** A WAV of one channel: 16 bits a sample, a tone of 440 Hz. */
export function wav(samples: number, rate = 8000): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(44 + 2 * samples);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(36 + 2 * samples, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(2 * samples, 40);
  for (let at = 0; at < samples; at++) bytes.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / rate)), 44 + 2 * at);
  return new Uint8Array(bytes);
}

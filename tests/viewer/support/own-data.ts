/** Datasets that a test writes itself, with the package's own writer, and serves: what is in them the test knows. */
import { rm } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import { Dataset, type Schema, type WritableDataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { serveDirectory } from "../../../ts/cli/server/serve.js";
import { makeTempDir } from "../../support/temp-dir.js";

/** A dataset over HTTP. */
export interface Served {
  readonly url: string;
  /** Requests so far. */
  readonly requests: readonly { readonly target: string; readonly status: number }[];
  close(): Promise<void>;
}

/** Writes a dataset into a folder of its own and serves that. */
export async function serve(schema: Schema, write: (ds: WritableDataset) => Promise<void>): Promise<Served> {
  const dir = await makeTempDir();
  await write(await Dataset.create(fsStore(dir, { durable: false }), "main", schema));
  const server = await serveDirectory(dir);
  return {
    url: server.url,
    requests: server.requests,
    async close() {
      await server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A PNG of RGB pixels, of which `colour` says what each is. */
export function png(width: number, height: number, colour: (x: number, y: number) => readonly [number, number, number]): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows.set(colour(x, y), y * (1 + 3 * width) + 1 + 3 * x);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, sum]);
}

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
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

/**
 * PNG files of small RGB pictures, the same bytes on every machine.
 *
 * zlib only looks for runs (`Z_RLE`): how it searches for longer matches differs between its builds, and with it what comes out.
 */
import { constants, deflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Of the filters of PNG: each row as what it differs by from the one above. */
const UP = 2;

/**
 * A picture as a PNG file.
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} pixels red, green and blue, row by row
 */
export function encodePng(width, height, pixels) {
  const stride = width * 3;
  const rows = new Uint8Array((stride + 1) * height);
  for (let row = 0; row < height; row++) {
    const own = pixels.subarray(row * stride, (row + 1) * stride);
    const above = row === 0 ? new Uint8Array(stride) : pixels.subarray((row - 1) * stride, row * stride);
    rows[row * (stride + 1)] = UP;
    rows.set(own.map((value, at) => value - (above[at] ?? 0)), row * (stride + 1) + 1);
  }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  // 8 bits a channel, three channels; the rest is 0 in every PNG that is not interlaced.
  header.setUint8(8, 8);
  header.setUint8(9, 2);
  const data = deflateSync(rows, { level: 9, strategy: constants.Z_RLE });
  return joined([SIGNATURE, ...chunk("IHDR", new Uint8Array(header.buffer)), ...chunk("IDAT", data), ...chunk("IEND", new Uint8Array(0))]);
}

/**
 * @param {string} name
 * @param {Uint8Array} data
 */
function chunk(name, data) {
  const named = joined([new TextEncoder().encode(name), data]);
  return [uint32(data.byteLength), named, uint32(crc32(named))];
}

/** @param {number} value */
function uint32(value) {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

/** @param {readonly Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRCS[(crc ^ byte) & 0xff] ?? 0);
  return ~crc;
}

/** Numbers as text: the fewest digits that give the same number back, exact bits, bytes and durations for people. */
import type { AnyTypedArray, DType } from "../../codec/dtype.js";

/** An element as text that reads back as the same element: the fewest decimals of its own precision. */
export function elementText(value: number | bigint, dtype: DType): string {
  if (typeof value === "bigint") return value.toString();
  return dtype === "f32" ? shortestF32(value) : numberText(value);
}

/** A number of 64 bits; `-0`, `NaN` and infinities are told apart. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The smallest number of 32 bits that has all 24 digits of its own. */
const LEAST_NORMAL_F32 = 2 ** -126;

/** The fewest decimals that round to the same 32 bits; a double's own would show what the conversion added: 0.10000000149011612. */
export function shortestF32(value: number): string {
  if (!Number.isFinite(value) || Number.isInteger(value)) return numberText(value);
  // Six digits are kept by every normal number: if fewer do, the others come out as zeros.
  for (let digits = Math.abs(value) < LEAST_NORMAL_F32 ? 1 : 6; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return String(shorter);
  }
  return String(Number(value.toPrecision(9)));
}

/** The bits of an element as hexadecimal digits, most significant first. */
export function bitsText(data: AnyTypedArray, at: number): string {
  const { BYTES_PER_ELEMENT: size, buffer, byteOffset } = data;
  const bytes = new Uint8Array(buffer, byteOffset + at * size, size);
  // The host is little-endian wherever this runs; asked, not assumed.
  const ordered = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? bytes.toReversed() : bytes;
  return Array.from(ordered, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB"];

/** Bytes for people: `1.2 MB`, of thousands. */
export function bytesText(bytes: number | bigint): string {
  let amount = Number(bytes);
  let unit = 0;
  while (amount >= 999.95 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  if (unit === 0) return bytes === 1 || bytes === 1n ? "1 byte" : `${bytes} bytes`;
  return `${amount.toFixed(1)} ${UNITS[unit]}`;
}

/** A count with separators between thousands. */
export function countText(count: number | bigint): string {
  return count.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Milliseconds for people: `12 ms`, `3.4 s`, `5 min 06 s`, `2 h 05 min`. */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
  return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} min`;
}

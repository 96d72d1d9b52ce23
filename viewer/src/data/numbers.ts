/** Numbers as people read them: values exactly, sizes and anchors legibly. */

/** An element exactly: the shortest digits that give it back, `NaN`, `∞`, `−0`. f32 values are written as the f32 they are. */
export function valueText(value: number | bigint | string | boolean, dtype?: string): string {
  if (typeof value !== "number") return String(value);
  if (Number.isNaN(value)) return "NaN";
  if (value === Infinity) return "Inf";
  if (value === -Infinity) return "-Inf";
  if (Object.is(value, -0)) return "-0";
  return dtype === "f32" ? shortestF32(value) : String(value);
}

/** The shortest decimal that rounds to the same f32: 0.1, not 0.10000000149011612. */
function shortestF32(value: number): string {
  // Six digits tell a normal f32 from others if any fewer do; subnormal ones may need a single one.
  for (let digits = Math.abs(value) < 2 ** -126 ? 1 : 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

/** A number that is no element, such as a mean: six digits. */
export function aboutText(value: number): string {
  if (!Number.isFinite(value)) return valueText(value);
  return String(Number(value.toPrecision(6)));
}

/** Bytes: `812 B`, `64.0 KB`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${["B", "KB", "MB", "GB", "TB"][power] ?? "B"}`;
}

/** A count with its digits in groups of three. */
export function countText(count: number | bigint): string {
  return count.toLocaleString("en-US").replaceAll(",", "\u202f");
}

/** Axes: numbers of any size as ticks that can be read. */

/** A power of a thousand by which ticks are divided, so that they have few digits; 0 where they have few anyhow. */
export function powerFor(greatest: number): number {
  const size = Math.abs(greatest);
  if (size === 0 || !Number.isFinite(size) || (size >= 1e-3 && size < 1e5)) return 0;
  return 3 * Math.floor(Math.log10(size) / 3);
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `×10⁶`; nothing for 0. */
export function powerText(power: number): string {
  if (power === 0) return "";
  const digits = String(Math.abs(power)).replaceAll(/\d/g, (digit) => RAISED[Number(digit)] ?? digit);
  return `×10${power < 0 ? "⁻" : ""}${digits}`;
}

/** A number times ten to a power, without overflow on the way. */
export function scaled(value: number, power: number): number {
  if (Math.abs(power) <= 300) return value / 10 ** power;
  const half = Math.trunc(power / 2);
  return value / 10 ** half / 10 ** (power - half);
}

/** Limits of an axis for values from `least` to `greatest`: some air around them, and never nothing between. */
export function limitsFor(least: number, greatest: number): [least: number, greatest: number] {
  const size = Math.max(Math.abs(least), Math.abs(greatest));
  const span = greatest - least;
  // Doubles next to each other make no axis.
  if (span <= size * 1e-12) return size === 0 ? [-1, 1] : [least - size * 0.1, greatest + size * 0.1];
  return [least - span * 0.06, greatest + span * 0.06];
}

/** A tick as text: as many digits as the step between ticks has, groups apart. */
export function tickText(value: number, step: number): string {
  let digits = 0;
  while (digits < 12 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) digits += 1;
  const text = Math.abs(value).toFixed(digits);
  const [whole = "0", part] = text.split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, "\u202f");
  const isZero = Number(text) === 0;
  return `${value < 0 && !isZero ? "\u2212" : ""}${grouped}${part === undefined ? "" : `.${part}`}`;
}

/** Values in the few characters that a cell has room for: exactly where they fit, else rounded in a way that shows it. */
import { valueText } from "../../data/numbers.js";

const ROOM = 7;

/** The value. A whole number is never rounded to another whole number: it gets an exponent. */
export function shortText(value: number | bigint, dtype: string): string {
  const exact = valueText(value, dtype);
  if (exact.length <= ROOM) return exact;
  const number = Number(value);
  for (let digits = 5; digits > 1; digits--) {
    const text = number.toPrecision(digits).replace("e+", "e");
    if (text.length <= ROOM && text.includes(".")) return text;
  }
  return number.toExponential(1).replace("e+", "e");
}

/** Which elements of an Item are drawn, and what they are called. */

/** Lines at most: more cannot be told apart. */
export const MOST_LINES = 16;
/** Lines unless chosen otherwise. */
const USUAL_LINES = 8;

/** The elements that a choice names, by their place in C order; the first few where it names none that are there. */
export function chosenElements(choice: string | undefined, count: number): number[] {
  const named = (choice ?? "").split(",").filter((text) => /^\d{1,15}$/.test(text)).map(Number);
  const there = [...new Set(named)].filter((element) => element < count).slice(0, MOST_LINES);
  return there.length > 0 ? there : Array.from({ length: Math.min(USUAL_LINES, count) }, (_, element) => element);
}

/** Index of an element along each axis. */
export function indexOfElement(element: number, shape: readonly number[]): number[] {
  const index = shape.map(() => 0);
  let rest = element;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis] ?? 1;
    index[axis] = rest % extent;
    rest = Math.floor(rest / extent);
  }
  return index;
}

/** Place in C order of the element at an index; `undefined` for one that is not there. */
export function elementAt(index: readonly number[], shape: readonly number[]): number | undefined {
  if (index.some((number, axis) => !Number.isInteger(number) || number < 0 || number >= (shape[axis] ?? 0))) return undefined;
  return index.reduce((place, number, axis) => place * (shape[axis] ?? 1) + number, 0);
}

/** `[1, 2]`; nothing for a scalar. */
export function indexText(index: readonly number[]): string {
  return index.length === 0 ? "" : `[${index.join(", ")}]`;
}

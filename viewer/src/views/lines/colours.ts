/** Sixteen lines that differ in colour, dashes or both: the eight colours of Okabe and Ito, each at least 3:1 on its ground, then the same dashed. */

/** How a line is drawn. */
export interface Stroke {
  readonly colour: string;
  readonly dash: readonly number[];
}

const LIGHT = ["#0072b2", "#c04a00", "#00795a", "#a8407c", "#8a6d00", "#2b7fae", "#1b2430", "#6b6b00"] as const;
const DARK = ["#56b4e9", "#ff9d5c", "#2fc79b", "#f0a0cb", "#f0e442", "#8fb8ff", "#e6ebf0", "#e69f00"] as const;
/** Neighbours differ in dashes, too. */
const DASHES = [[], [7, 3], [2, 2], [9, 3, 2, 3]] as const;

/** The stroke of a line by its place. */
export function strokeOf(place: number, isDark: boolean): Stroke {
  const colours = isDark ? DARK : LIGHT;
  const round = Math.floor(place / colours.length);
  return { colour: colours[place % colours.length] ?? "#888888", dash: DASHES[(place + 2 * round + (round > 0 ? 1 : 0)) % DASHES.length] ?? [] };
}

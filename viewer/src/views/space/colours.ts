/** Colours of what is drawn in space: a scale that is read by the colour-blind as well, and three axes that differ in more than red and green. */

/** Red, green and blue, 0 to 1. */
export type Colour = readonly [number, number, number];

/** Axes by their index: vermilion, bluish green, sky blue or blue, after Okabe and Ito. Letters stand beside them. */
export function axisColour(axis: 0 | 1 | 2, isDark: boolean): Colour {
  const light: readonly Colour[] = [[0.72, 0.29, 0], [0, 0.46, 0.34], [0, 0.38, 0.7]];
  const dark: readonly Colour[] = [[1, 0.52, 0.2], [0.1, 0.8, 0.6], [0.42, 0.75, 1]];
  return (isDark ? dark : light)[axis] ?? [0.5, 0.5, 0.5];
}

/** What else is drawn. */
export function palette(isDark: boolean): { readonly ground: Colour; readonly grid: Colour; readonly plain: Colour; readonly body: Colour; readonly text: string; readonly quiet: string; readonly mark: string; readonly halo: string } {
  return isDark
    ? { ground: [0.071, 0.09, 0.114], grid: [0.21, 0.25, 0.3], plain: [0.49, 0.75, 1], body: [0.45, 0.66, 0.88], text: "#e6ebf0", quiet: "#a9b6c3", mark: "#ff8a80", halo: "#12171d" }
    : { ground: [1, 1, 1], grid: [0.85, 0.87, 0.89], plain: [0.04, 0.33, 0.58], body: [0.47, 0.67, 0.86], text: "#1b2430", quiet: "#4b5866", mark: "#b3261e", halo: "#ffffff" };
}

/** Polynomials that come close to the map viridis: coefficients of red, green and blue by power. */
const VIRIDIS: readonly Colour[] = [
  [0.2777273272, 0.0054073445, 0.3340998053],
  [0.105093043, 1.4046135299, 1.3845901626],
  [-0.3308618287, 0.2148475595, 0.095095163],
  [-4.634230499, -5.7991009734, -19.332440956],
  [6.2282699363, 14.1799333668, 56.6905526007],
  [4.7763849977, -13.7451453777, -65.3530326334],
  [-5.4354558559, 4.6458526122, 26.3124352496],
];

/** The colour of a part of the scale, 0 to 1. The end that would not be seen on the ground is left out. */
export function scaleColour(part: number, isDark: boolean): Colour {
  const at = isDark ? 0.2 + 0.8 * part : 0.86 * part;
  const channel = (one: 0 | 1 | 2): number => {
    let sum = 0;
    for (let power = VIRIDIS.length - 1; power >= 0; power--) sum = sum * at + (VIRIDIS[power]?.[one] ?? 0);
    return Math.min(1, Math.max(0, sum));
  };
  return [channel(0), channel(1), channel(2)];
}

/** The scale as a style sheet has gradients. */
export function scaleGradient(isDark: boolean): string {
  return `linear-gradient(to right, ${Array.from({ length: 11 }, (_, at) => cssColour(scaleColour(at / 10, isDark))).join(", ")})`;
}

/** As a style sheet has it. */
export function cssColour(colour: Colour): string {
  return `rgb(${colour.map((one) => Math.round(one * 255)).join(" ")})`;
}

/** Bytes of red, green, blue and opacity for each of `count` things: of one colour, or along the scale by `part`. */
export function coloursFor(count: number, isDark: boolean, part?: (at: number) => number, plain = palette(isDark).plain): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * count);
  const steps = Array.from({ length: 256 }, (_, step) => (part === undefined ? plain : scaleColour(step / 255, isDark)).map((one) => Math.round(one * 255)));
  for (let at = 0; at < count; at++) {
    const value = part === undefined ? 0 : part(at);
    const [r = 0, g = 0, b = 0] = steps[value > 0 ? Math.min(255, Math.round(value * 255)) : 0] ?? [];
    bytes[4 * at] = r;
    bytes[4 * at + 1] = g;
    bytes[4 * at + 2] = b;
    bytes[4 * at + 3] = 255;
  }
  return bytes;
}

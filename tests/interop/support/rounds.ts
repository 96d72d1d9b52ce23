/** How many random datasets, and which: the same ones each time, unless `scripts/interop.mjs` asks for others. */
const SEED = 1;

/** The rounds to run; a failure names both numbers, which repeat it. */
export function roundsOf(usual: number): readonly (readonly [seed: number, round: number])[] {
  const seed = numberOf("INTEROP_SEED") ?? SEED;
  const first = numberOf("INTEROP_ROUND") ?? 1;
  const rounds = numberOf("INTEROP_ROUNDS") ?? usual;
  return Array.from({ length: rounds }, (_, at) => [seed, first + at] as const);
}

function numberOf(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`${name} is ${JSON.stringify(text)}, not a number`);
  return Number(text);
}

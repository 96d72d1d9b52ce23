/**
 * Maps of colours whose lightness grows evenly, so that whoever sees no hues, or prints in grey, sees the same. Written down as stops of the published
 * maps; between stops colours are mixed.
 */

/** Names of the maps, as the address has them. */
export const MAPS = ["viridis", "cividis", "grey"] as const;

/** Name of a map. */
export type MapName = (typeof MAPS)[number];

const STOPS: Readonly<Record<MapName, readonly string[]>> = {
  viridis: ["440154", "481a6c", "472f7d", "414487", "39568c", "31688e", "2a788e", "23888e", "1f988b", "22a884", "35b779", "54c568", "7ad151", "a5db36", "d2e21b", "fde725"],
  cividis: ["00224e", "002e6c", "1e3a6f", "35456c", "47516c", "575d6d", "666970", "757575", "848279", "948e77", "a59c74", "b7a96e", "c8b866", "dbc75a", "eed649", "fee838"],
  grey: ["101010", "f4f4f4"],
};

/** Places beyond the 256 of the map. */
export const NAN = 256;
export const ABOVE = 257;
export const BELOW = 258;

/** Colours that no map has: grey hatched by magenta lines is drawn for NaN, red and blue for the infinities. */
export const ODD = { nan: "#9aa0a6", above: "#e3170a", below: "#00a0ff" } as const;

/** Red, green, blue and full opacity of each place, as a canvas stores them. */
export function tableOf(name: MapName): Uint32Array {
  const stops = STOPS[name].map(channels);
  const table = new Uint32Array(259);
  for (let place = 0; place < 256; place++) {
    const at = (place / 255) * (stops.length - 1);
    const first = Math.min(stops.length - 2, Math.floor(at));
    const [a, b] = [stops[first] ?? [0, 0, 0], stops[first + 1] ?? [0, 0, 0]];
    table[place] = packed(a.map((channel, i) => Math.round(channel + ((b[i] ?? 0) - channel) * (at - first))));
  }
  table[NAN] = packed(channels(ODD.nan.slice(1)));
  table[ABOVE] = packed(channels(ODD.above.slice(1)));
  table[BELOW] = packed(channels(ODD.below.slice(1)));
  return table;
}

function channels(hex: string): number[] {
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

const isLittle = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

function packed([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return (isLittle ? (255 << 24) | (blue << 16) | (green << 8) | red : (red << 24) | (green << 16) | (blue << 8) | 255) >>> 0;
}

/** A place's colour as CSS has it. */
export function cssOf(colour: number): string {
  const bytes = new Uint8Array(Uint32Array.of(colour).buffer);
  return `rgb(${bytes[0]}, ${bytes[1]}, ${bytes[2]})`;
}

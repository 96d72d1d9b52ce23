/** What a camera sees of it: a table, a cup, and the hand that comes for it, 64 × 48 pixels. */
import { ease, Noise } from "./exact.mjs";
import { poseAt } from "./motion.mjs";
import { encodePng } from "./png.mjs";
import { INTRUDER, within } from "./time.mjs";

const [WIDTH, HEIGHT] = [64, 48];
/** Where the table's edge is, in rows from the top. */
const TABLE = 30;
/** @typedef {readonly [red: number, green: number, blue: number]} Colour */
/** @type {Readonly<Record<"wall" | "table" | "cup" | "hand" | "person", Colour>>} */
const COLOURS = { wall: [188, 196, 204], table: [132, 98, 70], cup: [40, 110, 190], hand: [226, 178, 148], person: [52, 56, 64] };

/**
 * A PNG file of what is seen at each time.
 * @param {readonly number[]} times
 */
export function picturesAt(times) {
  const noise = new Noise(5);
  return times.map((t) => encodePng(WIDTH, HEIGHT, pixelsAt(t, noise)));
}

/**
 * @param {number} t
 * @param {Noise} noise
 */
function pixelsAt(t, noise) {
  const pose = poseAt(t);
  const [handX, handY] = [20 + 60 * ((pose[7] ?? 0) + 0.2), 36 - 70 * ((pose[11] ?? 0) - 0.1)];
  // The cup goes where the hand goes while it is held.
  const held = t >= 40 && t < 88;
  const cupX = held ? handX : 20 + 27 * ease(t, 87, 88);
  const cupY = held ? handY + 3 : 38;
  const person = within(t, INTRUDER) ? (t - INTRUDER.from) * (WIDTH + 16) - 8 : undefined;
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const colour = colourAt(x, y);
      // Dark specks, as sensors have in dim light.
      const dim = noise.next() < 0.04 ? 12 : 0;
      for (const [channel, value] of colour.entries()) pixels[(y * WIDTH + x) * 3 + channel] = value - dim;
    }
  }
  return pixels;

  /** @type {(x: number, y: number) => Colour} */
  function colourAt(x, y) {
    if (person !== undefined && Math.abs(x - person) < 8) return COLOURS.person;
    const [dx, dy] = [x - handX, y - handY];
    if (dx * dx + dy * dy < 30) return COLOURS.hand;
    if (Math.abs(x - cupX) < 4 && Math.abs(y - cupY) < 6) return COLOURS.cup;
    return y < TABLE ? COLOURS.wall : COLOURS.table;
  }
}

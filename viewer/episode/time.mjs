/** The episode's clock: which rows there are, when its phases are, and who was silent when. Seconds here; anchors are nanoseconds since 1970. */

/** The first anchor: a time of day in 2025, far beyond 2^53. */
export const BEGIN = 1_764_000_000_000_000_000n;
/** How long it takes, in seconds. */
export const SECONDS = 100;

/** What the arm does, from when on. The last one lasts to the end. */
export const PHASES = /** @type {const} */ ([
  [0, "idle"],
  [8, "reach"],
  [35, "grasp"],
  [42, "lift"],
  [60, "carry"],
  [80, "place"],
  [90, "retreat"],
]);

/** The arm's controller was not connected: joints, pose, force and its counter have no values then. */
export const SILENCE = { from: 58, to: 62 };
/** The hand is tracked while it is near the cup. */
export const TRACKED = { from: 35, to: 65 };
/** Somebody walked through the scene; these rows are deleted afterwards. */
export const INTRUDER = { from: 71, to: 72 };

/**
 * Times of a sensor, in seconds from the beginning: `perSecond` of them, the first one `late` seconds late.
 * @param {number} perSecond
 * @param {{ late?: number, during?: (t: number) => boolean }} [options]
 */
export function timesOf(perSecond, { late = 0, during = () => true } = {}) {
  const times = Array.from({ length: SECONDS * perSecond }, (_, at) => at / perSecond + late);
  return times.filter((t) => t < SECONDS && during(t));
}

/**
 * The anchor of a time. Sensors tick in whole milliseconds.
 * @param {number} t
 */
export function anchorOf(t) {
  return BEGIN + BigInt(Math.round(t * 1000)) * 1_000_000n;
}

/** @param {readonly number[]} times */
export function anchorsOf(times) {
  return BigUint64Array.from(times, anchorOf);
}

/**
 * Whether a time is in a stretch, its end excluded.
 * @param {number} t
 * @param {{ from: number, to: number }} stretch
 */
export function within(t, { from, to }) {
  // In milliseconds: 58.02 is no whole number of anything in binary.
  const ms = Math.round(t * 1000);
  return ms >= from * 1000 && ms < to * 1000;
}

/** @param {number} t */
export function phaseAt(t) {
  return PHASES.findLast(([from]) => Math.round(t * 1000) >= from * 1000)?.[1] ?? PHASES[0][1];
}

/** How fast the host is: one request, fifty at once, and a large range. Told, and judged only where it is beyond sense. */
import { bytesText, durationText } from "../manners/numbers.js";
import { answeredText } from "./answers.js";
import { askRange, type Look, type Target } from "./look.js";
import { rangesOf } from "./ranges.js";

/** What was measured. */
export interface Speed {
  /** Milliseconds of one request, the median of {@link SINGLES}. */
  readonly singleMs: number;
  /** How many requests were sent at once. */
  readonly atOnce: number;
  /** Milliseconds of all of these. */
  readonly parallelMs: number;
  /** How many of these were answered well. */
  readonly parallelGood: number;
  /** Bytes a second of a large range; `undefined` if no object is large. */
  readonly bytesPerSecond: number | undefined;
}

const SINGLES = 5;
/** Requests that are sent at once, unless said otherwise. */
const AT_ONCE = 50;
/** A request slower than this makes reads of many Items a matter of patience. */
const SLOW_MS = 1000;
const LARGE = 8 * 1024 ** 2;
/** Of less, the rate would be that of the answer's first byte. */
const LARGE_ENOUGH = 256 * 1024;

/** Measures. Costs 55 requests of at most 4 KiB, and a range of up to 8 MiB. */
export async function measureSpeed(look: Look, target: Target, atOnce = AT_ONCE): Promise<Speed> {
  const { findings } = look;
  const [range = [0, 1]] = rangesOf(target);
  const times: number[] = [];
  for (let at = 0; at < SINGLES; at++) times.push((await askRange(look, target.key, range)).ms);
  const singleMs = times.sort((a, b) => a - b)[Math.floor(SINGLES / 2)] ?? 0;
  const start = performance.now();
  const together = await Promise.all(Array.from({ length: atOnce }, () => askRange(look, target.key, range)));
  const parallelMs = performance.now() - start;
  const bad = together.filter(({ answer }) => answer?.status !== 206 && answer?.status !== 200);
  let bytesPerSecond: number | undefined;
  if ((target.size ?? 0) >= LARGE_ENOUGH) {
    const { body, ms } = await askRange(look, target.key, [0, Math.min(target.size ?? 0, LARGE)]);
    bytesPerSecond = (body.byteLength / ms) * 1000;
  }
  const rate = bytesPerSecond === undefined ? "" : `; ${bytesText(Math.round(bytesPerSecond))} a second of a large range`;
  const one = `one request takes ${durationText(singleMs)}${rate}`;
  if (singleMs > SLOW_MS) findings.warn("speed", one, "reads of many Items will take long; a host, or a cache, that is nearer helps");
  else findings.ok("speed", one);
  const all = `${atOnce} requests at once take ${durationText(parallelMs)}`;
  const [first] = bad;
  if (first === undefined) findings.ok("parallel", all);
  else findings.warn("parallel", `of ${atOnce} requests at once ${bad.length} failed, the first one ${answeredText(first)}`, "the host takes fewer at a time: --concurrency, or { concurrency } in code");
  return { singleMs, atOnce, parallelMs, parallelGood: atOnce - bad.length, bytesPerSecond };
}

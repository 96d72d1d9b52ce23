/** Progress on a terminal: a bar with rate and time left on standard error. Elsewhere, and with `--quiet` or `--no-progress`, nothing. */
import { cliProgress } from "../vendor.js";
import { bytesText, countText, durationText } from "./numbers.js";

/** How far something is. */
export interface Step {
  /** Things that are done. */
  readonly done: number;
  /** Things in all; `undefined` while nobody knows. */
  readonly total: number | undefined;
  /** Bytes of those that are done. */
  readonly bytes?: number | undefined;
  /** What is worked on. */
  readonly what?: string | undefined;
}

/** A bar that is told how far things are. */
export interface Progress {
  /** Shows it, now or when it is time to draw again. */
  at(step: Step): void;
  /** Takes the bar away. */
  stop(): void;
}

const NONE: Progress = { at: () => undefined, stop: () => undefined };

/** A bar on `stream`, if that is a terminal and the user wants one. */
export function progressOn(stream: NodeJS.WriteStream, wanted: boolean): Progress {
  if (!wanted || !stream.isTTY) return NONE;
  const start = performance.now();
  const bar = new cliProgress.SingleBar({
    stream,
    format: "{what}{bar} {share}  {count}  {rate}  {left}",
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    fps: 10,
    // Of lines that wrap the terminal would keep the first ones.
    linewrap: false,
    emptyOnZero: true,
  });
  let begun = false;
  return {
    at({ done, total, bytes, what }) {
      const seconds = (performance.now() - start) / 1000;
      const share = total === undefined || total === 0 ? "" : `${Math.floor((100 * done) / total)} %`;
      const left = total === undefined || done === 0 ? "" : `${durationText(((total - done) / done) * seconds * 1000)} left`;
      const rate = bytes === undefined ? `${countText(Math.round(done / Math.max(seconds, 0.001)))}/s` : `${bytesText(Math.round(bytes / Math.max(seconds, 0.001)))}/s`;
      const count = total === undefined ? countText(done) : `${countText(done)} of ${countText(total)}`;
      const payload = { what: what === undefined ? "" : `${what}  `, share, count, rate, left };
      if (begun) bar.update(done, payload);
      else bar.start(total ?? 0, done, payload);
      begun = true;
      if (total !== undefined) bar.setTotal(total);
    },
    stop() {
      if (begun) bar.stop();
      begun = false;
    },
  };
}

/**
 * How many of the points are drawn while something moves: all of them where that is quick, else a part that is.
 *
 * Only how long frames take is known, not why. So what is drawn is halved once frames are slow, and if they are no quicker then, drawing was not what took the
 * time, and all is drawn as before. What stands still is never judged here: it is drawn whole.
 */

/** Two frames of three that take longer than this are slow. */
const SLOW_MS = 40;
/** What a frame should take that was slow: some room for what else comes. */
const AIM_MS = 25;
/** All frames as quick as this, and more could be drawn. Screens hardly say less than 16.7. */
const EASY_MS = 20;
/** Frames that are under way when something is decided: they tell of before. */
const UNDER_WAY = 4;
/** Whether drawing less helped is judged by the median of so many frames, */
const JUDGED = 5;
/** which did not if it is more than this part of what frames took before. */
const NO_HELP = 0.8;
/** Fewer points than these are never drawn in part. */
const FEWEST = 2000;

/** The detail of one scene. */
export class Detail {
  /** One of so many points is drawn: a power of two. */
  #part = 1;
  #skip = 0;
  #recent: number[] = [];
  /** What it was before fewer were drawn, until it is known whether that helped. */
  #before: { readonly part: number; readonly ms: number } | undefined;
  #isHelpless = false;
  #isEasy = false;

  /** One of how many of so many points is to be drawn in a frame of a motion. */
  partOf(points: number): number {
    let part = this.#part;
    while (part > 1 && points / part < FEWEST) part /= 2;
    return part;
  }

  /** A motion begins. Where the last one went easily, more is drawn than in that. */
  begin(): void {
    if (this.#isEasy && this.#part > 1) this.#part /= 2;
    [this.#skip, this.#recent, this.#before, this.#isHelpless, this.#isEasy] = [0, [], undefined, false, false];
  }

  /** A frame of a motion took so many milliseconds, with so many points in the scene. */
  took(ms: number, points: number): void {
    if (this.#skip > 0) {
      this.#skip -= 1;
      return;
    }
    this.#recent = [...this.#recent.slice(1 - JUDGED), ms];
    const isWhole = this.#recent.length === JUDGED;
    this.#isEasy = isWhole && this.#recent.every((one) => one <= EASY_MS);
    if (this.#before !== undefined && isWhole) {
      const { part, ms: was } = this.#before;
      this.#before = undefined;
      if ((this.#recent.toSorted((a, b) => a - b)[JUDGED >> 1] ?? 0) > was * NO_HELP) {
        this.#isHelpless = true;
        this.#choose(part);
        return;
      }
    }
    // One slow frame has many causes.
    const second = this.#recent.slice(-3).sort((a, b) => b - a)[1] ?? 0;
    if (second <= SLOW_MS || this.#isHelpless || this.#before !== undefined) return;
    const now = this.partOf(points);
    this.#part = now * 2 ** Math.max(1, Math.round(Math.log2(second / AIM_MS)));
    const next = this.partOf(points);
    this.#before = next === now ? undefined : { part: now, ms: second };
    this.#choose(next);
  }

  #choose(part: number): void {
    [this.#part, this.#skip, this.#recent] = [part, UNDER_WAY, []];
  }
}

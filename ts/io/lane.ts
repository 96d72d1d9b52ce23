/**
 * The way to the store: so many requests at once, the others in line, none while the server wants peace, and no more than allowed in all.
 *
 * What is sent, and what happens when it fails, does not belong here.
 */
import { DreamDbError } from "../errors.js";
import { orAborted, throwIfAborted } from "../store/abort.js";

interface Waiting {
  go: () => void;
  /** `left` when the caller went away, `served` when a place was taken for it. */
  state: "waiting" | "left" | "served";
}

/**
 * Runs work when it is its turn, for those who send nothing themselves: what waits is then one promise, and not all that the work will need.
 */
export async function inTurn<T>(lane: Lane, work: (signal: AbortSignal | undefined) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const turn = lane.enter(signal);
  if (turn !== undefined) await turn;
  try {
    return await work(signal);
  } finally {
    lane.leave();
  }
}

/** One lane serves one dataset. */
export class Lane {
  readonly #width: number;
  readonly #maxRequests: number;
  #active = 0;
  #sent = 0;
  /** In the order in which they came; those that left are passed over. */
  #line: Waiting[] = [];
  #head = 0;
  /** Those who had a place before and need another: they go first, so that what was begun ends before more is begun. */
  readonly #again: Waiting[] = [];
  #waiting = 0;
  #closedUntil = 0;
  #opening: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param width requests in flight at most
   * @param maxRequests requests in all
   */
  constructor(width: number, maxRequests: number) {
    this.#width = width;
    this.#maxRequests = maxRequests;
  }

  /**
   * Takes a place: at once if one is free, and then `undefined`; otherwise the promise of one. Whoever has a place must {@link leave}, and
   * {@link spend} before each request.
   *
   * @param again whether the caller had a place before, and goes first now
   * @throws the abort reason of a caller that leaves the line
   */
  enter(signal: AbortSignal | undefined, again = false): Promise<void> | undefined {
    throwIfAborted(signal);
    if (this.#active >= this.#width || this.#waiting > 0 || this.#isClosed()) return this.#turn(signal, again);
    this.#active++;
    return undefined;
  }

  /** Gives a place back. */
  leave(): void {
    this.#active--;
    this.#advance();
  }

  /**
   * Counts requests that are about to be sent.
   *
   * @throws {DreamDbError} `RequestBudget`
   */
  spend(): void {
    this.afford(1);
    this.#sent++;
  }

  /**
   * Refuses more requests than may still be sent.
   *
   * @throws {DreamDbError} `RequestBudget`
   */
  afford(requests: number): void {
    const left = this.#maxRequests - this.#sent;
    if (requests <= left) return;
    const message = `maxRequests is ${this.#maxRequests} and ${this.#sent} were sent: ${requests} more are needed and not sent`;
    throw new DreamDbError("RequestBudget", message, { expected: `at most ${this.#maxRequests}`, actual: String(this.#sent + requests) });
  }

  /** Let no request go for so long; those in flight go on. */
  close(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + ms);
  }

  #isClosed(): boolean {
    // It hardly ever was: then no clock is read for each request.
    return this.#closedUntil > 0 && performance.now() < this.#closedUntil;
  }

  /** Resolves when a place is taken for the caller. */
  #turn(signal: AbortSignal | undefined, again: boolean): Promise<void> {
    const waiting: Waiting = { go: () => undefined, state: "waiting" };
    const turn = new Promise<void>((resolve) => (waiting.go = resolve));
    (again ? this.#again : this.#line).push(waiting);
    this.#waiting++;
    this.#advance();
    return signal ? this.#wait(turn, waiting, signal) : turn;
  }

  async #wait(turn: Promise<void>, waiting: Waiting, signal: AbortSignal): Promise<void> {
    try {
      await orAborted(turn, signal);
    } catch (reason) {
      // Its turn may have come after the abort, before this line.
      if (waiting.state === "served") this.leave();
      else {
        waiting.state = "left";
        if (--this.#waiting === 0) this.#forgetLine();
      }
      throw reason;
    }
  }

  /** Lets those at the front go while there are places. */
  #advance(): void {
    while (this.#waiting > 0 && this.#active < this.#width) {
      if (this.#isClosed()) {
        this.#openLater();
        return;
      }
      const next = this.#again.shift() ?? this.#line[this.#head++];
      if (next === undefined || next.state === "left") continue;
      next.state = "served";
      this.#waiting--;
      this.#active++;
      next.go();
    }
    // The part of the line that is served is dropped when it is the larger one: each place is moved once at most.
    if (this.#head > 64 && this.#head * 2 > this.#line.length) {
      this.#line = this.#line.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Nobody waits any more: no timer may hold up the end of the program. */
  #forgetLine(): void {
    clearTimeout(this.#opening);
    this.#opening = undefined;
    this.#line = [];
    this.#again.length = 0;
    this.#head = 0;
  }

  #openLater(): void {
    this.#opening ??= setTimeout(
      () => {
        this.#opening = undefined;
        this.#advance();
      },
      Math.max(0, this.#closedUntil - performance.now()) + 1,
    );
  }
}

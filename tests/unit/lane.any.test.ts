/** The line before the store: how many go at once, in which order, and what becomes of those who leave. */

import { DreamDbError } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { inTurn, Lane } from "../../ts/io/lane.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { gate, type Gate } from "../support/recording.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Work that stands behind doors of its own, and an account of who is inside. */
function work(lane: Lane) {
  const doors: Gate[] = [];
  const order: number[] = [];
  let inside = 0;
  let most = 0;
  const run = (number: number, signal?: AbortSignal) => {
    const door = gate();
    doors[number] = door;
    return inTurn(lane, async () => {
      order.push(number);
      most = Math.max(most, ++inside);
      await door.opened;
      inside--;
      return number;
    }, signal);
  };
  return { run, order, open: (number: number) => doors[number]?.open(), most: () => most };
}

describe("a lane of two", () => {
  test("lets two in at a time, in the order in which they came", async () => {
    const { run, order, open, most } = work(new Lane(2, Infinity));
    const all = Promise.all([0, 1, 2, 3, 4].map((number) => run(number)));
    await settled();
    expect(order).toEqual([0, 1]);
    open(1);
    await settled();
    expect(order).toEqual([0, 1, 2]);
    for (const number of [0, 2, 3, 4]) {
      open(number);
      await settled();
    }
    expect(await all).toEqual([0, 1, 2, 3, 4]);
    expect([order, most()]).toEqual([[0, 1, 2, 3, 4], 2]);
  });

  test("passes over those who left the line, who get their reason at once", async () => {
    const { run, order, open } = work(new Lane(2, Infinity));
    const leaving = new AbortController();
    const [first, second] = [run(0), run(1)];
    const left = expectRejection(run(2, leaving.signal));
    const last = run(3);
    await settled();
    const reason = new Error("no longer");
    leaving.abort(reason);
    expect(await left).toBe(reason);
    for (const number of [0, 1, 3]) open(number);
    await settled();
    open(3);
    expect(await Promise.all([first, second, last])).toEqual([0, 1, 3]);
    expect(order).toEqual([0, 1, 3]);
  });

  test("lets those go first who had a place before", async () => {
    const lane = new Lane(1, Infinity);
    const order: string[] = [];
    const go = async (name: string, again: boolean) => {
      await lane.enter(undefined, again);
      order.push(name);
      await settled();
      lane.leave();
    };
    await Promise.all([go("first", false), go("second", false), go("third", false), go("again", true)]);
    expect(order).toEqual(["first", "again", "second", "third"]);
  });

  test("loses no place when a turn comes together with an abort", async () => {
    const lane = new Lane(1, Infinity);
    for (let round = 0; round < 50; round++) {
      const { run, open } = work(lane);
      const leaving = new AbortController();
      const first = run(0);
      const left = run(1, leaving.signal).catch(() => "left");
      await settled();
      open(0);
      if (round % 2 === 0) await first;
      leaving.abort();
      open(1);
      await Promise.all([first, left]);
    }
    expect(await inTurn(lane, () => Promise.resolve("free"), undefined)).toBe("free");
  });

  test("goes on after failures", async () => {
    const lane = new Lane(2, Infinity);
    const failures = Array.from({ length: 20 }, () => inTurn(lane, () => Promise.reject(new DreamDbError("NotFound", "gone")), undefined));
    await Promise.all(failures.map((failure) => expectFailure(failure, "NotFound")));
    expect(await inTurn(lane, () => Promise.resolve(7), undefined)).toBe(7);
  });

  test("lets nobody in while it is closed, and everybody after", async () => {
    const lane = new Lane(2, Infinity);
    const closed = performance.now();
    lane.close(40);
    lane.close(10);
    await Promise.all([1, 2, 3].map(() => inTurn(lane, () => Promise.resolve(), undefined)));
    expect(performance.now() - closed).toBeGreaterThanOrEqual(39);
  });

  test("serves thousands in line", async () => {
    const lane = new Lane(2, Infinity);
    const done = await Promise.all(Array.from({ length: 5000 }, (_, number) => inTurn(lane, () => Promise.resolve(number), undefined)));
    expect(done).toEqual(Array.from({ length: 5000 }, (_, number) => number));
  });
});

test("what may be spent is spent to the last, and one more is refused by name", async () => {
  const lane = new Lane(2, 3);
  const send = () => inTurn(lane, () => Promise.resolve(lane.spend()), undefined);
  expect(() => lane.afford(3)).not.toThrow();
  await expectFailure((async () => lane.afford(4))(), "RequestBudget");
  await Promise.all([send(), send(), send()]);
  const error = await expectFailure(send(), "RequestBudget");
  expect(error.message).toBe("maxRequests is 3 and 3 were sent: 1 more are needed and not sent");
});

/** Places in grids of any length, keys, and lists that are read in blocks. */
import { describe, expect, it } from "vitest";
import { Blocks } from "../../viewer/src/data/blocks.js";
import { moved } from "../../viewer/src/ui/grid/keys.js";
import { type Axis, extentOf, inSight, isScaled, lastTop, MOST_PX, revealing, scrolledTo, topAt } from "../../viewer/src/ui/grid/scroll.js";
import { rowByNumber, widthOf } from "../../viewer/src/ui/grid/model.js";

describe("scrolling", () => {
  const short: Axis = { count: 1000, size: 24, view: 240 };
  const long: Axis = { count: 10_000_000, size: 24, view: 240 };

  it("is by pixels where the bar is as long as the rows", () => {
    expect([isScaled(short), extentOf(short), lastTop(short)]).toEqual([false, 24_000, 990]);
    expect([topAt(0, short), topAt(36, short), topAt(1e9, short), scrolledTo(1.5, short)]).toEqual([0, 1.5, 990, 36]);
    expect(inSight(0, short)).toEqual([0, 9]);
    expect(inSight(1.5, short)).toEqual([1, 11]);
    expect(inSight(990, short)).toEqual([990, 999]);
  });

  it("reaches the last row of any number of rows", () => {
    expect([isScaled(long), extentOf(long)]).toEqual([true, MOST_PX]);
    expect(topAt(MOST_PX - 240, long)).toBe(9_999_990);
    expect(inSight(topAt(MOST_PX - 240, long), long)).toEqual([9_999_990, 9_999_999]);
    for (const row of [0, 1, 2, 4_999_999, 9_999_989, 9_999_990]) expect(Math.abs(topAt(scrolledTo(row, long), long) - row)).toBeLessThan(1e-6);
  });

  it("goes as little further as it takes, and shows what is far off in the middle", () => {
    expect(revealing(5, 0, short)).toBe(0);
    expect(revealing(9, 0, short)).toBe(0);
    expect(revealing(10, 0, short)).toBe(1);
    expect(revealing(2, 4, short)).toBe(2);
    expect(revealing(500, 0, short)).toBe(495);
    expect(revealing(999, 0, short)).toBe(990);
  });

  it("shows nothing of nothing", () => {
    const none = { count: 0, size: 24, view: 240 };
    expect(inSight(topAt(0, none), none)).toEqual([0, -1]);
    expect([extentOf(none), lastTop(none), scrolledTo(0, none)]).toEqual([0, 0, 0]);
  });
});

describe("keys", () => {
  const extents = { rows: 100, columns: 3, page: 10 };
  it("move as the practices have it, and stop at the ends", () => {
    const from = { row: 50, column: 1 };
    const to = (key: string, isCtrl = false) => moved(from, key, isCtrl, extents);
    expect(to("ArrowDown")).toEqual({ row: 51, column: 1 });
    expect(to("PageUp")).toEqual({ row: 40, column: 1 });
    expect(to("Home")).toEqual({ row: 50, column: 0 });
    expect(to("End")).toEqual({ row: 50, column: 2 });
    expect(to("Home", true)).toEqual({ row: 0, column: 0 });
    expect(to("End", true)).toEqual({ row: 99, column: 2 });
    expect(to("x")).toBeUndefined();
    expect(moved({ row: 0, column: 0 }, "ArrowUp", false, extents)).toEqual({ row: 0, column: 0 });
    expect(moved({ row: 99, column: 2 }, "PageDown", false, extents)).toEqual({ row: 99, column: 2 });
  });

  it("rows are found by their number alone", () => {
    const find = rowByNumber(1000);
    expect(["0", " 999 ", "1000", "-1", "1.5", "", "0x1", "9 9 9"].map(find)).toEqual([0, 999, undefined, undefined, undefined, undefined, undefined, 999]);
  });

  it("columns are as wide as the widest text, within bounds", () => {
    expect(widthOf(3, (at) => "x".repeat(at * 5))).toBe(10);
    expect(widthOf(3, () => "x")).toBe(6);
    expect(widthOf(3, () => "x".repeat(99))).toBe(26);
    expect(widthOf(0, () => "x", ["y".repeat(12)])).toBe(12);
  });
});

describe("blocks", () => {
  /** A list whose reads end when they are told to. */
  function list(count: number, size: number, most: number) {
    const reads: { start: number; end: number; signal: AbortSignal; give(): void; fail(): void }[] = [];
    let told = 0;
    const blocks = new Blocks<number>({
      count,
      size,
      most,
      tell: () => (told += 1),
      read: (start, end, signal) =>
        new Promise((resolve, reject) => {
          reads.push({ start, end, signal, give: () => resolve(Array.from({ length: end - start }, (_, at) => start + at)), fail: () => reject(new Error("no")) });
        }),
    });
    return { blocks, reads, told: () => told };
  }
  const settled = () => new Promise((resolve) => void setTimeout(resolve));

  it("reads those that are wanted, once", async () => {
    const { blocks, reads, told } = list(25, 10, 3);
    blocks.want(5, 12);
    blocks.want(5, 13);
    expect(reads.map(({ start, end }) => [start, end])).toEqual([[0, 10], [10, 20]]);
    expect([blocks.get(5), blocks.isReading]).toEqual([undefined, true]);
    for (const read of reads) read.give();
    await settled();
    expect([blocks.get(5), blocks.get(12), blocks.get(20), blocks.isReading, told()]).toEqual([5, 12, undefined, false, 2]);
    blocks.want(24, 24);
    expect(reads.at(-1)).toMatchObject({ start: 20, end: 25 });
  });

  it("cancels what went out of sight, and takes nothing from it", async () => {
    const { blocks, reads, told } = list(1000, 10, 3);
    blocks.want(0, 5);
    blocks.want(500, 505);
    expect(reads.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    reads[0]?.give();
    await settled();
    expect([blocks.get(0), told()]).toEqual([undefined, 0]);
    blocks.end();
    expect(reads[1]?.signal.aborted).toBe(true);
  });

  it("keeps so many, those that were used last", async () => {
    const { blocks, reads } = list(1000, 10, 2);
    for (const first of [0, 10, 0, 20]) {
      blocks.want(first, first);
      reads.at(-1)?.give();
      await settled();
    }
    expect([blocks.get(0), blocks.get(10), blocks.get(20)]).toEqual([0, undefined, 20]);
  });

  it("tells a failure until it is tried again, and reads it no more by itself", async () => {
    const { blocks, reads } = list(10, 10, 2);
    blocks.want(0, 0);
    reads[0]?.fail();
    await settled();
    expect(blocks.failure).toBeInstanceOf(Error);
    blocks.want(0, 0);
    expect(reads).toHaveLength(1);
    blocks.retry();
    reads[1]?.give();
    await settled();
    expect([blocks.failure, blocks.get(3)]).toEqual([undefined, 3]);
  });
});

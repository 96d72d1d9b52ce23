/** Spans put together from memory, from what is in flight and from requests: always the object's bytes, none of them asked for twice. */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SegmentCache } from "../../ts/io/cache.js";
import { newCall } from "../../ts/io/call.js";
import { type Span, Spans, type SpanRequests } from "../../ts/io/spans.js";
import { noise } from "../support/built-packs.js";
import { expectRejection } from "../support/failure.js";
import { gate, type Gate } from "../support/recording.js";

const OBJECT = noise(200, 1);

/** Requests for missing spans: one for each, or each cut in two, so that a span goes on in the next request. */
function plainly(missing: readonly Span[], fetch: (span: Span, signal: AbortSignal | undefined) => Promise<Uint8Array<ArrayBuffer>>, cut: boolean): SpanRequests {
  const slices: number[] = [];
  const spans = missing.flatMap(({ start, end }, at) => {
    const middle = cut ? start + Math.ceil((end - start) / 2) : end;
    slices.push(slices.length === 0 ? 0 : (slices[at - 1] ?? 0) + (cut && (missing[at - 1]?.end ?? 0) - (missing[at - 1]?.start ?? 0) > 1 ? 2 : 1));
    return [
      { start, end: middle },
      { start: middle, end },
    ].filter((span) => span.end > span.start);
  });
  return {
    requests: spans.map((span) => ({
      ...span,
      send: async (signal: AbortSignal | undefined) => ({ segments: [{ start: span.start, bytes: await fetch(span, signal), verified: "range" as const }] }),
    })),
    slices,
  };
}

const span = fc.tuple(fc.nat(200), fc.nat(200)).map(([a, b]): Span => ({ start: Math.min(a, b), end: Math.max(a, b) }));

describe("against the object itself", () => {
  test("any spans in any order, at once and later, give its bytes; with room enough, no byte is fetched twice", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(span, { maxLength: 8 }), { maxLength: 6 }), fc.boolean(), fc.constantFrom(0, 40, Infinity), async (calls, cut, room) => {
        const cache = new SegmentCache(room);
        const spans = new Spans(cache);
        const fetched = new Uint8Array(200);
        const doors: Gate[] = [];
        const fetch = async ({ start, end }: Span) => {
          for (let at = start; at < end; at++) fetched[at] = (fetched[at] ?? 0) + 1;
          const door = gate();
          doors.push(door);
          await door.opened;
          const bytes = OBJECT.slice(start, end);
          cache.put("a", { start, bytes, verified: "range" });
          return bytes;
        };
        // Every other call comes while the one before is in flight.
        let running: Promise<void>[] = [];
        for (const [number, wanted] of calls.entries()) {
          const reads = spans.read("a", wanted, (missing) => plainly(withoutOverlap(missing), fetch, cut), newCall());
          running.push(
            (async () => {
              for (const [at, read] of reads.entries()) {
                const { start = 0, end = 0 } = wanted[at] ?? {};
                const { bytes, verified } = await read;
                expect(bytes).toEqual(OBJECT.slice(start, end));
                expect(verified).toBe(end > start ? "range" : "object");
              }
            })(),
          );
          if (number % 2 === 1) {
            for (let opened = 0; opened < doors.length; opened++) doors[opened]?.open();
            await Promise.all(running);
            running = [];
          }
        }
        for (const door of doors) door.open();
        await Promise.all(running);
        if (room === Infinity) expect(Math.max(0, ...fetched)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  /** What a planner does first: no byte in two requests. Spans keep their number; a part that is in an earlier one is asked for there. */
  function withoutOverlap(missing: readonly Span[]): Span[] {
    const union: Span[] = [];
    for (const { start, end } of [...missing].sort((a, b) => a.start - b.start)) {
      const last = union.at(-1);
      if (last !== undefined && start <= last.end) union[union.length - 1] = { start: last.start, end: Math.max(last.end, end) };
      else union.push({ start, end });
    }
    return missing.map(({ start }) => union.find((other) => other.start <= start && start < other.end) ?? { start, end: start });
  }
});

describe("requests that several share", () => {
  function opened() {
    const spans = new Spans(new SegmentCache(1000));
    const door = gate();
    const sent: { span: Span; signal: AbortSignal | undefined }[] = [];
    const begin = (missing: readonly Span[]) =>
      plainly(
        missing,
        async (wanted, signal) => {
          sent.push({ span: wanted, signal });
          await door.opened;
          return OBJECT.slice(wanted.start, wanted.end);
        },
        false,
      );
    const read = ({ start, end }: Span, signal?: AbortSignal) => spans.read("a", [{ start, end }], begin, newCall(signal))[0] ?? Promise.reject(new Error("no read"));
    return { read, door, sent };
  }

  test("are joined for the part that they have in common", async () => {
    const { read, door, sent } = opened();
    const reads = [read({ start: 10, end: 50 }), read({ start: 30, end: 70 }), read({ start: 0, end: 100 })];
    expect(sent.map(({ span: { start, end } }) => [start, end])).toEqual([[10, 50], [50, 70], [0, 10], [70, 100]]);
    door.open();
    expect((await Promise.all(reads)).map(({ bytes }) => bytes)).toEqual([OBJECT.slice(10, 50), OBJECT.slice(30, 70), OBJECT.slice(0, 100)]);
  });

  test("go on for those who stay, and end with the last one", async () => {
    const { read, sent } = opened();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = [expectRejection(read({ start: 10, end: 50 }, first.signal)), expectRejection(read({ start: 40, end: 60 }, second.signal))];
    first.abort(new Error("first"));
    await left[0];
    expect(sent.map(({ signal }) => signal?.aborted)).toEqual([false, false]);
    second.abort(new Error("second"));
    await left[1];
    expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
  });

  test("that failed are sent anew", async () => {
    const spans = new Spans(new SegmentCache(1000));
    let failures = 1;
    const begin = (missing: readonly Span[]) =>
      plainly(missing, ({ start, end }) => (failures-- > 0 ? Promise.reject(new Error("once")) : Promise.resolve(OBJECT.slice(start, end))), false);
    const [first] = spans.read("a", [{ start: 0, end: 5 }], begin, newCall());
    await expect(first).rejects.toThrow("once");
    const [second] = spans.read("a", [{ start: 0, end: 5 }], begin, newCall());
    expect((await second)?.bytes).toEqual(OBJECT.slice(0, 5));
  });
});

test("what a request brings beside what is wrong with it is used", async () => {
  const spans = new Spans(new SegmentCache(1000));
  const fault = new Error("a wrong byte");
  const begin = (): SpanRequests => ({
    requests: [
      {
        start: 0,
        end: 100,
        send: () =>
          Promise.resolve({
            segments: [{ start: 0, bytes: OBJECT.slice(0, 40), verified: "range" as const }, { start: 60, bytes: OBJECT.slice(60, 100), verified: "range" as const }],
            fault,
          }),
      },
    ],
    slices: [0, 0, 0],
  });
  const wanted = [{ start: 5, end: 40 }, { start: 39, end: 41 }, { start: 60, end: 100 }];
  const reads = await Promise.allSettled(spans.read("a", wanted, begin, newCall()));
  expect(reads.map((read) => (read.status === "fulfilled" ? read.value.bytes.byteLength : read.reason))).toEqual([35, fault, 40]);
});

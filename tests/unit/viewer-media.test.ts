/** What the viewer reads ahead of the playhead, and what it gives up; and the types of media as browsers call them. */
import { expect, test } from "vitest";
import type { MediaItem, Outcome } from "dreamdb-arrays";
import { Ahead, countFor, nextAnchors, type Source } from "../../viewer/src/views/media/ahead.js";
import { extensionOf, mediaType } from "../../viewer/src/views/media/mime.js";

/** A field that answers when it is told to, and notes what was asked of it. */
function field() {
  const asked: { readonly anchors: readonly bigint[]; readonly signal: AbortSignal; answer(missing?: bigint): Promise<void> }[] = [];
  const singles: bigint[] = [];
  const itemAt = (anchor: bigint): MediaItem => ({ kind: "image", mime: "png", anchor, form: "pack", bytes: Uint8Array.of(Number(anchor)), verified: "object" }) as unknown as MediaItem;
  const source: Source = {
    async read(anchor, { signal }) {
      signal.throwIfAborted();
      singles.push(anchor);
      return itemAt(anchor);
    },
    readMany(anchors, { signal }) {
      let resolve: (outcomes: Outcome<MediaItem>[]) => void = () => undefined;
      const promise = new Promise<Outcome<MediaItem>[]>((resolved) => {
        resolve = resolved;
      });
      const answer = async (missing?: bigint): Promise<void> => {
        resolve(anchors.map((anchor) => (anchor === missing ? { anchor, status: "absent" } : { anchor, status: "value", value: itemAt(anchor) })));
        await promise;
      };
      asked.push({ anchors, signal, answer });
      return promise;
    },
  };
  return { source, asked, singles };
}

const here = new AbortController().signal;

test("the next Items lie in the direction in which one goes, and end where the field ends", () => {
  const live = BigUint64Array.of(5n, 7n, 9n, 11n);
  expect(nextAnchors(live, 1, 1, 8)).toEqual([9n, 11n]);
  expect(nextAnchors(live, 2, -1, 8)).toEqual([7n, 5n]);
  expect(nextAnchors(live, 0, 1, 2)).toEqual([7n, 9n]);
  expect(nextAnchors(live, 3, 1, 8)).toEqual([]);
});

test("eight Items are read ahead, fewer of large ones, none of huge ones", () => {
  expect([0, 1000, 4_000_000, 4_000_001, 16_000_000, 33_000_000].map(countFor)).toEqual([8, 8, 8, 7, 2, 0]);
});

test("what was read ahead is not read again; the rest is asked for once half of it is missing", async () => {
  const { source, asked, singles } = field();
  const ahead = new Ahead(source);
  ahead.want([1n, 2n, 3n, 4n]);
  await asked[0]?.answer();
  expect((await ahead.take(1n, here))?.bytes).toEqual(Uint8Array.of(1));
  ahead.want([2n, 3n, 4n, 5n]);
  expect(asked.length).toBe(1);
  ahead.want([3n, 4n, 5n, 6n]);
  expect(asked.map(({ anchors }) => anchors)).toEqual([[1n, 2n, 3n, 4n], [5n, 6n]]);
  expect(ahead.size).toBe(4);
  expect(singles).toEqual([]);
});

test("a jump cancels what nobody wants any more, and is read at once", async () => {
  const { source, asked, singles } = field();
  const ahead = new Ahead(source);
  ahead.want([1n, 2n]);
  expect((await ahead.take(70n, here))?.anchor).toBe(70n);
  expect(singles).toEqual([70n]);
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(ahead.size).toBe(0);
});

test("a step on does not cancel what is still wanted of the same run", () => {
  const { source, asked } = field();
  const ahead = new Ahead(source);
  ahead.want([1n, 2n]);
  ahead.want([2n]);
  expect(asked[0]?.signal.aborted).toBe(false);
  ahead.close();
  expect(asked[0]?.signal.aborted).toBe(true);
});

test("an Item that was not there when it was read ahead is asked for again; one that comes too late is none", async () => {
  const { source, asked, singles } = field();
  const ahead = new Ahead(source);
  ahead.want([1n, 2n]);
  const gone = new AbortController();
  const late = ahead.take(2n, gone.signal);
  gone.abort();
  await asked[0]?.answer(1n);
  await expect(late).rejects.toThrow("abort");
  expect((await ahead.take(1n, here))?.anchor).toBe(1n);
  expect(singles).toEqual([1n]);
});

test("types are those that are declared, in the words of browsers", () => {
  expect(mediaType({ kind: "image", mime: "png" })).toBe("image/png");
  expect(mediaType({ kind: "image", mime: "svg_xml" })).toBe("image/svg+xml");
  expect(mediaType({ kind: "image", mime: "jpg" })).toBe("image/jpeg");
  expect(mediaType({ kind: "audio", mime: "wav" })).toBe("audio/wav");
  expect(["png", "svg_xml", "x"].map((mime) => extensionOf({ mime }))).toEqual(["png", "svg", "x"]);
});

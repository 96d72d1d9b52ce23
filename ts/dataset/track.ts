/**
 * A Track: its index, read and decoded once, and the search in it, whether its entries are in one object or in pages.
 *
 * What an Item is, and where its bytes are, does not belong here.
 */
import type { CoreBinding, CoreIndex } from "../../pkg/dreamdb_arrays.js";
import { withContext } from "../error-context.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import { Shared } from "../io/shared.js";
import { throwIfAborted } from "../store/abort.js";
import { call } from "../wasm.js";
import { findAnchor, startsOf } from "./entries.js";
import { type Place, placeOf, trackKey } from "./keys.js";
import { checkOrder, Pages, repeated } from "./pages.js";
import { type Found, type Part, type Selection, slice, within } from "./selection.js";

/** What a Track has: entries, pages of them, or a Constant's Item. */
export type Content =
  | { readonly form: "entries"; readonly part: Part }
  | { readonly form: "pages"; readonly pages: Pages; readonly items: bigint }
  | { readonly form: "constant"; readonly address: string | undefined };

/** All but the last: of several at an anchor, the last one may be on the next page. */
function withoutLast(run: Selection): Selection {
  return slice(run, 0, Math.max(0, run.anchors.length - 1));
}

/** Where the last Item at an anchor is. */
function inForce(anchor: bigint, parts: readonly Part[]): Found | undefined {
  let found: Found | undefined;
  for (const part of parts) {
    const position = findAnchor(startsOf(part.entries), anchor);
    if (position === undefined) continue;
    if (found !== undefined && part.entries.form !== "fragments") throw repeated(anchor);
    found = { part, position };
  }
  return found;
}

/** A Track in the service of a field. */
export class Track {
  readonly binding: CoreBinding;
  readonly place: Place;
  readonly #objects: ObjectReader;
  readonly #loading = new Shared<Content>();
  #content: Content | undefined;

  /** @param content what the Track has, if it is known and not to be fetched */
  constructor(objects: ObjectReader, binding: CoreBinding, place: Place = placeOf(binding), content?: Content) {
    this.#objects = objects;
    this.binding = binding;
    this.place = place;
    this.#content = content;
  }

  /**
   * What the Track has. Costs one request the first time, and again after a failure.
   *
   * @throws {DreamDbError} `HashMismatch`; `TrackField`, `TrackMismatch`, `EntryTooShort`, `EntryType`, `EntryExtent`, `IntegerRange`,
   * `IndexPage`, `RepeatedAnchor`, `UnsupportedIndex`; the store's codes
   */
  async content(signal?: AbortSignal): Promise<Content> {
    return this.#content ?? this.#loading.run("content", (shared) => this.#load(shared), signal);
  }

  /** Number of Items, by the entries or as the Track counts them. */
  async count(signal?: AbortSignal): Promise<number> {
    const content = await this.content(signal);
    if (content.form === "constant") return Number(content.address !== undefined);
    return content.form === "pages" ? Number(content.items) : startsOf(content.part.entries).length;
  }

  /** Anchors of all Items, ascending; there are none of a Constant. Costs every page. */
  async anchors(signal?: AbortSignal): Promise<BigUint64Array<ArrayBuffer>> {
    const content = await this.content(signal);
    if (content.form === "constant") return new BigUint64Array(0);
    if (content.form === "entries") return new BigUint64Array(startsOf(content.part.entries));
    const runs: BigUint64Array[] = [];
    let before: Part | undefined;
    for await (const part of content.pages.leaves(0n, undefined, signal)) {
      if (startsOf(part.entries).length === 0) continue;
      if (before !== undefined) checkOrder(before.entries, part.entries);
      runs.push(startsOf(part.entries));
      before = part;
    }
    const anchors = new BigUint64Array(runs.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const run of runs) {
      anchors.set(run, at);
      at += run.length;
    }
    return anchors;
  }

  /**
   * Where the Item at each anchor is; of several media Items at one anchor, the last one. Costs the pages in which they would be.
   *
   * @throws {DreamDbError} `WrongKind` for a Constant; as {@link content}
   */
  async find(anchors: readonly bigint[], signal?: AbortSignal): Promise<(Found | undefined)[]> {
    const content = await this.content(signal);
    if (content.form === "constant") throw this.#isConstant();
    const parts = content.form === "pages" ? await content.pages.find(anchors, signal) : anchors.map(() => [content.part]);
    return anchors.map((anchor, at) => inForce(anchor, parts[at] ?? []));
  }

  /**
   * As {@link find}, but what is wrong with a page is the failure of the anchors below it, and not that of the others.
   *
   * @throws {DreamDbError} `WrongKind` for a Constant; as {@link content}
   */
  async findEach(anchors: readonly bigint[], signal?: AbortSignal): Promise<(Found | undefined | DreamDbError)[]> {
    const { form } = await this.content(signal);
    try {
      return await this.find(anchors, signal);
    } catch (error) {
      throwIfAborted(signal);
      if (form !== "pages" || !isDreamDbError(error) || isDreamDbError(error, "RequestBudget")) throw error;
      // One by one; what was fetched is kept.
      return Promise.all(anchors.map((anchor) => this.#findOne(anchor, signal)));
    }
  }

  async #findOne(anchor: bigint, signal: AbortSignal | undefined): Promise<Found | undefined | DreamDbError> {
    try {
      return (await this.find([anchor], signal))[0];
    } catch (error) {
      throwIfAborted(signal);
      if (isDreamDbError(error)) return error;
      throw error;
    }
  }

  /**
   * Items with anchors from `start` up to `end`, ascending, in runs. Costs the pages in which they are, some of them ahead.
   *
   * @throws {DreamDbError} as {@link find}; `IndexPage` for pages that overlap
   */
  async *scan(start: bigint, end: bigint | undefined, signal?: AbortSignal): AsyncGenerator<Selection, void, undefined> {
    const content = await this.content(signal);
    if (content.form === "constant") throw this.#isConstant();
    if (end !== undefined && start >= end) return;
    if (content.form === "entries") {
      yield within(content.part, start, end);
      return;
    }
    let before: { part: Part; run: Selection } | undefined;
    try {
      for await (const part of content.pages.leaves(start, end, signal)) {
        if (startsOf(part.entries).length === 0) continue;
        const run = within(part, start, end);
        if (before !== undefined) {
          checkOrder(before.part.entries, part.entries);
          const isReplaced = before.run.anchors.length > 0 && before.run.anchors.at(-1) === run.anchors.at(0);
          yield isReplaced ? withoutLast(before.run) : before.run;
        }
        before = { part, run };
      }
    } catch (error) {
      // What comes before the failure is given first; of media the last one may be replaced by what could not be read.
      if (before !== undefined) yield before.part.entries.form === "fragments" ? withoutLast(before.run) : before.run;
      throw error;
    }
    if (before !== undefined) yield before.run;
  }

  #isConstant(): DreamDbError {
    const { field } = this.binding;
    const message = `field ${JSON.stringify(field)} is a Constant, which has no anchors: ds.constant(name).read()`;
    return new DreamDbError("WrongKind", message, { field });
  }

  async #load(signal: AbortSignal | undefined): Promise<Content> {
    const { binding } = this;
    const { modality, timeline, start, end } = binding;
    const key = trackKey(this.place, binding.track);
    const object = await this.#objects.metadata({ key, address: binding.track }, signal);
    try {
      this.#content = this.#contentOf(call((core) => core.decodeTrack(object, modality, timeline, start, end)));
    } catch (error) {
      throw withContext(error, { key });
    }
    return this.#content;
  }

  #contentOf(index: CoreIndex): Content {
    if (index.form === "unread") {
      const { modality } = this.binding;
      throw new DreamDbError("UnsupportedIndex", "a scalar column is not read as Items", { subject: modality });
    }
    if (index.form === "constant") return { form: "constant", address: index.address };
    if (index.form !== "paged") return { form: "entries", part: { entries: index, isWhole: true } };
    return { form: "pages", pages: new Pages(this.#objects, this.place, this.binding.modality, index), items: index.items };
  }
}

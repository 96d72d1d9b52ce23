/** Reading through the package itself, as a last word on the host, and to learn of real objects: Tracks, Items, packs. */
import { openDataset, type Version } from "../../dataset/open.js";
import type { Dataset } from "../../dataset/dataset.js";
import { isArrayField, isMediaField } from "../../dataset/fields.js";
import { type DreamDbError, isDreamDbError } from "../../errors.js";
import type { VerifyPolicy } from "../../io/verifier.js";
import { type Fetch, httpStore } from "../../store/http.js";
import { arrayFieldOf } from "../describe.js";
import { ask, type Look, type Target } from "./look.js";

/** Fields of which an Item is read. */
const FIELDS = 4;
/** Bytes of an object that are fetched at most: this is a look, not a download. */
const MOST_BYTES = 8 * 1024 ** 2;

/** Keys of packs, and of single Items of media. */
const FRAGMENT = /\/0{16}\/\w+$/;

/** What reading through the package came to. */
export interface Reading {
  /** Items that were read. */
  readonly items: number;
  /** The first failure; a limit of this look is none. */
  readonly failure: DreamDbError | undefined;
  /** Largest number of bytes seen of each object. */
  readonly objects: ReadonlyMap<string, number>;
  /** Keys of objects of which parts were asked for. */
  readonly packs: ReadonlySet<string>;
  /** Key of a pack that an Item lay in, if there was one; small ones are fetched whole. */
  readonly pack: string | undefined;
}

/** Opens the dataset and reads an Item of some fields. `fetch`: what sends the requests, if not the package's own client. */
export async function readThrough(look: Look, version: Version, verify: VerifyPolicy, fetch: Fetch | undefined): Promise<Reading> {
  const { url, silentMs, signal } = look;
  const objects = new Map<string, number>();
  const packs = new Set<string>();
  let [pack, fragment]: (string | undefined)[] = [];
  let [items, failure]: [number, DreamDbError | undefined] = [0, undefined];
  const note = (error: unknown) => {
    signal.throwIfAborted();
    if (!isDreamDbError(error)) throw error;
    if (error.code !== "TooLarge") failure ??= error;
  };
  try {
    const store = httpStore(url, { fetch, timeoutMs: silentMs, maxWholeBytes: MOST_BYTES });
    const ds = await openDataset(store, version, {
      verify,
      signal,
      maxItemBytes: MOST_BYTES,
      retry: { attempts: 2, minDelayMs: 50, maxDelayMs: 500 },
      onEvent: (event) => {
        if (event.type !== "request" || event.key.startsWith("bao-outboard/")) return;
        objects.set(event.key, Math.max(objects.get(event.key) ?? 0, event.bytes));
        if (event.kind === "range") packs.add(event.key);
        if (FRAGMENT.test(event.key)) fragment = event.key;
      },
    });
    const readable = ds.fields.filter((field) => field.trackKind !== "constant" && (isArrayField(field) || isMediaField(field)));
    // Media first: only they have packs.
    for (const info of readable.toSorted((a, b) => Number(isMediaField(b)) - Number(isMediaField(a))).slice(0, FIELDS)) {
      try {
        const read = await readOne(ds, info.name, signal);
        items += read.items;
        if (read.packed) pack ??= fragment;
      } catch (error) {
        note(error);
      }
    }
  } catch (error) {
    note(error);
  }
  return { items, failure, objects, packs, pack };
}

async function readOne(ds: Dataset, name: string, signal: AbortSignal): Promise<{ items: number; packed: boolean }> {
  const info = ds.fields.find((field) => field.name === name);
  if (info === undefined) return { items: 0, packed: false };
  if (isArrayField(info)) {
    for await (const { anchors } of arrayFieldOf(ds, info).batches({ batchSize: 1, signal })) return { items: anchors.length, packed: false };
    return { items: 0, packed: false };
  }
  for await (const { items } of ds.media(name).batches({ batchSize: 1, signal })) return { items: items.length, packed: items[0]?.form === "packed" };
  return { items: 0, packed: false };
}

/** The object to ask ranges of: a pack, or else the largest object that was seen; with its bytes, as a plain request brings them. */
export async function chooseTarget(look: Look, { objects, packs }: Reading, fallback: Target): Promise<Target> {
  const bySize = [...objects].sort(([a, sizeA], [b, sizeB]) => Number(packs.has(b)) - Number(packs.has(a)) || sizeB - sizeA);
  const [key] = bySize[0] ?? [];
  if (key === undefined) return fallback;
  const { answer, body, ended } = await ask(look, key, { limit: MOST_BYTES });
  if (answer?.status !== 200 || body.byteLength < 3 || (ended !== "whole" && ended !== "limit")) return fallback;
  const announced = answer.headers["content-length"];
  return { key, size: ended === "whole" ? body.byteLength : announced === undefined ? undefined : Number(announced), known: body };
}

/** Datasets for writers: a new one, or one that is there. */
import type { Dataset as Version } from "../dataset/dataset.js";
import { type OpenOptions, readerOf, storeOf } from "../dataset/reader-options.js";
import { genesisKey, manifestKey } from "../dataset/keys.js";
import { checkRefName } from "../dataset/ref.js";
import { bytesArgument, kindOf, refused } from "../codec/arguments.js";
import { addressOf } from "../codec/hash.js";
import { toU64 } from "../codec/integers.js";
import type { WritableStore } from "../store/types.js";
import { ready } from "../wasm.js";
import { systemClock, writerText } from "./authorship.js";
import { bytes, map } from "./cbor.js";
import { declare } from "./declare.js";
import { firstManifest } from "./manifests/edit.js";
import { Recent } from "./recent.js";
import { Refs, refExists } from "./refs.js";
import { Schema } from "./schema.js";
import { emptyTrack } from "./tracks.js";
import { Uploads, type UploadOptions, type UploadProgress } from "./uploads.js";
import { checkOwnName, storeChange, WritableDataset, type Workshop } from "./writable-dataset.js";

/** Options of a dataset that is written to: those of reading, and these. */
export interface WritableOptions extends OpenOptions, Pick<UploadOptions, "verifyExisting"> {
  /** Nanoseconds since the epoch; the system's clock unless said otherwise. */
  readonly clock?: (() => bigint) | undefined;
  /** Who writes, in place of what the package says of itself: free text of every manifest. */
  readonly writer?: string | undefined;
}

/** Options of a new dataset. */
export interface CreateOptions extends WritableOptions {
  /** 16 bytes that make the timeline, the address of what the anchors are of; random unless given. */
  readonly nonce?: Uint8Array | undefined;
  /** Told of each object that is stored. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/**
 * One version of a dataset, as a type; as a value the doors for writers. To read, `openDataset` is enough.
 */
export type Dataset = Version;

/**
 * The doors for writers.
 *
 * @namespace
 */
export const Dataset = /* @__PURE__ */ Object.freeze({
  /** Makes a dataset without rows. */
  create: createDataset,
  /** Opens a dataset to write to it. */
  open: openWritable,
});

/**
 * Makes a dataset without rows.
 *
 * Costs a read, and an object per distinct type of field, of a scalar column two, and three more.
 *
 * @param source URL of the dataset's root on an object store that takes conditional PUTs, or a store
 * @param name of the Ref
 * @throws {DreamDbError} `RefName`, `RefExists`, `InvalidArgument`, the codes of item types; `Forbidden` and the store's other codes; `RefUncertain`
 */
export async function createDataset(
  source: string | URL | WritableStore,
  name: string,
  schema: Schema,
  options: CreateOptions = {},
): Promise<WritableDataset> {
  const { signal, onProgress, nonce = crypto.getRandomValues(new Uint8Array(16)) } = options;
  await ready();
  if (!(schema instanceof Schema)) throw refused("schema", "a Schema", kindOf(schema));
  if (bytesArgument("nonce", nonce).byteLength !== 16) throw refused("nonce", "16 bytes", `${nonce.byteLength}`);
  checkOwnName(name);
  const declared = Array.from(schema.fields, ([field, declaration]) => declare(field, declaration));
  const workshop = workshopOf(source, options);
  const { refs, uploads, authorship } = workshop;

  const genesis = map({ nonce: bytes(nonce) });
  const timeline = addressOf(genesis);
  const added = declared.map((field) => ({ field, track: emptyTrack(field, timeline) }));
  const written = firstManifest(timeline, { timestamp: authorship.clock(), writer: writerText(authorship, "create"), moved: [], added });

  const upload = uploads.begin(signal, onProgress);
  const attempt = { budget: upload.budget, signal };
  // Asked first, so that a name that is taken costs no upload; what decides is the write.
  if (await refs.exists(name, attempt)) throw refExists(name);
  const indexes = [{ key: genesisKey(timeline), bytes: genesis }, ...added.flatMap(({ track }) => track.objects)];
  await storeChange(upload, { items: [], indexes }, { key: manifestKey(written.address), bytes: written.bytes });
  await refs.create(name, written.address, attempt);
  return WritableDataset.made(name, workshop, written);
}

/**
 * Opens a dataset to write to it.
 *
 * Costs two requests, as `openDataset`.
 *
 * @param name of the Ref; `main` unless said otherwise
 * @throws {DreamDbError} as `openDataset`; `NoStrongTag`
 */
export async function openWritable(source: string | URL | WritableStore, name = "main", options: WritableOptions = {}): Promise<WritableDataset> {
  await ready();
  checkRefName(name);
  const workshop = workshopOf(source, options);
  const { budget } = workshop.uploads.begin(options.signal, undefined);
  return WritableDataset.at(name, workshop, { budget, signal: options.signal });
}

function workshopOf(source: string | URL | WritableStore, options: WritableOptions): Workshop {
  // Of what is given as a URL we make the store, which can write.
  const store = storeOf(source, options) as WritableStore;
  const uploads = new Uploads(store, options);
  const { clock = systemClock, writer } = options;
  if (typeof clock !== "function") throw refused("clock", "a function", clock);
  return { objects: readerOf(store, options), uploads, refs: new Refs(store, uploads), recent: new Recent(), authorship: { clock: () => toU64("`clock()`", clock()), writer } };
}

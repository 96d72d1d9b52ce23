/** Stores that tell and steer: what was read through them, and when it may go on. The bytes come from a real store underneath. */

import type { ReadOptions, Store } from "dreamdb-arrays";

/** One read as it was asked for, and what came of it. */
export interface RecordedRead {
  readonly kind: "get" | "range";
  readonly key: string;
  readonly offset?: number;
  readonly length?: number;
  readonly signal: AbortSignal | undefined;
  /** The very bytes handed out; the package may change and keep them. */
  given?: Uint8Array<ArrayBuffer>;
  /** A copy of them as they were when handed out. */
  bytes?: Uint8Array<ArrayBuffer>;
}

/** A store that remembers its reads. */
export interface RecordingStore extends Store {
  /** Reads since the last `forget`, in the order in which they were asked. */
  readonly reads: readonly RecordedRead[];
  forget(): void;
  /** Keys of the reads. */
  keys(): string[];
}

/** Remember what is read from `store`. */
export function recording(store: Store): RecordingStore {
  const reads: RecordedRead[] = [];
  async function remember(read: RecordedRead, bytes: Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
    reads.push(read);
    read.given = await bytes;
    read.bytes = new Uint8Array(read.given);
    return read.given;
  }
  return {
    reads,
    forget: () => void reads.splice(0),
    keys: () => reads.map(({ key }) => key),
    describe: (key) => store.describe(key),
    get: (key, options) => remember({ kind: "get", key, signal: options?.signal }, store.get(key, options)),
    getRange: (key, offset, length, options) =>
      remember({ kind: "range", key, offset, length, signal: options?.signal }, store.getRange(key, offset, length, options)),
  };
}

/** What a {@link steered} store does before a read: wait, or throw. */
export type Steer = (key: string, options: ReadOptions | undefined) => Promise<void> | void;

/** Do something before each read of `store`: hold it back, or let it fail. */
export function steered(store: Store, steer: Steer): Store {
  return {
    describe: (key) => store.describe(key),
    async get(key, options) {
      await steer(key, options);
      return await store.get(key, options);
    },
    async getRange(key, offset, length, options) {
      await steer(key, options);
      return await store.getRange(key, offset, length, options);
    },
  };
}

/** A door that is closed until it is opened. */
export interface Gate {
  /** Resolves when the door is open. */
  readonly opened: Promise<void>;
  open(): void;
}

/** A closed door. */
export function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

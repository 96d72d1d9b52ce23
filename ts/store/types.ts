/**
 * What the package asks of a place that holds objects, and what it tells about each transfer.
 *
 * A store moves bytes and nothing else: no retries, no caching, no hashing, no coalescing. Those stand above it and work the same over
 * every store, a caller's own included.
 */

/** Options of one read. */
export interface ReadOptions {
  /** Cancels the read, which then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /**
   * Bytes to accept at most when a whole object arrives: by `get` (`TooLarge` above it), or in place of a range that the server ignored
   * (`RangeIgnored`). Does not limit a range that is answered as a range.
   */
  maxBytes?: number | undefined;
  /**
   * Called when a range was asked and the whole object came, before the read resolves. It may be kept to serve later ranges, and must
   * not be modified.
   */
  onWhole?: ((bytes: Uint8Array<ArrayBuffer>) => void) | undefined;
  /**
   * Called when a range was asked and the answer tells how long the whole object is, before the read resolves or rejects. A hint: nothing
   * vouches for it.
   */
  onTotal?: ((bytes: number) => void) | undefined;
  /** Do not take the answer from a cache on this host. For a second try after a cache gave something wrong. */
  fresh?: boolean | undefined;
}

/**
 * A place that holds objects under keys.
 *
 * Keys are `/`-separated, relative, with no empty, `.` or `..` segment. Results belong to the caller: exact buffers
 * (`byteOffset` 0, `byteLength === buffer.byteLength`) that nothing else refers to. A missing object is a `NotFound` error, never
 * `undefined`, and no other failure is ever reported as absence.
 */
export interface Store {
  /**
   * The whole object.
   *
   * Errors: `NotFound`, `Forbidden`, `TooLarge`, `InvalidArgument`, and those of the medium.
   */
  get(key: string, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Exactly `length` bytes from byte `offset`. A length of 0 resolves to no bytes without a look at the object.
   *
   * Errors: as `get`, and `BodyLength` (or `RangeNotSatisfiable` from a server) when the object ends before the range does.
   */
  getRange(key: string, offset: number, length: number, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** How errors and logs name this object: URL or path, without query or credentials. Never throws. */
  describe(key: string): string;
}

/** Options of one write. */
export interface WriteOptions {
  /** Cancels the write, which then rejects with `signal.reason`. Whether it was carried out is then unknown. */
  signal?: AbortSignal | undefined;
}

/** An object with what names this very state of it. */
export interface Tagged {
  /** The whole object. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For {@link WritableStore.replace}; opaque. */
  readonly tag: string;
}

/**
 * A store that can also be written to. Both writes are conditional, so that no writer undoes what another has done; whoever rejects does not know
 * whether the write was carried out, unless the code says so (`Forbidden`, `InvalidArgument`: it was not).
 */
export interface WritableStore extends Store {
  /**
   * Puts an object where none is. One that is there stays as it is.
   *
   * Errors: `Forbidden`, `InvalidArgument`, and those of the medium.
   */
  create(key: string, bytes: Uint8Array, options?: WriteOptions): Promise<"created" | "exists">;
  /**
   * A whole object as it is now, around all caches, with its tag.
   *
   * Errors: as `get`; `NoStrongTag` if the place cannot name states of objects.
   */
  getTagged(key: string, options?: Pick<ReadOptions, "signal">): Promise<Tagged>;
  /**
   * Puts an object in the place of the one in the state that `tag` names. If that is another by now, or gone, nothing is changed.
   *
   * Errors: as `create`.
   */
  replace(key: string, bytes: Uint8Array, tag: string, options?: WriteOptions): Promise<"replaced" | "conflict">;
}

/** One finished transfer, failed or not. */
export interface TransferEvent {
  /** A whole object or a range of one, or a write. */
  readonly kind: "get" | "range" | "put";
  /** Key of the object below the store's root. */
  readonly key: string;
  /** First byte, of a range. */
  readonly offset?: number;
  /** Bytes asked for, of a range. */
  readonly length?: number;
  /** HTTP status, if an answer came. */
  readonly status?: number;
  /** Body bytes received, also those of a read that failed; those to be sent, of a `put`. */
  readonly bytes: number;
  /** Whether it gave its result. */
  readonly ok: boolean;
  /** Milliseconds from call to end. */
  readonly ms: number;
}

/** Receives each transfer of a store as it ends. It must not throw: what it throws rejects the read. */
export type TransferObserver = (event: TransferEvent) => void;

/** Options that every store takes. */
export interface StoreOptions {
  /** Told of each transfer, in the order in which they end. */
  onRequest?: TransferObserver | undefined;
}

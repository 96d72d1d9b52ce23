/**
 * What an implementation offers to the runner: one function per operation of vectors/README.md, all optional.
 *
 * Bytes are `Uint8Array`, integers of 64 bits `bigint`, addresses their 53 characters. A function may return a promise. It refuses an
 * input by throwing anything with a text `code`, the class of the error, and, if its errors say what they are about, a text `subject`.
 * What is thrown without a `code` counts as a defect of the implementation, never as a refusal.
 */

/** A value, now or later. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Name of a Track kind. */
export type TrackKindName = "event" | "continuous" | "constant";

/** Which type a document declares. */
export interface TypeIdentity {
  /** Canonical CBOR of the type. */
  readonly typeCbor: Uint8Array;
  /** Its address. */
  readonly itemId: string;
}

/** A type in the service of a Track. */
export interface ResolvedType extends TypeIdentity {
  /** Kind of the Track. */
  readonly trackKind: string;
  /** By its wire name: `time-batch` for one. */
  readonly objectKind: string;
}

/** A type with the tag that names it. */
export interface TaggedType extends ResolvedType {
  /** The tag. */
  readonly modality: string;
}

/** What an item type says, read from its JSON projection. */
export interface ItemTypeDocument {
  /** As the document has it, as all that follow. */
  readonly family: string;
  /** Of the family. */
  readonly version: number;
  /** Of the elements. */
  readonly dtype: string;
  /** Of `dense-array` and `sparse-csr`. */
  readonly shape?: readonly bigint[];
  /** Of `ragged-array`. */
  readonly innerShape?: readonly bigint[];
  /** Byte order of the elements. */
  readonly endianness: string;
  /** Order of the elements. */
  readonly layout: string;
  /** How a payload holds them. */
  readonly codec: string;
  /** Of the codec. */
  readonly codecVersion: number;
  /** Of `sparse-csr`. */
  readonly indexDtype?: string;
  /** What they are. */
  readonly semanticType: string;
  /** In which units. */
  readonly units: string;
  /** In which frame of reference. */
  readonly frame: string;
  /** What the axes are. */
  readonly axisOrder: string;
}

/** A caller's arguments. They may be anything, hence texts. */
export interface DeclarationArguments {
  /** Name of the family. */
  readonly family: string;
  /** Of the elements. */
  readonly dtype: string;
  /** Extents in digits; perhaps no u64, perhaps no integer. The inner shape for a ragged array. */
  readonly shape: readonly string[];
  /** Byte order of the elements. */
  readonly endianness: string;
  /** Order of the elements. */
  readonly layout: string;
  /** How a payload holds them. */
  readonly codec: string;
  /** What they are. */
  readonly semanticType: string;
  /** In which units. */
  readonly units: string;
  /** In which frame of reference. */
  readonly frame: string;
  /** What the axes are. */
  readonly axisOrder: string;
  /** Kind of the Track. */
  readonly trackKind: string;
  /** How Items are stored, by its wire name. */
  readonly objectKind: string;
}

/** A payload and its declared type. */
export interface PayloadInput {
  /** Canonical CBOR of the type. */
  readonly typeCbor: Uint8Array;
  /** The Item's bytes. */
  readonly payload: Uint8Array;
  /** For context. */
  readonly modality?: string | undefined;
}

/** All of a payload. */
export interface DecodedPayload {
  /** Extents of all elements: of a dense array the declared ones, of a ragged one `[cells, …innerShape]`, of CSR `[nnz]`. */
  readonly shape: readonly (number | bigint)[];
  /** All elements in C order, `bigint` for i64 and u64. */
  readonly values: ArrayLike<number | bigint>;
  /** The same elements as little-endian bytes, which keep NaN payloads and negative zeros. */
  readonly bits: Uint8Array;
  /** Of the structured families. */
  readonly rowOffsets?: ArrayLike<bigint> | undefined;
  /** Of `sparse-csr`. */
  readonly columnIndices?: ArrayLike<bigint> | undefined;
}

/** An entry of an array Track. Which fields it has depends on the Track's kind. */
export interface TrackEntry {
  /** Of the Item. */
  readonly address: string;
  /** Of an event Track. */
  readonly anchor?: bigint | undefined;
  /** Of a continuous Track, as the next two. */
  readonly start?: bigint | undefined;
  /** Where its extent ends, excluded. */
  readonly end?: bigint | undefined;
  /** The bucket of its object. */
  readonly bucket?: bigint | undefined;
}

/** An entry of a media Track (0022 §3.3). */
export interface FragmentEntry {
  /** Where the Item's extent begins. */
  readonly start: bigint;
  /** Where it ends, excluded. */
  readonly end: bigint;
  /** Bytes of the Item. */
  readonly byteSize: bigint;
  /** Of the Item, its pack, or the list of its chunks. */
  readonly address: string;
  /** How it is stored. */
  readonly form: "single" | "chunked" | "packed";
  /** Of a packed one only. */
  readonly packOffset?: number | undefined;
}

/** An object in a store, by its path below `<timeline>/<modality>/`. */
export interface StoredObject {
  /** Where it lies. */
  readonly path: string;
  /** What it is. */
  readonly bytes: Uint8Array;
}

/** One append call of media Items. */
export interface MediaBatch {
  /** In the order of the call. */
  readonly items: readonly (readonly [anchor: bigint, bytes: Uint8Array])[];
  /** Items per pack; `undefined` for none. */
  readonly packItems: number | undefined;
  /** Bytes per chunk; `undefined` for none. */
  readonly chunkSize: number | undefined;
}

/** A half-open range of bytes of an object. */
export type ByteSpan = readonly [start: bigint, end: bigint];

/** What proves a range of an object: everything that a verifier may use. */
export interface RangeProof {
  /** Address of the whole object. */
  readonly address: string;
  /** Bytes of the whole object. */
  readonly length: bigint;
  /** The range to be proved. */
  readonly range: ByteSpan;
  /** The chunk-aligned span around it. */
  readonly span: ByteSpan;
  /** The bytes of the span. */
  readonly bytes: Uint8Array;
  /** Indices in pre-order of the nodes that follow, ascending. */
  readonly nodes: readonly number[];
  /** These nodes, 64 bytes each, one after another. */
  readonly nodeBytes: Uint8Array;
}

/** Spans of one object, and what requests for them may look like. */
export interface WantedSpans {
  /** Bytes of the object. */
  readonly length: bigint;
  /** In any order; perhaps repeated, overlapping or empty. */
  readonly spans: readonly (readonly [start: bigint, size: bigint])[];
  /** The most bytes between two spans that may be fetched along. */
  readonly maxGap: bigint;
  /** The most bytes of a request. */
  readonly maxRequest: bigint;
  /** How nodes of the outboard are fetched; `undefined` if nothing is to be verified. */
  readonly proof:
    | {
        /** The most bytes between two nodes that may be fetched along. */
        readonly maxGap: bigint;
        /** Whether the outboard is at hand and costs nothing. */
        readonly known: boolean;
      }
    | undefined;
}

/** What to fetch for spans of an object. */
export interface RequestPlan {
  /** Of the object, ascending. */
  readonly requests: readonly ByteSpan[];
  /** For each span the number of the request that holds its first byte; 0 for empty ones. */
  readonly slices: ArrayLike<number>;
  /** Whether there is one request, for the whole object. */
  readonly whole: boolean;
  /** Of the object's outboard, ascending. */
  readonly proofRequests: readonly ByteSpan[];
}

/** An implementation under test. What is absent is not run, and counted as such. */
export interface Implementation {
  /** Read a type document from bytes, which must be its canonical encoding. */
  decodeItemType?(input: { readonly typeCbor: Uint8Array }): Awaitable<TypeIdentity>;
  /** Write a type; with a Track kind, also its tag. */
  encodeItemType?(input: {
    readonly itemType: ItemTypeDocument;
    readonly trackKind: TrackKindName | undefined;
  }): Awaitable<TypeIdentity & Partial<TaggedType>>;
  /** What a writer does with a caller's arguments. */
  declare?(input: DeclarationArguments): Awaitable<TaggedType>;
  /** The grammar of tags, and nothing else. */
  parseModality?(input: { readonly modality: string }): Awaitable<{
    /** Its class. */
    readonly class: string;
  }>;
  /** Resolve a tag whose registry entry holds this document inline. */
  resolveTag?(input: {
    readonly modality: string;
    readonly typeCbor: Uint8Array;
    /** Kind of the manifest's binding; any that agrees with the tag, if it is not given. */
    readonly bindingKind: string | undefined;
  }): Awaitable<ResolvedType>;
  /** Resolve an array field through schema, registry and binding. */
  resolveRegistry?(input: {
    readonly modality: string;
    readonly bindingKind: string;
    readonly field: string;
    /** The registry without `dreamdb.schema`. */
    readonly registryCbor: Uint8Array;
    /** Value of `dreamdb.schema`. */
    readonly schemaCbor: Uint8Array | undefined;
  }): Awaitable<ResolvedType>;
  /** Whether two array modalities are the same type. */
  compareModalities?(input: { readonly modality: string; readonly other: string }): Awaitable<boolean>;
  /** Decode a payload completely. */
  decodePayload?(input: PayloadInput): Awaitable<DecodedPayload>;
  /** Only say whether a payload is valid. */
  checkPayload?(input: PayloadInput): Awaitable<unknown>;
  /** Read the Track Object of an array field; entries in the order of their anchors. */
  decodeTrack?(input: {
    readonly trackCbor: Uint8Array;
    readonly binding: { readonly kind: string; readonly modality: string; readonly timeline: string; readonly coverage: ByteSpan };
  }): Awaitable<readonly TrackEntry[]>;
  /** What a writer checks before it stores Items; the index of these samples alone. */
  appendItems?(input: {
    readonly typeCbor: Uint8Array;
    readonly modality: string;
    readonly samples: readonly { readonly anchor: bigint | undefined; readonly payload: Uint8Array }[];
    readonly existingAnchors: readonly bigint[];
  }): Awaitable<{
    /** CBOR of the Track's index. */
    readonly objectIndexCbor: Uint8Array;
  }>;
  /** Read fragment entries. In wire order, or by ascending `start`, equal ones in wire order, if `sorted` says so. */
  decodeFragmentEntries?(input: { readonly objectIndexCbor: Uint8Array }): Awaitable<{
    /** The entries. */
    readonly entries: readonly FragmentEntry[];
    /** Whether they are sorted. */
    readonly sorted?: boolean;
  }>;
  /** Read media Items out of a store, by ascending `start`. */
  readFragments?(input: {
    readonly objectIndexCbor: Uint8Array;
    readonly objects: readonly StoredObject[];
    /** Half-open range of starts that are asked for. */
    readonly window: readonly [bigint, bigint] | undefined;
  }): Awaitable<readonly (readonly [start: bigint, bytes: Uint8Array])[]>;
  /** What a writer stores for media Items. `alternative` tells that a choice was made which the vector may accept. */
  packItems?(input: { readonly batches: readonly MediaBatch[] }): Awaitable<{
    /** What is stored. */
    readonly objects: readonly StoredObject[];
    /** CBOR of the Track's index. */
    readonly objectIndexCbor: Uint8Array;
    /** Which choice was made. */
    readonly alternative?: string;
  }>;
  /** Whether the bytes are those that the address names. */
  verifyObject?(input: { readonly address: string; readonly bytes: Uint8Array }): Awaitable<unknown>;
  /** The Bao outboard of an object: 1 KiB chunks, pre-order, with the length in front. */
  makeOutboard?(input: { readonly data: Uint8Array }): Awaitable<{
    /** Of the object. */
    readonly address: string;
    /** Its outboard. */
    readonly outboard: Uint8Array;
  }>;
  /** Which bytes and nodes prove a range of an object of that length. */
  planRange?(input: { readonly length: bigint; readonly range: ByteSpan }): Awaitable<{
    /** The chunk-aligned span around it. */
    readonly span: ByteSpan;
    /** Indices in pre-order, ascending. */
    readonly nodes: readonly number[];
  }>;
  /** Verify a range from its proof alone, and give its bytes. */
  verifyRange?(input: RangeProof): Awaitable<Uint8Array>;
  /** Which requests fetch spans of an object, and what proves them. */
  planRequests?(input: WantedSpans): Awaitable<RequestPlan>;
}

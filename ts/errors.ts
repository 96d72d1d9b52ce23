/**
 * The one error class of the package, its code tables, and the helpers that test, enrich and serialise it.
 *
 * Every failure that a caller can act on has a stable `code`; messages are for people and may change. The codes of the Rust core are
 * repeated here only as a type: a test compares the list with the core's own. How a particular answer or document becomes an error is
 * decided where it is read, not here.
 */

/** Codes that the Rust core produces: documents, payloads, identities and proofs. */
export const CORE_CODES = [
  "NotAMap", "NonStringKey", "DuplicateField", "MissingField", "UnknownField", "FieldType", "InvalidValue",
  "UnsupportedDtype", "ShapeOverflow", "InvalidKindStorage", "InvalidModality", "InvalidParameters",
  "ProjectionMismatch", "IdentityMismatch", "Multihash", "Cbor",
  "EmptyModality", "ModalityTooLong", "EmptySegment", "MissingEncoding", "InvalidSegment", "InvalidParameterValue",
  "EmptyParameterKey", "AmbiguousNamespace", "UserDefinedRequiresReverseDns", "ReservedClass", "UnresolvedModality",
  "PayloadLength", "InvalidNpyHeader", "CodecHeaderMismatch", "PayloadHeader", "ShapeMismatch",
  "OffsetTerminal", "OffsetOrder", "ColumnBounds", "ColumnOrder",
  "RegistryEntryMissing", "RegistryEntryAmbiguous", "RegistryEntryNotMap", "RegistryItemTypeMissing",
  "RegistryItemTypeDuplicate", "RegistryConflict",
  "WireOrType", "RegistryAgreement", "OrderingOrDuplicate", "RoleAgreement", "EdgeStructure",
  "BindingSetCollision", "AcyclicityOrClosure",
  "UnknownTracksForm", "SchemaMissing", "SchemaField", "FieldIdentityMismatch", "TimelineConflict", "BindingMissing",
  "TrackField", "TrackMismatch", "EntryTooShort", "EntryType", "EntryExtent", "IntegerRange", "IndexPage", "RepeatedAnchor",
  "PackSliceOutOfBounds", "PackInvariant", "PackLength", "HashMismatch", "ChunkLength", "UnsupportedIndex", "Tombstones",
  // Of both sides: a call's argument is out of its domain; nothing was read.
  "InvalidArgument",
] as const;

/** Codes of this side alone: scalar columns, transfers, storage, fields and start-up. */
export const IO_CODES = [
  /** The index of a scalar column is missing, malformed, or not what its Track says. */
  "ScalarIndex",
  /** A record of a scalar column is no valid set of anchors, or not the one that its entry says. */
  "ScalarRecord",
  /** A Ref of this name is there already. */
  "RefExists",
  /** Another writer moved the Ref first; nothing was published. Open it again, or append with `rebase`. */
  "RefConflict",
  /** It is not known whether the Ref was moved, and it cannot be read back; `expected` is the manifest it would name. */
  "RefUncertain",
  /** The store gave no strong ETag, without which a Ref cannot be moved safely. */
  "NoStrongTag",
  /** A manifest can be read, but no version that follows it can be written: its Tracks are of another form, or keyed by entities. */
  "NotWritable",
  /** A new version's `tracks` container would exceed 1,048,576 bytes, beyond which nobody reads it. */
  "ManifestFull",
  /** The row at this anchor was deleted; nothing can be written there again. */
  "DeletedAnchor",
  /** A row has no value for a required field. */
  "MissingValue",
  /** The store has no object under the key (404, 410, no such file). Never used for a read that merely failed. */
  "NotFound",
  /** The store refuses the read or write (401, 403, a permission of the file system): sign in, or sign the URL anew. */
  "Forbidden",
  /** The caller's `resolve` hook threw, or gave no absolute http(s) URL. */
  "ResolveFailed",
  /** One more request would exceed `maxRequests`; it was not sent. */
  "RequestBudget",
  /** Any other answer that is not a success; `status` holds it. 429 and 5xx may pass; `retryAfterMs` if the server said. */
  "HttpStatus",
  /** No answer at all: CORS, offline, mixed content, DNS, a refused connection, a blocker. Runtimes do not say which. */
  "Network",
  /** Nothing arrived for `timeoutMs`. Time without progress, not total time. */
  "Timeout",
  /** Cancelled without a reason that is an object, as a caller's own `signal.reason` is thrown that is one; `cause` is what was given. */
  "Aborted",
  /** The body holds fewer or more bytes than asked for, or broke off; `expected` and `actual` are byte counts. */
  "BodyLength",
  /** A range was asked, the server sent the whole object, and that is above the cap; the body was cancelled. */
  "RangeIgnored",
  /** 416: the range starts behind the end of the object. */
  "RangeNotSatisfiable",
  /** A 206 whose Content-Range names another start than the one asked. */
  "RangeMismatch",
  /** The answer to a range is compressed: a slice of a gzip stream, or a whole one not decoded. Turn it off for objects. */
  "CompressedPartial",
  /** A 206 of type multipart/byteranges, though one range was asked. */
  "MultipartPartial",
  /** A whole object, Item or column is larger than its limit (`maxWholeBytes`, `maxItemBytes`, `maxBytes`), or than this runtime can hold in one buffer. */
  "TooLarge",
  /** The dataset has no field of this name. */
  "NoSuchField",
  /** The field exists but belongs to another family (dense, ragged, CSR, media, scalar) than the call serves. */
  "WrongFamily",
  /** The field's dtype is not the one the call was narrowed to. */
  "WrongDtype",
  /** The field's kind (event, continuous, constant) does not serve this call. */
  "WrongKind",
  /** The field's shape is not the one the call was narrowed to. */
  "WrongShape",
  /** A Ref's body is not exactly one 33-byte manifest address. */
  "RefBody",
  /** A Ref name that the layout does not allow. */
  "RefName",
  /** A synchronous call came before the WebAssembly module was loaded. */
  "WasmNotReady",
  /** The WebAssembly module could not be fetched, compiled or started; the next call tries again. */
  "WasmLoad",
  /** A page or a Node process could not load a part of the package: what opens datasets, or reads or writes scalar columns. */
  "PartLoad",
  /** A defect of this package; please report it. */
  "Internal",
  /** The file system failed in a way that is neither absence nor permission; `cause` is its error. */
  "FileSystem",
  /** Valid, and not done by this version or on this host. */
  "Unsupported",
] as const;

/**
 * A code of the Rust core.
 *
 * @useDeclaredType
 */
export type CoreCode = (typeof CORE_CODES)[number];
/**
 * A code of the TypeScript side.
 *
 * @useDeclaredType
 */
export type IoCode = (typeof IO_CODES)[number];
/** Every code that a {@link DreamDbError} can carry. */
export type ErrorCode = CoreCode | IoCode;

/** Where a failure happened, in the terms of the dataset. */
export interface ErrorContext {
  /** Field of the dataset. */
  readonly field?: string | undefined;
  /** Anchor of the Item, in the Track's units. */
  readonly anchor?: bigint | undefined;
  /** Object key, relative to the store's root. */
  readonly key?: string | undefined;
}

/** What a {@link DreamDbError} may carry besides code and message. */
export interface ErrorDetails extends ErrorContext {
  /** What was asked for or declared. */
  readonly expected?: string | undefined;
  /** What was found. */
  readonly actual?: string | undefined;
  /** The thing the failure is about, when it is none of the others (a path, a header, an argument). */
  readonly subject?: string | undefined;
  /** Address of the object; query, fragment and user info are removed by the constructor. */
  readonly url?: string | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
  /** Milliseconds that the server asked to wait (`Retry-After`). */
  readonly retryAfterMs?: number | undefined;
  /** The error underneath. */
  readonly cause?: unknown;
}

/** {@link DreamDbError.toJSON}: plain data, safe for `JSON.stringify` and `postMessage`. */
export interface ErrorJson {
  /** Name of the class. */
  name: "DreamDbError";
  /** Stable name of the failure. */
  code: ErrorCode;
  /** For people; may change. */
  message: string;
  /** As {@link DreamDbError.expected}. */
  expected?: string;
  /** As {@link DreamDbError.actual}. */
  actual?: string;
  /** As {@link DreamDbError.subject}. */
  subject?: string;
  /** As {@link DreamDbError.url}. */
  url?: string;
  /** As {@link DreamDbError.key}. */
  key?: string;
  /** As {@link DreamDbError.status}. */
  status?: number;
  /** As {@link DreamDbError.retryAfterMs}. */
  retryAfterMs?: number;
  /** As {@link DreamDbError.field}. */
  field?: string;
  /** Decimal digits. */
  anchor?: string;
  /** Name and message of the error underneath. */
  cause?: string;
}

const DETAILS = ["expected", "actual", "subject", "url", "key", "status", "retryAfterMs", "field", "anchor"] as const;

/**
 * Every failure of this package, except a caller's own abort reason, which is thrown as it is.
 *
 * Test it with {@link isDreamDbError}, not with `instanceof`: a process may hold two copies of the package.
 */
export class DreamDbError extends Error {
  /** The same in every copy of the package. */
  declare readonly name: "DreamDbError";
  /** Stable name of the failure; see the two tables. */
  readonly code: ErrorCode;
  /** What was asked for or declared. */
  declare readonly expected?: string;
  /** What was found. */
  declare readonly actual?: string;
  /** The thing the failure is about, when it is none of the others. */
  declare readonly subject?: string;
  /** Address of the object, without query, fragment and user info. */
  declare readonly url?: string;
  /** Object key, relative to the store's root. */
  declare readonly key?: string;
  /** HTTP status. */
  declare readonly status?: number;
  /** Milliseconds that the server asked to wait. */
  declare readonly retryAfterMs?: number;
  /** Field of the dataset. */
  declare readonly field?: string;
  /** Anchor of the Item. */
  declare readonly anchor?: bigint;

  static {
    // On the prototype, as the built-in errors have it: own properties would print beside every logged stack.
    Object.defineProperty(this.prototype, "name", { value: "DreamDbError", writable: true, configurable: true });
  }

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    for (const detail of DETAILS) {
      const value = detail === "url" && details.url !== undefined ? withoutSecrets(details.url) : details[detail];
      if (value !== undefined) Object.assign(this, { [detail]: value });
    }
  }

  /** Plain data with the same facts; bigints become decimal strings, the stack is left out. */
  toJSON(): ErrorJson {
    const json: ErrorJson = { name: "DreamDbError", code: this.code, message: this.message };
    for (const detail of DETAILS) {
      const value = this[detail];
      if (value !== undefined) Object.assign(json, { [detail]: typeof value === "bigint" ? value.toString() : value });
    }
    if (this.cause !== undefined) json.cause = String(this.cause);
    return json;
  }
}

/**
 * Whether `error` is a {@link DreamDbError}, of one of `codes` if any are given.
 *
 * Goes by name and code, so an error of another copy of the package, or of another realm, is recognised.
 */
export function isDreamDbError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: C[]
): error is DreamDbError & {
  /** One of those that were asked for. */
  readonly code: C;
} {
  if (typeof error !== "object" || error === null) return false;
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name !== "DreamDbError" || typeof code !== "string") return false;
  return codes.length === 0 || (codes as string[]).includes(code);
}

/** A URL without what may be secret in it: query, fragment, user name and password. */
export function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/\\]*@/i, "$1");
}

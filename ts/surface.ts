/**
 * The public surface but for the doors to datasets: what is there at once in every host. Imported by api.ts and by entries alone.
 *
 * Values here cost every page that imports the package; what only opened datasets need stands behind the doors.
 */
export * as codec from "./codec.js";
export type { ArrayInit, CsrInit, DenseInit, RaggedInit, ShapedInit } from "./codec/encode.js";
export type { ElementsInit, NestedElements } from "./codec/given-elements.js";
export type { AnyTypedArray, DType, DTypeArrays } from "./codec/dtype.js";
export type { U64 } from "./codec/integers.js";
export type {
  CsrType,
  DenseType,
  Family,
  ItemType,
  ItemTypeInit,
  ParsedModality,
  RaggedType,
  Semantics,
  TrackKind,
} from "./codec/item-type.js";
export type { Pack, PackEntry, PackItem } from "./codec/pack.js";
export type { ArrayValue, CsrArray, DenseArray, RaggedArray } from "./codec/values.js";
export type { ArrayColumnOptions, ArrayField, Item, ItemContext } from "./dataset/array-field.js";
export type { TextConstant } from "./dataset/constant-field.js";
export type { CsrField, CsrRow, CsrRows } from "./dataset/csr-field.js";
export type { Audit, AuditOptions, AuditProgress, Fault, FieldAudit } from "./dataset/audit.js";
export type { BatchOptions } from "./dataset/batches.js";
export type { ColumnOf, ColumnOptions, CsrColumn, DenseColumn, Progress, RaggedColumn } from "./dataset/column/columns.js";
export type { DenseColumnOptions } from "./dataset/column/dense.js";
export type { MediaColumn } from "./dataset/column/media.js";
export type { ConstantField, FieldColumn, ItemValue, ManifestInfo } from "./dataset/dataset.js";
export type { FieldAnchors } from "./dataset/many.js";
export type { Batch, Row, RowOptions } from "./dataset/rows.js";
export type { WindowOptions } from "./dataset/window.js";
export type { ArrayFieldInfo, FieldInfo, MediaFieldInfo, OtherFieldInfo, ScalarFieldInfo, TextConstantInfo } from "./dataset/fields.js";
export { isArrayField, isMediaField, isScalarField } from "./dataset/fields.js";
export type { ItemReadOptions } from "./dataset/field.js";
export type { AnchoredField } from "./dataset/anchored-field.js";
export type { Form } from "./dataset/fragments.js";
export type { MediaField, MediaItem } from "./dataset/media-field.js";
export type { Narrow, ShapeOf } from "./dataset/narrow.js";
export type { Outcome } from "./dataset/outcome.js";
export type { ScalarField } from "./dataset/scalar-field.js";
export type { Categories, ScalarArrays, ScalarColumn, ScalarType, ScalarValues } from "./dataset/scalar-values.js";
export type { ReadPlan } from "./dataset/plan.js";
export type { RaggedField, RaggedRow, RaggedRows } from "./dataset/ragged-field.js";
export type { RowField, RowRangeInit, RowsContext } from "./dataset/row-field.js";
export type { RowRange, RowsChecked } from "./dataset/rows-by-range.js";
export { checkRegistries, sameType } from "./dataset/registries.js";
export type { Version } from "./dataset/open.js";
export type { ArrayEntry, ArrayFieldInit, ContinuousEntry, EventEntry, FieldOf, FragmentEntry } from "./dataset/open-array-field.js";
export type { OpenOptions } from "./dataset/reader-options.js";
export { type CoreCode, DreamDbError, type ErrorCode, type ErrorContext, type ErrorDetails, type ErrorJson, type IoCode, isDreamDbError } from "./errors.js";
export type { CacheEvent, DatasetEvent, DatasetObserver, RequestEvent, RetryEvent, VerifiedEvent } from "./io/events.js";
export type { RetryOptions } from "./io/retry.js";
export type { Stats } from "./io/stats.js";
export type { CheckedBytes, Verified, VerifyPolicy } from "./io/verifier.js";
export { at } from "./shaped/at.js";
export { type DenseOptions, toDense } from "./shaped/dense.js";
export { toNested } from "./shaped/nested.js";
export { toNpy } from "./shaped/npy.js";
export { type CsrRowView, row } from "./shaped/row.js";
export type { Element, ElementArray, IndexOf, Nested, RowShape, Shaped, ShapedArray } from "./shaped/types.js";
export { type BlobSource, blobStore, type DirectoryHandle } from "./store/blob.js";
export { type Fetch, httpStore, type HttpStoreOptions } from "./store/http.js";
export { type MemoryStore, memoryStore } from "./store/memory.js";
export type { Resolve, ResolveContext } from "./store/resolve.js";
export type { ReadOptions, Store, StoreOptions, Tagged, TransferEvent, TransferObserver, WritableStore, WriteOptions } from "./store/types.js";
export type { ColumnInit, ColumnsInit, DenseColumnInit, ListColumnInit, RaggedColumnInit, ScalarColumnInit } from "./write/column-items.js";
export type { CreateOptions, WritableOptions } from "./write/door.js";
export type { ItemInit, RowInit, ScalarInit } from "./write/items.js";
export { type ArrayDeclaration, type FieldDeclaration, type MediaDeclaration, type ScalarDeclaration, Schema } from "./write/schema.js";
export type { UploadOptions, UploadProgress } from "./write/uploads.js";
export type { AppendOptions, Commit, CommitOptions, WritableDataset } from "./write/writable-dataset.js";
export { init } from "./wasm.js";
export type { WasmSource } from "./wasm-load.js";

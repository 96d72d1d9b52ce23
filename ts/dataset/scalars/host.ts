/** What the part of scalar columns is handed: with imports of their own, the files that pages load anyway would be cut in more pieces. */
import type { DreamDbError } from "../../errors.js";
import type { withContext } from "../../error-context.js";
import type { Shared } from "../../io/shared.js";
import type { throwIfAborted } from "../../store/abort.js";
import type { scoped } from "../../store/scope.js";
import type { call } from "../../wasm.js";
import type { findAnchor, lowerBound } from "../entries.js";
import type { indexPageKey, recordKey, scalarIndexKey, trackKey } from "../keys.js";

/** The surroundings of a scalar column. */
export interface Host {
  readonly call: typeof call;
  /** The class of refusals. */
  readonly Refusal: typeof DreamDbError;
  readonly Shared: typeof Shared;
  readonly withContext: typeof withContext;
  readonly throwIfAborted: typeof throwIfAborted;
  readonly scoped: typeof scoped;
  readonly findAnchor: typeof findAnchor;
  readonly lowerBound: typeof lowerBound;
  readonly trackKey: typeof trackKey;
  readonly indexPageKey: typeof indexPageKey;
  readonly scalarIndexKey: typeof scalarIndexKey;
  readonly recordKey: typeof recordKey;
}

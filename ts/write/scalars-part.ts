/** Scalar columns that get rows. What does it is loaded when a column is first written to, as most writers have none. */
import type { CoreBinding } from "../../pkg/dreamdb_arrays.js";
import { kindOf, refused, textArgument } from "../codec/arguments.js";
import { addressBytesOf, addressOf } from "../codec/hash.js";
import { indexPageKey, placeOf, recordKey, trackKey } from "../dataset/keys.js";
import { scalarReading } from "../dataset/scalars-part.js";
import type { ScalarType } from "../dataset/scalar-values.js";
import { DreamDbError } from "../errors.js";
import { part } from "../part.js";
import { call } from "../wasm.js";
import type { Base } from "./changes.js";
import { treeAlgorithm } from "./manifests/scalar-types.js";
import { type NewObject, withOutboard } from "./objects.js";
import type * as Scalars from "./scalars/append.js";
import { edited, type EditedTrack } from "./tracks.js";

let given: typeof Scalars | undefined;

/** Gives it to hosts that may not import at run time. */
export function provideScalars(scalars: typeof Scalars): void {
  given = scalars;
}

/**
 * The Track of a scalar column with new rows, and the pack that is to be stored before it. As `appendedScalars`.
 *
 * @throws {DreamDbError} `PartLoad` as well
 */
export async function grownScalars(
  read: Base["read"],
  type: ScalarType,
  binding: CoreBinding,
  anchors: readonly bigint[],
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<{ readonly objects: readonly NewObject[]; readonly track: EditedTrack }> {
  const [{ appendedScalars }, { decodeScalarTrack, decodeScalarPage }] = await Promise.all([
    given ?? part(() => import("./scalars/append.js")),
    scalarReading(),
  ]);
  const place = placeOf(binding);
  const host = {
    call,
    decodeScalarTrack,
    decodeScalarPage,
    kindOf,
    refused,
    textArgument,
    algorithm: treeAlgorithm(type),
    Refusal: DreamDbError,
    addressOf,
    addressBytesOf,
    track: () => read({ key: trackKey(place, binding.track), address: binding.track }, signal),
    page: (address: string) => read({ key: indexPageKey(place, address), address }, signal),
  };
  const grown = await appendedScalars(host, type, binding, anchors, values);
  const track = edited(place, grown.track, grown.start, grown.end);
  const pages = grown.pages.map((page) => ({ key: indexPageKey(place, page.address), bytes: page.object }));
  const { objects } = withOutboard((own) => recordKey(place, own), grown.pack);
  return { objects, track: { ...track, objects: [...pages, ...track.objects] } };
}

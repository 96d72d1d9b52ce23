/** Object keys: the one place that knows how a dataset is laid out below its root. */

/** Key of a Ref. */
export const refKey = (name: string): string => `refs/${name}`;

/** Key of a manifest. */
export const manifestKey = (address: string): string => `manifests/${address}`;

/** Where the objects of one modality lie. */
export interface Place {
  /** Address of the timeline. */
  readonly timeline: string;
  /** Modality tag, which stands in keys as it is. */
  readonly modality: string;
}

/** Key of a Track Object. */
export const trackKey = ({ timeline, modality }: Place, address: string): string => `${timeline}/${modality}/track/${address}`;

/** Key of a page of a Track's index. */
export const indexPageKey = ({ timeline, modality }: Place, address: string): string => `${timeline}/${modality}/index/${address}`;

/** Key of an array Item, below its bucket: the anchor, for event Tracks. */
export const itemKey = ({ timeline, modality }: Place, bucket: bigint, address: string): string =>
  `${timeline}/${modality}/${bucket.toString(16).padStart(16, "0")}/${address}`;

/** Key of a single fragment, pack or chunk. */
export const fragmentKey = (place: Place, address: string): string => itemKey(place, 0n, address);

/** Key of the list of a chunked Item's chunks. */
export const itemManifestKey = ({ timeline, modality }: Place, address: string): string =>
  `${timeline}/${modality}/items/${address}`;

/** Key of a Constant's payload. */
export const constantKey = ({ timeline, modality }: Place, address: string): string => `${timeline}/${modality}/${address}`;

/** Key of a head or page of tombstones. */
export const tombstoneKey = (address: string): string => `tombstones/${address}`;

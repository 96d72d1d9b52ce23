/** Object keys: the one place that knows how a dataset is laid out below its root. */

/** Key of a Ref. */
export const refKey = (name: string): string => `refs/${name}`;

/** Key of a manifest. */
export const manifestKey = (address: string): string => `manifests/${address}`;

/** Key of what a timeline's address is that of. */
export const genesisKey = (timeline: string): string => `genesis/${timeline}`;

/** What the keys of one modality's objects begin with. */
export type Place = string;

/** Where the objects of a modality lie, whose tag stands in keys as it is. */
export const placeOf = ({ timeline, modality }: { readonly timeline: string; readonly modality: string }): Place => `${timeline}/${modality}`;

/** Key of a Track Object. */
export const trackKey = (place: Place, address: string): string => `${place}/track/${address}`;

/** Key of a page of a Track's index. */
export const indexPageKey = (place: Place, address: string): string => `${place}/index/${address}`;

/** Key of an array Item, below its bucket: the anchor, for event Tracks. */
export const itemKey = (place: Place, bucket: bigint, address: string): string => `${place}/${bucket.toString(16).padStart(16, "0")}/${address}`;

/** Key of a single fragment, pack or chunk. */
export const fragmentKey = (place: Place, address: string): string => `${place}/0000000000000000/${address}`;

/** Key of the list of a chunked Item's chunks. */
export const itemManifestKey = (place: Place, address: string): string => `${place}/items/${address}`;

/** Key of a Constant's payload. */
export const constantKey = (place: Place, address: string): string => `${place}/${address}`;

/** Key of the descriptor of a scalar column's index. */
export const scalarIndexKey = (address: string): string => `scalar-index/${address}`;

/** Key of a scalar column's records: a pack of them, or one. */
export const recordKey = (place: Place, address: string): string => `${place}/bucket/${address}`;

/** Key of a head or page of tombstones. */
export const tombstoneKey = (address: string): string => `tombstones/${address}`;

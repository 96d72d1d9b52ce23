/**
 * A deliberately naive implementation in plain TypeScript: the oracle, and the proof that the runner's interface can be met by others.
 *
 * Written from the specifications and the vectors' README; it uses nothing of the package but the types of that interface. It offers the
 * operations on types, tags and payloads, and those that read fragments.
 */
import type { Implementation } from "../../../ts/conformance/implementation.js";
import { address, unbase32 } from "../support/address.js";
import { identityOf, readDocumentBytes } from "./documents.js";
import { fragmentEntries, readFragments } from "./fragments.js";
import { decodePayload } from "./payloads.js";
import { Refusal } from "./refusal.js";
import { declare, encodeItemType, parseModality, resolveTag } from "./tags.js";

/** The naive implementation. */
export const naive = {
  decodeItemType: ({ typeCbor }) => identityOf(readDocumentBytes(typeCbor)),
  encodeItemType: ({ itemType, trackKind }) => encodeItemType(itemType, trackKind),
  declare,
  parseModality: ({ modality }) => ({ class: parseModality(modality)[0] }),
  resolveTag: ({ modality, typeCbor, bindingKind }) => resolveTag(modality, typeCbor, bindingKind),
  compareModalities: ({ modality, other }) => modality === other,
  decodePayload: ({ typeCbor, payload }) => decodePayload(readDocumentBytes(typeCbor), payload),
  checkPayload: ({ typeCbor, payload }) => void decodePayload(readDocumentBytes(typeCbor), payload),
  decodeFragmentEntries: ({ objectIndexCbor }) => ({ entries: fragmentEntries(objectIndexCbor) }),
  readFragments: ({ objectIndexCbor, objects, window }) => readFragments(objectIndexCbor, objects, window),
  verifyObject({ address: named, bytes }) {
    if (unbase32(named) === undefined) throw new Refusal("Multihash");
    if (address(bytes) !== named) throw new Refusal("HashMismatch");
  },
} as const satisfies Implementation;

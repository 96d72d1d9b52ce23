/**
 * What the reference implementation says, in our words: its core texts, each with the code it means and what it is about.
 *
 * A text that no row matches means nothing: no outcome is guessed.
 */

/** A class, and the key, field or modality that the text names. */
export interface Meaning {
  readonly code: string;
  readonly subject: string | undefined;
}

/** Patterns of whole texts, the code, and the subject: a text, or the number of a group of the pattern. */
const ROWS: readonly (readonly [pattern: RegExp, code: string, subject?: string | number])[] = [
  // 0025 §3: documents
  [/typed-array declaration must be a map/, "NotAMap"],
  [/duplicate typed-array declaration field `(.*)`/, "DuplicateField", 1],
  [/missing typed-array declaration field `(.*)`/, "MissingField", 1],
  [/unknown typed-array declaration field `(.*)`/, "UnknownField", 1],
  [/typed-array declaration field `(.*)` has the wrong type/, "FieldType", 1],
  [/invalid typed-array declaration value for `structured family version\/layout\/codec`/, "InvalidValue"],
  [/invalid typed-array declaration value for `(.*)`/, "InvalidValue", 1],
  [/unsupported typed-array dtype `.*`/, "UnsupportedDtype", "dtype"],
  [/typed-array shape byte length overflows u64/, "ShapeOverflow"],
  // the same at the writer's door
  [/unknown array family or incompatible layout\/codec/, "InvalidValue"],
  [/CSR needs rank-two shape/, "InvalidValue", "shape"],
  [/unknown array (track_kind|object_kind) ".*"/, "InvalidArgument", 1],
  [/OverflowError: .*/, "InvalidArgument", "shape"],
  [/TypeError: '.*' object cannot be interpreted as an integer/, "InvalidArgument", "shape"],
  // 0025 §4: tags
  [/\[Stage\(WireOrType\)\] modality `.*`: modality tag must not be empty/, "EmptyModality"],
  [/\[Stage\(WireOrType\)\] modality `.*`: modality tag too long: \d+ bytes \(max 256\)/, "ModalityTooLong"],
  [/\[Stage\(WireOrType\)\] modality `.*`: modality tag has empty segment/, "EmptySegment"],
  [/\[Stage\(WireOrType\)\] modality `.*`: modality tag missing encoding segment .*/, "MissingEncoding"],
  [/\[Stage\(WireOrType\)\] modality `.*`: invalid modality segment '.*' \(must be lowercase .*\)/, "InvalidSegment"],
  [/\[Stage\(WireOrType\)\] modality `.*`: invalid parameter value '.*'/, "InvalidParameterValue"],
  [/\[Stage\(WireOrType\)\] modality `.*`: parameter key must not be empty/, "EmptyParameterKey"],
  [/\[Stage\(WireOrType\)\] modality `.*`: ambiguous namespace structure .*/, "AmbiguousNamespace"],
  [/\[Stage\(WireOrType\)\] modality `.*`: user-defined modality requires .*/, "UserDefinedRequiresReverseDns"],
  [/\[Stage\(WireOrType\)\] modality `.*`: user-defined modality uses reserved built-in class .*/, "ReservedClass"],
  [/\[RegistryAgreement\] modality `(.*)` does not resolve in this Manifest's registry: .*/, "UnresolvedModality", 1],
  [/illegal typed-array track\/storage combination/, "InvalidKindStorage"],
  [/invalid typed-array modality/, "InvalidModality"],
  [/typed-array modality must contain kind, storage, shape, item exactly once in order/, "InvalidParameters"],
  [/typed-array modality projection disagrees with its declaration/, "ProjectionMismatch"],
  [/typed-array modality item identity does not name its declaration/, "IdentityMismatch"],
  [/typed-array item identity: .*/, "Multihash"],
  // manifests, registry and schema
  [/\[Stage\(WireOrType\)\] manifest CBOR: .*/, "Cbor"],
  [/\[RegistryAgreement\] binding for field `(.*)` declares kind .*/, "RegistryAgreement", 1],
  [/\[RegistryAgreement\] registry: registry entry `.*` repeats the field `item_type`/, "RegistryItemTypeDuplicate", "item_type"],
  [/\[RegistryAgreement\] registry: registry entry `.*` repeats the field `(.*)`/, "RegistryAgreement", 1],
  [/typed-array modality `(.*)` has no registry entry/, "RegistryEntryMissing", 1],
  [/typed-array modality `(.*)` has \d+ differing registry entries/, "RegistryEntryAmbiguous", 1],
  [/typed-array registry entry for `(.*)` is not a map/, "RegistryEntryNotMap", 1],
  [/typed-array registry entry for `(.*)` is missing `item_type`/, "RegistryItemTypeMissing", 1],
  [/array field `(.*)` Schema\/registry\/Track identity mismatch/, "FieldIdentityMismatch", 1],
  [/unknown typed-array (track_kind|object_kind): .*/, "SchemaField", 1],
  [/schema mismatch: Manifest has no persisted Schema and none was supplied\..*/, "SchemaMissing"],
  // 0025 §6, §7, §11: payloads
  [/typed-array payload length mismatch: expected \d+, got \d+/, "PayloadLength"],
  [/invalid typed-array NPY header: field `(.*)` .*/, "InvalidNpyHeader", 1],
  [/invalid typed-array NPY header: .*/, "InvalidNpyHeader"],
  [/typed-array NPY header disagrees with declaration field `(.*)`/, "CodecHeaderMismatch", 1],
  ...["PayloadHeader", "PayloadLength", "ShapeMismatch", "OffsetTerminal", "OffsetOrder", "ColumnBounds", "ColumnOrder"].map(
    (name) => [new RegExp(`structured array: ${name}`), name] as const,
  ),
  // Tracks and fragments
  [/decode track <track-hash>: entry declares modality .*/, "TrackMismatch"],
  [/decode track <track-hash>: Track decode failed: Track Object `object_index` is malformed/, "TrackField"],
  [/(?:decode track <track-hash>: Track decode failed: )?Track Object field `.*` had wrong CBOR type/, "EntryType"],
  [/typed-array field `.*` repeats time anchor \d+/, "RepeatedAnchor"],
  [/Fragment entry has too few fields: .*/, "EntryTooShort"],
  [/entry time extent must satisfy t_start < t_end/, "EntryExtent"],
  [/integer field out of range/, "IntegerRange"],
  [/invalid multihash in track entry: .*/, "Multihash"],
  [/pack slice \[\d+,\d+\) out of bounds \(pack is \d+ bytes\) for anchor \d+/, "PackSliceOutOfBounds"],
  [/connector: (?:fetch pack \S+|GET item manifest): not found: .*/, "NotFound"],
  // writes
  [/schema mismatch: typed-array append repeats time_anchor \d+.*/, "RepeatedAnchor"],
  [/schema mismatch: field `.*` is a Constant typed array and cannot be provisioned empty; .*/, "InvalidArgument"],
  [/schema mismatch: add_array_constant: field `.*` does not match its declaration: typed-array payload length mismatch: .*/, "PayloadLength"],
  [/item content-address mismatch refused/, "HashMismatch"],
];

/** What a core text of the reference means; `undefined` if no row matches it. */
export function meaningOf(text: string): Meaning | undefined {
  for (const [pattern, code, subject] of ROWS) {
    const match = new RegExp(`^(?:${pattern.source})$`, "s").exec(text);
    if (match !== null) return { code, subject: typeof subject === "number" ? match[subject] : subject };
  }
  return undefined;
}

/** What `variant` of a case means: the class that its recorder inferred, where that is one. */
export function meaningOfVariant(variant: string | undefined): Meaning | undefined {
  const code = /^(?:Structured\()?([A-Z][A-Za-z]+)\)?$/.exec(variant ?? "")?.[1];
  return code === undefined ? undefined : { code, subject: undefined };
}

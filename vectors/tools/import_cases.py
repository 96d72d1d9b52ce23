"""Turns recorded cases of the reference implementation into vectors: `python import_cases.py FOLDER`.

FOLDER holds `*.jsonl`, one case a line: an input and what the reference made of it, in its own words. Every text must
match a row of MESSAGES, which names our code; a text that matches none is an error, so that no outcome is guessed.
Where our expected outcome is another one, DIVERGENT says so, and store.REASONS why.
"""

import json
import pathlib
import re
import sys

import model
import store
from wire import Map, address, base32, decode_first, encode, json_value, multihash

# Core text of the reference → our code and, where the text names it, the key, field or modality.
MESSAGES = [(re.compile(pattern, re.S), code, subject) for pattern, code, subject in [
    # 0025 §3: documents
    (r"typed-array declaration must be a map", "NotAMap", None),
    (r"duplicate typed-array declaration field `(.*)`", "DuplicateField", r"\1"),
    (r"missing typed-array declaration field `(.*)`", "MissingField", r"\1"),
    (r"unknown typed-array declaration field `(.*)`", "UnknownField", r"\1"),
    (r"typed-array declaration field `(.*)` has the wrong type", "FieldType", r"\1"),
    (r"invalid typed-array declaration value for `structured family version/layout/codec`", "InvalidValue", None),
    (r"invalid typed-array declaration value for `(.*)`", "InvalidValue", r"\1"),
    (r"unsupported typed-array dtype `.*`", "UnsupportedDtype", "dtype"),
    (r"typed-array shape byte length overflows u64", "ShapeOverflow", None),
    # the same at the writer's door, in other words
    (r"unknown array family or incompatible layout/codec", "InvalidValue", None),
    (r"CSR needs rank-two shape", "InvalidValue", "shape"),
    (r'unknown array (track_kind|object_kind) ".*"', "InvalidArgument", r"\1"),
    (r"OverflowError: .*", "InvalidArgument", "shape"),
    (r"TypeError: 'float' object cannot be interpreted as an integer", "InvalidArgument", "shape"),
    # 0025 §4: tags
    (r"\[Stage\(WireOrType\)\] modality `.*`: modality tag must not be empty", "EmptyModality", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: modality tag too long: \d+ bytes \(max 256\)", "ModalityTooLong", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: modality tag has empty segment", "EmptySegment", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: modality tag missing encoding segment .*", "MissingEncoding", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: invalid modality segment '.*' \(must be lowercase .*\)", "InvalidSegment", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: invalid parameter value '.*'", "InvalidParameterValue", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: parameter key must not be empty", "EmptyParameterKey", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: ambiguous namespace structure .*", "AmbiguousNamespace", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: user-defined modality requires .*", "UserDefinedRequiresReverseDns", None),
    (r"\[Stage\(WireOrType\)\] modality `.*`: user-defined modality uses reserved built-in class .*", "ReservedClass", None),
    (r"\[RegistryAgreement\] modality `(.*)` does not resolve in this Manifest's registry: .*", "UnresolvedModality", r"\1"),
    (r"illegal typed-array track/storage combination", "InvalidKindStorage", None),
    (r"invalid typed-array modality", "InvalidModality", None),
    (r"typed-array modality must contain kind, storage, shape, item exactly once in order", "InvalidParameters", None),
    (r"typed-array modality projection disagrees with its declaration", "ProjectionMismatch", None),
    (r"typed-array modality item identity does not name its declaration", "IdentityMismatch", None),
    (r"typed-array item identity: .*", "Multihash", None),
    # manifests, registry and schema
    (r"\[Stage\(WireOrType\)\] manifest CBOR: .*", "Cbor", None),
    (r"\[RegistryAgreement\] binding for field `(.*)` declares kind .*", "RegistryAgreement", r"\1"),
    (r"\[RegistryAgreement\] registry: registry entry `.*` repeats the field `item_type`", "RegistryItemTypeDuplicate", "item_type"),
    (r"\[RegistryAgreement\] registry: registry entry `.*` repeats the field `(.*)`", "RegistryAgreement", r"\1"),
    (r"typed-array modality `(.*)` has no registry entry", "RegistryEntryMissing", r"\1"),
    (r"typed-array modality `(.*)` has \d+ differing registry entries", "RegistryEntryAmbiguous", r"\1"),
    (r"typed-array registry entry for `(.*)` is not a map", "RegistryEntryNotMap", r"\1"),
    (r"typed-array registry entry for `(.*)` is missing `item_type`", "RegistryItemTypeMissing", r"\1"),
    (r"array field `(.*)` Schema/registry/Track identity mismatch", "FieldIdentityMismatch", r"\1"),
    (r"unknown typed-array (track_kind|object_kind): .*", "SchemaField", r"\1"),
    (r"schema mismatch: Manifest has no persisted Schema and none was supplied\..*", "SchemaMissing", None),
    # 0025 §6, §7, §11: payloads
    (r"typed-array payload length mismatch: expected \d+, got \d+", "PayloadLength", None),
    (r"invalid typed-array NPY header: field `(.*)` .*", "InvalidNpyHeader", r"\1"),
    (r"invalid typed-array NPY header: .*", "InvalidNpyHeader", None),
    (r"typed-array NPY header disagrees with declaration field `(.*)`", "CodecHeaderMismatch", r"\1"),
    *((rf"structured array: {name}", name, None) for name in (
        "PayloadHeader", "PayloadLength", "ShapeMismatch", "OffsetTerminal", "OffsetOrder", "ColumnBounds", "ColumnOrder")),
    # Tracks and fragments
    (r"decode track <track-hash>: entry declares modality .*", "TrackMismatch", None),
    (r"decode track <track-hash>: Track decode failed: Track Object `object_index` is malformed", "TrackField", None),
    (r"(?:decode track <track-hash>: Track decode failed: )?Track Object field `.*` had wrong CBOR type", "EntryType", None),
    (r"typed-array field `.*` repeats time anchor \d+", "RepeatedAnchor", None),
    (r"Fragment entry has too few fields: .*", "EntryTooShort", None),
    (r"entry time extent must satisfy t_start < t_end", "EntryExtent", None),
    (r"integer field out of range", "IntegerRange", None),
    (r"invalid multihash in track entry: .*", "Multihash", None),
    (r"pack slice \[\d+,\d+\) out of bounds \(pack is \d+ bytes\) for anchor \d+", "PackSliceOutOfBounds", None),
    (r"connector: (?:fetch pack \S+|GET item manifest): not found: .*", "NotFound", None),
    # writes
    (r"schema mismatch: typed-array append repeats time_anchor \d+.*", "RepeatedAnchor", None),
    (r"schema mismatch: field `.*` is a Constant typed array and cannot be provisioned empty; .*", "InvalidArgument", None),
    (r"schema mismatch: add_array_constant: field `.*` does not match its declaration: typed-array payload length mismatch: .*",
     "PayloadLength", None),
    (r"item content-address mismatch refused", "HashMismatch", None),
]]

# Cases with another expected outcome than the reference's: group (see store.REASONS) and our outcome, None for acceptance.
# Those of `npy-beyond-numpy` are known by the error that NumPy raised for them.
DIVERGENT = {
    "pack--6th-null-is-single": ("fragment-entry-element-type", "EntryType"),
    "pack--6th-bytes-is-single": ("fragment-entry-element-type", "EntryType"),
    "pack--5th-null": ("fragment-entry-element-type", "EntryType"),
    "pack--4elem-size-not-checked": ("single-fragment-size", "PayloadLength"),
    "pack--not-from-0-ok": ("pack-invariants", "PackInvariant"),
    "pack--trailing-bytes-ok": ("pack-invariants", "PackLength"),
    "writer-declaration--pair-constant-constant": ("declared-not-yet-provisioned", None),
}

DENSE_F32_3 = {
    "family": "dense-array", "version": 1, "dtype": "f32", "shape": [3], "endianness": "little", "layout": "c", "codec": "raw",
    "codec_version": 1, "semantic_type": "none", "units": "none", "frame": "none", "axis_order": "none",
}
OBJECT_KIND = {"event": "unbucketed", "continuous": "time-batch", "constant": "constant"}
TAG = "array.f32.kind={}.storage={}.shape=3.item=" + address(encode(DENSE_F32_3))
EVENT_TAG = TAG.format("event", "unbucketed")
CONSTANT_TAG = TAG.format("constant", "constant")
TIMELINE = multihash(encode({"nonce": bytes(16)}))
THREE_FLOATS = "0000803f0000004000004040"

SECTIONS = {
    "identity": "3.1", "doc-missing": "3", "doc-unknown": "3", "doc-duplicate": "3", "doc-type-or-value": "3",
    "doc-not-map": "3", "doc-family": "3", "doc-dtype": "3", "doc-value": "3", "doc-shape": "6", "doc-noncanonical": "3.1",
    "doc-cbor": "3", "doc-precedence": "3", "writer-declaration": "4", "tag": "4", "tag-length": "4", "tag-precedence": "4",
    "tag-other-class": "4", "registry": "3.2", "track": "11.4", "dataset": "9", "payload-dense-values": "6",
    "payload-raw": "6", "payload-npy": "7", "payload-kinds": "9", "payload-ragged-values": "11.1", "payload-ragged": "11.1",
    "payload-csr-values": "11.2", "payload-csr": "11.2", "pack": "3.3",
}
TITLES = {
    "identity": "canonical bytes and identity of a type", "doc-missing": "a document that lacks a key",
    "doc-unknown": "a document with a key outside its closed set", "doc-duplicate": "a document that repeats a key",
    "doc-type-or-value": "a document with one value replaced", "doc-not-map": "a document that is no map",
    "doc-family": "an unknown family", "doc-dtype": "a dtype outside the ten", "doc-value": "a value of the right type",
    "doc-shape": "extents", "doc-noncanonical": "an inline document in another encoding than the canonical one",
    "doc-cbor": "CBOR outside the profile", "doc-precedence": "a document with several faults: which is named",
    "writer-declaration": "what a writer accepts", "tag": "a tag bound to a document", "tag-length": "tags around 256 bytes",
    "tag-precedence": "a tag with several faults: which is named", "tag-other-class": "an array type under a tag of another class",
    "registry": "a field resolved through schema, registry and binding", "track": "the index of an array Track",
    "dataset": "what a dataset refuses", "payload-dense-values": "complete values of a dense Item", "payload-raw": "a raw Item",
    "payload-npy": "an npy Item", "payload-kinds": "the same check for every Track kind",
    "payload-ragged-values": "complete values of a ragged Item", "payload-ragged": "a ragged Item",
    "payload-csr-values": "complete values of a CSR Item", "payload-csr": "a CSR Item", "pack": "fragment entries and their objects",
}


def outcome(text):
    """Our code and subject for a core text of the reference."""
    if text == "ok":
        return None, None
    for pattern, code, subject in MESSAGES:
        match = pattern.fullmatch(text)
        if match:
            return code, None if subject is None else match.expand(subject)
    raise SystemExit(f"no row of MESSAGES matches: {text}")


def ordered_bytes(document_bytes):
    """A document's canonical encoding."""
    return encode(decode_first(document_bytes)[0], ordered=True)


def structured(case):
    """Whether the case belongs to the families of 0025 §11."""
    family = case.get("item_type", {}).get("family", case.get("api_args", {}).get("family", ""))
    document = bytes.fromhex(case.get("type_cbor_hex", ""))
    named = re.search(r"--(ragged|csr)\b", case["id"]) is not None
    return named or family in ("ragged-array", "sparse-csr") or b"ragged-array" in document or b"sparse-csr" in document


def array_vector(case):
    """Fields that every vector of 0025 begins with."""
    group, label = case["group"], case["id"].split("--", 1)[1]
    vector = {
        "_file": group if group.startswith(("doc-", "payload-", "tag", "writer", "identity")) else {"registry": "registry"}.get(group, group),
        "id": case["id"], "spec": "0025", "section": SECTIONS[group],
        "category": "post-v1-typed-array" if structured(case) else "typed-array",
        "source": "reference", "description": f"{TITLES[group]}: {label}",
    }
    if "item_type" in case:
        vector["item_type"] = json_value(case["item_type"])
    return vector


def type_results(document_bytes, kind=None):
    results = {"expected_type_cbor_hex": document_bytes.hex(), "expected_item_id": address(document_bytes)}
    if kind is not None:
        results |= {"expected_track_kind": kind, "expected_object_kind": OBJECT_KIND[kind]}
    return results


def kind_of(modality):
    return re.search(r"\.kind=([a-z]+)", modality).group(1)


def identity(case):
    document_bytes = bytes.fromhex(case["type_cbor_hex_expected"])
    assert address(document_bytes) == case["item_id"], case["id"]
    return {"operation": "encode-item-type", "track_kind": case["kind"]}, type_results(document_bytes, case["kind"]) | {
        "expected_modality": case["modality"]}


def document(case):
    document_bytes = bytes.fromhex(case["type_cbor_hex"])
    inputs = {"operation": "resolve-tag", "type_cbor_hex": case["type_cbor_hex"], "modality": case["modality"], "binding_kind": "event"}
    return inputs, type_results(ordered_bytes(document_bytes), "event") if case["expect"] == "ok" else {}


def declaration(case):
    arguments = dict(case["api_args"])
    family = arguments.get("family", "dense-array")
    declared = {
        "family": family, "dtype": arguments["dtype"], "shape": [str(extent) for extent in arguments["shape"]],
        "endianness": arguments.get("endianness", "little"), "layout": arguments.get("layout", "c"),
        "codec": arguments.get("codec", "raw"),
    }
    declared |= {key: arguments.get(key, "none") for key in ("semantic_type", "units", "frame", "axis_order")}
    declared |= {"track_kind": arguments.get("track_kind", "event"), "object_kind": arguments.get("object_kind", "unbucketed")}
    unused = set(arguments) - set(declared)
    assert not unused, (case["id"], unused)
    if "type_cbor_hex_expected" in case:
        document_bytes, modality = bytes.fromhex(case["type_cbor_hex_expected"]), case["modality"]
    elif case["id"] in DIVERGENT:
        document_bytes, modality = encode(DENSE_F32_3), CONSTANT_TAG
    else:
        return {"operation": "declare", "declaration": declared}, {}
    results = type_results(document_bytes, declared["track_kind"]) | {"expected_modality": modality}
    return {"operation": "declare", "declaration": declared}, results


def tag(case):
    if case["group"] == "tag-precedence" and "registry" in case["id"]:
        # Nothing registered, or a document with a bad layout, behind a tag that is faulty itself.
        registry = Map()
        if "--badregistry" in case["id"]:
            registry.append((case["modality"], {"item_type": case["item_type"] | {"layout": "x"}}))
        return {
            "operation": "resolve-registry", "modality": case["modality"], "binding_kind": "event", "field": "x",
            "registry_cbor_hex": encode(registry).hex(), "schema_cbor_hex": schema(("x", case["item_type"], "event")).hex(),
        }, {}
    inputs, results = document(case)
    if case["group"] == "tag-other-class":
        del inputs["binding_kind"]
    return inputs, results


def schema(*fields):
    return encode({"v": 1, "fields": [{
        "kind": "array", "name": name, "required": True, "item_type": item_type, "track_kind": kind, "object_kind": OBJECT_KIND[kind],
    } for name, item_type, kind in fields]})


def track_of(modality, index):
    return encode({"coverage": [7, 8], "modality": modality, "timeline": TIMELINE, "object_index": index})


def binding_of(modality):
    return {"kind": kind_of(modality), "modality": modality, "timeline": base32(TIMELINE), "coverage": ["7", "8"]}


def registry(case):
    if case["id"] == "registry--track-object-other-modality":
        other = re.search("but the Track says `(.*)`", case["expect"]).group(1)
        return {"operation": "decode-track", "binding": binding_of(case["modality"]),
                "track_cbor_hex": track_of(other, [[multihash(bytes.fromhex(case["payload_hex"])), 7]]).hex()}, {}
    inputs = {"operation": "resolve-registry", "modality": case["modality"], "binding_kind": "event", "field": "x",
              "registry_cbor_hex": case["registry_cbor_hex"]}
    if "schema_cbor_hex" in case:
        inputs["schema_cbor_hex"] = case["schema_cbor_hex"]
    return inputs, type_results(encode(DENSE_F32_3), "event") if case["expect"] == "ok" else {}


def track(case):
    item = multihash(bytes.fromhex(case["payload_hex"]))
    index = {"track-index-continuous-shaped": [[7, 8, 7, item]], "track-index-dup-anchor": [[item, 7], [item, 7]],
             "track-index-constant-shaped": [item]}[case["id"].split("--")[1]]
    return {"operation": "decode-track", "binding": binding_of(case["modality"]),
            "track_cbor_hex": track_of(case["modality"], index).hex()}, {}


def dataset(case):
    label = case["id"].split("--")[1]
    document_bytes = encode(DENSE_F32_3)
    if label == "item-bytes-corrupt":
        stored = bytearray.fromhex(THREE_FLOATS)
        named = address(bytes(stored))
        stored[0] ^= 1
        return {"operation": "verify-object", "address": named, "bytes_hex": stored.hex()}, {}
    if label == "add-array-same-type-ok":
        entry = {"item_type": DENSE_F32_3}
        return {
            "operation": "resolve-registry", "modality": EVENT_TAG, "binding_kind": "event", "field": "second",
            "registry_cbor_hex": encode(Map([(EVENT_TAG, entry), (EVENT_TAG, entry)])).hex(),
            "schema_cbor_hex": schema(("first", DENSE_F32_3, "event"), ("second", DENSE_F32_3, "event")).hex(),
        }, type_results(document_bytes, "event")
    inputs = {"operation": "append-items", "type_cbor_hex": document_bytes.hex(),
              "modality": CONSTANT_TAG if "constant" in label else EVENT_TAG}
    inputs |= {
        "repeat-anchor-in-call": {"samples": [{"anchor": "6", "payload_hex": THREE_FLOATS}, {"anchor": "6", "payload_hex": THREE_FLOATS}]},
        "repeat-anchor-existing": {"existing_anchors": ["5"], "samples": [{"anchor": "5", "payload_hex": THREE_FLOATS}]},
        "constant-empty": {"samples": []},
        "constant-write-short": {"samples": [{"payload_hex": THREE_FLOATS[:-2]}]},
    }[label]
    return inputs, {}


def payload(case):
    document_bytes = bytes.fromhex(case["type_cbor_hex_expected"])
    assert address(document_bytes) == case["item_id"], case["id"]
    assert case.get("writer_expect", case["expect"]) == case["expect"], case["id"]
    inputs = {"type_cbor_hex": document_bytes.hex(), "modality": case["modality"], "payload_hex": case["payload_hex"]}
    results = {}
    decoded = case.get("decoded")
    if case["expect"] == "ok" and decoded is not None:
        values = decoded.get("values", decoded)
        results = {"expected_shape": json_value(values["shape"])}
        for key in ("row_offsets", "column_indices"):
            if key in decoded:
                results[f"expected_{key}"] = [str(value) for value in decoded[key]]
        wide = case["item_type"]["dtype"] in ("i64", "u64")
        results["expected_values"] = [str(value) if wide else value for value in values["values_c_order"]]
        # The reference prints values, not bits; the bits are those of the payload.
        results["expected_bits_hex"] = model.decode_payload(case["item_type"], bytes.fromhex(case["payload_hex"]))["bits"].hex()
    # Items that no language value can hold (2^64-1 empty cells) are checked, not decoded.
    operation = "check-payload" if case["expect"] == "ok" and decoded is None and case["group"] == "payload-ragged" else "decode-payload"
    return {"operation": operation} | inputs, results


def pack(case):
    stored = []
    for item in case["objects"]:
        assert address(bytes.fromhex(item["bytes_hex"])) == item["hash"], case["id"]
        stored.append({"path": f"{item['bucket']:016x}/{item['hash']}", "bytes_hex": item["bytes_hex"]})
    results = {}
    if case["expect"] == "ok":
        results = {"expected_items": [[str(anchor), body] for anchor, body in case["decoded"]]}
    return {"operation": "read-fragments", "object_index_cbor_hex": case["object_index_cbor_hex"], "objects": stored}, results


READERS = {
    "identity": identity, "writer-declaration": declaration, "registry": registry, "track": track, "dataset": dataset, "pack": pack,
    "tag": tag, "tag-length": tag, "tag-precedence": tag, "tag-other-class": tag,
}


def vector_of(case):
    """One case as one vector."""
    group = case["group"]
    reader = READERS.get(group, payload if group.startswith("payload-") else document)
    inputs, results = reader(case)
    if group == "pack":
        vector = {"_file": "reader", "id": case["id"], "spec": "0022", "section": SECTIONS[group], "category": "fragment-pack",
                  "source": "reference", "description": f"{TITLES[group]}: {case['id'].split('--', 1)[1]}"}
    else:
        vector = array_vector(case)
    vector |= inputs
    code, subject = outcome(case["expect"])
    group_name, ours = DIVERGENT.get(case["id"], (None, code))
    if "python_decode_error" in case and group == "payload-npy":
        group_name, ours = "npy-beyond-numpy", "InvalidNpyHeader"
    if ours is None:
        vector |= results
    else:
        vector["expected_error"] = ours
        nameless = vector["operation"] == "resolve-tag" and code == "RegistryAgreement"  # no field is given
        if subject is not None and group_name is None and not nameless:
            vector["expected_subject"] = subject
    if group_name is not None:
        vector |= {"divergence": group_name, "reference_outcome": code or "ok"}
    if code is not None:
        vector["reference_message"] = case["expect"]
    return vector


def files(folder):
    """Path below `vectors/` → text."""
    cases = [json.loads(line) for path in sorted(pathlib.Path(folder).glob("*.jsonl")) for line in path.read_text().splitlines()]
    return store.files_of([vector_of(case) for case in cases])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    store.write(files(sys.argv[1]))
    store.write_divergences()

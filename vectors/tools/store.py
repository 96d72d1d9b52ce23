"""Where vectors live, and how they are written: one file per group, one vector per line."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = {
    ("0025", "typed-array"): "0025/typed-array",
    ("0025", "post-v1-typed-array"): "0025/post-v1-array",
    ("0022", "fragment-pack"): "0022/fragment-pack",
    ("bao", "bao"): "bao",
}
ORDER = (
    "id", "spec", "section", "category", "source", "description", "operation",
    "item_type", "declaration", "type_cbor_hex", "track_kind", "modality", "other_modality", "binding_kind", "field",
    "registry_cbor_hex", "schema_cbor_hex", "payload_hex", "binding", "track_cbor_hex", "existing_anchors", "samples",
    "object_index_cbor_hex", "objects", "window", "batches", "address", "bytes_hex", "length", "data", "range", "flip",
    "expected_error", "expected_subject", "accepted_alternative", "expected_class", "expected_same", "expected_type_cbor_hex",
    "expected_item_id", "expected_modality", "expected_track_kind", "expected_object_kind", "expected_shape",
    "expected_row_offsets", "expected_column_indices", "expected_values", "expected_bits_hex", "expected_entries",
    "expected_items", "expected_objects", "expected_object_index_cbor_hex", "expected_address", "expected_span",
    "expected_nodes", "expected_bytes_address", "expected_outboard_length", "expected_outboard_hex",
    "expected_outboard_address", "reference_outcome", "reference_message",
)


def ordered(vector):
    """The vector with its fields in the order of the README."""
    unknown = set(vector) - set(ORDER)
    if unknown:
        raise ValueError(f"{vector['id']}: no such field {sorted(unknown)}")
    return {key: vector[key] for key in ORDER if key in vector}


def text_of(vectors):
    """A file's text."""
    lines = (json.dumps(ordered(vector), separators=(",", ":"), allow_nan=False) for vector in vectors)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def files_of(vectors):
    """Path below `vectors/` → text, for vectors that each carry the name of their file under `_file`."""
    grouped = {}
    for vector in vectors:
        name = vector.pop("_file")
        grouped.setdefault(f"{FOLDERS[vector['spec'], vector['category']]}/{name}.json", []).append(vector)
    return {path: text_of(group) for path, group in sorted(grouped.items())}


def write(files):
    """Writes the files and prints what each holds."""
    for path, text in files.items():
        target = ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        print(f"{text.count(chr(10)) - 2:5} {path}")


def paths():
    """Every vector file, sorted."""
    return sorted(path for folder in FOLDERS.values() for path in (ROOT / folder).glob("*.json"))


def load(path):
    """The vectors of one file, which holds one or an array of them."""
    loaded = json.loads(path.read_text())
    return loaded if isinstance(loaded, list) else [loaded]


def write_divergences(groups):
    """Puts groups (name → reason and our outcome by id) into divergences.json, beside those that other tools put there."""
    (ROOT / "divergences.json").write_text(divergences_text(groups))


def divergences_text(groups):
    """The text of divergences.json with `groups` put into it."""
    path = ROOT / "divergences.json"
    known = json.loads(path.read_text())["groups"] if path.exists() else []
    merged = {group["group"]: group for group in known}
    for name, (reason, outcomes) in groups.items():
        merged[name] = {"group": name, "reason": reason, "ours": dict(sorted(outcomes.items()))}
    return json.dumps({"groups": [merged[name] for name in sorted(merged)]}, indent=1) + "\n"

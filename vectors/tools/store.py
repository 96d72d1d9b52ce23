"""Where vectors live, how they are written (one file per group, one vector per line), and why some diverge."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = {
    ("0025", "typed-array"): "0025/typed-array",
    ("0025", "post-v1-typed-array"): "0025/post-v1-array",
    ("0022", "fragment-pack"): "0022/fragment-pack",
    ("bao", "bao"): "bao",
    ("ranges", "ranges"): "ranges",
}
ORDER = (
    "id", "spec", "section", "category", "source", "description", "operation",
    "item_type", "declaration", "type_cbor_hex", "track_kind", "modality", "other_modality", "binding_kind", "field",
    "registry_cbor_hex", "schema_cbor_hex", "payload_hex", "binding", "track_cbor_hex", "existing_anchors", "samples",
    "object_index_cbor_hex", "objects", "window", "batches", "address", "bytes_hex", "length", "data", "range", "flip",
    "spans", "max_gap", "max_request", "proof",
    "expected_error", "expected_subject", "accepted_alternative", "expected_class", "expected_same", "expected_type_cbor_hex",
    "expected_item_id", "expected_modality", "expected_track_kind", "expected_object_kind", "expected_shape",
    "expected_row_offsets", "expected_column_indices", "expected_values", "expected_bits_hex", "expected_entries",
    "expected_items", "expected_objects", "expected_object_index_cbor_hex", "expected_address", "expected_span",
    "expected_nodes", "expected_bytes_address", "expected_outboard_length", "expected_outboard_hex",
    "expected_outboard_address", "expected_requests", "expected_proof_requests", "expected_whole", "expected_slices", "divergence", "reference_outcome", "reference_message",
)
# Why the expected outcome is not the reference's, by the name in a vector's `divergence`.
REASONS = {
    "npy-beyond-numpy":
        "The reference scans a .npy header as text and accepts what NumPy's own reader refuses: keys beyond the three, text after "
        "the dictionary or no end of it, commas missing or doubled, numbers with leading zeros, words that begin with a Python "
        "bool. Such a file opens in no NumPy, so it is refused here.",
    "document-bytes-canonical":
        "The reference takes the inline map of a manifest in any key order and any integer width and hashes its canonical form. A "
        "document that is given as bytes has no such excuse: its bytes are what the identity hashes (0025 3.1), so they must be "
        "the canonical ones.",
    "fragment-entry-element-type":
        "0022 3.3 gives the fifth element of a FragmentEntry the type bool and the sixth that of an unsigned integer. The "
        "reference reads a fifth of another type as false and a sixth of another type as absent, and so returns a whole pack as "
        "one Item; here the entry is refused.",
    "single-fragment-size":
        "The reference returns a single Fragment whatever its length; here it must have the byte_size of its entry.",
    "pack-invariants":
        "0022 3.4 has the ranges of a pack begin at 0, follow one another, and end where the pack ends, and a reader name a pack "
        "of another length. The reference checks none of it.",
    "fragment-content-hash":
        "The reference returns the bytes of packs and single Fragments without hashing them, so that altered ones come out; here no "
        "byte comes out that its address does not vouch for.",
    "declared-not-yet-provisioned":
        "The reference refuses to create a dataset with a Constant field that has no value yet. That is a matter of provisioning "
        "(see dataset--constant-empty); the declaration itself is legal, and that is what the operation asks.",
}


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


def write_divergences():
    """Writes divergences.json out of all vectors."""
    (ROOT / "divergences.json").write_text(divergences_text())


def divergences_text():
    """The groups with their reasons, and under `ours` the expected outcome of every vector in them."""
    groups = {name: {} for name in sorted(REASONS)}
    for path in paths():
        for vector in load(path):
            if "divergence" in vector:
                groups[vector["divergence"]][vector["id"]] = vector.get("expected_error", "ok")
    listed = [{"group": name, "reason": REASONS[name], "ours": dict(sorted(ours.items()))} for name, ours in groups.items() if ours]
    return json.dumps({"groups": listed}, indent=1) + "\n"

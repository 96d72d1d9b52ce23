"""What the generators share: type documents, their canonical bytes by cbor2, and the frame of a vector."""

import base64

import blake3
import cbor2

DTYPES = ("f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
ORDERS = ("little", "big")
KINDS = {"event": "unbucketed", "continuous": "time_batch", "constant": "constant"}
WIRE_KINDS = {"event": "unbucketed", "continuous": "time-batch", "constant": "constant"}
U64_MAX = 2**64 - 1


def dense(dtype="f32", shape=(3,), **changes):
    """A dense-array document."""
    return document("dense-array", dtype, shape=list(shape), layout="c", codec="raw") | changes


def ragged(dtype="f32", inner_shape=(), **changes):
    """A ragged-array document."""
    return document("ragged-array", dtype, inner_shape=list(inner_shape), layout="c", codec="offsets-values") | changes


def csr(dtype="f32", shape=(2, 3), **changes):
    """A sparse-csr document."""
    return document("sparse-csr", dtype, shape=list(shape), layout="c", codec="raw", index_dtype="u64") | changes


def document(family, dtype, **own):
    texts = {key: "none" for key in ("semantic_type", "units", "frame", "axis_order")}
    return {"family": family, "version": 1, "dtype": dtype} | own | {"endianness": "little", "codec_version": 1} | texts


def canonical(value):
    """Deterministic CBOR, by cbor2."""
    return cbor2.dumps(value, canonical=True)


def hash33(data):
    return b"\x1e" + blake3.blake3(data).digest()


def spelled(raw):
    return base64.b32encode(raw).decode().lower().rstrip("=")


def address(data):
    return spelled(hash33(data))


def item_id(item_type):
    return address(canonical(item_type))


def shape_text(item_type):
    if item_type["family"] == "ragged-array":
        return "x".join(["r", *map(str, item_type["inner_shape"])])
    return "x".join(map(str, item_type["shape"])) or "0d"


def tag(item_type, kind="event", storage=None, **changes):
    """The modality of a type, or one with parts changed."""
    parts = {"dtype": item_type["dtype"], "shape": shape_text(item_type), "item": item_id(item_type)} | changes
    return f"array.{parts['dtype']}.kind={kind}.storage={storage or KINDS[kind]}.shape={parts['shape']}.item={parts['item']}"


def large_as_text(value):
    """JSON with its large integers as decimal strings."""
    if isinstance(value, dict):
        return {key: large_as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [large_as_text(item) for item in value]
    return str(value) if type(value) is int and abs(value) >= 2**53 else value


def identity(item_type, kind=None):
    """Results that state a type."""
    results = {"expected_type_cbor_hex": canonical(item_type).hex(), "expected_item_id": item_id(item_type)}
    return results if kind is None else results | {"expected_track_kind": kind, "expected_object_kind": WIRE_KINDS[kind]}


def refused(code, subject=None):
    return {"expected_error": code} | ({} if subject is None else {"expected_subject": subject})


def array(file, name, section, source, description, operation, item_type=None, structured=None, **fields):
    """A vector of 0025; `item_type` decides the folder, unless `structured` does."""
    if structured is None:
        structured = item_type is not None and item_type.get("family") in ("ragged-array", "sparse-csr")
    vector = {"_file": file, "id": f"{file}--{name}", "spec": "0025", "section": section,
              "category": "post-v1-typed-array" if structured else "typed-array", "source": source, "description": description,
              "operation": operation}
    if item_type is not None:
        vector["item_type"] = large_as_text(item_type)
    return vector | fields


def short(item_type):
    return {"dense-array": "dense", "ragged-array": "ragged", "sparse-csr": "csr"}[item_type["family"]]

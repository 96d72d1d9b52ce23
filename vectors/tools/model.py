"""A deliberately naive implementation of every operation of the vectors, written from the specifications.

`run(vector)` carries out one vector and returns its results under the names of the `expected_…` fields, or raises
`Refusal`. It is slow, holds everything in memory, and shares no code with the product that the vectors test.
"""

import re
import struct

import bao
import plans
from wire import Map, Refusal, U64_END, address, base32, check_multihash, decode, decode_first, encode, json_int, parse_address

SIZES = {"f32": 4, "f64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8}
FORMATS = {"f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
TEXTS = ("semantic_type", "units", "frame", "axis_order")
COMMON = {"family", "version", "dtype", "endianness", "layout", "codec", "codec_version", *TEXTS}
FAMILIES = {
    "dense-array": COMMON | {"shape"},
    "ragged-array": COMMON | {"inner_shape"},
    "sparse-csr": COMMON | {"shape", "index_dtype"},
}
# Track kind: its storage in a tag, and the wire name of its object kind (0025 §4.0, §4.1).
PAIRS = {"event": ("unbucketed", "unbucketed"), "continuous": ("time_batch", "time-batch"), "constant": ("constant", "constant")}
STORAGES = [storage for storage, _ in PAIRS.values()]
OBJECT_KINDS = {
    "unbucketed", "time-batch", "constant", "spatial-bucket", "fragment",
}
CLASSES = {
    "array", "image", "audio", "video", "scalar", "embedding", "transcript", "title", "author", "text", "description", "license", "source",
    "sensor", "annotation", "scene",
}


def is_uint(value):
    return type(value) is int and 0 <= value < U64_END


# ---------------------------------------------------------------- item types

def read_document(value):
    """The document as a dict, or the first fault in the prescribed order."""
    if not isinstance(value, Map):
        raise Refusal("NotAMap")
    if any(not isinstance(key, str) for key, _ in value):
        raise Refusal("NonStringKey")
    document = {}
    for key, item in value:
        if key in document:
            raise Refusal("DuplicateField", key)
        document[key] = item

    def get(key, legal_type):
        if key not in document:
            raise Refusal("MissingField", key)
        if not legal_type(document[key]):
            raise Refusal("FieldType", key)
        return document[key]

    def word(key, legal):
        if get(key, lambda item: isinstance(item, str)) not in legal:
            raise Refusal("InvalidValue", key)

    def one(key):
        if get(key, is_uint) != 1:
            raise Refusal("InvalidValue", key)

    def extents(key):
        return get(key, lambda item: type(item) is list and all(is_uint(extent) for extent in item))

    def dtype():
        if get("dtype", lambda item: isinstance(item, str)) not in SIZES:
            raise Refusal("UnsupportedDtype", "dtype")

    def texts():
        for key in TEXTS:
            get(key, lambda item: isinstance(item, str))

    word("family", FAMILIES)
    family = document["family"]
    unknown = sorted((key.encode() for key in document if key not in FAMILIES[family]))
    if unknown:
        raise Refusal("UnknownField", unknown[0].decode())
    one("version")
    if family == "dense-array":
        dtype()
        extents("shape")
        word("endianness", ("little", "big"))
        word("layout", ("c", "f"))
        word("codec", ("raw", "npy"))
        one("codec_version")
        texts()
        byte_length(document["shape"], document["dtype"])
        return document
    one("codec_version")
    word("layout", ("c",))
    if family == "ragged-array":
        word("codec", ("offsets-values",))
        extents("inner_shape")
    else:
        word("codec", ("raw",))
        word("index_dtype", ("u64",))
        extents("shape")
    dtype()
    word("endianness", ("little", "big"))
    texts()
    if family == "ragged-array":
        byte_length(document["inner_shape"], document["dtype"])
    elif len(document["shape"]) != 2:
        raise Refusal("InvalidValue", "shape")
    return document


def byte_length(extents, dtype):
    """Product of the extents, left to right, then times the element size; each step must fit in 64 bits."""
    product = 1
    for factor in [*extents, SIZES[dtype]]:
        product *= factor
        if product >= U64_END:
            raise Refusal("ShapeOverflow")
    return product


def canonical(document):
    return encode(dict(document))


def read_document_bytes(data):
    value, _ = decode_first(data)
    document = read_document(value)
    if canonical(document) != data:
        raise Refusal("Cbor")
    return document


def projection(document):
    if document["family"] == "ragged-array":
        return "r" + "".join(f"x{extent}" for extent in document["inner_shape"])
    return "x".join(map(str, document["shape"])) or "0d"


def tag_of(document, kind):
    parts = (document["dtype"], kind, PAIRS[kind][0], projection(document), address(canonical(document)))
    return "array.{}.kind={}.storage={}.shape={}.item={}".format(*parts)


def type_results(document):
    return {"expected_type_cbor_hex": canonical(document).hex(), "expected_item_id": address(canonical(document))}


def from_json(item_type):
    """A document out of its JSON projection."""
    def extent(value):
        return int(value) if isinstance(value, str) else value
    return {key: [extent(item) for item in value] if isinstance(value, list) else value for key, value in item_type.items()}


def declare(arguments):
    """What a writer does with a caller's arguments."""
    document = dict(arguments)
    track_kind, object_kind = document.pop("track_kind"), document.pop("object_kind")
    extents = document.pop("shape")
    if any(not re.fullmatch("[0-9]+", extent) or int(extent) >= U64_END for extent in extents):
        raise Refusal("InvalidArgument", "shape")
    document["inner_shape" if document["family"] == "ragged-array" else "shape"] = [int(extent) for extent in extents]
    document |= {"version": 1, "codec_version": 1} | ({"index_dtype": "u64"} if document["family"] == "sparse-csr" else {})
    document = read_document(Map(document.items()))
    if track_kind not in PAIRS:
        raise Refusal("InvalidArgument", "track_kind")
    if object_kind not in OBJECT_KINDS:
        raise Refusal("InvalidArgument", "object_kind")
    if PAIRS[track_kind][1] != object_kind:
        raise Refusal("InvalidKindStorage")
    tag = tag_of(document, track_kind)
    if len(tag) > 256:
        raise Refusal("InvalidModality")
    return type_results(document) | kind_results(track_kind) | {"expected_modality": tag}


# ---------------------------------------------------------------- tags

def parse_modality(tag):
    """The segments of the tag from its class on, if the grammar holds."""
    if not tag:
        raise Refusal("EmptyModality")
    if len(tag.encode()) > 256:
        raise Refusal("ModalityTooLong")
    segments = tag.split(".")
    if "" in segments:
        raise Refusal("EmptySegment")
    start = class_index(segments)
    if start + 1 >= len(segments):
        raise Refusal("MissingEncoding")
    own_class, encoding, *rest = segments[start:]
    plain = re.compile("[a-z0-9_]+")
    if not plain.fullmatch(own_class) or not plain.fullmatch(encoding):
        raise Refusal("InvalidSegment")
    if start > 0 and own_class in CLASSES:
        raise Refusal("ReservedClass")
    if not all(map(plain.fullmatch, segments[:start])):
        raise Refusal("InvalidSegment")
    for segment in rest:
        key, equals, value = segment.partition("=")
        if equals and not key:
            raise Refusal("EmptyParameterKey")
        if not plain.fullmatch(key):
            raise Refusal("InvalidSegment")
        if not re.fullmatch("[A-Za-z0-9_]*", value):
            raise Refusal("InvalidParameterValue")
    return segments[start:]


def class_index(segments):
    """Where the class stands: in front, or behind three segments or more of a reverse-DNS name."""
    if segments[0] in CLASSES:
        return 0
    if len(segments) < 4:
        raise Refusal("UserDefinedRequiresReverseDns")
    leading = next((index for index, segment in enumerate(segments) if "=" in segment), len(segments))
    if leading < 4:
        raise Refusal("AmbiguousNamespace")
    built_in = next((index for index in range(3, leading) if segments[index] in CLASSES), None)
    if built_in is not None:
        return built_in
    if leading < 5:
        raise Refusal("UserDefinedRequiresReverseDns")
    return leading - 2


def parameter(segments, key):
    """The first value of a parameter, wherever it stands."""
    return next((segment.partition("=")[2] for segment in segments[2:] if segment.partition("=")[:2] == (key, "=")), None)


def derived_kind(tag, segments):
    if segments[0] == "array" and (parameter(segments, "kind") not in PAIRS or parameter(segments, "storage") not in STORAGES):
        raise Refusal("UnresolvedModality", tag)
    return parameter(segments, "kind")


def bind(tag, segments, document):
    """The Track kind, if the tag and its registered document agree."""
    kind, storage = parameter(segments, "kind"), parameter(segments, "storage")
    legal = kind in PAIRS and PAIRS[kind][0] == storage
    if document["family"] != "dense-array":
        if not legal:
            raise Refusal("InvalidKindStorage")
        if tag != tag_of(document, kind):
            raise Refusal("ProjectionMismatch")
        return kind
    if segments[0] != "array":
        raise Refusal("InvalidModality")
    if [segment.partition("=")[:2] for segment in segments[2:]] != [(key, "=") for key in ("kind", "storage", "shape", "item")]:
        raise Refusal("InvalidParameters")
    if segments[1] != document["dtype"] or parameter(segments, "shape") != projection(document):
        raise Refusal("ProjectionMismatch")
    if base32(parse_address(parameter(segments, "item"))) != address(canonical(document)):
        raise Refusal("IdentityMismatch")
    if not legal:
        raise Refusal("InvalidKindStorage")
    return kind


def kind_results(kind):
    return {"expected_track_kind": kind, "expected_object_kind": PAIRS[kind][1]}


def resolve_tag(tag, document_bytes, binding_kind):
    value = decode(document_bytes, text_keys=True)
    segments = parse_modality(tag)
    kind = derived_kind(tag, segments)
    if binding_kind is not None and binding_kind != kind:
        raise Refusal("RegistryAgreement")
    document = read_document(value)
    return type_results(document) | kind_results(bind(tag, segments, document))


def resolve_registry(vector):
    registry = decode(bytes.fromhex(vector["registry_cbor_hex"]), text_keys=True)
    schema = decode(bytes.fromhex(vector["schema_cbor_hex"]), text_keys=True) if "schema_cbor_hex" in vector else None
    tag = vector["modality"]
    segments = parse_modality(tag)
    for _, entry in registry:
        keys = [key for key, _ in entry] if isinstance(entry, Map) else []
        repeated = next((key for index, key in enumerate(keys) if key in keys[:index]), None)
        if repeated is not None:
            raise Refusal("RegistryItemTypeDuplicate" if repeated == "item_type" else "RegistryAgreement", repeated)
    kind = derived_kind(tag, segments)
    if vector["binding_kind"] != kind:
        raise Refusal("RegistryAgreement", vector["field"])
    if schema is None:
        raise Refusal("SchemaMissing")
    declared = {}
    for field in schema.get("fields"):
        document = read_document(field.get("item_type"))
        for key, known in (("track_kind", PAIRS), ("object_kind", OBJECT_KINDS)):
            if field.get(key) not in known:
                raise Refusal("SchemaField", key)
        if PAIRS[field.get("track_kind")][1] != field.get("object_kind"):
            raise Refusal("InvalidKindStorage")
        declared[field.get("name")] = (canonical(document), field.get("track_kind"))
    entries = []
    for key, entry in registry:
        if key == tag and encode(entry) not in [encode(other) for other in entries]:
            entries.append(entry)
    if not entries:
        raise Refusal("RegistryEntryMissing", tag)
    if len(entries) > 1:
        raise Refusal("RegistryEntryAmbiguous", tag)
    if not isinstance(entries[0], Map):
        raise Refusal("RegistryEntryNotMap", tag)
    if not entries[0].has("item_type"):
        raise Refusal("RegistryItemTypeMissing", tag)
    document = read_document(entries[0].get("item_type"))
    kind = bind(tag, segments, document)
    if declared[vector["field"]] != (canonical(document), kind):
        raise Refusal("FieldIdentityMismatch", vector["field"])
    return type_results(document) | kind_results(kind)


# ---------------------------------------------------------------- payloads

def values_of(dtype, bits):
    """The elements of little-endian `bits` as JSON."""
    def json_of(value):
        if dtype[0] != "f":
            return str(value) if SIZES[dtype] == 8 else value
        if value != value:
            return "nan"
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
        return "-0.0" if value == 0 and struct.pack("<d", value)[7] else value
    return [json_of(value) for value, in struct.iter_unpack("<" + FORMATS[dtype], bits)]


def to_little(data, dtype, endianness):
    size = SIZES[dtype]
    if endianness == "little":
        return data
    return b"".join(data[at:at + size][::-1] for at in range(0, len(data), size))


def to_c_order(data, shape, size):
    """First axis fastest becomes last axis fastest."""
    count = len(data) // size
    out = []
    for index in range(count):
        place, stride, rest = 0, count, index
        strides = []
        step = 1
        for extent in shape:
            strides.append(step)
            step *= extent
        for extent, fortran in zip(shape, strides):
            stride //= extent
            place += rest // stride * fortran
            rest %= stride
        out.append(data[place * size:(place + 1) * size])
    return b"".join(out)


RUST_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


def npy_body(document, data):
    """The elements behind a `.npy` header that repeats the declaration."""
    def bad(subject=None):
        raise Refusal("InvalidNpyHeader", subject)

    if len(data) < 10 or data[:6] != b"\x93NUMPY":
        bad()
    version = tuple(data[6:8])
    if version == (1, 0):
        start, length = 10, int.from_bytes(data[8:10], "little")
    elif version in ((2, 0), (3, 0)):
        if len(data) < 12:
            bad()
        start, length = 12, int.from_bytes(data[8:12], "little")
    else:
        bad()
    if start + length > len(data) or data[start:start + length][-1:] != b"\n":
        bad()
    header, body = data[start:start + length], data[start + length:]
    try:
        text = header.decode()
    except UnicodeDecodeError:
        bad()
    if not text.lstrip(RUST_SPACE).startswith("{"):
        bad()

    def field(key):
        places = [match.end() for quote in "'\"" for match in re.finditer(re.escape(quote + key + quote), text)]
        if len(places) != 1 or ":" not in text[places[0]:]:
            bad(key)
        return text[places[0]:].split(":", 1)[1].lstrip(RUST_SPACE)

    rest = field("descr")
    if rest[:1] not in ("'", '"') or rest.count(rest[:1]) < 2:
        bad("descr")
    descr = rest[1:].split(rest[0], 1)[0]
    rest = field("fortran_order")
    if not rest.startswith(("True", "False")):
        bad("fortran_order")
    fortran = rest.startswith("True")
    rest = field("shape")
    if ")" not in rest or not rest.startswith("("):
        bad()
    shape = []
    for piece in rest[1:].split(")")[0].split(","):
        piece = piece.strip(RUST_SPACE)
        if piece and (not re.fullmatch(r"\+?[0-9]+", piece) or int(piece) >= U64_END):
            bad()
        if piece:
            shape.append(int(piece))
    size = SIZES[document["dtype"]]
    order = "|" if size == 1 else "<" if document["endianness"] == "little" else ">"
    if descr != f"{order}{document['dtype'][0]}{size}":
        raise Refusal("CodecHeaderMismatch", "dtype/endianness")
    if shape != document["shape"]:
        raise Refusal("CodecHeaderMismatch", "shape")
    if fortran != (document["layout"] == "f"):
        raise Refusal("CodecHeaderMismatch", "layout")
    if len(body) != byte_length(shape, document["dtype"]):
        raise Refusal("PayloadLength")
    check_numpy_reads(data)
    return body


def check_numpy_reads(data):
    """NumPy's own reader must read the file too: its header is a Python literal with exactly the three keys."""
    import io
    import warnings

    import numpy

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            numpy.load(io.BytesIO(data), allow_pickle=False)
    except Exception:
        raise Refusal("InvalidNpyHeader") from None


def decode_payload(document, data):
    """The parts of a payload: shape of the values, their bits, and indices for the structured families."""
    dtype, endianness = document["dtype"], document["endianness"]
    if document["family"] == "dense-array":
        body = npy_body(document, data) if document["codec"] == "npy" else data
        if len(body) != byte_length(document["shape"], dtype):
            raise Refusal("PayloadLength")
        bits = to_little(body, dtype, endianness)
        if document["layout"] == "f":
            bits = to_c_order(bits, document["shape"], SIZES[dtype])
        return {"shape": document["shape"], "bits": bits}
    sparse = document["family"] == "sparse-csr"
    if data[:8] != (b"CSR1" if sparse else b"RAG1") + b"\0\0\0\1":
        raise Refusal("PayloadHeader")

    def u64(at):
        return int.from_bytes(data[at:at + 8], "big")

    if len(data) < 24:
        raise Refusal("PayloadLength")
    rows = u64(8)
    if sparse:
        if [rows, u64(16)] != document["shape"]:
            raise Refusal("ShapeMismatch")
        if len(data) < 32:
            raise Refusal("PayloadLength")
        start, count, cell = 32, u64(24), SIZES[dtype] + 8
    else:
        start, count, cell = 24, u64(16), byte_length(document["inner_shape"], dtype)
    if start + 8 * (rows + 1) + count * cell != len(data):
        raise Refusal("PayloadLength")
    offsets = [u64(start + 8 * row) for row in range(rows + 1)]
    at = start + 8 * (rows + 1)
    if offsets[0] != 0 or sparse and offsets[-1] != count:
        raise Refusal("OffsetTerminal")
    if any(first > second for first, second in zip(offsets, offsets[1:])):
        raise Refusal("OffsetOrder")
    if offsets[-1] != count:
        raise Refusal("OffsetTerminal")
    parts = {"row_offsets": offsets, "shape": [count, *document.get("inner_shape", ())]}
    if sparse:
        columns = [u64(at + 8 * index) for index in range(count)]
        at += 8 * count
        for first, last in zip(offsets, offsets[1:]):
            for index in range(first, last):
                if columns[index] >= document["shape"][1]:
                    raise Refusal("ColumnBounds")
                if index > first and columns[index] <= columns[index - 1]:
                    raise Refusal("ColumnOrder")
        parts["column_indices"] = columns
    parts["bits"] = to_little(data[at:], dtype, endianness)
    return parts


def payload_results(document, parts):
    results = {
        "expected_shape": [json_int(extent) for extent in parts["shape"]],
        "expected_values": values_of(document["dtype"], parts["bits"]),
        "expected_bits_hex": parts["bits"].hex(),
    }
    for key in ("row_offsets", "column_indices"):
        if key in parts:
            results[f"expected_{key}"] = [str(value) for value in parts[key]]
    return results


# ---------------------------------------------------------------- Tracks and fragments

def decode_track(vector):
    track = decode(bytes.fromhex(vector["track_cbor_hex"]), text_keys=True)
    binding = vector["binding"]
    if not isinstance(track, Map) or sorted(key for key, _ in track) != ["coverage", "modality", "object_index", "timeline"]:
        raise Refusal("TrackField")
    modality, timeline, coverage = track.get("modality"), track.get("timeline"), track.get("coverage")
    if not isinstance(modality, str) or not isinstance(timeline, bytes) or not isinstance(coverage, list):
        raise Refusal("TrackField")
    if len(coverage) != 2 or not all(map(is_uint, coverage)):
        raise Refusal("TrackField")
    if (modality, base32(timeline), [str(end) for end in coverage]) != (binding["modality"], binding["timeline"], binding["coverage"]):
        raise Refusal("TrackMismatch")
    index = track.get("object_index")
    if not isinstance(index, list) or isinstance(index, Map):
        raise Refusal("TrackField")
    kind = binding["kind"]
    if kind == "constant":
        if not index:
            raise Refusal("EntryTooShort")
        return {"expected_entries": [{"address": entry_address(index[0])}]}
    if index and isinstance(index[0], bytes):
        raise Refusal("TrackField")
    entries = [item_entry(kind, entry) for entry in index]
    anchors = [entry.get("anchor", entry.get("t_start")) for entry in entries]
    if len(set(anchors)) < len(anchors):
        raise Refusal("RepeatedAnchor")
    return {"expected_entries": sorted(entries, key=lambda entry: int(entry.get("anchor", entry.get("t_start"))))}


def entry_address(value):
    if not isinstance(value, bytes):
        raise Refusal("EntryType")
    return base32(check_multihash(value))


def entry_uint(value):
    if type(value) is not int:
        raise Refusal("EntryType")
    if not is_uint(value):
        raise Refusal("IntegerRange")
    return value


def item_entry(kind, entry):
    if type(entry) is not list:
        raise Refusal("EntryType")
    if len(entry) < (2 if kind == "event" else 4):
        raise Refusal("EntryTooShort")
    if kind == "event":
        return {"address": entry_address(entry[0]), "anchor": str(entry_uint(entry[1]))}
    start, end, bucket = map(entry_uint, entry[:3])
    if start >= end:
        raise Refusal("EntryExtent")
    return {"t_start": str(start), "t_end": str(end), "bucket": str(bucket), "address": entry_address(entry[3])}


def fragment_entries(data):
    index = decode(data)
    entries = []
    for entry in index:
        if type(entry) is not list:
            raise Refusal("EntryType")
        if len(entry) < 4:
            raise Refusal("EntryTooShort")
        start, end, size = map(entry_uint, entry[:3])
        named = entry_address(entry[3])
        flag = entry[4] if len(entry) > 4 else False
        if type(flag) is not bool:
            raise Refusal("EntryType")
        offset = None
        if len(entry) > 5:
            if type(entry[5]) is not int:
                raise Refusal("EntryType")
            if not 0 <= entry[5] < 1 << 32:
                raise Refusal("IntegerRange")
            offset = entry[5]
        if start >= end:
            raise Refusal("EntryExtent")
        form = "chunked" if flag else "single" if offset is None else "packed"
        decoded = {"t_start": str(start), "t_end": str(end), "byte_size": str(size), "address": named, "form": form}
        entries.append(decoded | ({"pack_offset": offset} if form == "packed" else {}))
    return entries


def read_fragments(vector):
    entries = fragment_entries(bytes.fromhex(vector["object_index_cbor_hex"]))
    first, last = map(int, vector.get("window", ["0", str(U64_END)]))
    stored = {item["path"]: bytes.fromhex(item["bytes_hex"]) for item in vector["objects"]}

    def fetch(path, named):
        if path not in stored:
            raise Refusal("NotFound")
        if address(stored[path]) != named:
            raise Refusal("HashMismatch")
        return stored[path]

    items = []
    for entry in sorted(entries, key=lambda entry: int(entry["t_start"])):
        named, size = entry["address"], int(entry["byte_size"])
        if not first <= int(entry["t_start"]) < last:
            continue
        if entry["form"] == "chunked":
            manifest = decode(fetch(f"items/{named}", named), text_keys=True)
            chunks = []
            for chunk in manifest.get("chunks"):
                chunk_named = base32(check_multihash(chunk.get("hash")))
                chunks.append(fetch(f"0000000000000000/{chunk_named}", chunk_named))
                if len(chunks[-1]) != chunk.get("size"):
                    raise Refusal("ChunkLength")
            body = b"".join(chunks)
            if len(body) != manifest.get("total_size") or len(body) != size:
                raise Refusal("ChunkLength")
        else:
            body = fetch(f"0000000000000000/{named}", named)
            if entry["form"] == "single":
                if len(body) != size:
                    raise Refusal("PayloadLength")
            else:
                check_pack([other for other in entries if other["form"] == "packed" and other["address"] == named], len(body))
                body = body[entry["pack_offset"]:entry["pack_offset"] + size]
        items.append([entry["t_start"], body.hex()])
    return {"expected_items": items}


def check_pack(entries, length):
    """0022 §3.4 over the distinct ranges of one pack."""
    ranges = sorted({(entry["pack_offset"], entry["pack_offset"] + int(entry["byte_size"])) for entry in entries})
    if any(end > length for _, end in ranges):
        raise Refusal("PackSliceOutOfBounds")
    at = 0
    for start, end in ranges:
        if start < end:
            if start != at:
                raise Refusal("PackInvariant")
            at = end
    if at != length:
        raise Refusal("PackLength")


def pack_items(vector):
    """What a writer stores for batches of media Items (0022 §4)."""
    objects, index = {}, []
    for batch in vector["batches"]:
        items = [(int(anchor), bytes.fromhex(body)) for anchor, body in batch["items"]]
        size = batch.get("pack_items", 1)
        if "chunk_size" in batch:
            raise Refusal("InvalidArgument")
        if size <= 1:
            for anchor, body in items:
                objects[address(body)] = body
                index.append([anchor, anchor + 1, len(body), check_multihash(parse_address(address(body)))])
            continue
        for at in range(0, len(items), size):
            group = items[at:at + size]
            pack = b"".join(body for _, body in group)
            objects[address(pack)] = pack
            offset = 0
            for anchor, body in group:
                index.append([anchor, anchor + 1, len(body), parse_address(address(pack)), False, offset])
                offset += len(body)
    index.sort(key=lambda entry: entry[0])
    stored = [{"path": f"0000000000000000/{named}", "bytes_hex": body.hex()} for named, body in sorted(objects.items())]
    return {"expected_objects": stored, "expected_object_index_cbor_hex": encode(index).hex()}


def append_items(vector):
    """What a writer checks, and the index that it writes (0025 §6, §9)."""
    document = read_document_bytes(bytes.fromhex(vector["type_cbor_hex"]))
    kind = bind(vector["modality"], parse_modality(vector["modality"]), document)
    samples = [(sample.get("anchor"), bytes.fromhex(sample["payload_hex"])) for sample in vector["samples"]]
    if kind == "constant":
        if len(samples) != 1:
            raise Refusal("InvalidArgument")
    else:
        known = set(vector.get("existing_anchors", ()))
        for anchor, _ in samples:
            if int(anchor) >= U64_END - 1:
                raise Refusal("InvalidArgument")
            if anchor in known:
                raise Refusal("RepeatedAnchor")
            known.add(anchor)
    for _, payload in samples:
        decode_payload(document, payload)
    index = []
    for anchor, payload in sorted(samples, key=lambda sample: int(sample[0] or 0)):
        named = parse_address(address(payload))
        at = int(anchor or 0)
        index.append({"event": [named, at], "continuous": [at, at + 1, at, named], "constant": named}[kind])
    return {"expected_object_index_cbor_hex": encode(index).hex()}


# ---------------------------------------------------------------- the operations

def run(vector):
    """The results of one vector."""
    operation = vector["operation"]
    data = bytes.fromhex(vector.get("type_cbor_hex", ""))
    if operation == "decode-item-type":
        return type_results(read_document_bytes(data))
    if operation == "encode-item-type":
        document = read_document(Map(from_json(vector["item_type"]).items()))
        kind = vector.get("track_kind")
        return type_results(document) | ({} if kind is None else kind_results(kind) | {"expected_modality": tag_of(document, kind)})
    if operation == "declare":
        return declare(vector["declaration"])
    if operation == "parse-modality":
        return {"expected_class": parse_modality(vector["modality"])[0]}
    if operation == "resolve-tag":
        return resolve_tag(vector["modality"], data, vector.get("binding_kind"))
    if operation == "resolve-registry":
        return resolve_registry(vector)
    if operation == "compare-modalities":
        return {"expected_same": vector["modality"].encode() == vector["other_modality"].encode()}
    if operation in ("decode-payload", "check-payload"):
        document = read_document_bytes(data)
        payload = bytes.fromhex(vector["payload_hex"])
        if operation == "check-payload":
            decode_payload(document, payload)
            return {}
        return payload_results(document, decode_payload(document, payload))
    if operation == "decode-track":
        return decode_track(vector)
    if operation == "append-items":
        return append_items(vector)
    if operation == "decode-fragment-entries":
        return {"expected_entries": fragment_entries(bytes.fromhex(vector["object_index_cbor_hex"]))}
    if operation == "read-fragments":
        return read_fragments(vector)
    if operation == "pack-items":
        return pack_items(vector)
    if operation == "verify-object":
        if address(bytes.fromhex(vector["bytes_hex"])) != vector["address"]:
            raise Refusal("HashMismatch")
        return {}
    if operation == "plan-requests":
        return plans.run(vector)
    return bao.run(vector)

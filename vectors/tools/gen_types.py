"""Vectors of type documents and identities (0025 §3, §5, §8)."""

import struct

from build import DTYPES, ORDERS, U64_MAX, WIRE_KINDS, array, canonical, csr, dense, identity, large_as_text, ragged, refused, short, tag
from wire import Map, Raw, Simple, Tag, encode, head

FAMILIES = (dense(), ragged("i16", [2, 3]), csr("f64", [4, 5]))
TEXTS = ("semantic_type", "units", "frame", "axis_order")
EDGE_TEXTS = {
    "empty": "", "nul": "\0", "newline": "\n", "space-around": " m ", "upper-case": "NONE", "composed": "\u00e9",
    "decomposed": "e\u0301", "leading-bom": "\ufeffm", "only-bom": "\ufeff", "astral": "\U0001f9ed", "right-to-left": "\u202em/s\u202c",
    "quote-backslash": "\"\\'", "line-separator": "\u2028", "noncharacter": "\uffff", "slash-hyphen": "m/s^2-x", "length-23": "u" * 23,
    "length-24": "u" * 24, "length-255": "u" * 255, "length-256": "u" * 256,
}


def pairs_of(item_type):
    """The document as pairs in canonical order."""
    return Map(sorted(item_type.items(), key=lambda pair: canonical(pair[0])))


def replaced(item_type, key, value):
    return Map((name, value if name == key else item) for name, item in pairs_of(item_type))


def identities():
    """Every dtype, byte order, codec and layout; extents; each hard field changed."""
    shapes = [(), (3,), (2, 3), (2, 1, 3), (2, 1, 2, 2)]
    number = 0
    for dtype in DTYPES:
        for order in ORDERS:
            for codec in ("raw", "npy"):
                for layout in ("c", "f"):
                    shape = shapes[number % 5]
                    number += 1
                    item_type = dense(dtype, shape, endianness=order, codec=codec, layout=layout)
                    yield encoded(f"{dtype}-{order}-{codec}-{layout}-rank-{len(shape)}", "3.1", item_type, "event")
    for family in (ragged, csr):
        for dtype in DTYPES:
            for order in ORDERS:
                item_type = family(dtype, endianness=order)
                yield encoded(f"{short(item_type)}-{dtype}-{order}", "11", item_type, "event")
    for item_type in FAMILIES:
        for kind in WIRE_KINDS:
            yield encoded(f"{short(item_type)}-{kind}", "4.1", item_type, kind)
    extents = {
        "dense": ([0], [1], [23], [24], [255], [256], [65535], [65536], [2**32 - 1], [2**32], [0, 0], [0, 2**63, 2], [U64_MAX, 0], [1] * 40),
        "ragged": ([], [0], [1], [24], [2, 0, 3], [2**40, 0], [U64_MAX, 0], [2**61 - 1]),
        "csr": ([0, 0], [0, 3], [3, 0], [1, 1], [2**32, 2**32], [U64_MAX, U64_MAX]),
    }
    for name, listed in extents.items():
        for shape in listed:
            item_type = {"dense": dense, "ragged": ragged, "csr": csr}[name]("f64", shape)
            label = "x".join(map(str, shape)) if len(shape) < 20 else f"{len(shape)}-ones"
            yield encoded(f"{name}-extents-{label or 'none'}", "6", item_type, "event")
    base = dense("f32", [4, 4], semantic_type="pose", units="m", frame="camera", axis_order="row_col")
    changes = [("dtype", "i32"), ("shape", [16]), ("endianness", "big"), ("layout", "f"), ("codec", "npy"), ("semantic_type", "Pose"),
               ("units", "mm"), ("frame", "world"), ("axis_order", "col_row")]
    yield encoded("hard-base", "8", base, "event")
    for key, value in changes:
        yield encoded(f"hard-{key}", "8", base | {key: value}, "event")


def encoded(name, section, item_type, kind):
    return array("identity-matrix", name, section, "independent", f"canonical bytes, identity and tag of a type: {name}", "encode-item-type",
                 item_type, track_kind=kind, **identity(item_type, kind), expected_modality=tag(item_type, kind))


def free_text():
    """The four texts are free UTF-8, never normalised."""
    for name, text in EDGE_TEXTS.items():
        for number, key in enumerate(TEXTS):
            if number and name not in ("empty", "nul", "leading-bom", "composed", "decomposed"):
                continue
            item_type = FAMILIES[number % 3] | {key: text}
            data = canonical(item_type)
            yield array("free-text", f"{key}-{name}-encode", "3", "independent", f"free text in {key}: {name}", "encode-item-type", item_type,
                        **identity(item_type))
            yield array("free-text", f"{key}-{name}-decode", "3", "independent", f"free text in {key}: {name}", "decode-item-type", item_type,
                        type_cbor_hex=data.hex(), **identity(item_type))


def documents():
    """Every fault of every key, on documents given as bytes."""
    for item_type in FAMILIES:
        label = short(item_type)
        yield decoded(f"{label}-valid", item_type, canonical(item_type), identity(item_type), "a valid document")
        for key in item_type:
            rest = {name: value for name, value in item_type.items() if name != key}
            yield decoded(f"{label}-missing-{key}", item_type, canonical(rest), refused("MissingField", key), f"{key} is missing")
            twice = Map([*pairs_of(item_type), (key, item_type[key])])
            yield decoded(f"{label}-twice-{key}", item_type, encode(twice), refused("DuplicateField", key), f"{key} occurs twice, alike")
            for name, value in {"null": None, "bytes": b"none", "map": Map(), "false": False, "tagged": Tag(32, item_type[key])}.items():
                outcome = refused("FieldType", key)
                yield decoded(f"{label}-{key}-{name}", item_type, encode(replaced(item_type, key, value)), outcome, f"{key} is of type {name}")
            if isinstance(item_type[key], str):
                wrong = encode(replaced(item_type, key, 1))
                yield decoded(f"{label}-{key}-int", item_type, wrong, refused("FieldType", key), f"{key} is an integer")
            else:
                wrong = encode(replaced(item_type, key, "1"))
                yield decoded(f"{label}-{key}-text", item_type, wrong, refused("FieldType", key), f"{key} is a text")
        for key in ("version", "codec_version"):
            for value in (0, 2, U64_MAX):
                wrong = canonical(item_type | {key: value})
                yield decoded(f"{label}-{key}-{value}", item_type, wrong, refused("InvalidValue", key), f"{key} is {value}")
            wrong = encode(replaced(item_type, key, -1))
            yield decoded(f"{label}-{key}-negative", item_type, wrong, refused("FieldType", key), f"{key} is negative")
        for key, values in {
            "family": ("", "dense", "Dense-array", "dense-array ", "dense_array", "csr", "strided-array"),
            "endianness": ("", "native", "none", "Little", "<", "BIG"), "layout": ("", "C", "F", "k", "row"),
            "codec": ("", "zstd", "RAW", "npz", "offsets"), "index_dtype": ("u32", "i64", "", "U64"),
        }.items():
            for value in values if key in item_type else ():
                wrong = canonical(item_type | {key: value})
                name = value.replace("<", "lt").strip() + "-space" * (value != value.strip())
                outcome = refused("InvalidValue", key)
                yield decoded(f"{label}-{key}-is-{name or 'empty'}", item_type, wrong, outcome, f"{key} is {value!r}")
        for value in ("", "f16", "bf16", "bool", "c64", "i128", "F32", "<f4", "float32", "f32 ", "u64\0"):
            name = value.replace("<", "lt").replace("\0", "-nul").strip() + "-space" * (value != value.strip("\t "))
            wrong = canonical(item_type | {"dtype": value})
            yield decoded(f"{label}-dtype-is-{name or 'empty'}", item_type, wrong, refused("UnsupportedDtype", "dtype"), f"dtype is {value!r}")
    for item_type, key, value in ((ragged(), "layout", "f"), (csr(), "layout", "f"), (ragged(), "codec", "raw"), (csr(), "codec", "npy"),
                                  (ragged(), "codec", "npy"), (csr(), "codec", "offsets-values"), (dense(), "codec", "offsets-values")):
        wrong = canonical(item_type | {key: value})
        yield decoded(f"{short(item_type)}-{key}-of-another-{value}", item_type, wrong, refused("InvalidValue", key),
                      f"{key} {value} belongs to another family")


def decoded(name, item_type, data, outcome, description, file="documents", section="3", source="spec"):
    shown = item_type if "expected_type_cbor_hex" in outcome else None
    return array(file, name, section if short(item_type) == "dense" else "11", source, description, "decode-item-type", shown,
                 structured=short(item_type) != "dense", type_cbor_hex=data.hex(), **outcome)


HOSTILE = ("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "__defineGetter__", "then", "length", "",
           " family", "family ", "Family", "\ufefffamily", "family\0", "f\u0430mily", "note", "zz", "a" * 300)


def closed():
    """Keys outside the closed set, hostile ones among them, and which of several is named."""
    for item_type in FAMILIES:
        label = short(item_type)
        for number, key in enumerate(HOSTILE):
            wrong = canonical(item_type | {key: "none"})
            yield decoded(f"{label}-unknown-{number:02}", item_type, wrong, refused("UnknownField", key), f"the unknown key {key[:20]!r}",
                          "closed-set")
        other = {"dense": "inner_shape", "ragged": "shape", "csr": "inner_shape"}[label]
        wrong = canonical(item_type | {other: [1]})
        yield decoded(f"{label}-key-of-another-family", item_type, wrong, refused("UnknownField", other), f"{other} belongs to another family",
                      "closed-set")
        wrong = canonical(item_type | {"zz": 1, "aa": 1, "b": 1})
        yield decoded(f"{label}-three-unknown", item_type, wrong, refused("UnknownField", "aa"),
                      "of several unknown keys the smallest name is reported, not the first in the map", "closed-set")
        rest = {key: value for key, value in item_type.items() if key != "codec"}
        wrong = canonical(rest | {"__proto__": {"codec": item_type["codec"]}})
        yield decoded(f"{label}-inherited-codec", item_type, wrong, refused("UnknownField", "__proto__"),
                      "a missing key is not inherited from __proto__", "closed-set")
    wrong = canonical({key: value for key, value in dense().items() if key != "index_dtype"} | {"index_dtype": "u64"})
    yield decoded("dense-index_dtype", dense(), wrong, refused("UnknownField", "index_dtype"), "index_dtype in a dense type", "closed-set")
    wrong = canonical({key: value for key, value in dense().items() if key != "units"} | {"zz": 1})
    yield decoded("unknown-before-missing", dense(), wrong, refused("UnknownField", "zz"), "an unknown key goes before a missing one", "closed-set")
    wrong = canonical(dense(family="no-such", zz=1))
    yield decoded("family-before-unknown", dense(), wrong, refused("InvalidValue", "family"), "the family goes before unknown keys", "closed-set")
    wrong = encode(Map([*pairs_of(dense(family="no-such")), ("units", "m")]))
    yield decoded("duplicate-before-family", dense(), wrong, refused("DuplicateField", "units"), "a repeated key goes before the family", "closed-set")
    wrong = encode(Map([*pairs_of(dense()), ("zz", 1), ("zz", 1)]))
    yield decoded("duplicate-unknown", dense(), wrong, refused("DuplicateField", "zz"), "an unknown key that occurs twice", "closed-set")
    wrong = encode(Map([*pairs_of(dense()), ("units", "m"), ("codec", "npy")]))
    yield decoded("first-duplicate", dense(), wrong, refused("DuplicateField", "units"), "of several repeated keys the first repetition is reported",
                  "closed-set")
    for name, key in {"int": 1, "bytes": b"units", "null": None, "array": [], "negative": -1}.items():
        wrong = encode(Map([*pairs_of(dense()), (key, "none")]))
        yield decoded(f"key-{name}", dense(), wrong, refused("NonStringKey"), f"a key of type {name}", "closed-set")
    for name, value in {"int": 1, "text": "dense-array", "bytes": canonical(dense()), "array": [], "null": None, "true": True,
                        "array-of-pairs": [list(pair) for pair in dense().items()]}.items():
        wrong = encode(value)
        yield decoded(f"not-a-map-{name}", dense(), wrong, refused("NotAMap"), f"{name} instead of a map", "closed-set")
    yield decoded("not-a-map-tagged", dense(), encode(Tag(55799, Raw(canonical(dense())))), refused("NotAMap"), "a tagged map", "closed-set")
    yield decoded("empty-map", dense(), encode(Map()), refused("MissingField", "family"), "an empty map", "closed-set")


def overflow():
    """Extents whose product leaves 64 bits, refused with the declaration (0025 §6)."""
    for dtype, shape in (("f32", [2**62]), ("f64", [2**61]), ("i16", [2**63]), ("u8", [2**32, 2**32]), ("u8", [U64_MAX, 2]), ("i8", [2**63, 2, 0]),
                         ("f32", [2**31, 2**31]), ("u64", [U64_MAX]), ("f32", [1, 1, 2**62, 1])):
        yield decoded(f"dense-{dtype}-{'x'.join(map(str, shape))}", dense(), canonical(dense(dtype, shape)), refused("ShapeOverflow"),
                      "more bytes than 64 bits count", "extents", "6")
        yield decoded(f"ragged-{dtype}-{'x'.join(map(str, shape))}", ragged(), canonical(ragged(dtype, shape)), refused("ShapeOverflow"),
                      "more bytes in a cell than 64 bits count", "extents", "11.1")
    for dtype, shape in (("f32", [2**62 - 1]), ("u8", [U64_MAX]), ("i16", [2**63 - 1]), ("f64", [0, 2**63, 2]), ("u64", [U64_MAX, 0]),
                         ("f64", [2**61 - 1])):
        for family in (dense, ragged):
            item_type = family(dtype, shape)
            yield decoded(f"{short(item_type)}-{dtype}-{'x'.join(map(str, shape))}", item_type, canonical(item_type), identity(item_type),
                          "extents that just fit", "extents", "6", "independent")
    for shape in ([], [3], [1, 2, 3], [0], [2**63, 2, 0, 4]):
        yield decoded(f"csr-shape-{'x'.join(map(str, shape)) or 'none'}", csr(), canonical(csr("f32", shape)), refused("InvalidValue", "shape"), "a CSR shape has two extents",
                      "extents", "11.2")
    item_type = csr("f64", [U64_MAX, U64_MAX])
    yield decoded("csr-u64-max", item_type, canonical(item_type), identity(item_type), "CSR extents are not multiplied", "extents", "11.2")
    for item_type, key in ((dense(), "shape"), (ragged(), "inner_shape"), (csr(), "shape")):
        good = [2, 3]
        for name, value in {"negative": [-1, 3], "text": ["2", "3"], "null-inside": [None, 3], "true-inside": [True, 3], "nested": [[2, 3]],
                            "int": 6, "text-whole": "2x3", "bytes": b"\x02\x03", "negative-2-64": [Raw(head(1, U64_MAX)), 3],
                            "bignum-2-64": [Tag(2, (2**64).to_bytes(9, "big")), 3], "tagged": [Tag(1, 2), 3], "map": Map([("0", 2)])}.items():
            wrong = encode(replaced(item_type | {key: good}, key, value))
            yield decoded(f"{short(item_type)}-{key}-{name}", item_type, wrong, refused("FieldType", key), f"{key}: {name}", "extents")


def bytes_forms():
    """Document bytes that are not the canonical ones, or not CBOR of the profile."""
    plain = dense()
    data = canonical(plain)
    inline = {"divergence": "document-bytes-canonical", "reference_outcome": "ok"}

    def other(name, wrong, description, accepted_inline=True):
        return decoded(f"noncanonical-{name}", plain, wrong, refused("Cbor") | (inline if accepted_inline else {}), description, "document-bytes")

    in_order = list(pairs_of(plain))
    yield other("reversed", encode(Map(reversed(in_order))), "keys in reverse order")
    yield other("alphabetical", encode(Map(sorted(in_order))), "keys in alphabetical order")
    yield other("as-listed", encode(Map(plain.items())), "keys in the order in which the specification lists them")
    for at in range(len(in_order) - 1):
        swapped = [*in_order[:at], in_order[at + 1], in_order[at], *in_order[at + 2:]]
        yield other(f"swapped-{at:02}", encode(Map(swapped)), f"keys {in_order[at][0]} and {in_order[at + 1][0]} exchanged")
    for width in (1, 2, 4, 8):
        yield other(f"map-head-{width}", head(5, 12, width) + data[1:], f"the map's length in {width} bytes")
        for key in ("version", "codec_version"):
            yield other(f"{key}-{width}", encode(replaced(plain, key, Raw(head(0, 1, width)))), f"{key} in {width} bytes")
        yield other(f"extent-{width}", encode(replaced(plain, "shape", [Raw(head(0, 3, width))])), f"an extent in {width} bytes")
        yield other(f"shape-head-{width}", encode(replaced(plain, "shape", Raw(head(4, 1, width) + b"\x03"))), f"the shape's length in {width} bytes")
        yield other(f"text-head-{width}", encode(replaced(plain, "dtype", Raw(head(3, 3, width) + b"f32"))), f"a text's length in {width} bytes")
        long_key = Map((Raw(head(3, 5, width) + b"codec") if key == "codec" else key, value) for key, value in in_order)
        yield other(f"key-head-{width}", encode(long_key), f"a key's length in {width} bytes")
    for name, digits in {"bignum": b"\x03", "bignum-zeros": b"\0\0\x03", "bignum-9-bytes": bytes(8) + b"\x03"}.items():
        yield other(name, encode(replaced(plain, "shape", [Tag(2, digits)])), "an extent as a big integer")
    yield other("bignum-empty", encode(replaced(dense("f32", [0]), "shape", [Tag(2, b"")])), "zero as an empty big integer")
    yield other("version-bignum", encode(replaced(plain, "version", Tag(2, b"\x01"))), "version as a big integer")
    repeated = Map([*in_order, (Raw(head(3, 5, 1) + b"codec"), "raw")])
    yield decoded("duplicate-in-two-widths", plain, encode(repeated), refused("DuplicateField", "codec"), "a key twice, in two widths", "document-bytes")

    def broken(name, wrong, description):
        return decoded(name, plain, wrong, refused("Cbor"), description, "document-bytes")

    yield broken("empty", b"", "no bytes")
    for at in (1, 2, 6, 7, 8, 11, 30, 40, 41, len(data) // 2, len(data) - 5, len(data) - 1):
        yield broken(f"truncated-{at:03}", data[:at], f"the first {at} bytes of a document")
    for name, extra in {"zero": b"\0", "break": b"\xff", "newline": b"\n", "null": b"\xf6", "document": data}.items():
        yield broken(f"trailing-{name}", data + extra, "bytes after a document")
    for name, value in {
        "indefinite-array": b"\x9f\x03\xff", "array-head-reserved": b"\x9c", "array-2-32": head(4, 2**32), "array-2-64": head(4, U64_MAX),
        "float-16": b"\x81\xf9\x42\x00", "float-32": b"\x81\xfa" + struct.pack(">f", 3), "float-64": b"\x81\xfb" + struct.pack(">d", 3),
    }.items():
        yield broken(f"shape-{name}", encode(replaced(plain, "shape", Raw(value))), f"shape: {name}")
    for name, value in {"float-16": b"\xf9\x3c\x00", "float-32": b"\xfa\x3f\x80\0\0", "float-64": b"\xfb\x3f\xf0\0\0\0\0\0\0", "reserved-28": b"\x1c",
                        "reserved-29": b"\x1d", "reserved-30": b"\x1e", "indefinite-int": b"\x1f"}.items():
        yield broken(f"version-{name}", encode(replaced(plain, "version", Raw(value))), f"version: {name}")
    for name, value in {"indefinite": b"\x7f\x64none\xff", "bad-utf8": b"\x62\xff\xfe", "overlong": b"\x62\xc0\x80", "surrogate": b"\x63\xed\xa0\x80",
                        "beyond-unicode": b"\x64\xf4\x90\x80\x80", "cut-sequence": b"\x61\xc3", "length-2-63": head(3, 2**63), "length-2-64": head(3, U64_MAX),
                        "indefinite-bytes": b"\x5f\x41\x01\xff", "break": b"\xff", "nan": b"\xf9\x7e\x00"}.items():
        yield broken(f"units-{name}", encode(replaced(plain, "units", Raw(value))), f"units: {name}")
    yield broken("indefinite-map", b"\xbf" + data[1:] + b"\xff", "an indefinite map")
    yield broken("map-2-64", head(5, U64_MAX) + data[1:], "a map that claims 2^64 - 1 pairs")
    yield broken("map-13", head(5, 13) + data[1:], "a map that claims a pair more than there is")
    yield broken("map-11", head(5, 11) + data[1:], "a map that claims a pair less than there is") | refused("MissingField", "semantic_type")
    yield broken("float-in-unknown-key", encode(Map([*in_order, ("zz", Raw(b"\xf9\x3c\x00"))])), "a float goes before an unknown key")
    for name, value in {"simple-0": b"\xe0", "simple-19": b"\xf3", "simple-32": b"\xf8\x20", "simple-255": b"\xf8\xff"}.items():
        yield broken(f"units-{name}", encode(replaced(plain, "units", Raw(value))), f"a simple value other than false, true, null and undefined: {name}")
    wrong = encode(replaced(plain, "units", Simple(23)))
    yield decoded("units-undefined", plain, wrong, refused("FieldType", "units"), "units: undefined", "document-bytes")


def comparison():
    """Two array modalities are one type iff their bytes are equal (0025 §5)."""
    pose = dense("f32", [4, 4], frame="camera")
    base = tag(pose)
    others = {
        "same": base, "namespace": "dreamdb." + base, "other-namespace": "vortex." + base, "kind": tag(pose, "continuous"),
        "parameter-order": base.replace("kind=event.storage=unbucketed", "storage=unbucketed.kind=event"), "upper-case": base.upper(),
        "item-upper-case": base.split("item=")[0] + "item=" + base.split("item=")[1].upper(), "frame": tag(pose | {"frame": "world"}),
        "byte-order": tag(pose | {"endianness": "big"}), "shape": tag(dense("f32", [16], frame="camera")), "dtype": tag(pose | {"dtype": "i32"}),
        "repeated-parameter": base + ".kind=event", "leading-zero": base.replace("4x4", "04x4"), "trailing-space": base + " ",
    }
    for name, other in others.items():
        yield array("comparison", name, "5", "spec", f"the same modality? another {name}" if name != "same" else "the same modality",
                    "compare-modalities", modality=base, other_modality=other, expected_same=name == "same")
    twin = "dreamdb." + base
    yield array("comparison", "two-namespaces", "5", "spec", "namespaced twins are different", "compare-modalities", modality=twin,
                other_modality="vortex." + base, expected_same=False)
    yield array("comparison", "twin-with-itself", "5", "spec", "comparison does not go through the parser", "compare-modalities", modality=twin,
                other_modality=twin, expected_same=True)


def declarations():
    """What a writer's arguments give, and what it refuses."""
    texts = {key: "none" for key in TEXTS}

    def declared(name, item_type, outcome, description, kind="event", object_kind=None, **changes):
        extents = item_type.get("inner_shape", item_type.get("shape"))
        arguments = {key: item_type[key] for key in ("family", "dtype", "endianness", "layout", "codec")} | {"shape": [str(e) for e in extents]}
        arguments |= {key: item_type[key] for key in texts} | {"track_kind": kind, "object_kind": WIRE_KINDS[kind] if object_kind is None else object_kind} | changes
        return array("declarations", name, "4", "spec", description, "declare", structured=short(item_type) != "dense", declaration=arguments, **outcome)

    for item_type in (*FAMILIES, dense("u64", []), dense("i8", [0, 3], codec="npy", layout="f"), ragged("u8"), csr("i64", [U64_MAX, 0], units="kg")):
        for kind in WIRE_KINDS:
            name = f"{short(item_type)}-{item_type['dtype']}-{kind}"
            yield declared(name, item_type, identity(item_type, kind) | {"expected_modality": tag(item_type, kind)}, "a legal declaration", kind)
    for item_type in FAMILIES:
        for kind in WIRE_KINDS:
            for other, object_kind in WIRE_KINDS.items():
                if other != kind:
                    yield declared(f"{short(item_type)}-{kind}-with-{object_kind}", item_type, refused("InvalidKindStorage"),
                                   "an illegal pair of kinds", kind, object_kind)
    plain = dense()
    for name, changes, outcome in (
        ("object-kind-time_batch", {"object_kind": "time_batch"}, refused("InvalidArgument", "object_kind")),
        ("object-kind-empty", {"object_kind": ""}, refused("InvalidArgument", "object_kind")),
        ("track-kind-Event", {"track_kind": "Event"}, refused("InvalidArgument", "track_kind")),
        ("extent-negative", {"shape": ["-1"]}, refused("InvalidArgument", "shape")),
        ("extent-2-64", {"shape": [str(2**64)]}, refused("InvalidArgument", "shape")),
        ("extent-fraction", {"shape": ["1.5"]}, refused("InvalidArgument", "shape")),
        ("extent-exponent", {"shape": ["1e3"]}, refused("InvalidArgument", "shape")),
        ("extent-empty", {"shape": [""]}, refused("InvalidArgument", "shape")),
        ("extent-hex", {"shape": ["0x3"]}, refused("InvalidArgument", "shape")),
        ("dtype-f16", {"dtype": "f16"}, refused("UnsupportedDtype", "dtype")),
        ("family-unknown", {"family": "coo"}, refused("InvalidValue", "family")),
        ("layout-k", {"layout": "k"}, refused("InvalidValue", "layout")),
        ("endianness-native", {"endianness": "native"}, refused("InvalidValue", "endianness")),
        ("tag-of-257-bytes", {"shape": ["1"] * 74 + ["1000"]}, refused("InvalidModality")),
    ):
        yield declared(f"dense-{name}", plain, outcome, f"a writer refuses: {name}", **changes)
    longest = dense("f32", [1] * 74 + [100])
    assert len(tag(longest)) == 256, len(tag(longest))
    yield declared("dense-tag-of-256-bytes", longest, identity(longest, "event") | {"expected_modality": tag(longest)}, "the longest tag")


def vectors():
    for part in (identities, free_text, documents, closed, overflow, bytes_forms, comparison, declarations):
        yield from part()

"""Vectors of modality tags and their resolution (0025 §2, §3.2, §4, §13)."""

from build import KINDS, WIRE_KINDS, array, canonical, csr, dense, hash33, identity, item_id, ragged, refused, shape_text, short, spelled, tag
from wire import Map, Raw, encode, head

FAMILIES = (dense("f32", [4, 4], semantic_type="pose", units="m", frame="camera"), ragged("i16", [2, 3]), csr("f64", [4, 5]))


def parsed(name, modality, outcome, description, source="spec"):
    return array("grammar", name, "4", source, description, "parse-modality", modality=modality, **outcome)


def resolved(file, name, item_type, modality, outcome, description, section="4", source="spec", data=None, **fields):
    return array(file, name, section, source, description, "resolve-tag", item_type,
                 type_cbor_hex=(data or canonical(item_type)).hex(), modality=modality, **fields, **outcome)


def named(vector, name):
    """The vector under a name that the specification gives it."""
    return vector | {"id": name}


def required():
    """The vectors that 0025 §13 names."""
    pose = FAMILIES[0]
    good = tag(pose)
    item = good.split(".item=")[1]
    yield named(array("named", "", "13", "spec", "array is a built-in class: without it the parser says AmbiguousNamespace", "parse-modality",
                      modality=good, expected_class="array"), "tag-array-class-unregistered")
    for missing in ("kind", "storage"):
        without = ".".join(segment for segment in good.split(".") if not segment.startswith(missing + "="))
        yield named(resolved("named", "", pose, without, refused("UnresolvedModality", without),
                             f"a tag without {missing}: nothing is assumed in its place", "13"), f"tag-array-missing-{missing}")
    yield named(array("named", "", "13", "spec", "a hyphen is no character of a parameter value: the wire name of the object kind does not parse",
                      "parse-modality", modality=tag(pose, "continuous", "time-batch"), **refused("InvalidParameterValue")), "tag-storage-hyphen")
    for kind, storage in KINDS.items():
        yield named(resolved("named", "", pose, tag(pose, kind), identity(pose, kind),
                             f"storage={storage} is the object kind {WIRE_KINDS[kind]}", "4.0"), f"storage-mapping-round-trip--{WIRE_KINDS[kind]}")
    neither = f"array.f32.shape=4x4.item={item}"
    yield named(resolved("named", "", pose, neither, refused("UnresolvedModality", neither), "a tag without kind and storage", "13"),
                "tag-array-missing-both")


def pairs():
    """The three legal pairs and the six others, for each family (0025 §4.1)."""
    for item_type in FAMILIES:
        for kind in KINDS:
            for other, storage in KINDS.items():
                legal = kind == other
                yield resolved("pairs", f"{short(item_type)}-{kind}-{storage}", item_type, tag(item_type, kind, storage),
                               identity(item_type, kind) if legal else refused("InvalidKindStorage"),
                               f"{kind} with {storage}: {'legal' if legal else 'illegal'}", "4.1", **({"binding_kind": kind} if legal else {}))
            for other in KINDS:
                if other != kind:
                    yield resolved("pairs", f"{short(item_type)}-{kind}-bound-as-{other}", item_type, tag(item_type, kind),
                                   refused("RegistryAgreement"), "the binding declares another kind than the tag", "4", binding_kind=other)
        for name, kind, storage in (("spatial", "event", "spatial_bucket"), ("wire-name-joined", "continuous", "timebatch"), ("empty-kind", "", "unbucketed"),
                                    ("empty-storage", "event", ""), ("kind-upper", "Event", "unbucketed"), ("swapped", "unbucketed", "event")):
            modality = tag(item_type, "event", "unbucketed").replace("kind=event.storage=unbucketed", f"kind={kind}.storage={storage}")
            yield resolved("pairs", f"{short(item_type)}-unknown-{name}", item_type, modality, refused("UnresolvedModality", modality),
                           f"no such kind or storage: {kind}, {storage}", "4")


def grammar():
    """The grammar of tags, on tags of class array."""
    plain = tag(dense())
    good = {"expected_class": "array"}
    for name, modality in {"whole": plain, "shortest": "array.x", "digits-underscore": "array.0_9.k_1=A_z0", "empty-value": "array.f32.kind=",
                           "flag": "array.f32.bucketed", "repeated": plain + ".kind=event", "length-256": "array.f32.x=" + "y" * 244}.items():
        yield parsed(name, modality, good, f"within the grammar: {name}")
    for name, modality, code in (
        ("empty", "", "EmptyModality"), ("length-257", "array.f32.x=" + "y" * 245, "ModalityTooLong"), ("length-257-dots", "array" + "." * 252, "ModalityTooLong"),
        ("length-in-bytes", "array.f32.x=" + "\u00e9" * 123, "ModalityTooLong"), ("dot", ".", "EmptySegment"), ("dots", "..", "EmptySegment"),
        ("leading-dot", "." + plain, "EmptySegment"), ("trailing-dot", plain + ".", "EmptySegment"), ("adjacent-dots", plain.replace(".kind", "..kind"), "EmptySegment"),
        ("only-class", "array", "MissingEncoding"), ("no-encoding", "array.kind=event", "InvalidSegment"),
        ("no-key", "array.f32.=event", "EmptyParameterKey"), ("only-equals", "array.f32.=", "EmptyParameterKey"), ("key-upper", "array.f32.Kind=event", "InvalidSegment"),
        ("two-equals", "array.f32.kind==event", "InvalidParameterValue"), ("padding", plain + "===", "InvalidParameterValue"),
        ("full-width-digit", "array.f\uff13\uff12", "InvalidSegment"), ("full-width-value", "array.f32.shape=\uff13", "InvalidParameterValue"),
        ("bom", "\ufeff" + plain, "AmbiguousNamespace"), ("upper-class", plain.replace("a", "A", 1), "AmbiguousNamespace"), ("unknown-class", "x" + plain, "AmbiguousNamespace"),
        ("dreamdb", "dreamdb." + plain, "AmbiguousNamespace"), ("vortex", "vortex." + plain, "AmbiguousNamespace"),
        ("two-prefixes", "com.example." + plain, "UserDefinedRequiresReverseDns"), ("three-prefixes", "com.example.lab." + plain, "ReservedClass"),
    ):
        yield parsed(name, modality, refused(code), f"outside the grammar: {name}")
    # Where the class stands, as the reference locates it.
    own = {"own-class": "com.example.lab.pose.f32", "own-class-parameter": "com.example.lab.pose.f32.k=v", "own-class-longer-name": "com.example.lab.x.pose.f32.k=v",
           "built-in-name-as-encoding": "image.array", "built-in-name-in-front": "x.y.array.pose.f32"}
    for name, modality in own.items():
        built_in = modality.startswith("image.")
        yield parsed(name, modality, {"expected_class": "image" if built_in else "pose"}, f"a class of one's own: {name}" if not built_in else name, "reference")
    for name, modality, code in (
        ("one-unknown-segment", "arrays", "UserDefinedRequiresReverseDns"), ("two-unknown-segments", "arrays.f32", "UserDefinedRequiresReverseDns"),
        ("two-segments-upper", "Array.f32", "UserDefinedRequiresReverseDns"), ("three-segments", "arrays.f32.kind=event", "UserDefinedRequiresReverseDns"),
        ("three-segments-namespace", "dreamdb.array.f32", "UserDefinedRequiresReverseDns"), ("four-segments", "a.b.c.d", "UserDefinedRequiresReverseDns"),
        ("four-and-a-parameter", "a.b.c.d.k=v", "UserDefinedRequiresReverseDns"), ("three-and-a-parameter", "a.b.c.k=v", "AmbiguousNamespace"),
        ("two-and-two-parameters", "arrays.f32.k=v.x=y", "AmbiguousNamespace"), ("parameter-before-class", "x.y.z.k=v.array.f32", "AmbiguousNamespace"),
        ("reserved-image", "a.b.c.image.jpeg", "ReservedClass"), ("reserved-far-behind", "w.x.y.z.array.f32", "ReservedClass"), ("reserved-bad-parameter", "x.y.z.array.f32.K=-", "ReservedClass"),
        ("reserved-bad-name", "X.y.z.array.f32", "ReservedClass"), ("reserved-last", "x.y.z.array", "MissingEncoding"), ("reserved-bad-encoding", "x.y.z.array.F32", "InvalidSegment"),
        ("reserved-no-encoding", "x.y.z.array.k=v", "InvalidSegment"), ("own-class-upper", "com.example.lab.Pose.f32", "InvalidSegment"),
        ("name-upper", "Com.example.lab.pose.f32", "InvalidSegment"), ("name-hyphen", "com.exam-ple.lab.pose.f32", "InvalidSegment"), ("own-class-bad-key", "a.b.c.d.e.K=v", "InvalidSegment"),
        ("own-class-no-key", "a.b.c.d.e.=v", "EmptyParameterKey"), ("own-class-bad-value", "a.b.c.d.e.k=-", "InvalidParameterValue"), ("first-fault-in-order", "array.f32.k=-.Kind=1", "InvalidParameterValue"),
    ):
        yield parsed(name, modality, refused(code), f"where the class stands: {name}", "reference")
    for number in range(0x20, 0x7F):
        letter = chr(number)
        if letter in ".=":
            continue
        lower = letter.isdigit() or letter.islower() or letter == "_"
        yield parsed(f"segment-{number:02x}", f"array.f{letter}2", good if lower else refused("InvalidSegment"), f"U+{number:04X} in a segment")
        value = lower or letter.isupper()
        yield parsed(f"value-{number:02x}", f"array.f32.shape=3{letter}", good if value else refused("InvalidParameterValue"), f"U+{number:04X} in a value")


def faulty_digests(item_type):
    """Spellings of `item` that name nothing: name, text, and the code for a dense type."""
    raw = hash33(canonical(item_type))
    text = spelled(raw)
    last = "abcdefghijklmnopqrstuvwxyz234567"
    yield "empty", "", "Multihash"
    for length in (1, 16, 51, 52):
        yield f"truncated-{length}", text[:length], "Multihash"
    yield "one-more", text + "a", "Multihash"
    yield "twice", text[:53] + text[:20], "Multihash"
    yield "naked-32-bytes", spelled(raw[1:]), "Multihash"
    yield "length-byte-34-bytes", spelled(b"\x1e\x20" + raw[1:]), "Multihash"
    yield "hex", raw.hex(), "Multihash"
    yield "upper-case", text.upper(), "Multihash"
    yield "one-upper", text[:20] + text[20:].replace(next(letter for letter in text[20:] if letter.isalpha()), "Z", 1), "Multihash"
    for letter in "0189_":
        yield f"letter-{'underscore' if letter == '_' else letter}", text[:30] + letter + text[31:], "Multihash"
    yield "pad-bit", text[:-1] + last[last.index(text[-1]) + 1], "Multihash"
    yield "sha2-256", spelled(b"\x12" + raw[1:]), "Multihash"
    yield "algorithm-0", spelled(b"\0" + raw[1:]), "Multihash"
    for bit in (0, 100, 255):
        other = bytearray(raw)
        other[1 + bit // 8] ^= 128 >> bit % 8
        yield f"bit-{bit}", spelled(bytes(other)), "IdentityMismatch"
    yield "another-type", item_id(dense("i8", [1])), "IdentityMismatch"


def digests():
    """An identity has one spelling (0025 §3.1)."""
    for item_type in FAMILIES:
        for name, text, code in faulty_digests(item_type):
            code = code if short(item_type) == "dense" else "ProjectionMismatch"
            yield resolved("digests", f"{short(item_type)}-{name}", item_type, tag(item_type, item=text), refused(code), f"item={name}", "3.1",
                           binding_kind="event")
        yield resolved("digests", f"{short(item_type)}-padded", item_type, tag(item_type) + "===", refused("InvalidParameterValue"),
                       "padding is outside the grammar", "3.1", binding_kind="event")


def projections():
    """dtype and shape of the tag are those of the document; parameters in their one order (0025 §4.2)."""
    for item_type in FAMILIES:
        label = short(item_type)
        true_shape = shape_text(item_type)
        for dtype in ("f64" if item_type["dtype"] != "f64" else "f32", "u8", "f16", "float32"):
            yield resolved("projections", f"{label}-dtype-{dtype}", item_type, tag(item_type, dtype=dtype), refused("ProjectionMismatch"),
                           "another dtype in the tag", "4.2", binding_kind="event")
        shapes = {"transposed": "x".join(reversed(true_shape.split("x"))), "flat": "16", "leading-zero": "0" + true_shape, "trailing-x": true_shape + "x",
                  "extra-one": true_shape + "x1", "upper-x": true_shape.replace("x", "X"), "scalar": "0d", "ragged": "r", "empty": "", "underscore": true_shape.replace("x", "_"),
                  "beyond-u64": "99999999999999999999999"}
        for name, shape in shapes.items():
            if shape != true_shape:
                yield resolved("projections", f"{label}-shape-{name}", item_type, tag(item_type, shape=shape), refused("ProjectionMismatch"),
                               f"another shape in the tag: {name}", "4.2", binding_kind="event")
        code = "InvalidParameters" if label == "dense" else "ProjectionMismatch"
        good = tag(item_type)
        head_part, parameters = good.split(".kind=")[0], ["kind=" + good.split(".kind=")[1].split(".")[0], *good.split(".kind=")[1].split(".")[1:]]
        orders = {"storage-first": [1, 0, 2, 3], "item-first": [3, 0, 1, 2], "shape-last": [0, 1, 3, 2], "reversed": [3, 2, 1, 0], "no-shape": [0, 1, 3],
                  "no-item": [0, 1, 2], "kind-twice": [0, 0, 1, 2, 3], "item-twice": [0, 1, 2, 3, 3], "shape-twice": [0, 1, 2, 2, 3]}
        for name, order in orders.items():
            modality = ".".join([head_part, *(parameters[index] for index in order)])
            yield resolved("projections", f"{label}-order-{name}", item_type, modality, refused(code), f"parameters of the tag: {name}", "4", binding_kind="event")
        for name, modality in {"unknown-parameter": good + ".v=1", "flag": good + ".bucketed", "second-encoding": good.replace(".kind", ".x.kind"),
                               "second-kind-differs": good + ".kind=continuous"}.items():
            yield resolved("projections", f"{label}-{name}", item_type, modality, refused(code), f"more in the tag: {name}", "4", binding_kind="event")


def entry(item_type, **more):
    return Map([*more.items(), ("item_type", Raw(canonical(item_type)))])


def schema(*fields):
    return encode(Map([("v", 1), ("fields", [Map([
        ("kind", "array"), ("name", name), ("required", True), ("item_type", Raw(canonical(item_type))), ("track_kind", kind),
        ("object_kind", WIRE_KINDS[kind]),
    ]) for name, item_type, kind in fields])]))


def registries():
    """Fields, schema and registry together: shared modalities, conflicts, and what is refused before any merge (0025 §2, §8)."""
    def registered(name, item_type, pairs, outcome, description, field="pose", kind="event", fields=None, section="2"):
        modality = tag(item_type, kind)
        fields = fields or [("pose", item_type, kind)]
        return array("registries", name, section, "spec", description, "resolve-registry", structured=short(item_type) != "dense", modality=modality,
                     binding_kind=kind, field=field, registry_cbor_hex=encode(Map(pairs)).hex(), schema_cbor_hex=schema(*fields).hex(), **outcome)

    for item_type in FAMILIES:
        label = short(item_type)
        for kind in KINDS:
            modality = tag(item_type, kind)
            yield registered(f"{label}-{kind}", item_type, [(modality, entry(item_type))], identity(item_type, kind), "one field of one type", kind=kind)
        modality = tag(item_type)
        one = (modality, entry(item_type))
        fields = [("pose", item_type, "event"), ("second", item_type, "event"), ("third", item_type, "event")]
        for field, *_ in fields:
            yield registered(f"{label}-shared-{field}", item_type, [one], identity(item_type, "event"), "three fields share one modality", field, fields=fields)
            yield registered(f"{label}-shared-thrice-{field}", item_type, [one, one, one], identity(item_type, "event"),
                             "three fields share one modality, registered once for each", field, fields=fields)
        other = item_type | {"frame": "world"}
        both = [one, (tag(other), entry(other))]
        fields = [("pose", item_type, "event"), ("world", other, "event")]
        yield registered(f"{label}-two-types", item_type, both, identity(item_type, "event"), "two types are two modalities", fields=fields)
        ambiguous = refused("RegistryEntryAmbiguous", modality)
        differing = {
            "another-document": entry(other), "extra-key": entry(item_type, note=1), "empty": Map(), "not-a-map": 5,
            "key-order": Map([("item_type", Map(reversed(list(item_type.items()))))]),
        }
        for name, second in differing.items():
            yield registered(f"{label}-conflict-{name}", item_type, [one, (modality, second)], ambiguous,
                             "one modality, two declarations: refused before anything is merged", section="8")
            yield registered(f"{label}-conflict-{name}-first", item_type, [(modality, second), one], ambiguous,
                             "one modality, two declarations: refused before anything is merged", section="8")
        widened = Map([("item_type", Map((key, Raw(head(0, 1, 8)) if key == "version" else value) for key, value in
                                         sorted(item_type.items(), key=lambda pair: canonical(pair[0]))))])
        yield registered(f"{label}-same-in-another-width", item_type, [one, (modality, widened)], identity(item_type, "event"),
                         "entries that differ in the width of an integer only are equal")
        for name, pairs, outcome in (
            ("nothing", [], refused("RegistryEntryMissing", modality)), ("namespaced-only", [("dreamdb." + modality, entry(item_type))], refused("RegistryEntryMissing", modality)),
            ("null", [(modality, None)], refused("RegistryEntryNotMap", modality)), ("document-bytes", [(modality, canonical(item_type))], refused("RegistryEntryNotMap", modality)),
            ("no-item_type", [(modality, Map([("spatial_index", b"")]))], refused("RegistryItemTypeMissing", modality)),
            ("item_type-null", [(modality, Map([("item_type", None)]))], refused("NotAMap")),
            ("item_type-bytes", [(modality, Map([("item_type", canonical(item_type))]))], refused("NotAMap")),
            ("item_type-address", [(modality, Map([("item_type", hash33(canonical(item_type)))]))], refused("NotAMap")),
            ("item_type-twice", [(modality, Map([*entry(item_type), *entry(item_type)]))], refused("RegistryItemTypeDuplicate", "item_type")),
            ("another-registered", [(modality, entry(other))], refused("IdentityMismatch" if label == "dense" else "ProjectionMismatch")),
            ("proto-item_type", [(modality, Map([("__proto__", entry(item_type))]))], refused("RegistryItemTypeMissing", modality)),
        ):
            yield registered(f"{label}-{name}", item_type, pairs, outcome, f"registry: {name}", section="3.2")
        for name, key, value in (("index-beside", "spatial_index", hash33(b"")), ("later-binding-beside", "zz", Map([("a", 1)])), ("proto-beside", "__proto__", Map())):
            yield registered(f"{label}-{name}", item_type, [(modality, entry(item_type, **{key: value}))], identity(item_type, "event"),
                             "the entry around item_type is open", section="3.2")
        yield registered(f"{label}-schema-other-frame", item_type, [one], refused("FieldIdentityMismatch", "pose"), "the schema declares another frame",
                         fields=[("pose", other, "event")])
        yield registered(f"{label}-schema-other-kind", item_type, [one], refused("FieldIdentityMismatch", "pose"), "the schema declares another kind",
                         fields=[("pose", item_type, "continuous")])


def inline_forms():
    """A document inline in a manifest is hashed in its canonical form, whatever its order and widths there."""
    for item_type in FAMILIES:
        label = short(item_type)
        ordered = sorted(item_type.items(), key=lambda pair: canonical(pair[0]))
        forms = {"reversed": encode(Map(reversed(ordered))), "alphabetical": encode(Map(sorted(ordered))), "wide-head": head(5, len(ordered), 4) + canonical(item_type)[1:],
                 "wide-version": encode(Map((key, Raw(head(0, 1, 2)) if key == "version" else value) for key, value in ordered))}
        for name, data in forms.items():
            yield resolved("inline", f"{label}-{name}", item_type, tag(item_type), identity(item_type, "event"), f"an inline document: {name}", "3.2", data=data,
                           binding_kind="event")
            wrong = tag(item_type, item=spelled(hash33(data)))
            code = "IdentityMismatch" if label == "dense" else "ProjectionMismatch"
            yield resolved("inline", f"{label}-{name}-named-by-its-bytes", item_type, wrong, refused(code),
                           "the tag names the bytes as they stand, not their canonical form", "3.2", data=data, binding_kind="event")


def vectors():
    for part in (required, pairs, grammar, digests, projections, registries, inline_forms):
        yield from part()

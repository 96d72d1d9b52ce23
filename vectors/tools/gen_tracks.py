"""Vectors of Track Objects and of Fragment Packs (0025 §11.4, 0022)."""

from build import KINDS, U64_MAX, address, array, canonical, csr, dense, hash33, ragged, refused, short, spelled, tag
from wire import Map, Raw, Tag, encode, head

TIMELINE = hash33(canonical({"nonce": bytes(16)}))


# ---------------------------------------------------------------- Tracks of arrays

def track_bytes(named, index, extent=(0, 100), **changes):
    keys = {"coverage": list(extent), "modality": named, "timeline": TIMELINE, "object_index": index} | changes
    return encode(Map((key, value) for key, value in keys.items() if value is not ...))


def tracks():
    """Index entries of each kind, and Track Objects that are not what the manifest says."""
    def tracked(name, item_type, kind, data, outcome, description, coverage=(0, 100)):
        binding = {"kind": kind, "modality": tag(item_type, kind), "timeline": spelled(TIMELINE), "coverage": [str(end) for end in coverage]}
        return array("tracks", name, "11.4", "spec" if "expected_error" in outcome else "independent", description, "decode-track",
                     structured=short(item_type) != "dense", binding=binding, track_cbor_hex=data.hex(), **outcome)

    def entry(kind, at, named, end=None, bucket=None):
        if kind == "event":
            return {"address": spelled(named), "anchor": str(at)}
        return {"t_start": str(at), "t_end": str(end), "bucket": str(bucket), "address": spelled(named)}

    one, two, three = hash33(b"1"), hash33(b"2"), hash33(b"3")
    for item_type in (dense(), ragged("u8"), csr()):
        label = short(item_type)
        for kind in KINDS:
            modality = tag(item_type, kind)
            if kind == "constant":
                index, entries = [one], [{"address": spelled(one)}]
            elif kind == "event":
                index, entries = [[one, 3], [two, 9]], [entry(kind, 3, one), entry(kind, 9, two)]
            else:
                index, entries = [[3, 4, 3, one], [9, 20, 0, two]], [entry(kind, 3, one, 4, 3), entry(kind, 9, two, 20, 0)]
            coverage = (0, U64_MAX) if kind == "constant" else (0, 100)
            yield tracked(f"{label}-{kind}", item_type, kind, track_bytes(modality, index, coverage), {"expected_entries": entries}, f"a {kind} Track", coverage)
    plain = dense()
    event, continuous = tag(plain), tag(plain, "continuous")
    for name, kind, index, entries in (
        ("empty", "event", [], []), ("unsorted", "event", [[one, 9], [two, 3], [three, 5]], [entry("event", 3, two), entry("event", 5, three), entry("event", 9, one)]),
        ("one-object-twice", "event", [[one, 1], [one, 2]], [entry("event", 1, one), entry("event", 2, one)]),
        ("more-elements", "event", [[one, 1, 7, None]], [entry("event", 1, one)]),
        ("beyond-2-53", "event", [[one, 2**53], [two, 2**53 + 1], [three, U64_MAX - 1]],
         [entry("event", 2**53, one), entry("event", 2**53 + 1, two), entry("event", U64_MAX - 1, three)]),
        ("continuous-unsorted", "continuous", [[9, 10, 9, one], [3, 4, 3, two]], [entry("continuous", 3, two, 4, 3), entry("continuous", 9, one, 10, 9)]),
        ("continuous-more-elements", "continuous", [[3, 4, 3, two, 5]], [entry("continuous", 3, two, 4, 3)]),
        ("continuous-large", "continuous", [[2**63, U64_MAX, 2**53 + 1, two]], [entry("continuous", 2**63, two, U64_MAX, 2**53 + 1)]),
    ):
        coverage = (0, U64_MAX)
        yield tracked(name, plain, kind, track_bytes(tag(plain, kind), index, coverage), {"expected_entries": entries}, f"an index: {name}", coverage)
    for name, kind, index, code in (
        ("event-one-element", "event", [[one]], "EntryTooShort"), ("event-empty-entry", "event", [[]], "EntryTooShort"), ("event-map", "event", [Map([("a", 1)])], "EntryType"),
        ("event-text-address", "event", [[spelled(one), 3]], "EntryType"), ("event-text-anchor", "event", [[one, "3"]], "EntryType"), ("event-null-anchor", "event", [[one, None]], "EntryType"),
        ("event-swapped", "event", [[3, one]], "EntryType"), ("event-32-byte-address", "event", [[one[1:], 3]], "Multihash"),
        ("event-34-byte-address", "event", [[b"\x1e\x20" + one[1:], 3]], "Multihash"), ("event-sha2", "event", [[b"\x12" + one[1:], 3]], "Multihash"),
        ("event-anchor-twice", "event", [[one, 3], [two, 3]], "RepeatedAnchor"), ("event-anchor-twice-apart", "event", [[one, 3], [two, 4], [one, 3]], "RepeatedAnchor"),
        ("event-in-two-widths", "event", [[one, 3], [two, Raw(head(0, 3, 8))]], "RepeatedAnchor"),
        ("continuous-three-elements", "continuous", [[3, 4, one]], "EntryTooShort"), ("continuous-event-shaped", "continuous", [[one, 3]], "EntryTooShort"),
        ("continuous-no-extent", "continuous", [[4, 4, 4, one]], "EntryExtent"), ("continuous-backwards", "continuous", [[5, 4, 4, one]], "EntryExtent"),
        ("continuous-text-bucket", "continuous", [[3, 4, "3", one]], "EntryType"), ("continuous-anchor-twice", "continuous", [[3, 4, 3, one], [3, 5, 3, two]], "RepeatedAnchor"),
        ("constant-empty", "constant", [], "EntryTooShort"), ("constant-text", "constant", [spelled(one)], "EntryType"), ("constant-32-bytes", "constant", [one[1:]], "Multihash"),
    ):
        yield tracked(name, plain, kind, track_bytes(tag(plain, kind), index), refused(code), f"an index entry: {name}")
    good = [[one, 3]]
    for key in ("coverage", "modality", "timeline", "object_index"):
        yield tracked(f"missing-{key}", plain, "event", track_bytes(event, good, **{key: ...}), refused("TrackField"), f"a Track without {key}")
    for name, changes in {"unknown-key": {"zz": 1}, "proto-key": {"__proto__": Map()}, "modality-int": {"modality": 5}, "timeline-text": {"timeline": spelled(TIMELINE)},
                          "index-text": {"object_index": "x"}, "coverage-one": {"coverage": [0]}, "coverage-text": {"coverage": "0-100"}}.items():
        yield tracked(name, plain, "event", track_bytes(event, good, **changes), refused("TrackField"), f"a Track Object: {name}")
    for name, changes in {"other-modality": {"modality": tag(plain | {"frame": "world"})}, "other-kind": {"modality": continuous}, "namespaced": {"modality": "dreamdb." + event},
                          "other-timeline": {"timeline": one}, "other-coverage": {"coverage": [0, 99]}, "wider-coverage": {"coverage": [0, 101]}}.items():
        yield tracked(name, plain, "event", track_bytes(event, good, **changes), refused("TrackMismatch"), f"a Track Object of another binding: {name}")
    for name, data in {"cut": track_bytes(event, good)[:-1], "float-anchor": track_bytes(event, [[one, Raw(b"\xf9\x42\x00")]]),
                       "indefinite-index": track_bytes(event, Raw(b"\x9f\xff")), "int-key": encode(Map([(1, 2)]))}.items():
        yield tracked(name, plain, "event", data, refused("Cbor"), f"not CBOR of the profile: {name}")


# ---------------------------------------------------------------- Fragment Packs

def fragment(file, name, section, operation, outcome, description, source=None, **fields):
    return {"_file": file, "id": f"{file}--{name}", "spec": "0022", "section": section, "category": "fragment-pack",
            "source": source or ("spec" if "expected_error" in outcome else "independent"), "description": description, "operation": operation} | fields | outcome


def stored(*bodies):
    return [{"path": f"0000000000000000/{address(body)}", "bytes_hex": body.hex()} for body in bodies]


def packed(start, size, pack, offset):
    return [start, start + 1, size, hash33(pack), False, offset]


def seen(entry, form):
    start, end, size, named, *rest = entry
    decoded = {"t_start": str(start), "t_end": str(end), "byte_size": str(size), "address": spelled(named), "form": form}
    return decoded | ({"pack_offset": rest[1]} if form == "packed" else {})


ENTRY_TYPE = {"divergence": "fragment-entry-element-type", "reference_outcome": "ok"}


def entries():
    """Entries of three to seven elements (0022 §3.3)."""
    named = hash33(b"pack")
    base = [10, 11, 3, named]
    for name, entry, form in (
        ("four", base, "single"), ("five-false", [*base, False], "single"), ("five-true", [*base, True], "chunked"), ("six", [*base, False, 7], "packed"),
        ("seven", [*base, False, 7, 9], "packed"), ("seven-null", [*base, False, 7, None], "packed"), ("offset-0", [*base, False, 0], "packed"),
        ("offset-u32-max", [*base, False, 2**32 - 1], "packed"), ("size-0", [10, 11, 0, named, False, 7], "packed"), ("size-u64-max", [10, 11, U64_MAX, named], "single"),
        ("wide-extent", [0, U64_MAX, 3, named], "single"), ("true-with-offset", [*base, True, 7], "chunked"), ("large-start", [2**53 + 1, 2**53 + 2, 3, named, False, 1], "packed"),
    ):
        yield fragment("entries", name, "3.3", "decode-fragment-entries", {"expected_entries": [seen(entry, form)]}, f"an entry: {name}",
                       object_index_cbor_hex=encode([entry]).hex())
    several = [[*base, False, 0], [12, 13, 4, named, False, 3], [5, 6, 2, named], [7, 8, 9, named, True]]
    yield fragment("entries", "mixed", "3.3", "decode-fragment-entries", {"expected_entries": [seen(entry, form) for entry, form in zip(
        several, ("packed", "packed", "single", "chunked"))]}, "entries of all forms keep their order", object_index_cbor_hex=encode(several).hex())
    yield fragment("entries", "none", "3.3", "decode-fragment-entries", {"expected_entries": []}, "no entries", object_index_cbor_hex="80")
    wide = Raw(b"\x86" + head(0, 10, 8) + head(0, 11, 4) + head(0, 3, 2) + head(2, 33, 4) + named + b"\xf4" + head(0, 0, 8))
    yield fragment("entries", "wide-heads", "3.3", "decode-fragment-entries", {"expected_entries": [seen([*base, False, 0], "packed")]}, "integers in more bytes than they need",
                   object_index_cbor_hex=encode([wide]).hex())
    for name, entry, code in (
        ("none-at-all", [], "EntryTooShort"), ("one", [10], "EntryTooShort"), ("two", [10, 11], "EntryTooShort"), ("three", [10, 11, 3], "EntryTooShort"),
        ("map", Map([("t_start", 10)]), "EntryType"), ("text", "x", "EntryType"), ("null", None, "EntryType"), ("bytes", named, "EntryType"),
        ("start-text", ["10", *base[1:]], "EntryType"), ("end-null", [10, None, 3, named], "EntryType"), ("size-text", [10, 11, "3", named], "EntryType"), ("size-bytes", [10, 11, b"3", named], "EntryType"),
        ("address-text", [10, 11, 3, spelled(named)], "EntryType"), ("address-int", [10, 11, 3, 4], "EntryType"), ("address-32", [10, 11, 3, named[1:]], "Multihash"),
        ("address-34", [10, 11, 3, b"\x1e\x20" + named[1:]], "Multihash"), ("address-sha2", [10, 11, 3, b"\x12" + named[1:]], "Multihash"), ("address-empty", [10, 11, 3, b""], "Multihash"),
        ("no-extent", [10, 10, 3, named], "EntryExtent"), ("backwards", [11, 10, 3, named, False, 0], "EntryExtent"),
        ("offset-2-32", [*base, False, 2**32], "IntegerRange"), ("offset-u64-max", [*base, False, U64_MAX], "IntegerRange"), ("offset-negative", [*base, False, -1], "IntegerRange"),
    ):
        yield fragment("entries", name, "3.3", "decode-fragment-entries", refused(code), f"an entry: {name}", object_index_cbor_hex=encode([entry]).hex())
        yield fragment("entries", name + "-second", "3.3", "decode-fragment-entries", refused(code), f"a second entry: {name}",
                       object_index_cbor_hex=encode([base, entry]).hex())
    for name, value in {"0": 0, "1": 1, "null": None, "text": "true", "bytes": b"\1", "array": []}.items():
        yield fragment("entries", f"fifth-{name}", "3.3", "decode-fragment-entries", refused("EntryType") | ENTRY_TYPE, f"a fifth element: {name}",
                       object_index_cbor_hex=encode([[*base, value, 7]]).hex())
    for name, value in {"null": None, "text": "7", "bytes": b"\7", "false": False, "array": [7], "tagged": Tag(1, 7)}.items():
        yield fragment("entries", f"sixth-{name}", "3.3", "decode-fragment-entries", refused("EntryType") | ENTRY_TYPE, f"a sixth element: {name}",
                       object_index_cbor_hex=encode([[*base, False, value]]).hex())


def packs():
    """The invariants of 0022 §3.4: over the distinct ranges of a pack, never over a window of its entries."""
    def read(name, index, bodies, outcome, description, section="3.4", **fields):
        return fragment("packs", name, section, "read-fragments", outcome, description, object_index_cbor_hex=encode(index).hex(), objects=stored(*bodies), **fields)

    def items(*pairs):
        return {"expected_items": [[str(at), body.hex()] for at, body in pairs]}

    pack = b"aaabbbbcc"
    plain = [packed(0, 3, pack, 0), packed(10, 4, pack, 3), packed(20, 2, pack, 7)]
    whole = ((0, b"aaa"), (10, b"bbbb"), (20, b"cc"))
    yield read("three-items", plain, [pack], items(*whole), "a pack of three Items")
    yield read("one-item", [packed(5, 9, pack, 0)], [pack], items((5, pack)), "a pack of one Item is still a pack")
    yield read("out-of-offset-order", [packed(0, 2, pack, 7), packed(10, 3, pack, 0), packed(20, 4, pack, 3)], [pack], items((0, b"cc"), (10, b"aaa"), (20, b"bbbb")),
               "entries out of offset order")
    yield read("entries-out-of-time-order", plain[::-1], [pack], items(*whole), "entries out of time order")
    yield read("listed-twice", [*plain, packed(30, 3, pack, 0), packed(40, 4, pack, 3), packed(50, 2, pack, 7)], [pack],
               items(*whole, (30, b"aaa"), (40, b"bbbb"), (50, b"cc")), "a pack that was appended twice")
    yield read("one-range-twice", [*plain, packed(30, 4, pack, 3)], [pack], items(*whole, (30, b"bbbb")), "one range under two anchors")
    for name, window, expected in (("middle", ["10", "20"], whole[1:2]), ("last", ["11", "100"], whole[2:]), ("first-two", ["0", "11"], whole[:2]), ("none", ["11", "20"], ())):
        yield read(f"window-{name}", plain, [pack], items(*expected), "a window of a pack's entries", window=window)
    yield read("window-without-its-pack", [*plain, packed(30, 1, b"z", 0)], [b"z"], items((30, b"z")), "what lies outside the window need not be there", window=["30", "31"])
    zeros = [packed(0, 0, pack, 0), packed(1, 0, pack, 0), packed(2, 3, pack, 0), packed(3, 0, pack, 3), packed(4, 4, pack, 3), packed(5, 2, pack, 7), packed(6, 0, pack, 9), packed(7, 0, pack, 9)]
    yield read("zero-size-entries", zeros, [pack], items((0, b""), (1, b""), (2, b"aaa"), (3, b""), (4, b"bbbb"), (5, b"cc"), (6, b""), (7, b"")),
               "entries of no bytes share offsets")
    yield read("all-empty", [packed(0, 0, b"", 0), packed(1, 0, b"", 0)], [b""], items((0, b""), (1, b"")), "a pack of no bytes")
    other = b"ddee"
    two = [*plain, packed(30, 2, other, 0), packed(40, 2, other, 2)]
    yield read("two-packs", two, [pack, other], items(*whole, (30, b"dd"), (40, b"ee")), "two packs in one Track")
    unchecked = {"divergence": "pack-invariants", "reference_outcome": "ok"}
    for name, index, bodies, code, description in (
        ("gap", [packed(0, 3, pack, 0), packed(20, 2, pack, 7)], [pack], "PackInvariant", "a gap between two Items"),
        ("gap-of-one", [packed(0, 3, pack, 0), packed(10, 3, pack, 4), packed(20, 2, pack, 7)], [pack], "PackInvariant", "a gap of one byte"),
        ("not-from-0", plain[1:], [pack], "PackInvariant", "no Item at offset 0"),
        ("overlap", [packed(0, 4, pack, 0), packed(10, 4, pack, 3), packed(20, 2, pack, 7)], [pack], "PackInvariant", "two Items share a byte"),
        ("nested", [packed(0, 9, pack, 0), packed(10, 4, pack, 3)], [pack], "PackInvariant", "an Item inside another"),
        ("same-start", [packed(0, 3, pack, 0), packed(1, 2, pack, 0), packed(10, 4, pack, 3), packed(20, 2, pack, 7)], [pack], "PackInvariant", "two sizes at one offset"),
        ("trailing-byte", [packed(0, 3, pack, 0), packed(10, 4, pack, 3), packed(20, 1, pack, 7)], [pack], "PackLength", "a byte after the last Item"),
        ("trailing-item", plain[:2], [pack], "PackLength", "bytes after the last Item"),
        ("only-zero-size", [packed(0, 0, pack, 0)], [pack], "PackLength", "a pack of which no byte belongs to an Item"),
    ):
        yield read(name, index, bodies, refused(code) | unchecked, description)
        if index[0][5] == 0 and index[0][2]:
            yield read(name + "-seen-from-a-window", index, bodies, refused(code) | unchecked, f"{description}, though the window asks for the first Item only", window=["0", "1"])
    for name, index in (("short-by-one", [*plain[:2], packed(20, 3, pack, 7)]), ("last-beyond-end", [*plain, packed(30, 1, pack, 9)]), ("far-beyond-end", [*plain, packed(30, 1, pack, 2**32 - 1)]),
                        ("size-u64-max", [packed(0, U64_MAX, pack, 0)]), ("end-beyond-u64", [packed(0, U64_MAX, pack, 1)]), ("empty-body", [packed(0, 3, b"", 0)]),
                        ("zero-size-beyond-end", [*plain, packed(30, 0, pack, 10)])):
        yield read(name, index, [b"" if name == "empty-body" else pack], refused("PackSliceOutOfBounds"), f"a range beyond the pack: {name}")
    yield read("missing", plain, [other], refused("NotFound"), "the pack is not there")
    hashed = {"divergence": "fragment-content-hash", "reference_outcome": "ok"}
    altered = [{"path": f"0000000000000000/{address(pack)}", "bytes_hex": b"aaabbbbcd".hex()}]
    yield read("altered", plain, [], refused("HashMismatch") | hashed, "a pack of the right length and other bytes") | {"objects": altered}
    yield read("altered-outside-window", plain, [], refused("HashMismatch") | hashed, "a pack altered in another Item than the one asked for: whole-object check",
               window=["0", "1"]) | {"objects": altered}
    single = b"single"
    bodies = [single]
    one = [0, 1, 6, hash33(single)]
    yield read("single", [one], bodies, items((0, single)), "a single Fragment", "5")
    yield read("single-false", [[*one, False]], bodies, items((0, single)), "a single Fragment of five elements", "5")
    yield read("single-empty", [[0, 1, 0, hash33(b"")]], [b""], items((0, b"")), "an empty single Fragment", "5")
    wrong_size = {"divergence": "single-fragment-size", "reference_outcome": "ok"}
    for size in (0, 5, 7, U64_MAX):
        yield read(f"single-size-{size}", [[0, 1, size, hash33(single)]], bodies, refused("PayloadLength") | wrong_size, "a single Fragment of another length than its entry says", "5")
    altered = [{"path": f"0000000000000000/{address(single)}", "bytes_hex": b"sinGle".hex()}]
    yield read("single-altered", [one], [], refused("HashMismatch") | hashed, "a single Fragment with other bytes", "5") | {"objects": altered}
    chunks = [b"0123", b"4567", b"89"]
    for name, sizes, total, listed, outcome in (
        ("chunked", [4, 4, 2], 10, chunks, items((0, b"0123456789"))), ("chunked-one", [4], 4, chunks[:1], items((0, b"0123"))), ("chunk-size-wrong", [4, 3, 3], 10, chunks, refused("ChunkLength")),
        ("chunk-missing", [4, 4, 2], 10, chunks[:2], refused("NotFound")),
    ):
        named = chunks[:len(sizes)]
        manifest = canonical({"chunks": [{"hash": hash33(chunk), "size": size} for chunk, size in zip(named, sizes)], "total_size": total})
        objects = stored(*listed) + [{"path": f"items/{address(manifest)}", "bytes_hex": manifest.hex()}]
        yield read(name, [[0, 1, total, hash33(manifest), True]], [], outcome, f"a chunked Item: {name}", "5") | {"objects": objects}
    manifest = canonical({"chunks": [{"hash": hash33(chunks[0]), "size": 4}], "total_size": 4})
    objects = stored(chunks[0]) + [{"path": f"items/{address(manifest)}", "bytes_hex": manifest.hex()}]
    yield read("chunked-with-offset", [[0, 1, 4, hash33(manifest), True, 0]], [], items((0, b"0123")), "is_manifest goes before pack_offset", "5") | {"objects": objects}


def written(*batches):
    """Objects and entries of batches, each a list of Items and a number of Items per pack."""
    objects, index = {}, []
    for listed, size in batches:
        step = size if size and size > 1 else 1
        for at in range(0, len(listed), step):
            group = listed[at:at + step]
            body = b"".join(item for _, item in group)
            objects[f"0000000000000000/{address(body)}"] = body.hex()
            for number, (anchor, item) in enumerate(group):
                entry = [anchor, anchor + 1, len(item), hash33(body)]
                index.append(entry if step == 1 else [*entry, False, sum(len(other) for _, other in group[:number])])
    index.sort(key=lambda entry: entry[0])
    return [{"path": path, "bytes_hex": body} for path, body in sorted(objects.items())], index


def conformance():
    """The five vectors of 0022 §8, and what a writer stores."""
    def pack(name, batches, description, section="8", **changes):
        objects, index = written(*batches)
        listed = [{"items": [[str(anchor), item.hex()] for anchor, item in batch]} | ({} if size is None else {"pack_items": size}) | changes for batch, size in batches]
        outcome = refused("InvalidArgument") | {"accepted_alternative": "chunked"} if "chunk_size" in changes else {
            "expected_objects": objects, "expected_object_index_cbor_hex": canonical(index).hex()}
        return fragment("writer", name, section, "pack-items", outcome, description, batches=listed), objects, index

    def back(name, objects, index, listed, description, **fields):
        outcome = {"expected_items": [[str(anchor), item.hex()] for anchor, item in sorted(listed)]}
        return fragment("writer", name, "8", "read-fragments", outcome, description, object_index_cbor_hex=canonical(index).hex(), objects=objects, **fields)

    eight = [(10 * number, bytes([number]) * (number + 3)) for number in range(8)]
    vector, objects, index = pack("round-trip", [(eight, 4)], "eight Items in packs of four: two packs")
    assert len(objects) == 2
    yield vector
    yield back("round-trip-read", objects, index, eight, "the same eight Items read back")
    batches = [(eight[:3], 2), ([(anchor + 1, item + b"x") for anchor, item in eight[:4]], 4), ([(anchor + 2, item + b"y") for anchor, item in eight[:5]], 8)]
    vector, objects, index = pack("mixed-batches", batches, "three appends with packs of another size each; packs never span appends")
    assert len(objects) == 4
    yield vector
    yield back("mixed-batches-read", objects, index, [pair for batch, _ in batches for pair in batch], "all Items of the three appends")
    yield pack("field-packed", [(eight[:4], 4)], "two fields of one schema: one packed …")[0]
    yield pack("field-unpacked", [(eight[:4], None)], "… and one not, independently")[0]
    mixed = [(eight[:4], 4), (eight[4:], None)]
    vector, objects, index = pack("packed-and-single", mixed, "packed and single entries in one index")
    yield vector
    yield back("packed-and-single-read", objects, index, eight, "packed and single Items in one Track")
    yield pack("pack-and-chunk", [(eight, 4)], "packing and chunking are exclusive: refuse, or chunk and do not pack", chunk_size=4)[0]
    _, objects, index = pack("", [(eight, 8)], "")
    for number, (anchor, item) in enumerate(eight):
        yield back(f"byte-range-{number}", objects, index, [(anchor, item)], "one Item is exactly its bytes of the pack", window=[str(anchor), str(anchor + 1)])
    for name, batches, description in (
        ("residual-of-one", [(eight[:5], 4)], "a last group of one Item is a packed entry at offset 0"), ("pack-of-one-each", [(eight[:2], 1)], "pack_items 1: single Fragments"),
        ("pack-items-0", [(eight[:2], 0)], "pack_items 0: single Fragments"), ("group-larger-than-batch", [(eight[:3], 100)], "a group larger than the batch"),
        ("zero-length-items", [([(0, b""), (1, b"a"), (2, b""), (3, b"")], 4)], "Items of no bytes take no room"), ("all-empty", [([(0, b""), (1, b"")], 2)], "a pack of no bytes"),
        ("out-of-order", [([(30, b"ccc"), (10, b"a"), (20, b"bb")], 3)], "a pack keeps the order of the call, the index that of time"),
        ("equal-items", [([(0, b"same"), (1, b"same")], 2)], "equal Items are stored twice in a pack"), ("equal-packs", [([(0, b"a"), (1, b"b")], 2), ([(2, b"a"), (3, b"b")], 2)], "equal packs are one object"),
        ("nothing", [([], 4)], "an append of nothing"),
    ):
        vector, objects, index = pack(name, batches, description, "4")
        yield vector
        yield back(name + "-read", objects, index, [pair for batch, _ in batches for pair in batch], description)


def vectors():
    for part in (tracks, entries, packs, conformance):
        yield from part()

"""Has the reference implementation edit manifests and delete anchors, and notes what it wrote in `manifests.json` and `tombstones.json`.

    python -m venv .venv && .venv/bin/pip install dreamdb==0.0.16 blake3 numpy
    .venv/bin/python tests/write/data/make_writes.py

`manifests.json`: per chain a first manifest, in base64, hand-made from one that the reference wrote, and what the reference then made of it: what
each version says that its parent does not, and its address. `tombstones.json`: per case what deletions were asked for, at what time it says that they were, and the address of the
head that came of it, which stands for every page below. `given` are hand-made objects that the first head needs.
Random choices are seeded; timelines and times are not, so a new run gives other addresses.
"""
import base64
import json
import pathlib
import random
import tempfile

import numpy
from blake3 import blake3
from dreamdb import Dataset, Schema

HERE = pathlib.Path(__file__).resolve().parent
OTHER = b"\x1e" + b"\xff" * 32


class Pairs(list):
    """A map, in wire order and with what it repeats."""

    def get(self, key):
        return next((value for name, value in self if name == key), None)

    def put(self, **changes):
        kept = [(name, changes.pop(name, value)) for name, value in self]
        return Pairs(kept + list(changes.items()))


def load(data, at=0):
    major, info, at = data[at] >> 5, data[at] & 31, at + 1
    if major == 7:
        return {20: False, 21: True, 22: None}[info], at
    width = {24: 1, 25: 2, 26: 4, 27: 8}.get(info, 0)
    number = int.from_bytes(data[at : at + width], "big") if width else info
    at += width
    if major < 2:
        return (number if major == 0 else -1 - number), at
    if major < 4:
        body = data[at : at + number]
        return (body if major == 2 else body.decode()), at + number
    items = []
    for _ in range(number if major == 4 else 2 * number):
        item, at = load(data, at)
        items.append(item)
    return (items if major == 4 else Pairs(zip(items[::2], items[1::2]))), at


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    width = next(width for width in (1, 2, 4, 8) if number < 1 << 8 * width)
    return bytes([major << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[width]]) + number.to_bytes(width, "big")


def dump(value):
    if value is None or isinstance(value, bool):
        return bytes([{False: 0xF4, True: 0xF5, None: 0xF6}[value]])
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, Pairs):
        in_order = sorted(value, key=lambda pair: (len(pair[0].encode()), pair[0].encode()))
        return head(5, len(value)) + b"".join(dump(key) + dump(item) for key, item in in_order)
    return head(4, len(value)) + b"".join(map(dump, value))


def address(data):
    return b"\x1e" + blake3(data).digest()


def text(raw):
    return base64.b32encode(raw).decode().lower().rstrip("=")


class Folder:
    """A dataset of the reference, and what is in its folder."""

    def __init__(self, path, schema=None):
        self.path, self.url = path, path.as_uri()
        if schema is not None:
            Dataset.create("main", schema, self.url)

    def open(self):
        return Dataset.open("main", backend=self.url)

    def tip(self):
        return (self.path / "manifests" / text((self.path / "refs/main").read_bytes())).read_bytes()

    def publish(self, manifest):
        data = dump(manifest)
        (self.path / "manifests" / text(address(data))).write_bytes(data)
        (self.path / "refs/main").write_bytes(address(data))

    def tombstone(self, content):
        data = dump(content)
        (self.path / "tombstones").mkdir(exist_ok=True)
        (self.path / "tombstones" / text(address(data))).write_bytes(data)
        return address(data)

    def manifest(self):
        return load(self.tip())[0]


def schema():
    fields = Schema()
    fields.add_array("b", "f32", (3,))
    fields.add_array("a", "f32", (3,), required=False)
    fields.add_image("im", required=False, pack_items=2)
    return fields


VALUE = numpy.zeros(3, "f4")
OPERATIONS = {
    "delete": lambda ds: ds.delete([5]),
    "note": lambda ds: ds.set_meta("dreamdb.title", "T"),
    "notes": lambda ds: ds.set_description("Zwölf Boxkämpfer"),
    "array": lambda ds: ds.add_array("Q", "u8", (9,), required=False),
    "same-type": lambda ds: ds.add_array("aa", "f32", (3,), required=True),
    "image": lambda ds: ds.add_image("im2", "png", False),
    "constant": lambda ds: ds.add_array_constant("k", VALUE, dtype="f32", shape=(3,)),
    "text": lambda ds: ds.add_constant("k0", "title.text", "T"),
}
ALL = ["append", "delete", "note", "array", "same-type", "image", "constant", "text"]
# Adding a field makes the reference rewrite the schema; what it does not know is lost then.
ROWS = ["append", "delete", "note", "notes"]


def in_registry(manifest, change):
    return manifest.put(registry=change(manifest.get("registry")))


def in_schema(manifest, change):
    return in_registry(manifest, lambda registry: registry.put(**{"dreamdb.schema": change(registry.get("dreamdb.schema"))}))


def each_field(change):
    return lambda manifest: in_schema(manifest, lambda found: found.put(fields=[change(field) for field in found.get("fields")]))


CHAINS = {
    "plain": (lambda manifest: manifest, ALL),
    "unknown keys": (lambda manifest: manifest.put(zzz=[1, b"ab", None], a=Pairs([("q", -5)])), ALL),
    "unknown registry keys": (lambda manifest: in_registry(manifest, lambda registry: registry.put(foo=7, x=Pairs([("y", [])]))), ALL),
    "unknown keys beside an item type": (
        lambda manifest: in_registry(
            manifest, lambda registry: Pairs((key, entry.put(zz=1) if key.startswith("array") else entry) for key, entry in registry)
        ),
        ["append", "array", "delete", "note", "constant"],
    ),
    "a type registered once": (lambda manifest: in_registry(manifest, lambda registry: Pairs(dict(registry).items())), ALL),
    "unsorted schema": (lambda manifest: in_schema(manifest, lambda found: found.put(fields=found.get("fields")[::-1])), ["append", "array", "append"]),
    "unknown keys of fields": (each_field(lambda field: field.put(extra=5)), ROWS),
    "required not said": (each_field(lambda field: Pairs(pair for pair in field if pair[0] != "required")), ROWS[1:]),
    "pack_items null": (each_field(lambda field: field.put(pack_items=None) if field.get("kind") == "image" else field), ROWS),
    "lineage-v2": (lambda manifest: manifest.put(tracks=manifest.get("tracks").put(form="lineage-v2", backfill_claims=[])), ALL),
    "no timelines": (lambda manifest: manifest.put(timelines=[]), ["append", "array"]),
    "a timeline more": (lambda manifest: manifest.put(timelines=[OTHER, *manifest.get("timelines")][::-1]), ALL),
    "another timeline": (lambda manifest: manifest.put(timelines=[OTHER]), ["append", "constant"]),
    "a binding of no field": (
        lambda manifest: manifest.put(
            tracks=manifest.get("tracks").put(active=[*manifest.get("tracks").get("active"), manifest.get("tracks").get("active")[-1].put(field="zz")])
        ),
        ROWS,
    ),
}


def manifests(root):
    chains = {}
    for number, (name, (change, operations)) in enumerate(CHAINS.items()):
        folder = Folder(root / f"m{number}", schema())
        folder.open().append_many([{"_anchor": 5, "b": VALUE}])
        folder.publish(change(folder.manifest()))
        versions = [folder.tip()]
        for operation in operations:
            dataset = folder.open()
            if operation == "append":
                row = {"_anchor": 100 + len(versions), "b": VALUE, "a": VALUE}
                dataset.append_many([row | ({"aa": VALUE} if b"\x62aa" in versions[-1] else {})])
            else:
                OPERATIONS[operation](dataset)
            versions.append(folder.tip())
        chains[name] = versions
    chance = random.Random(1)
    folder = Folder(root / "long", schema())
    versions = [folder.tip()]
    for anchor in range(12):
        row = {"_anchor": anchor, "b": VALUE} | ({"a": VALUE} if chance.random() < 0.6 else {}) | ({"im": b"x"} if chance.random() < 0.6 else {})
        folder.open().append_many([row])
        versions.append(folder.tip())
    chains["many appends"] = versions
    chains["merges"] = merges(root / "merges")
    return [
        {
            "name": name,
            "first": base64.b64encode(versions[0]).decode(),
            "steps": [step(parent, child) for parent, child in zip(versions, versions[1:])],
        }
        for name, versions in chains.items()
    ]


def step(parent, child):
    before, after = load(parent)[0], load(child)[0]
    bound = {binding.get("field"): binding for binding in before.get("tracks").get("active")}
    fields = {field.get("name"): field for field in after.get("registry").get("dreamdb.schema").get("fields")}
    made = {"ts": str(after.get("ts")), "writer": after.get("writer"), "moved": [], "added": [], "notes": {}}
    # Reversed: the order in which changes are given is not that of the result.
    for binding in after.get("tracks").get("active")[::-1]:
        name = binding.get("field")
        placed = {"track": text(binding.get("address")), "coverage": [str(bound) for bound in binding.get("coverage")]}
        if name not in bound:
            made["added"].append({"schema": base64.b64encode(dump(fields[name])).decode()} | placed)
        elif bound[name] != binding:
            made["moved"].append({"field": name} | placed)
    for key, value in after.get("registry"):
        if key == "dreamdb.tombstones" and before.get("registry").get(key) != value:
            made["tombstones"] = text(value.get("head"))
        if isinstance(value, str) and before.get("registry").get(key) != value:
            made["notes"][key] = value
    return made | {"address": text(address(child))}


def merges(path):
    """What follows a union of two branches, and a fast-forward."""
    fields = Schema()
    fields.add_image("im", required=False, pack_items=2)
    folder = Folder(path, fields)
    main = folder.open()
    main.append_many([{"_anchor": 1, "im": b"1"}])
    branch = main.branch("dev")
    branch.append_many([{"_anchor": 2, "im": b"2"}])
    main.append_many([{"_anchor": 3, "im": b"3"}])
    main.merge("dev", "union-tracks")
    versions = [folder.tip()]
    folder.open().append_many([{"_anchor": 4, "im": b"4"}])
    versions.append(folder.tip())
    ahead = folder.open().branch("ahead")
    ahead.append_many([{"_anchor": 5, "im": b"5"}])
    folder.open().merge("ahead")
    versions.append(folder.tip())
    folder.open().append_many([{"_anchor": 6, "im": b"6"}])
    versions.append(folder.tip())
    return versions


def page(folder, anchors, reason=None):
    entry = lambda anchor: Pairs([("anchor", anchor), ("deleted_at", 7)] + ([("reason", reason)] if reason is not None else []))
    return folder.tombstone(Pairs([("kind", "dreamdb.tombstone-page.v1"), ("level", 0), ("entries", [entry(anchor) for anchor in anchors])]))


def summary(page, anchors, level=0):
    return Pairs([("max", anchors[-1]), ("min", anchors[0]), ("hash", page), ("count", len(anchors)), ("level", level)])


def index(folder, timeline, root, parents=()):
    return folder.tombstone(
        Pairs([("kind", "dreamdb.tombstone-index.v1"), ("root", root), ("parents", sorted(parents)), ("timeline", timeline), ("issued_at", 3)])
    )


def plain_list(folder, version, anchors, parents=(), **more):
    entries = [Pairs([("anchor", anchor), ("deleted_at", 7)]) for anchor in anchors]
    kind = f"dreamdb.tombstone-list.v{version}"
    return folder.tombstone(Pairs([("kind", kind), ("anchors", entries), ("parents", list(parents)), ("issued_at", 3), *more.items()]))


def tree(folder, timeline, *leaves):
    """An index over a page of those leaves."""
    children = [summary(page(folder, anchors, "why"), anchors) for anchors in leaves]
    inner = folder.tombstone(Pairs([("kind", "dreamdb.tombstone-page.v1"), ("level", 1), ("children", children)]))
    return index(folder, timeline, summary(inner, sum(leaves, []), 1))


HEADS = {
    "list v1": lambda folder, own: plain_list(folder, 1, [1, 2]),
    "list v2": lambda folder, own: plain_list(folder, 2, [1, 2], timeline=own),
    "empty list v2": lambda folder, own: plain_list(folder, 2, [], timeline=own),
    "list v2 of another timeline": lambda folder, own: plain_list(folder, 2, [1, 2], timeline=OTHER),
    "list v2 with a parent": lambda folder, own: plain_list(folder, 2, [1, 2], [plain_list(folder, 1, [3])], timeline=own),
    "index": lambda folder, own: index(folder, own, summary(page(folder, [1, 9]), [1, 9])),
    "index of another timeline": lambda folder, own: index(folder, OTHER, summary(page(folder, [1, 9]), [1, 9])),
    "empty index": lambda folder, own: index(folder, own, None),
    "union of two": lambda folder, own: index(
        folder, own, None, [plain_list(folder, 2, [4], timeline=own), index(folder, own, summary(page(folder, [5, 9]), [5, 9]))]
    ),
    "index with a parent": lambda folder, own: index(folder, own, summary(page(folder, [1, 9]), [1, 9]), [plain_list(folder, 1, [4])]),
    "small tree": lambda folder, own: tree(folder, own, [1, 9], [20, 30], [31], [50]),
}


def deletions():
    """Cases: lists of anchors and reason, one deletion each; anchors are `[first, count, step]` or single ones."""
    cases = {f"{count} at once": [([[0, count, 1]], None)] for count in (1, 127, 128, 129, 256, 257, 1000, 20000)}
    cases["one by one"] = [([anchor], None) for anchor in range(0, 300, 7)]
    cases["growing leaves"] = [([[0, 128, 2]], "r"), ([1], ""), ([3, 5, 7], None), ([1000], "é" * 128), ([[2000, 1000, 1]], None), ([500], "x")]
    cases["again"] = [([7, 7, 5], "first"), ([7], None), ([5, 6], "later"), ([2**64 - 1, 0], None)]
    cases["reasons of all pages"] = [([[0, 400, 3]], "r" * 256), ([[1, 300, 4]], "s" * 256)]
    chance = random.Random(2)
    for seed in range(3):
        steps = []
        for _ in range(12):
            count, most = chance.choice([1, 1, 3, 50, 200]), chance.choice([10**3, 10**5, 2**64])
            steps.append(([chance.randrange(most) for _ in range(count)], chance.choice([None, None, "", "gdpr"])))
        cases[f"random {seed}"] = [([[0, 3000, 5 + seed]], None), *steps, ([[1, 20000, 11]], None), *steps[:3]]
    return cases


def expanded(anchors):
    return [one for item in anchors for one in (range(item[0], item[0] + item[1] * item[2], item[2]) if isinstance(item, list) else [item])]


def tombstones(root):
    cases = []
    plain = [(name, None, steps) for name, steps in deletions().items()]
    given = [(name, make, [([5, 11], "q"), ([40, 60, 0], None)]) for name, make in HEADS.items()]
    for number, (name, make, steps) in enumerate(plain + given):
        fields = Schema()
        fields.add_image("im", required=False)
        folder = Folder(root / f"t{number}", fields)
        timeline = folder.manifest().get("timelines")[0]
        case = {"name": name, "timeline": text(timeline), "given": [], "steps": []}
        if make:
            head_address = make(folder, timeline)
            case["head"] = text(head_address)
            case["given"] = [path.read_bytes().hex() for path in sorted((folder.path / "tombstones").iterdir())]
            folder.publish(in_registry(folder.manifest(), lambda registry: registry.put(**{"dreamdb.tombstones": Pairs([("head", head_address)])})))
        for anchors, reason in steps:
            before = len(list((folder.path / "tombstones").glob("*")))
            folder.open().delete(expanded(anchors), reason)
            after = folder.manifest().get("registry").get("dreamdb.tombstones").get("head")
            issued = load((folder.path / "tombstones" / text(after)).read_bytes())[0].get("issued_at")
            written = len(list((folder.path / "tombstones").glob("*"))) - before
            case["steps"].append(
                {
                    "anchors": [[str(part) for part in item] if isinstance(item, list) else str(item) for item in anchors],
                    "reason": reason,
                    "now": issued,
                    "head": text(after),
                    "objects": written,
                }
            )
        cases.append(case)
    return cases


def main() -> None:
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root)
        for name, made in (("manifests", manifests(root)), ("tombstones", tombstones(root))):
            (HERE / f"{name}.json").write_text(json.dumps(made, ensure_ascii=False, indent=None, separators=(",", ":")).replace('},{"', '},\n{"') + "\n")


main()

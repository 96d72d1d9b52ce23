"""
Reads exported files back with NumPy, SciPy, csv and json, and holds them against a sidecar (tests/fixtures/README.md), bit by bit.

Standard input: [{"sidecar", "path", "format", "ref", "field", "anchor", "start", "end", "row", "rows"}]. Standard output: of each how many values were
compared, or what differs.
"""
import csv
import functools
import json
import sys

import numpy as np
import scipy.sparse

DTYPES = {"int": np.dtype("<i8"), "timestamp": np.dtype("<i8"), "float": np.dtype("<f8"), "bool": np.dtype("bool")}
FLOATS = {"-0.0": -0.0, "nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
csv.field_size_limit(1 << 30)


class Differs(Exception):
    pass


def number(fact):
    if isinstance(fact, dict):
        return int(fact["int"]) if "int" in fact else FLOATS[fact["float"]]
    return fact


def array(fact):
    dtype = np.dtype(fact["dtype"])
    convert = float if dtype.kind == "f" else int
    values = np.array([convert(number(value)) for value in fact["values"]], dtype=dtype)
    return values.reshape([number(extent) for extent in fact["shape"]])


def same(what, found, expected):
    """The same type, shape and bits; of NaN only that it is one, for texts do not say which."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.dtype != expected.dtype or found.shape != expected.shape:
        raise Differs(f"{what}: {found.dtype} {found.shape}, expected {expected.dtype} {expected.shape}")
    if expected.dtype.kind == "f":
        nan = np.isnan(expected)
        if not np.array_equal(np.isnan(found), nan):
            raise Differs(f"{what}: NaN elsewhere")
        found, expected = np.where(nan, 0, found), np.where(nan, 0, expected)
    if np.ascontiguousarray(found).tobytes() != np.ascontiguousarray(expected).tobytes():
        raise Differs(f"{what}: {found!r}, expected {expected!r}")
    return max(1, expected.size)


def equal(what, found, expected):
    if found != expected:
        raise Differs(f"{what}: {found!r}, expected {expected!r}")
    return 1


def family_of(value):
    if isinstance(value, dict) and "row_offsets" in value:
        return "csr" if "column_indices" in value else "ragged"
    return "dense" if isinstance(value, dict) and "dtype" in value else "scalar"


class Parts:
    """A ragged or sparse Item."""

    def __init__(self, fact):
        self.offsets, self.values = array(fact["row_offsets"]), array(fact["values"])
        self.indices = array(fact["column_indices"]) if "column_indices" in fact else None

    def cut(self, start, end):
        offsets = self.offsets.astype(object)
        first, last = int(offsets[start]), int(offsets[end])
        self.offsets = np.array([int(at) - first for at in offsets[start : end + 1]], dtype=np.uint64)
        self.values = self.values[first:last]
        if self.indices is not None:
            self.indices = self.indices[first:last]
        return self

    def rows(self):
        return [self.values[int(a) : int(b)] for a, b in zip(self.offsets[:-1], self.offsets[1:])]


class Expected:
    def __init__(self, sidecar, task):
        # A sidecar of long columns has one version alone.
        version = sidecar["refs"][task["ref"]] if "refs" in sidecar else sidecar
        fact = version["fields"][task["field"]]
        self.type = fact.get("value_type") or task.get("type")
        self.constant = "constant" in fact
        if self.constant:
            self.anchors, values = None, [fact["constant"]]
        else:
            pairs = items_of(fact, sidecar)
            if task.get("anchor") is not None:
                pairs = [pair for pair in pairs if pair[0] == int(task["anchor"])]
            if task.get("start") is not None:
                pairs = [pair for pair in pairs if int(task["start"]) <= pair[0] < int(task["end"])]
            self.anchors, values = [anchor for anchor, _ in pairs], [value for _, value in pairs]
        self.family = task.get("family") or family_of(values[0])
        self.many = not self.constant and task.get("anchor") is None
        self.first = 0
        self.single = task.get("row") is not None
        self.range = None
        shape = fact.get("item_type", {}).get("shape")
        if self.family == "dense":
            self.items = [array(value) for value in values]
            self.dtype, self.shape = self.items[0].dtype, self.items[0].shape
        elif self.family == "text":
            self.items = values
        elif self.family == "scalar":
            self.items = [number(value) for value in values]
        else:
            self.items = [Parts(value) for value in values]
            self.dtype, self.inner = self.items[0].values.dtype, self.items[0].values.shape[1:]
            if self.family == "csr":
                height = len(self.items[0].offsets) - 1
                self.columns = int(shape[1]) if shape else task["columns"]
            self.range = [task["row"], task["row"] + 1] if self.single else task.get("rows")
            if self.range is not None:
                self.first = self.range[0]
                self.items = [item.cut(*self.range) for item in self.items]
            if self.family == "csr":
                self.height = len(self.items[0].offsets) - 1


def items_of(fact, sidecar):
    if "anchors" in fact:
        rule = fact["anchors"]
        if isinstance(rule, dict):
            start, step = number(rule["start"]), number(rule["step"])
            anchors = [start + step * at for at in range(number(rule["count"]))]
        else:
            anchors = [number(anchor) for anchor in rule]
        labels = sidecar.get("categories") if fact is sidecar["fields"].get("state") else None
        return [(anchor, labels[value] if labels else value) for anchor, value in zip(anchors, fact["values"])]
    return [(number(item["anchor"]), item["value"]) for item in fact["items"]]


def anchors_of(expected):
    return np.array(expected.anchors, dtype=np.uint64)


def scalars_of(expected):
    if expected.type in DTYPES:
        return np.array(expected.items, dtype=DTYPES[expected.type])
    width = max([1, *(len(text) for text in expected.items)])
    return np.array(expected.items, dtype=f"<U{width}")


def read_npy(path, expected):
    found = np.load(path, allow_pickle=False)
    if expected.family == "ragged":
        return same("row", found, expected.items[0].values)
    if expected.family == "scalar":
        return same("values", found, scalars_of(expected) if expected.many else scalars_of(expected)[0])
    return same("array", found, np.stack(expected.items) if expected.many else expected.items[0])


def read_npz(path, expected):
    found = np.load(path, allow_pickle=False)
    count = 0
    if expected.many:
        count += same("anchors", found["anchors"], anchors_of(expected))
    if expected.family == "dense":
        return count + same("data", found["data"], np.stack(expected.items) if expected.many else expected.items[0])
    if expected.family == "scalar":
        return count + same("values", found["values"], scalars_of(expected) if expected.many else scalars_of(expected)[0])
    if expected.family == "ragged" and expected.single:
        return count + same("data", found["data"], expected.items[0].values)
    offsets, ends = [0], 0
    for item in expected.items:
        offsets += [ends + int(at) for at in item.offsets[1:]]
        ends = offsets[-1]
    values = np.concatenate([item.values for item in expected.items])
    if expected.family == "ragged":
        count += same("row_offsets", found["row_offsets"], np.array(offsets, dtype=np.uint64)) + same("values", found["values"], values)
        if expected.many:
            rows = np.cumsum([0, *(len(item.offsets) - 1 for item in expected.items)]).astype(np.uint64)
            count += same("item_offsets", found["item_offsets"], rows)
        return count
    matrix = scipy.sparse.load_npz(path)
    equal("kind", type(matrix), scipy.sparse.csr_matrix)
    equal("shape", tuple(int(extent) for extent in matrix.shape), (expected.height * len(expected.items), expected.columns))
    count += same("indptr", matrix.indptr.astype(np.int64), np.array(offsets, dtype=np.int64))
    indices = np.concatenate([item.indices for item in expected.items]).astype(np.int64)
    count += same("indices", matrix.indices.astype(np.int64), indices) + same("data", matrix.data, values)
    # What SciPy writes itself has the same arrays of the same types, but for indices that it narrowed.
    for name in ("indptr", "indices", "shape"):
        equal(f"type of {name}", found[name].dtype, np.dtype("<i8"))
    equal("format", found["format"].item(), b"csr")
    return count


def parsed(text, dtype):
    return dtype.type(float(text)) if dtype.kind == "f" else dtype.type(int(text))


def read_csv(path, expected):
    with open(path, newline="", encoding="utf-8") as file:
        head, *lines = list(csv.reader(file, strict=True))
    front = 0 if expected.constant else 1
    if front:
        equal("first column", head[0], "anchor")
    count = 0
    if expected.family == "scalar":
        equal("lines", len(lines), len(expected.items))
        for (anchor, text), at, value in zip(lines, expected.anchors, expected.items):
            count += equal("anchor", int(anchor), at)
            if expected.type == "bool":
                count += equal("value", text, "true" if value else "false")
            elif expected.type in DTYPES:
                count += same("value", parsed(text, DTYPES[expected.type]), DTYPES[expected.type].type(value))
            else:
                count += equal("value", text, value)
        return count
    if expected.family == "dense":
        name = head[front].split("[")[0] if len(head) > front else ""
        names = [name if index == () else f"{name}[{','.join(map(str, index))}]" for index in np.ndindex(expected.shape)]
        equal("columns", head[front:], names)
        equal("lines", len(lines), len(expected.items))
        for at, (line, item) in enumerate(zip(lines, expected.items)):
            if front:
                count += equal("anchor", int(line[0]), expected.anchors[at])
            found = np.array([parsed(text, expected.dtype) for text in line[front:]], dtype=expected.dtype).reshape(expected.shape)
            count += same("line", found, item)
        return count
    wanted = []
    for at, item in enumerate(expected.items):
        for row, (a, b) in enumerate(zip(item.offsets[:-1], item.offsets[1:])):
            for cell in range(int(a), int(b)):
                place = [] if expected.constant else [expected.anchors[at]]
                place.append(expected.first + row)
                if expected.family == "csr":
                    place.append(int(item.indices[cell]))
                wanted.append((place, item.values[cell]))
    equal("lines", len(lines), len(wanted))
    for line, (place, value) in zip(lines, wanted):
        count += equal("place", [int(text) for text in line[: len(place)]], place)
        found = np.array([parsed(text, expected.dtype) for text in line[len(place) :]], dtype=expected.dtype).reshape(np.shape(value))
        count += same("value", found, value)
    return count + 1


def element(value, dtype):
    """A number as JSON has it: 64-bit integers and what is not finite are texts."""
    if isinstance(value, list):
        return [element(part, dtype) for part in value]
    if isinstance(value, str) != (dtype.kind in "iu" and dtype.itemsize == 8):
        equal("text", value in ("NaN", "Infinity", "-Infinity"), True)
    return float(value) if dtype.kind == "f" else int(value)


def elements(what, value, expected):
    found = np.array(element(value, expected.dtype), dtype=expected.dtype)
    # Lists of nothing do not say which nothing.
    return same(what, found.reshape(expected.shape) if expected.size == 0 else found, expected)


def read_json(path, expected, lines):
    with open(path, encoding="utf-8") as file:
        keep = {"parse_float": Literal, "parse_int": Literal}
        listed = [json.loads(line, **keep) for line in file] if lines else json.load(file, **keep)
    listed = listed if lines or expected.many else [listed]
    equal("Items", len(listed), len(expected.items))
    count = 0
    for at, (found, item) in enumerate(zip(listed, expected.items)):
        if expected.constant:
            equal("keys", list(found), ["value"])
        else:
            count += equal("anchor", found["anchor"], str(expected.anchors[at]))
        if expected.range is not None:
            told = found["row"] if expected.single else found["rows"]
            count += equal("rows", told, str(expected.range[0]) if expected.single else [str(row) for row in expected.range])
        value = found["value"]
        if expected.family == "text":
            text = item if isinstance(item, str) else None
            count += equal("text", value if text is not None else json.loads(value), item)
        elif expected.family == "scalar":
            dtype = DTYPES.get(expected.type)
            count += same("value", dtype.type(element(value, dtype)), dtype.type(item)) if dtype is not None and dtype.kind != "b" else equal("value", value, item)
        elif expected.family == "dense":
            count += elements("value", value, item)
        elif expected.family == "ragged":
            rows = [value] if expected.single else value
            equal("rows", len(rows), len(item.rows()))
            count += 1 + sum(elements("row", row, wanted) for row, wanted in zip(rows, item.rows()))
        else:
            equal("shape", value["shape"], [str(expected.height), str(expected.columns)])
            count += elements("row_offsets", value["row_offsets"], item.offsets) + elements("column_indices", value["column_indices"], item.indices)
            count += elements("values", value["values"], item.values)
    return count


class Literal(float):
    """A number as it is spelled, for integers beyond doubles and −0."""

    def __new__(cls, text):
        made = super().__new__(cls, text)
        made.text = text
        return made

    def __int__(self):
        return int(self.text)


READERS = {"npy": read_npy, "npz": read_npz, "csv": read_csv, "json": lambda path, expected: read_json(path, expected, False), "jsonl": lambda path, expected: read_json(path, expected, True)}


@functools.cache
def sidecar_of(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def judged(task):
    try:
        count = READERS[task["format"]](task["path"], Expected(sidecar_of(task["sidecar"]), task))
        return count if count > 0 else "nothing was compared"
    except Exception as error:
        return f"{task}: {type(error).__name__}: {error}"[:600]


json.dump([judged(task) for task in json.load(sys.stdin)], sys.stdout)

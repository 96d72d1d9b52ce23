"""The reference implementation as a process that does what it is told.

    python driver.py

A line of JSON in is `{"do": command, …}`, a line out `{"value": …}` or `{"error": {"type", "message"}}`, one for each in their order. Datasets are
named by the handles that `create`, `open` and `branch` give. What values look like is values.py's matter; names of fields come in pairs, never
as keys.
"""
import json
import sys

import dreamdb
import values

DATASETS: list = []
SEMANTICS = {"semanticType": "semantic_type", "units": "units", "frame": "frame", "axisOrder": "axis_order"}


def type_of(declared: dict) -> dict:
    """An item type as the reference's keyword arguments."""
    ragged = declared["family"] == "ragged-array"
    extents = declared["innerShape"] if ragged else declared["shape"]
    return {
        "dtype": declared["dtype"],
        "shape": [int(extent) for extent in extents],
        "family": declared["family"],
        **{key: declared[key] for key in ("endianness", "layout", "codec")},
        **{name: declared[key] for key, name in SEMANTICS.items()},
    }


def media_of(field: dict) -> dict:
    sizes = {"packItems": "pack_items", "chunkSize": "chunk_size"}
    return {"mime": field["mime"], "required": field["required"], **{name: int(field[key]) for key, name in sizes.items() if key in field}}


def add(target, field: dict) -> None:
    """A field for a Schema, or for a dataset that is there."""
    if field["kind"] == "array":
        kind = field["trackKind"]
        storage = {"event": "unbucketed", "continuous": "time-batch"}[kind]
        target.add_array(field["name"], **type_of(field["type"]), track_kind=kind, object_kind=storage, required=field["required"])
    elif field["kind"] == "scalar":
        getattr(target, f"add_scalar_{field['type']}")(field["name"], required=field["required"])
    else:
        getattr(target, f"add_{field['kind']}")(field["name"], **media_of(field))


def opened(dataset) -> int:
    DATASETS.append(dataset)
    return len(DATASETS) - 1


def create(request: dict) -> int:
    schema = dreamdb.Schema()
    for field in request["fields"]:
        add(schema, field)
    return opened(dreamdb.Dataset.create(request["ref"], schema, request["backend"]))


def sample(row: dict) -> dict:
    anchor = {"_anchor": int(row["anchor"])} if "anchor" in row else {}
    return {**anchor, **{name: values.to_numpy(value) for name, value in row["values"]}}


def attempt(work):
    """A question that the reference may refuse to answer; the others are still asked."""
    try:
        return {"value": work()}
    except BaseException as error:  # a panic of the reference is none of Exception
        return {"error": {"type": type(error).__name__, "message": str(error)}}


def batches(dataset, end) -> list:
    read = dataset.iter_all_batches(**({} if end is None else {"end_ns": int(end)}))
    return [
        {
            "anchors": [str(anchor) for anchor in batch["_time_anchors"]],
            "columns": [[name, [values.from_numpy(value) for value in column]] for name, column in batch.items() if name != "_time_anchors"],
        }
        for batch in read
    ]


def read(dataset, request: dict) -> dict:
    """Everything that the reference says of a dataset. Constants have no anchors, and media no point reads."""
    arrays, constants, anchors = request["arrays"], request["constants"], request["anchors"]
    points = [[name, [values.from_numpy(dataset.get_array_item(name, int(anchor))) for anchor in anchors]] for name in arrays]
    return {
        "manifest": dataset.current_manifest(),
        "timeline": dataset.timeline(),
        "count": dataset.count(),
        "anchors": [str(anchor) for anchor in dataset.list_anchors()],
        "deleted": [str(anchor) for anchor in dataset.tombstone_set()],
        "points": points,
        "audits": [[name, dataset.audit_array_field(name)] for name in [*arrays, *constants]],
        "constants": [[name, values.from_numpy(dataset.get_array_constant(name))] for name in constants],
        "batches": batches(dataset, None),
    }


def judge(request: dict) -> int:
    """Open a dataset, and check a field's stored Items if one is named; how many there are."""
    dataset = dreamdb.Dataset.open(request["ref"], backend=request["backend"])
    return dataset.audit_array_field(request["field"]) if "field" in request else 0


COMMANDS = {
    "append": lambda dataset, request: dataset.append_many([sample(row) for row in request["rows"]]),
    "addArrayConstant": lambda dataset, request: dataset.add_array_constant(
        request["name"], values.to_numpy(request["value"]), **type_of(request["type"])
    ),
    "addField": lambda dataset, request: add(dataset, request["field"]),
    "delete": lambda dataset, request: dataset.delete([int(anchor) for anchor in request["anchors"]], request.get("reason")),
    "branch": lambda dataset, request: opened(dataset.branch(request["name"])),
    "snapshot": lambda dataset, request: dataset.snapshot(request["label"]),
    "merge": lambda dataset, request: dataset.merge(request["other"], request["strategy"]),
    "refs": lambda dataset, _: dataset.list_refs(),
    "read": read,
}


def run(request: dict):
    if request["do"] == "create":
        return create(request)
    if request["do"] == "judge":
        return judge(request)
    if request["do"] == "open":
        return opened(dreamdb.Dataset.open(request["ref"], backend=request["backend"]))
    result = COMMANDS[request["do"]](DATASETS[request["dataset"]], request)
    # Some calls give the dataset itself, which says nothing.
    return None if isinstance(result, dreamdb.Dataset) else result


for line in sys.stdin:
    answer = attempt(lambda line=line: run(json.loads(line)))
    print(json.dumps(answer), flush=True)

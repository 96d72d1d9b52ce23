"""The reference implementation, for benchmarks: writes the dataset, and reads it when it is told to.

    python reference.py write DIR ITEMS MEDIA_BYTES PACK_ITEMS
    python reference.py read

`read` takes a line of JSON `[what, backend, field, …]` at a time and answers with one: the Items that it read, and its milliseconds. So the start
of the interpreter is not counted, and the dataset is opened anew for each, before the clock starts. What may be `all`, a whole iteration; `some`
with anchors, an iteration over the window of each, as media have no other point reads; `rows` with an anchor and numbers of rows of a sparse
matrix, for each of which the Item is read.
"""
import json
import pathlib
import random
import shutil
import sys
import time

import dreamdb
import numpy as np


def write(folder: str, items: int, media_bytes: int, pack_items: int) -> None:
    """Fields `pose` (an object of 64 bytes for each Item) and `frame` (packs), at the anchors 0, 1, 2 …"""
    schema = (
        dreamdb.Schema()
        .add_array("pose", "f32", [4, 4], semantic_type="pose", units="m", frame="camera", axis_order="row_major")
        .add_image("frame", mime="png", pack_items=pack_items)
    )
    noise = random.Random(1)
    poses = np.random.default_rng(1).standard_normal((items, 4, 4), dtype="<f4")
    dataset = dreamdb.Dataset.create("main", schema, f"file://{folder}")
    dataset.append_many([{"_anchor": at, "pose": poses[at], "frame": noise.randbytes(media_bytes)} for at in range(items)])
    shutil.rmtree(pathlib.Path(folder) / ".dreamdb-cas-locks", ignore_errors=True)


def all_items(dataset, field: str) -> int:
    return sum(len(batch[field]) for batch in dataset.iter_all_batches(batch_size=1024, fields=[field]))


def some_items(dataset, field: str, anchors: list) -> int:
    windows = (dataset.iter_all_batches(start_ns=at, end_ns=at + 1, batch_size=1, fields=[field]) for at in anchors)
    return sum(len(batch[field]) for window in windows for batch in window)


def rows(dataset, field: str, anchor: int, numbers: list) -> int:
    found = 0
    for row in numbers:
        item = dataset.get_array_item(field, anchor)
        start, end = item["row_offsets"][row : row + 2]
        found += len(item["column_indices"][start:end]) == len(item["values"][start:end]) > 0
    return found


READERS = {"all": all_items, "some": some_items, "rows": rows}


def read(what: str, backend: str, field: str, *rest) -> dict:
    dataset = dreamdb.Dataset.open("main", backend=backend)
    start = time.perf_counter()
    items = READERS[what](dataset, field, *rest)
    return {"items": items, "ms": (time.perf_counter() - start) * 1000}


if sys.argv[1] == "write":
    write(sys.argv[2], *map(int, sys.argv[3:6]))
else:
    for line in sys.stdin:
        print(json.dumps(read(*json.loads(line))), flush=True)

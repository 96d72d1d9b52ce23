"""Writes tests/unit/npy-files.json: arrays, and the `.npy` files that NumPy's own `save` makes of them.

    python -m venv .venv && .venv/bin/pip install numpy==2.4.6
    .venv/bin/python tests/unit/tools/make_npy_files.py

`data_hex` is an array's elements as they lie in memory, `order` the order in which they do; `file_hex` is the file. Where an array lies in
both orders it is listed under both, since a caller may say either.
"""
import io
import json
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent.parent / "npy-files.json"
DTYPES = {"f32": "<f4", "f64": "<f8", "i8": "i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "u8": "u1", "u16": "<u2", "u32": "<u4", "u64": "<u8"}
SHAPES = [(), (0,), (1,), (3,), (2, 3), (3, 2), (1, 3), (3, 1), (1, 1), (0, 3), (3, 0), (2, 0, 4), (2, 3, 4), (1, 2, 3), (2, 1, 3), (2, 3, 1),
          (1, 1, 5), (2, 2, 2, 2), (1, 2, 3, 2, 1, 2), (12345,), (10, 1, 1, 1, 1, 1, 1, 1), (1,) * 31]
# Extents of many digits, with no element: the text grows, up to and over the next multiple of 64.
LONG = [(0, 10**n) for n in range(1, 16)] + [(10**n, 0) for n in range(1, 16)] + [(0,) + (10**11,) * n for n in (2, 5, 6, 7)]


def case(dtype: str, shape: tuple, order: str) -> dict:
    count = int(np.prod(shape, dtype=object)) if shape else 1
    width = np.dtype(DTYPES[dtype]).itemsize
    # Every bit pattern is an element of every dtype; these have NaNs and both signs among them.
    data = bytes((i * 151 + 127 * (i % 3 == 0)) & 255 for i in range(count * width))
    array = np.frombuffer(data, DTYPES[dtype]).reshape(shape, order=order.upper())
    file = io.BytesIO()
    np.save(file, array)
    loaded = np.load(io.BytesIO(file.getvalue()))
    assert loaded.tobytes(order.upper()) == data and loaded.shape == shape
    return {"dtype": dtype, "shape": list(shape), "order": order, "data_hex": data.hex(), "file_hex": file.getvalue().hex()}


small = [shape for shape in SHAPES if np.prod(shape) < 100]
cases = [case(dtype, shape, order) for dtype in DTYPES for shape in [(), (3,), (2, 3)] for order in "cf"]
cases += [case("u16", shape, order) for shape in small for order in "cf"]
cases += [case("u8", shape, "c") for shape in SHAPES if shape not in small]
for shape in LONG:
    try:
        cases += [case("f64", shape, order) for order in "cf"]
    except ValueError:  # More than NumPy takes, elements or not.
        continue
HERE.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
print(len(cases), "files by NumPy", np.__version__)

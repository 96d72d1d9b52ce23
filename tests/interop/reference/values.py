"""Values between JSON and NumPy, every bit of them: 64-bit integers are decimal texts, elements are base64 of C order, little-endian."""
import base64

import numpy as np

DTYPES = {"f32": "<f4", "f64": "<f8", "i8": "|i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "u8": "|u1", "u16": "<u2", "u32": "<u4", "u64": "<u8"}
NAMES = {(np.dtype(spelled).kind, np.dtype(spelled).itemsize): name for name, spelled in DTYPES.items()}


def elements(text: str, dtype: str, shape) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), DTYPES[dtype]).reshape(tuple(shape))


def encoded(array) -> str:
    """The elements of an array of any order, whichever way their bytes lie."""
    array = np.asarray(array)
    swapped = array.byteswap() if array.dtype.byteorder == ">" else array
    return base64.b64encode(swapped.tobytes(order="C")).decode()


def dtype_of(array) -> str:
    dtype = np.asarray(array).dtype
    return NAMES[dtype.kind, dtype.itemsize]


def to_numpy(value: dict):
    """What the reference takes as a field's value."""
    if "bytes" in value:
        return base64.b64decode(value["bytes"])
    if "scalar" in value:
        return {"bool": lambda text: text == "true", "int": int, "float": float, "str": str}[value["scalar"]](value["text"])
    if value["family"] == "dense-array":
        return elements(value["data"], value["dtype"], map(int, value["shape"]))
    offsets = elements(value["rowOffsets"], "u64", [-1])
    if value["family"] == "ragged-array":
        inner = [int(extent) for extent in value["innerShape"]]
        cells = int(offsets[-1])
        return {"row_offsets": offsets, "values": elements(value["values"], value["dtype"], [cells, *inner])}
    return {
        "row_offsets": offsets,
        "column_indices": elements(value["columnIndices"], "u64", [-1]),
        "values": elements(value["values"], value["dtype"], [-1]),
    }


def from_numpy(value):
    """What the reference gave for a field's value, nothing assumed about what it should be."""
    if value is None:
        return None
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"bytes": base64.b64encode(bytes(value)).decode()}
    if type(value) in (bool, int, float, str):
        text = str(value).lower() if type(value) is bool else value.hex() if type(value) is float else str(value)
        return {"scalar": type(value).__name__, "text": text}
    if not isinstance(value, dict):
        array = np.asarray(value)
        return {"family": "dense-array", "dtype": dtype_of(array), "shape": [str(extent) for extent in array.shape], "data": encoded(array)}
    values = np.asarray(value["values"])
    common = {"dtype": dtype_of(values), "rowOffsets": encoded(value["row_offsets"]), "values": encoded(values)}
    if "column_indices" in value:
        return {"family": "sparse-csr", **common, "columnIndices": encoded(value["column_indices"])}
    return {"family": "ragged-array", **common, "innerShape": [str(extent) for extent in values.shape[1:]]}

"""Vectors of payloads (0025 §6, §7, §11): values by NumPy and SciPy, faults by construction."""

import io
import math

import numpy
import scipy.sparse

from build import DTYPES, KINDS, ORDERS, U64_MAX, address, array, canonical, csr, dense, hash33, ragged, refused, short, tag

SHAPES = ((), (3,), (2, 3), (2, 1, 3), (2, 1, 2, 2))
# Bit patterns that conversions lose: signed zeros, subnormals, infinities, quiet and signalling NaNs with payloads.
F32_BITS = (0x3FC00000, 0x80000000, 0x7F800001, 0xC0100000, 0x7FC00000, 0xFF800000, 0x00000001, 0x7F7FFFFF, 0x3DCCCCCD, 0xFFC0DEAD, 0x7F800000, 0)
F64_BITS = (0x3FF8000000000000, 1 << 63, 0x7FF0000000000001, 0xC002000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 1, 0x7FEFFFFFFFFFFFFF,
            0x3FB999999999999A, 0xFFF80000DEADBEEF, 0x7FF0000000000000, 0)


def elements(dtype, count, start=0):
    """`count` elements whose bits tell every byte and every sign apart."""
    kind, size = dtype[0], int(dtype[1:]) // 8
    if kind == "f":
        bits = F32_BITS if size == 4 else F64_BITS
    else:
        ends = (1, 2**(8 * size) - 2, 0x0102030405060708 % 2**(8 * size), 0, 2**(8 * size - 1), 2**(8 * size - 1) - 1, 2**(8 * size) - 1, 0x80)
        bits = ends
    picked = [bits[(start + index) % len(bits)] for index in range(count)]
    return numpy.array(picked, dtype=f"<u{size}").view(f"<{kind}{size}")


def json_values(values):
    """Elements as the vectors write them."""
    if values.dtype.kind == "f":
        def text(value):
            if math.isnan(value):
                return "nan"
            if math.isinf(value):
                return "inf" if value > 0 else "-inf"
            return "-0.0" if value == 0 and math.copysign(1, value) < 0 else value
        return [text(float(value)) for value in values.ravel()]
    return [str(value) if values.dtype.itemsize == 8 else value for value in map(int, values.ravel())]


def value_results(values, shape=None, **indices):
    """Results of a decode; `values` are in little-endian order."""
    shape = values.shape if shape is None else shape
    results = {"expected_shape": [extent if extent < 2**53 else str(extent) for extent in shape]}
    results |= {f"expected_{key}": [str(int(value)) for value in listed] for key, listed in indices.items()}
    return results | {"expected_values": json_values(values), "expected_bits_hex": values.tobytes("C").hex()}


def npy_type(item_type, order=None):
    kind, size = item_type["dtype"][0], int(item_type["dtype"][1:]) // 8
    mark = "|" if size == 1 else {"little": "<", "big": ">"}[order or item_type["endianness"]]
    return f"{mark}{kind}{size}"


def npy_header(item_type, **changes):
    """A version 1.0 header, by NumPy."""
    out = io.BytesIO()
    header = {"descr": npy_type(item_type), "fortran_order": item_type["layout"] == "f", "shape": tuple(item_type["shape"])} | changes
    numpy.lib.format.write_array_header_1_0(out, header)
    return out.getvalue()


def body(item_type, values):
    """The elements of a dense Item, in its layout and byte order."""
    stored = values.astype(values.dtype.newbyteorder(">" if item_type["endianness"] == "big" else "<"))
    if values.dtype.kind == "f":  # by bits: a conversion of floats could quieten a NaN
        plain = f"u{values.dtype.itemsize}"
        stored = values.view("<" + plain).astype((">" if item_type["endianness"] == "big" else "<") + plain)
    return stored.tobytes("F" if item_type["layout"] == "f" else "C")


def dense_payload(item_type, values):
    return (npy_header(item_type) if item_type["codec"] == "npy" else b"") + body(item_type, values)


def payload(file, name, section, item_type, data, outcome, description, operation="decode-payload", source=None):
    source = source or ("spec" if "expected_error" in outcome else "independent")
    return array(file, name, section, source, description, operation, item_type, type_cbor_hex=canonical(item_type).hex(), modality=tag(item_type),
                 payload_hex=data.hex(), **outcome)


def matrix():
    """Every dtype, byte order, codec and layout at ranks 0 to 4."""
    for codec, section in (("raw", "6"), ("npy", "7")):
        number = 0
        for dtype in DTYPES:
            for order in ORDERS:
                for layout in ("c", "f"):
                    for shape in SHAPES:
                        item_type = dense(dtype, shape, endianness=order, codec=codec, layout=layout)
                        values = elements(dtype, math.prod(shape), number).reshape(shape)
                        number += 1
                        yield payload(f"matrix-{codec}", f"{dtype}-{order}-{layout}-rank-{len(shape)}", section, item_type, dense_payload(item_type, values),
                                      value_results(values), f"{codec}: {dtype}, {order}-endian, layout {layout}, rank {len(shape)}")


def zero_extents():
    """Extents of zero carry no data; an all-zero payload is data like any other."""
    for dtype, shape in (("f32", (0,)), ("f64", (0, 3)), ("i8", (3, 0)), ("u16", (2, 0, 2)), ("u64", (0, 0, 0, 0)), ("i32", (0, 2**63, 2)), ("u8", (U64_MAX, 0))):
        for codec in ("raw", "npy"):
            for layout in ("c", "f"):
                item_type = dense(dtype, shape, codec=codec, layout=layout)
                name = f"{codec}-{layout}-{'x'.join(map(str, shape))}"
                if max(shape) > 2**62:
                    if codec == "raw":
                        yield payload("zero-extents", name, "6", item_type, b"", {}, "an empty Item of enormous extents", "check-payload", "independent")
                    continue
                values = elements(dtype, 0).reshape(shape)
                data = dense_payload(item_type, values)
                yield payload("zero-extents", name, "6", item_type, data, value_results(values), "an empty Item")
                yield payload("zero-extents", name + "-one-byte", "6", item_type, data + b"\0", refused("PayloadLength"), "a byte where none belongs")
    for dtype in DTYPES:
        item_type = dense(dtype, (2, 2))
        values = numpy.zeros((2, 2), "<" + npy_type(item_type)[1:])
        yield payload("zero-extents", f"all-zero-{dtype}", "6", item_type, dense_payload(item_type, values), value_results(values), "zero is a value")


def dense_refusals():
    """Lengths, and headers that say something else than the declaration."""
    for dtype in DTYPES:
        size = int(dtype[1:]) // 8
        for codec, section in (("raw", "6"), ("npy", "7")):
            item_type = dense(dtype, (2, 3), codec=codec)
            good = dense_payload(item_type, elements(dtype, 6).reshape(2, 3))
            for name, data in {"short": good[:-1], "long": good + b"\0", "element-short": good[:-size], "element-long": good + bytes(size), "twice": good + good}.items():
                if size > 1 or "element" not in name:
                    yield payload("lengths", f"{codec}-{dtype}-{name}", section, item_type, data, refused("PayloadLength"), f"{codec}: {name}")
    for name, data in {"empty": b"", "one-byte": b"\0"}.items():
        yield payload("lengths", f"raw-f64-{name}", "6", dense("f64", ()), data, refused("PayloadLength"), f"a scalar's payload: {name}")
    for dtype in DTYPES:
        for order in ORDERS:
            item_type = dense(dtype, (2, 3), codec="npy", endianness=order)
            data = body(item_type, elements(dtype, 6).reshape(2, 3))
            other = {"f32": "f64", "f64": "f32"}.get(dtype, ("u" if dtype[0] == "i" else "i") + dtype[1:])
            wrong = {"dtype": (npy_type(dense(other, endianness=order)), "dtype/endianness")}
            if dtype not in ("i8", "u8"):
                wrong["byte-order"] = (npy_type(item_type, ORDERS[order == "little"]), "dtype/endianness")
                wrong["native-order"] = ("=" + npy_type(item_type)[1:], "dtype/endianness")
            for name, (descr, subject) in wrong.items():
                yield payload("npy-headers", f"{dtype}-{order}-{name}", "7", item_type, npy_header(item_type, descr=descr) + data,
                              refused("CodecHeaderMismatch", subject), f"the header has another {name}: {descr}")
            for name, changes, subject in (("shape-transposed", {"shape": (3, 2)}, "shape"), ("shape-flat", {"shape": (6,)}, "shape"), ("shape-scalar", {"shape": ()}, "shape"),
                                           ("layout", {"fortran_order": True}, "layout")):
                yield payload("npy-headers", f"{dtype}-{order}-{name}", "7", item_type, npy_header(item_type, **changes) + data,
                              refused("CodecHeaderMismatch", subject), f"the header has another {name}")
    item_type = dense("f32", (2,), codec="npy")
    header = npy_header(item_type)
    data = bytes.fromhex("0000803f00000040")
    text = header[10:]
    for name, wrong in {
        "empty": b"", "magic-cut": b"\x93NUMPY", "prefix-cut": header[:9], "magic": b"\x94" + header[1:] + data, "lower-case": header.replace(b"NUMPY", b"numpy") + data,
        "version-0": header[:6] + b"\0\0" + header[8:] + data, "version-1.1": header[:6] + b"\1\1" + header[8:] + data,
        "version-4": header[:6] + b"\4\0" + header[8:] + data, "length-beyond-end": header[:8] + b"\xff\xff" + header[10:] + data,
        "length-big-endian": header[:8] + header[8:10][::-1] + header[10:] + data, "length-zero": header[:8] + b"\0\0" + header[10:] + data,
        "no-newline": header[:-1] + b" " + data, "no-header": data, "header-only-cut": header[:40], "v2-cut": b"\x93NUMPY\2\0\0\0\0",
        "v2-length-2-32": b"\x93NUMPY\2\0\xff\xff\xff\xff" + text + data, "list": header.replace(b"{", b"[", 1) + data,
        "array-shape": header.replace(b"(2,)", b"[2] ") + data, "int-shape": header.replace(b"(2,)", b"2   ") + data, "bool-int": header.replace(b"False", b"0    ") + data,
        "descr-bare": header.replace(b"'<f4'", b" <f4 ") + data, "descr-list": header.replace(b"'<f4'", b"[]   ") + data, "zip": b"PK\x03\x04" + bytes(60),
    }.items():
        yield payload("npy-headers", f"malformed-{name}", "7", item_type, wrong, refused("InvalidNpyHeader"), f"no .npy header: {name}")
    raw = dense("u8", (len(header) + 8,))
    yield payload("npy-headers", "raw-is-not-sniffed", "7", raw, header + data, value_results(numpy.frombuffer(header + data, "u1")),
                  "a raw Item whose bytes look like a .npy file is raw")
    values = numpy.frombuffer(data, "<f4")
    for name, version in {"v2": b"\2\0", "v3": b"\3\0"}.items():
        yield payload("npy-headers", name, "7", item_type, b"\x93NUMPY" + version + len(text).to_bytes(4, "little") + text + data, value_results(values), f"format {name}")


# ---------------------------------------------------------------- ragged and CSR

def be(*numbers):
    return b"".join((number % 2**64).to_bytes(8, "big") for number in numbers)


def ragged_bytes(offsets, values, cells=None, rows=None):
    return b"RAG1\0\0\0\1" + be(len(offsets) - 1 if rows is None else rows, offsets[-1] if cells is None else cells, *offsets) + values


def csr_bytes(shape, offsets, columns, values, nnz=None):
    return b"CSR1\0\0\0\1" + be(*shape, len(columns) if nnz is None else nnz, *offsets, *columns) + values


def stored(item_type, values):
    return body({"endianness": item_type["endianness"], "layout": "c"}, values)


def ragged_values():
    """Rows of all lengths, cells of all shapes, every dtype and byte order."""
    patterns = {"plain": [2, 1, 3], "empty-rows": [0, 2, 0, 0, 1, 0], "no-rows": [], "one-empty-row": [0], "only-empty": [0, 0, 0], "one-row": [5]}
    inner_shapes = ((), (2,), (2, 3), (1, 1, 1), (0,), (3, 0))
    number = 0
    for dtype in DTYPES:
        for order in ORDERS:
            for shift in range(2):
                name, lengths = list(patterns.items())[(number + 3 * shift) % 6]
                inner = inner_shapes[(number + number // 6 + 2 * shift) % 6]
                number += 1
                yield ragged_value(f"{dtype}-{order}-{name}-{'x'.join(map(str, inner)) or 'scalar'}", ragged(dtype, inner, endianness=order), lengths, number)
    for name, lengths in patterns.items():
        for inner in inner_shapes:
            yield ragged_value(f"cells-{name}-{'x'.join(map(str, inner)) or 'scalar'}", ragged("f32", inner), lengths, 0)
    huge = ((2**40, 0), 2**30), ((0,), U64_MAX), ((U64_MAX, 0), 2**63), ((0, 2**61), 2**40)
    for inner, cells in huge:
        item_type = ragged("f64", inner)
        yield payload("ragged-values", f"huge-{'x'.join(map(str, inner))}-{cells}", "11.1", item_type, ragged_bytes([0, 1, cells], b""), {},
                      "cells of no bytes, in numbers that only a u64 counts", "check-payload", "independent")
    yield payload("ragged-values", "cells-too-large-but-none", "11.1", ragged("f64", [2**61 - 1]), ragged_bytes([0, 0], b""), {}, "no cells of an enormous shape",
                  "check-payload", "independent")


def ragged_value(name, item_type, lengths, start):
    offsets = numpy.concatenate([[0], numpy.cumsum(lengths, dtype="u8")]).astype("u8")
    shape = (int(offsets[-1]), *item_type["inner_shape"])
    values = elements(item_type["dtype"], math.prod(shape), start).reshape(shape)
    return payload("ragged-values", name, "11.1", item_type, ragged_bytes(list(map(int, offsets)), stored(item_type, values)),
                   value_results(values, row_offsets=offsets), f"rows of {lengths} cells")


def csr_values():
    """Matrices by SciPy, explicit zeros kept; every dtype and byte order."""
    generator = numpy.random.default_rng(251)
    for number, dtype in enumerate(DTYPES):
        for order in ORDERS:
            shape = ((4, 6), (1, 9), (7, 1), (5, 5))[number % 4]
            pattern = scipy.sparse.random(*shape, density=0.4, format="csr", random_state=generator)
            pattern.sort_indices()
            values = elements(dtype, pattern.nnz, number)
            yield csr_value(f"{dtype}-{order}", csr(dtype, shape, endianness=order), pattern.indptr, pattern.indices, values)
    for name, shape, offsets, columns, bits in (
        ("no-rows", (0, 3), [0], [], []), ("no-columns", (3, 0), [0, 0, 0, 0], [], []), ("nothing", (0, 0), [0], [], []), ("empty-rows", (5, 3), [0, 0, 2, 2, 3, 3], [0, 2, 1], [1, 2, 3]),
        ("all-empty", (4, 4), [0] * 5, [], []), ("full", (2, 2), [0, 2, 4], [0, 1, 0, 1], [1, 2, 3, 4]), ("last-column", (1, 3), [0, 1], [2], [7]),
        ("explicit-zeros", (2, 3), [0, 2, 3], [0, 1, 2], [0, 0x80000000, 0]), ("nan-payloads", (1, 4), [0, 4], [0, 1, 2, 3], [0x7FC00001, 0x7F800001, 0xFFFFFFFF, 0xFFC00000]),
        ("u64-max-columns", (2, U64_MAX), [0, 2, 3], [0, U64_MAX - 1, 2**63], [1, 2, 3]), ("same-column-in-two-rows", (3, 2), [0, 1, 2, 3], [1, 1, 1], [1, 1, 1]),
    ):
        values = numpy.array(bits, "<u4").view("<f4")
        yield csr_value(name, csr("f32", shape), offsets, columns, values)


def csr_value(name, item_type, offsets, columns, values):
    data = csr_bytes(item_type["shape"], list(map(int, offsets)), list(map(int, columns)), stored(item_type, values))
    return payload("csr-values", name, "11.2", item_type, data, value_results(values, row_offsets=offsets, column_indices=columns), f"a CSR matrix: {name}")


def offset_fault(offsets, count, terminal_first):
    """The fault of row offsets, if any."""
    if offsets[0] != 0 or terminal_first and offsets[-1] != count:
        return "OffsetTerminal"
    if any(second < first for first, second in zip(offsets, offsets[1:])):
        return "OffsetOrder"
    return "OffsetTerminal" if offsets[-1] != count else None


def ragged_refusals():
    """Headers, lengths, and every single offset of a five-row Item changed."""
    item_type = ragged("u8")
    offsets, values = [0, 2, 2, 5, 6, 8], elements("u8", 8)
    good = ragged_bytes(offsets, values.tobytes())
    yield payload("ragged-faults", "five-rows", "11.1", item_type, good, value_results(values, row_offsets=offsets), "five rows, the base of what follows")
    candidates = [*range(10), 255, 256, 2**31, 2**32, 2**63 - 1, 2**63, U64_MAX - 1, U64_MAX]
    for index, original in enumerate(offsets):
        for value in candidates:
            if value == original:
                continue
            changed = [*offsets[:index], value, *offsets[index + 1:]]
            code = offset_fault(changed, 8, False)
            outcome = refused(code) if code else value_results(values, row_offsets=changed)
            yield payload("ragged-offsets", f"offset-{index}-is-{value}", "11.1", item_type, ragged_bytes(changed, values.tobytes(), cells=8), outcome,
                          f"offset {index} of [0, 2, 2, 5, 6, 8] replaced by {value}")
    for length in range(len(good)):
        code = "PayloadHeader" if length < 8 else "PayloadLength"
        yield payload("ragged-faults", f"first-{length:02}-bytes", "11.1", item_type, good[:length], refused(code), f"the first {length} bytes")
    yield from structured_faults("ragged-faults", "11.1", item_type, good, 16)
    for name, data in {
        "rows-one-less": ragged_bytes(offsets, values.tobytes(), rows=4), "rows-one-more": ragged_bytes(offsets, values.tobytes(), rows=6),
        "cells-one-less": ragged_bytes(offsets, values.tobytes(), cells=7), "cells-one-more": ragged_bytes(offsets, values.tobytes(), cells=9),
        "rows-2-61": ragged_bytes(offsets, values.tobytes(), rows=2**61 - 1), "rows-2-64": ragged_bytes(offsets, values.tobytes(), rows=U64_MAX),
        "cells-2-64": ragged_bytes(offsets, values.tobytes(), cells=U64_MAX), "cells-wrap": ragged_bytes(offsets, values.tobytes(), cells=2**64 - 72 + 8),
        "both-2-64": ragged_bytes(offsets, values.tobytes(), cells=U64_MAX, rows=U64_MAX), "rows-wrap": ragged_bytes(offsets, values.tobytes(), rows=2**61 + 5),
        "no-rows-no-offset": b"RAG1\0\0\0\1" + be(0, 0), "no-rows-cells": ragged_bytes([0], b"\1", cells=1),
    }.items():
        code = "OffsetTerminal" if name == "no-rows-cells" else "PayloadLength"
        yield payload("ragged-faults", name, "11.1", item_type, data, refused(code), f"counts of the header: {name}")
    wide = ragged("f64", [2, 3])
    data = ragged_bytes([0, 1], elements("f64", 6).tobytes())
    for name, wrong in {"cell-byte-short": data[:-1], "cell-byte-long": data + b"\0", "cell-short": data[:-48], "scalar-cells": data[:-40]}.items():
        yield payload("ragged-faults", name, "11.1", wide, wrong, refused("PayloadLength"), f"values of another length: {name}")
    yield payload("ragged-faults", "cell-bytes-overflow", "11.1", ragged("f64", [2**60]), ragged_bytes([0, 2**4], b""), refused("PayloadLength"),
                  "cells whose bytes wrap to zero in 64 bits")
    yield payload("ragged-faults", "little-endian-counts", "11.1", item_type, b"RAG1\0\0\0\1" + bytes.fromhex("0100000000000000" * 2) + be(0, 1) + b"\1",
                  refused("PayloadLength"), "counts in little-endian order")
    yield payload("ragged-faults", "offsets-in-bytes", "11.1", ragged("f32"), ragged_bytes([0, 4, 8], bytes(8), cells=2), refused("OffsetTerminal"),
                  "offsets that count bytes")


def structured_faults(file, section, item_type, good, stop):
    """Magic and version, for both families."""
    own, other = good[:4], b"CSR1" if good[:4] == b"RAG1" else b"RAG1"
    for name, front in {"other-magic": other + good[4:8], "lower-case": own.lower() + good[4:8], "magic-2": own[:3] + b"2" + good[4:8], "version-0": own + be(0)[4:],
                        "version-2": own + be(2)[4:], "version-little": own + b"\1\0\0\0", "version-max": own + b"\xff" * 4, "npy": b"\x93NUMPY\1\0"}.items():
        yield payload(file, f"header-{name}", section, item_type, front + good[8:], refused("PayloadHeader"), f"magic and version: {name}")
        yield payload(file, f"header-only-{name}", section, item_type, front, refused("PayloadHeader"), f"magic and version, nothing behind: {name}")
    for extra in (1, 7, 8, stop):
        yield payload(file, f"{extra:02}-bytes-more", section, item_type, good + bytes(extra), refused("PayloadLength"), f"{extra} bytes too many")


def csr_refusals():
    """Shape, lengths, offsets and columns of a five-row matrix."""
    shape = (5, 6)
    item_type = csr("u8", shape)
    offsets, columns, values = [0, 2, 2, 5, 6, 8], [1, 4, 0, 2, 5, 3, 0, 5], elements("u8", 8)
    raw = values.tobytes()
    good = csr_bytes(shape, offsets, columns, raw)
    yield payload("csr-faults", "five-rows", "11.2", item_type, good, value_results(values, row_offsets=offsets, column_indices=columns),
                  "five rows, the base of what follows")
    for index, original in enumerate(offsets):
        for value in [*range(10), 2**32, 2**63, U64_MAX]:
            if value == original:
                continue
            changed = [*offsets[:index], value, *offsets[index + 1:]]
            code = offset_fault(changed, 8, True) or column_fault(changed, columns, 6)
            outcome = refused(code) if code else value_results(values, row_offsets=changed, column_indices=columns)
            yield payload("csr-offsets", f"offset-{index}-is-{value}", "11.2", item_type, csr_bytes(shape, changed, columns, raw), outcome,
                          f"offset {index} of [0, 2, 2, 5, 6, 8] replaced by {value}")
    for index, original in enumerate(columns):
        for value in [*range(8), 2**32, 2**63, U64_MAX]:
            if value == original:
                continue
            changed = [*columns[:index], value, *columns[index + 1:]]
            code = column_fault(offsets, changed, 6)
            outcome = refused(code) if code else value_results(values, row_offsets=offsets, column_indices=changed)
            yield payload("csr-columns", f"column-{index}-is-{value}", "11.2", item_type, csr_bytes(shape, offsets, changed, raw), outcome,
                          f"column {index} of {columns} replaced by {value}")
    for length in [*range(33), 39, 40, 79, 80, 81, 87, 88, len(good) - 8, len(good) - 7, len(good) - 1]:
        code = "PayloadHeader" if length < 8 else "PayloadLength"
        yield payload("csr-faults", f"first-{length:03}-bytes", "11.2", item_type, good[:length], refused(code), f"the first {length} bytes")
    yield from structured_faults("csr-faults", "11.2", item_type, good, 64)
    for name, other in {"rows-less": (4, 6), "rows-more": (6, 6), "columns-less": (5, 5), "columns-more": (5, 7), "transposed": (6, 5), "zero": (0, 0), "max": (U64_MAX, U64_MAX)}.items():
        yield payload("csr-faults", f"shape-{name}", "11.2", item_type, csr_bytes(other, offsets, columns, raw), refused("ShapeMismatch"), f"another shape in the header: {name}")
        yield payload("csr-faults", f"shape-{name}-header-only", "11.2", item_type, csr_bytes(other, offsets, columns, raw)[:24], refused("ShapeMismatch"),
                      f"another shape in a header without a count: {name}")
    for name, nnz in {"one-less": 7, "one-more": 9, "zero": 0, "2-32": 2**32, "2-63": 2**63, "max": U64_MAX, "wrap": (2**64 - 8) // 9}.items():
        yield payload("csr-faults", f"nnz-{name}", "11.2", item_type, csr_bytes(shape, offsets, columns, raw, nnz), refused("PayloadLength"), f"another count: {name}")
    for rows in (U64_MAX, 2**61 - 1, 2**61 + 4, 2**40):
        huge = csr("u8", (rows, 6))
        yield payload("csr-faults", f"declared-rows-{rows}", "11.2", huge, csr_bytes((rows, 6), offsets, columns, raw), refused("PayloadLength"),
                      "more rows than the payload can have offsets for")
    duplicate = csr("f32", (1, 3))
    yield payload("csr-faults", "duplicate-column", "11.2", duplicate, csr_bytes((1, 3), [0, 2], [1, 1], bytes(8)), refused("ColumnOrder"), "one coordinate twice")
    yield payload("csr-faults", "unsorted-columns", "11.2", duplicate, csr_bytes((1, 3), [0, 2], [2, 0], bytes(8)), refused("ColumnOrder"), "columns that fall")
    yield payload("csr-faults", "column-of-no-columns", "11.2", csr("f32", (1, 0)), csr_bytes((1, 0), [0, 1], [0], bytes(4)), refused("ColumnBounds"), "a value in a matrix of no columns")
    yield payload("csr-faults", "u64-max-column", "11.2", csr("f32", (1, U64_MAX)), csr_bytes((1, U64_MAX), [0, 1], [U64_MAX], bytes(4)), refused("ColumnBounds"),
                  "the one index beyond the largest extent")
    yield payload("csr-faults", "bounds-before-order", "11.2", duplicate, csr_bytes((1, 3), [0, 2], [3, 0], bytes(8)), refused("ColumnBounds"), "of two faults the first in the row")
    yield payload("csr-faults", "order-before-later-bounds", "11.2", csr("f32", (2, 3)), csr_bytes((2, 3), [0, 2, 3], [1, 1, 9], bytes(12)), refused("ColumnOrder"),
                  "of two faults the one in the earlier row")
    yield payload("csr-faults", "no-rows-values", "11.2", csr("f32", (0, 3)), csr_bytes((0, 3), [0], [0], bytes(4)), refused("OffsetTerminal"), "values, but no row to hold them")


def column_fault(offsets, columns, extent):
    """The first fault of column indices, row by row."""
    for first, last in zip(offsets, offsets[1:]):
        for index in range(first, last):
            if columns[index] >= extent:
                return "ColumnBounds"
            if index > first and columns[index] <= columns[index - 1]:
                return "ColumnOrder"
    return None


def writes():
    """Items of every kind and family, as a writer's index names them (0025 §9, §11.4)."""
    def appended(name, item_type, kind, samples, outcome, description, **more):
        listed = [({} if anchor is None else {"anchor": str(anchor)}) | {"payload_hex": data.hex()} for anchor, data in samples]
        return array("writes", name, "9" if kind == "constant" else "6", "spec" if "expected_error" in outcome else "independent", description, "append-items", item_type,
                     type_cbor_hex=canonical(item_type).hex(), modality=tag(item_type, kind), samples=listed, **more, **outcome)

    for item_type in (dense(), dense("u16", (2,), codec="npy", endianness="big"), ragged("i16", [2]), csr("f64", (2, 2))):
        label = f"{short(item_type)}-{item_type['codec']}"
        if short(item_type) == "dense":
            bodies = [dense_payload(item_type, elements(item_type["dtype"], item_type["shape"][0], start)) for start in range(3)]
        elif short(item_type) == "ragged":
            bodies = [ragged_bytes([0, 1], elements("i16", 2, start).tobytes()) for start in range(3)]
        else:
            bodies = [csr_bytes((2, 2), [0, 1, 1], [start % 2], elements("f64", 1, start).tobytes()) for start in range(3)]
        for kind in KINDS:
            if kind == "constant":
                samples, index = [(None, bodies[0])], [hash33(bodies[0])]
            else:
                samples = list(zip((30, 0, 2**63), bodies))
                index = [[hash33(data), at] if kind == "event" else [at, at + 1, at, hash33(data)] for at, data in sorted(samples)]
            yield appended(f"{label}-{kind}", item_type, kind, samples, {"expected_object_index_cbor_hex": canonical(index).hex()}, f"Items of a {kind} Track")
            short_samples = [*samples[:-1], (samples[-1][0], bodies[2][:-1])]
            yield appended(f"{label}-{kind}-byte-short", item_type, kind, short_samples, refused("PayloadLength"), "the last Item is a byte short: nothing is stored")
    plain, data = dense(), bytes(12)
    for name, samples, known, code in (
        ("repeated", [(5, data), (5, data)], [], "RepeatedAnchor"), ("already-there", [(5, data)], ["4", "5"], "RepeatedAnchor"),
        ("u64-max", [(U64_MAX, data)], [], "InvalidArgument"), ("repeated-large", [(2**63, data), (2**63, data)], [], "RepeatedAnchor"),
    ):
        yield appended(f"anchor-{name}", plain, "event", samples, refused(code), f"anchors: {name}", **({"existing_anchors": known} if known else {}))
    large = [(2**53, data), (2**53 + 1, data), (U64_MAX - 1, data)]
    index = [[hash33(data), at] for at, _ in large]
    yield appended("anchors-beyond-2-53", plain, "event", large, {"expected_object_index_cbor_hex": canonical(index).hex()}, "anchors that a double cannot tell apart")
    yield appended("constant-none", plain, "constant", [], refused("InvalidArgument"), "a Constant without a value")
    yield appended("constant-two", plain, "constant", [(None, data), (None, data)], refused("InvalidArgument"), "a Constant with two values")
    for name, item_type, stored_bytes in (("dense", plain, data), ("npy", dense(codec="npy"), dense_payload(dense(codec="npy"), elements("f32", 3)))):
        good = {"address": address(stored_bytes), "bytes_hex": stored_bytes.hex()}
        yield array("objects", f"{name}-whole", "3.1", "independent", "an object and its address", "verify-object", **good)
        for at in (0, 5, len(stored_bytes) - 1):
            changed = bytearray(stored_bytes)
            changed[at] ^= 0x10
            yield array("objects", f"{name}-bit-in-byte-{at}", "3.1", "independent", "one bit changed", "verify-object",
                        **good | {"bytes_hex": changed.hex()}, **refused("HashMismatch"))
        yield array("objects", f"{name}-cut", "3.1", "independent", "a byte less", "verify-object", **good | {"bytes_hex": stored_bytes[:-1].hex()}, **refused("HashMismatch"))
        yield array("objects", f"{name}-long", "3.1", "independent", "a byte more", "verify-object", **good | {"bytes_hex": stored_bytes.hex() + "00"}, **refused("HashMismatch"))
    yield array("objects", "empty", "3.1", "independent", "the empty object", "verify-object", address=address(b""), bytes_hex="")


def vectors():
    for part in (matrix, zero_extents, dense_refusals, ragged_values, ragged_refusals, csr_values, csr_refusals, writes):
        yield from part()

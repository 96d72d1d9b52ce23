"""Vectors of Bao outboards and range proofs, over the standard input pattern."""

import bao
from build import address, refused

SIZES = (1, 2, 3, 4, 8, 16, 31, 100)


def vector(file, name, operation, outcome, description, **fields):
    return {"_file": file, "id": f"{file}--{name}", "spec": "bao", "category": "bao", "source": "independent", "description": description,
            "operation": operation} | fields | outcome


def outboards():
    """Outboards around every change of the tree's shape; their root is what BLAKE3's own implementation says."""
    lengths = [0, 1, *(chunks * 1024 + step for chunks in SIZES for step in (-1, 0, 1))]
    for length in lengths:
        data = bao.pattern({"pattern": "i%251", "length": length})
        board, named = bao.outboard(data)
        assert named == address(data), length
        outcome = {"expected_address": named, "expected_outboard_length": len(board), "expected_outboard_address": address(board)}
        if len(board) <= 4096:
            outcome["expected_outboard_hex"] = board.hex()
        yield vector("outboards", f"{length}-bytes", "make-outboard", outcome, f"{length} bytes", data={"pattern": "i%251", "length": length})


def ranges(length):
    """Ranges that begin, end and cross where mistakes are made."""
    wanted = [(0, length), (0, 1), (length - 1, length)]
    for edge in (1024, 2048, 3072, 4096, 8192, 16384, 65536):
        wanted += [(edge - 1, edge), (edge, edge + 1), (edge - 1, edge + 1), (edge, edge + 1024), (edge + 100, edge + 200)]
    middle = length // 2
    wanted += [(middle - 700, middle + 700), (1, length - 1)]
    return sorted({(start, end) for start, end in wanted if 0 <= start < end <= length})


def proofs():
    """What proves a range, for small objects verified too."""
    for length in (1, 1023, 1024, 1025, 2048, 2049, 3072, 4097, 5120, 16385, 31 * 1024, 100 * 1024 + 1, 2**20, 2**32 + 5, 2**53 + 1):
        listed = ranges(length) if length < 2**20 else [(0, 1), (length - 1, length), (2**19 - 1, 2**19 + 1), (length // 2, length // 2 + 5000)]
        for start, end in listed:
            span, nodes = bao.plan(length, start, end)
            outcome = {"expected_span": [str(at) for at in span], "expected_nodes": nodes}
            yield vector("ranges", f"plan-{length}-{start}-{end}", "plan-range", outcome, f"[{start}, {end}) of {length} bytes", length=str(length), range=[str(start), str(end)])
            if length in (1, 1024, 1025, 3072, 4097, 5120, 16385) or length == 100 * 1024 + 1 and end - start < 3000:
                data = bao.pattern({"pattern": "i%251", "length": length})
                outcome = outcome | {"expected_bytes_address": address(data[start:end])}
                yield vector("ranges", f"verify-{length}-{start}-{end}", "verify-range", outcome, f"[{start}, {end}) of {length} bytes",
                             data={"pattern": "i%251", "length": length}, range=[str(start), str(end)])


def corruptions():
    """Single bits: every one is refused."""
    for length, start, end in ((5120, 0, 5120), (5120, 2000, 2100), (5120, 4096, 5120), (4097, 0, 4097), (4097, 4096, 4097), (1024, 0, 1024), (1, 0, 1), (16385, 9000, 9001), (100 * 1024, 51199, 51201)):
        span, nodes = bao.plan(length, start, end)
        fields = {"data": {"pattern": "i%251", "length": length}, "range": [str(start), str(end)]}
        places = {"data": 8 * (span[1] - span[0]), "nodes": 512 * len(nodes)}
        for place, bits in places.items():
            if bits:
                yield vector("corruptions", f"{place}-{length}-{start}-{end}", "verify-range", refused("HashMismatch"),
                             f"each of {bits} bits of the {place} that prove [{start}, {end}) of {length} bytes", **fields, flip={"in": place, "bits": [0, bits]})


def vectors():
    for part in (outboards, proofs, corruptions):
        yield from part()

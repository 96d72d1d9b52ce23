"""Vectors of requests for spans of an object, with and without the proof of what they bring.

The outcomes are computed in one sweep over the sorted spans; where `requests` or `proof` is given beside a vector, they
were worked out by hand and must be the same.
"""

import random

import bao
from build import U64_MAX, refused

MIB = 2**20
NO_LIMIT = U64_MAX
UNLIKE = object()


def sweep(spans, max_gap, max_request):
    """Requests for [start, end) spans: each in turn is joined to the last request, or begins the next ones."""
    requests = []
    for start, end in sorted(spans):
        if requests:
            first, reached = requests[-1]
            if end <= reached:
                continue
            if start <= reached + max_gap and end <= first + max_request:
                requests[-1] = (first, end)
                continue
            start = max(start, reached)
        requests += [(at, min(at + max_request, end)) for at in range(start, end, max_request)]
    return requests


def node_spans(length, requests):
    nodes = sorted({node for start, end in requests for node in bao.plan(length, start, end)[1]})
    return [(0 if node == 0 else 64 * node + 8, 64 * node + 72) for node in nodes]


def total(requests):
    return sum(end - start for start, end in requests)


def outcome(length, spans, max_gap, max_request, proof):
    """The expected fields."""
    wanted = [(start, start + size) for start, size in spans if size > 0]
    board = []
    if proof is not None:
        max_request = max(max_request // 1024, 1) * 1024
        wanted = [(start // 1024 * 1024, min(-(-end // 1024) * 1024, length)) for start, end in wanted]
    data = sweep(wanted, max_gap, max_request)
    if proof is not None and data != [(0, length)]:
        board = sweep(node_spans(length, data), int(proof["max_gap"]), max_request)
        if data and length <= min(max_request, total(data) + (0 if proof["known"] else total(board))):
            data, board = [(0, length)], []
    slices = [max(number for number, (first, _) in enumerate(data) if first <= start) if size else 0 for start, size in spans]
    return {"expected_requests": data, "expected_proof_requests": board, "expected_whole": data == [(0, length)], "expected_slices": slices}


def vector(file, name, description, length, spans, max_gap=0, max_request=NO_LIMIT, proof=None, code=None, requests=UNLIKE, board=UNLIKE, slices=UNLIKE):
    """A vector; what is given from `code` on was worked out by hand."""
    fields = {"length": str(length), "spans": [[str(start), str(size)] for start, size in spans], "max_gap": str(max_gap), "max_request": str(max_request)}
    if proof is not None:
        fields["proof"] = proof
    if code is not None:
        results = refused(code)
    else:
        results = outcome(length, spans, max_gap, max_request, proof)
        for key, by_hand in (("requests", requests), ("proof_requests", board), ("slices", slices)):
            assert by_hand is UNLIKE or by_hand == results[f"expected_{key}"], (name, key, results)
        for key in ("expected_requests", "expected_proof_requests"):
            results[key] = [[str(start), str(end)] for start, end in results[key]]
    return {"_file": file, "id": f"{file}--{name}", "spec": "ranges", "category": "ranges", "source": "independent", "description": description,
            "operation": "plan-requests"} | fields | results


def plain(*arguments, **more):
    return vector("requests", *arguments, **more)


def proved(*arguments, gap=0, known=False, **more):
    return vector("verified-requests", *arguments, proof={"max_gap": str(gap), "known": known}, **more)


def joining():
    pack = [(20, 5), (0, 5), (5, 0), (5, 15), (0, 5)]
    yield plain("pack-in-any-order", "a repeated and an empty span among all of a pack", 25, pack, requests=[(0, 25)], slices=[0] * 5)
    yield plain("pack-in-order", "all of a pack, in order", 25, [(0, 5), (5, 0), (5, 15), (20, 5)], requests=[(0, 25)])
    yield plain("first-byte", "one byte at the front", 1000, [(0, 1)], requests=[(0, 1)], slices=[0])
    yield plain("last-byte", "one byte at the end", 1000, [(999, 1)], requests=[(999, 1000)])
    yield plain("all-but-the-last-byte", "one byte less than the object", 1000, [(0, 999)], requests=[(0, 999)])
    yield plain("all", "the object as one span", 1000, [(0, 1000)], requests=[(0, 1000)])
    yield plain("empty-span", "an empty span asks for nothing", 1000, [(460, 0)], requests=[], slices=[0])
    yield plain("empty-span-at-the-end", "an empty span where the object ends", 1000, [(1000, 0)], requests=[], slices=[0])
    yield plain("empty-span-between", "an empty span in a gap neither bridges nor splits it", 1000, [(0, 10), (15, 0), (20, 10)], 9, requests=[(0, 10), (20, 30)], slices=[0, 0, 1])
    yield plain("no-spans", "nothing is wanted", 1000, [], requests=[], slices=[])
    yield plain("empty-object", "nothing is wanted of an empty object", 0, [], requests=[])
    yield plain("empty-object-empty-span", "an empty span of an empty object", 0, [(0, 0), (0, 0)], requests=[], slices=[0, 0])
    ends = [(0, MIB), (9 * MIB, MIB)]
    yield plain("far-apart", "Items 0 and 9 of a pack of ten", 10 * MIB, ends, requests=[(0, MIB), (9 * MIB, 10 * MIB)], slices=[0, 1])
    yield plain("far-apart-gap-short", "one byte less than the gap", 10 * MIB, ends, 8 * MIB - 1, requests=[(0, MIB), (9 * MIB, 10 * MIB)])
    yield plain("far-apart-gap-allowed", "the gap exactly", 10 * MIB, ends, 8 * MIB, requests=[(0, 10 * MIB)], slices=[0, 0])
    yield plain("touching", "spans that touch need no gap", 100, [(10, 10), (20, 10), (30, 1)], requests=[(10, 31)])
    yield plain("one-byte-apart", "a gap of one byte is a gap", 100, [(10, 10), (21, 10)], requests=[(10, 20), (21, 31)])
    yield plain("one-byte-bridged", "and is bridged if one byte is allowed", 100, [(21, 10), (10, 10)], 1, requests=[(10, 31)], slices=[0, 0])
    yield plain("chain", "each gap counts by itself", 100, [(0, 1), (4, 1), (8, 1), (13, 1)], 3, requests=[(0, 9), (13, 14)], slices=[0, 0, 0, 1])
    yield plain("gap-after-the-longest", "a gap begins where the longest span before it ends", 100, [(0, 40), (5, 5), (45, 5)], 5, requests=[(0, 50)])
    yield plain("nested", "spans inside another", 100, [(10, 50), (20, 5), (10, 50), (59, 1)], requests=[(10, 60)], slices=[0] * 4)
    yield plain("overlapping", "overlapping spans", 100, [(30, 20), (10, 25), (45, 10)], requests=[(10, 55)])
    yield plain("touching-does-not-lose-whole", "spans that make up the object are the whole object", 100, [(50, 50), (0, 50)], requests=[(0, 100)])
    yield plain("bridging-to-whole", "bridged gaps may make it the whole object", 100, [(0, 40), (60, 40)], 20, requests=[(0, 100)])


def limits():
    yield plain("split", "a span larger than a request", 100, [(0, 25)], 0, 10, requests=[(0, 10), (10, 20), (20, 25)], slices=[0])
    yield plain("split-evenly", "a multiple of the largest request", 100, [(5, 20)], 0, 10, requests=[(5, 15), (15, 25)])
    yield plain("split-into-bytes", "requests of one byte", 100, [(7, 3)], 50, 1, requests=[(7, 8), (8, 9), (9, 10)])
    yield plain("limit-met", "a span as large as a request", 100, [(3, 10)], 0, 10, requests=[(3, 13)])
    yield plain("limit-exceeded", "a span one byte larger than a request", 100, [(3, 11)], 0, 10, requests=[(3, 13), (13, 14)])
    yield plain("split-whole", "requests that make up the object are not one", 20, [(0, 20)], 0, 10, requests=[(0, 10), (10, 20)])
    yield plain("rest-grows", "the rest of a split span is joined to the next", 100, [(0, 25), (26, 4), (31, 2)], 1, 10, requests=[(0, 10), (10, 20), (20, 30), (31, 33)], slices=[0, 2, 3])
    yield plain("inside-a-split-span", "spans inside a split one lie in its pieces", 100, [(12, 3), (0, 30), (25, 5), (8, 4)], 0, 10, requests=[(0, 10), (10, 20), (20, 30)], slices=[1, 0, 2, 0])
    yield plain("touching-at-the-limit", "touching spans that fill a request", 100, [(0, 6), (6, 4)], 0, 10, requests=[(0, 10)])
    yield plain("touching-beyond-the-limit", "the request ends where its last span does", 100, [(0, 6), (6, 6)], 0, 10, requests=[(0, 6), (6, 12)], slices=[0, 1])
    yield plain("bridged-at-the-limit", "a gap is bridged if all fits", 100, [(0, 4), (6, 6)], 2, 12, requests=[(0, 12)])
    yield plain("not-bridged-beyond-the-limit", "and not half of it if it does not", 100, [(0, 4), (6, 6)], 2, 11, requests=[(0, 4), (6, 12)])
    yield plain("overlap-beyond-the-limit", "no byte is fetched twice", 100, [(0, 5), (3, 9)], 0, 10, requests=[(0, 5), (5, 12)], slices=[0, 0])
    yield plain("overlap-split", "what is left of an overlapping span is split", 100, [(3, 25), (0, 5)], 0, 10, requests=[(0, 5), (5, 15), (15, 25), (25, 28)], slices=[0, 0])
    yield plain("same-start", "of spans with one start the shortest comes first", 100, [(0, 20), (0, 5), (0, 8)], 0, 10, requests=[(0, 8), (8, 18), (18, 20)], slices=[0, 0, 0])
    yield plain("short-ones-inside", "a span that is there already needs no room", 100, [(0, 10), (9, 1), (2, 3)], 0, 10, requests=[(0, 10)], slices=[0, 0, 0])
    yield plain("back-to-back", "equal Items fill requests as far as they fit", 100, [(4 * at, 4) for at in range(9)], 0, 10, requests=[(0, 8), (8, 16), (16, 24), (24, 32), (32, 36)], slices=[0, 0, 1, 1, 2, 2, 3, 3, 4])
    yield plain("no-room", "a request of no byte", 100, [(0, 5)], 0, 0, code="InvalidArgument")
    yield plain("no-room-for-nothing", "even if nothing is wanted", 100, [], 0, 0, code="InvalidArgument")
    yield plain("no-room-and-beyond", "is refused first", 100, [(0, 101)], 0, 0, code="InvalidArgument")
    yield plain("too-many", "more than 2^20 requests", U64_MAX, [(0, U64_MAX)], 0, 1, code="InvalidArgument")
    yield plain("too-many-by-one", "2^20 requests and one", 2**60, [(5, 2**20 * 2**20 + 1)], 0, 2**20, code="InvalidArgument")


def offsets():
    yield plain("beyond-32-bits", "a span across 4 GiB", 2**33, [(4294967290, 10)], requests=[(4294967290, 4294967300)])
    yield plain("beyond-32-bits-joined", "two around 4 GiB", 2**33, [(2**32, 5), (2**32 - 5, 5)], requests=[(2**32 - 5, 2**32 + 5)], slices=[0, 0])
    yield plain("beyond-32-bits-apart", "same offsets in the low 32 bits", 2**40, [(2**32 + 7, 5), (7, 5), (2**33 + 7, 5)], 1000, requests=[(7, 12), (2**32 + 7, 2**32 + 12), (2**33 + 7, 2**33 + 12)], slices=[1, 0, 2])
    yield plain("beyond-53-bits", "neighbours that a double cannot tell apart", 2**60, [(2**53, 1), (2**53 + 1, 1), (2**53 + 3, 1)], requests=[(2**53, 2**53 + 2), (2**53 + 3, 2**53 + 4)], slices=[0, 0, 1])
    yield plain("largest-object", "the last byte that 64 bits can count", U64_MAX, [(U64_MAX - 1, 1), (U64_MAX, 0)], requests=[(U64_MAX - 1, U64_MAX)])
    yield plain("largest-object-ends", "both ends of it", U64_MAX, [(U64_MAX - 10, 10), (0, 1)], requests=[(0, 1), (U64_MAX - 10, U64_MAX)], slices=[1, 0])
    yield plain("largest-object-bridged", "all of it, as a gap of nearly 2^64 bytes", U64_MAX, [(U64_MAX - 10, 10), (0, 1)], U64_MAX, requests=[(0, U64_MAX)])
    yield plain("largest-object-split", "all of it, in two", U64_MAX, [(0, U64_MAX)], 0, 2**63, requests=[(0, 2**63), (2**63, U64_MAX)])
    for name, description, length, spans in (
        ("beyond-the-end", "one byte beyond the end", 25, [(0, 5), (20, 6)]),
        ("from-beyond-the-end", "from beyond the end", 25, [(26, 1)]),
        ("empty-beyond-the-end", "an empty span beyond the end", 25, [(0, 5), (26, 0)]),
        ("of-empty-object", "a byte of an empty object", 0, [(0, 1)]),
        ("beyond-64-bits", "an end that 64 bits cannot count", U64_MAX, [(U64_MAX - 3, 10)]),
        ("beyond-64-bits-by-one", "an end that is 2^64", U64_MAX, [(U64_MAX, 1)]),
        ("wrapping-into-the-object", "an end that would wrap into the object", 1000, [(500, 2**64 - 400)]),
    ):
        yield plain(name, description, length, spans, code="PackSliceOutOfBounds")


def chunks():
    yield proved("widened", "a span in two chunks", 50000, [(1000, 100)], requests=[(0, 2048)], slices=[0])
    yield proved("one-chunk", "the last byte of a chunk", 50000, [(2047, 1)], requests=[(1024, 2048)])
    yield proved("next-chunk", "the first byte of a chunk", 50000, [(2048, 1)], requests=[(2048, 3072)])
    yield proved("aligned", "whole chunks stay as they are", 50000, [(2048, 4096)], requests=[(2048, 6144)])
    yield proved("last-chunk", "the last chunk is not a whole one", 50000, [(49999, 1)], requests=[(49152, 50000)])
    yield proved("last-two-chunks", "the last chunk and the one before", 50000, [(49151, 2)], requests=[(48128, 50000)])
    yield proved("same-chunk", "two spans of one chunk", 50000, [(5000, 10), (4100, 10)], requests=[(4096, 5120)], slices=[0, 0])
    yield proved("neighbouring-chunks", "spans 1,000 bytes apart in neighbouring chunks", 50000, [(5119, 1), (6119, 1)], requests=[(4096, 6144)])
    yield proved("gap-in-chunks", "a gap counts between chunks", 50000, [(100, 1), (2900, 1)], 1024, requests=[(0, 3072)])
    yield proved("gap-in-chunks-short", "one byte less", 50000, [(100, 1), (2900, 1)], 1023, requests=[(0, 1024), (2048, 3072)], slices=[0, 1])
    yield proved("order-of-chunks", "order is that of the chunks", 50000, [(50, 3000), (100, 10), (3100, 10)], 0, 3072, requests=[(0, 3072), (3072, 4096)], slices=[0, 0, 1])
    yield proved("order-of-chunks-beyond-the-limit", "the longer of two in one first chunk comes second", 50000, [(50, 3000), (100, 10)], 0, 2048, requests=[(0, 1024), (1024, 3072)], slices=[0, 0])
    for limit, ends in ((1, (1024, 2048, 3072)), (1023, (1024, 2048, 3072)), (1024, (1024, 2048, 3072)), (2047, (1024, 2048, 3072)), (2048, (2048, 3072)), (3071, (2048, 3072)), (3072, (3072,))):
        parts = list(zip((0, *ends), ends))
        yield proved(f"limit-{limit}", f"requests of {limit} bytes hold whole chunks", 50000, [(0, 2049)], 0, limit, requests=parts)
    yield proved("limit-and-last-chunk", "the rest of a split span is not a whole chunk", 5000, [(0, 5000)], 0, 2048, requests=[(0, 2048), (2048, 4096), (4096, 5000)])
    yield proved("empty-spans", "nothing to fetch, nothing to prove", 50000, [(0, 0), (50000, 0)], requests=[], board=[], slices=[0, 0])
    yield proved("empty-object", "nor of an empty object", 0, [(0, 0)], requests=[], board=[])
    yield proved("beyond-the-end", "widening does not hide a span beyond the end", 1500, [(1400, 101)], code="PackSliceOutOfBounds")
    yield proved("no-room", "a request of no byte", 1500, [(1400, 10)], 0, 0, code="InvalidArgument")


def whole():
    for length in (1, 1023, 1024):
        yield proved(f"single-chunk-{length}", "one chunk is the object and needs no proof", length, [(length - 1, 1)], 0, 1, requests=[(0, length)], board=[])
    yield proved("whole-asked", "the object as one span", 50000, [(0, 50000)], requests=[(0, 50000)], board=[])
    yield proved("whole-asked-known", "the object as one span, its outboard at hand", 50000, [(0, 50000)], known=True, requests=[(0, 50000)], board=[])
    # Of three chunks the first two: one node, 72 bytes with the length in front.
    yield proved("two-of-three-chunks", "data and node as large as the object", 2048 + 72, [(0, 2000)], requests=[(0, 2120)], board=[], slices=[0])
    yield proved("two-of-three-chunks-over", "data and node one byte smaller", 2048 + 73, [(0, 2000)], requests=[(0, 2048)], board=[(0, 72)])
    yield proved("two-of-three-chunks-known", "the node costs nothing if it is at hand", 2048 + 72, [(0, 2000)], known=True, requests=[(0, 2048)], board=[(0, 72)])
    yield proved("two-of-three-chunks-large", "the object is larger than a request", 2048 + 72, [(0, 2000)], 0, 2119, requests=[(0, 2048)], board=[(0, 72)])
    yield proved("two-of-three-chunks-rounded", "what counts is whole chunks", 2048 + 72, [(0, 2000)], 0, 3071, requests=[(0, 2048)], board=[(0, 72)])
    yield proved("two-of-three-chunks-room", "and three are enough", 2048 + 72, [(0, 2000)], 0, 3072, requests=[(0, 2120)], board=[])
    yield proved("first-of-two-chunks", "a second chunk of one byte", 1025, [(0, 1)], requests=[(0, 1025)], board=[])
    yield proved("first-of-two-chunks-known", "not fetched along if the outboard is at hand", 1025, [(0, 1)], known=True, requests=[(0, 1024)], board=[(0, 72)])
    yield proved("second-of-two-chunks", "one byte, 1,024 too many", 1025, [(1024, 1)], requests=[(1024, 1025)], board=[(0, 72)])
    # Chunks 0, 2, 4, 6 of eight need all seven nodes; bridged, chunks 0 to 6 need nodes 0, 4 and 6, 200 bytes.
    odd = [(2048 * at, 1) for at in range(4)]
    yield proved("every-other-chunk", "many requests, and still less than the object", 8192, odd, requests=[(2048 * at, 2048 * at + 1024) for at in range(4)], board=[(0, 456)], slices=[0, 1, 2, 3])
    yield proved("bridged-data-counts", "bridged gaps are bytes, too", 7168 + 200, odd, 1024, requests=[(0, 7368)], board=[])
    yield proved("bridged-data-counts-over", "one byte over", 7168 + 201, odd, 1024, requests=[(0, 7168)], board=[(0, 72), (264, 328), (392, 456)])
    yield proved("bridged-nodes-count", "and so are bridged nodes", 7168 + 264, odd, 1024, gap=64, requests=[(0, 7432)], board=[])
    yield proved("bridged-nodes-count-over", "one byte over", 7168 + 265, odd, 1024, gap=64, requests=[(0, 7168)], board=[(0, 72), (264, 456)])
    yield proved("pieces-of-the-object", "all bytes, but in requests that are proved one by one", 8192, [(0, 8192)], 0, 4096, requests=[(0, 4096), (4096, 8192)], board=[(0, 72)])
    yield proved("pieces-and-rest", "pieces that are no subtrees", 9000, [(0, 9000)], 0, 3072, requests=[(0, 3072), (3072, 6144), (6144, 9000)])


def boards():
    ends = [(0, MIB), (9 * MIB, MIB)]
    for gap, board in ((0, [(0, 264), (524296, 524360)]), (4096, [(0, 264), (524296, 524360)]), (524032, [(0, 524360)])):
        yield proved(f"far-apart-{gap}", f"Items 0 and 9 of a pack of ten, nodes up to {gap} bytes apart", 10 * MIB, ends, gap=gap, requests=[(0, MIB), (9 * MIB, 10 * MIB)], board=board)
    yield proved("far-apart-known", "the nodes are named even if they are at hand", 10 * MIB, ends, known=True, board=[(0, 264), (524296, 524360)])
    yield proved("left-edge", "nodes of the left edge are neighbours", 2**32 + 5, [(0, 1)], board=[(0, 8 + 64 * 23)])
    scattered = [(2**20, 10), (2**32 - 5, 10), (3 * 2**30 + 12345, 5000), (0, 1), (2**33 - 1, 1), (5 * 2**30, 2**20)]
    for gap in (0, 4096, 65536):
        yield proved(f"scattered-{gap}", f"nodes up to {gap} bytes apart", 2**33, scattered, gap=gap)
        yield proved(f"middle-{gap}", f"both sides of the middle, nodes up to {gap} bytes apart", 64 * MIB, [(32 * MIB - 1, 2)], gap=gap)
        yield proved(f"strided-{gap}", f"every sixteenth chunk, nodes up to {gap} bytes apart", MIB, [(16384 * at + 500, 100) for at in range(64)], 8192, gap=gap)
    yield proved("nodes-within-the-limit", "no request for nodes is larger than the limit", MIB, [(16384 * at, 1024) for at in range(64)], 0, 1024, gap=65536)
    yield proved("nodes-within-whole-chunks", "and that is in whole chunks", MIB, [(16384 * at, 1024) for at in range(64)], 0, 2047, gap=65536)
    yield proved("large-object", "a span in the middle of 2^53 bytes and one", 2**53 + 1, [(2**52 + 12345, 100000)], 0, 65536, gap=4096)
    yield proved("largest-object", "the last byte that 64 bits can count", U64_MAX, [(U64_MAX - 1, 1)], gap=4096, requests=[(U64_MAX - 1023, U64_MAX)])
    yield proved("beyond-32-bits", "a span across 4 GiB", 2**33, [(4294967290, 10)], requests=[(4294966272, 4294968320)])


def mixtures():
    """Spans of all sorts."""
    chance = random.Random(25)
    for number in range(12):
        length = chance.randrange(50, 120)
        spans = [(start, min(chance.choice((0, 1, 3, 8, 30)), length - start)) for start in (chance.randrange(length) for _ in range(7))]
        yield plain(f"mixture-{number}", "spans in no order", length, spans, chance.randrange(6), chance.choice((7, 16, 40)))
    for number in range(12):
        length = chance.randrange(20000, 90000)
        spans = [(start, min(chance.choice((0, 1, 300, 1024, 5000, 20000)), length - start)) for start in (chance.randrange(length) for _ in range(6))]
        yield proved(f"mixture-{number}", "spans in no order", length, spans, chance.choice((0, 1024, 5000)), chance.choice((4096, 10000, 2**17)), gap=chance.choice((0, 64, 500)), known=chance.random() < 0.3)


def vectors():
    for part in (joining, limits, offsets, chunks, whole, boards, mixtures):
        yield from part()

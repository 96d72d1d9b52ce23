"""Requests for spans of an object, peeled off one by one: each begins at the first byte that no earlier one brings."""

import bao
from wire import Refusal, U64_END

CHUNK = 1024
MOST = 2**20


def peel(spans, max_gap, max_request):
    """Half-open requests for half-open spans."""
    left, requests = sorted(span for span in spans if span[0] < span[1]), []
    reached = 0
    while left := [span for span in left if span[1] > reached]:
        if len(requests) == MOST:
            raise Refusal("InvalidArgument")
        begin = max(left[0][0], reached)
        if left[0][1] - begin > max_request:
            reached = begin + max_request
        else:
            reached = left[0][1]
            for start, end in left[1:]:
                if end > reached and (start - reached > max_gap or end - begin > max_request):
                    break
                reached = max(reached, end)
        requests.append([begin, reached])
    return requests


def plan(vector):
    """What to fetch, as numbers."""
    length, max_gap, max_request = (int(vector[key]) for key in ("length", "max_gap", "max_request"))
    spans = [[int(start), int(start) + int(size)] for start, size in vector["spans"]]
    proof = vector.get("proof")
    if max_request == 0:
        raise Refusal("InvalidArgument")
    if any(end > length or end >= U64_END for _, end in spans):
        raise Refusal("PackSliceOutOfBounds")
    if proof is None:
        data = peel(spans, max_gap, max_request)
        return data, [], data == [[0, length]], slices(spans, data)
    max_request = max(max_request - max_request % CHUNK, CHUNK)
    chunks = [[start - start % CHUNK, min(length, end + -end % CHUNK)] for start, end in spans if start < end]
    data = peel(chunks, max_gap, max_request)
    whole = data == [[0, length]]
    nodes = set() if whole else {node for start, end in data for node in bao.plan(length, start, end)[1]}
    board = peel([[8 + 64 * node if node else 0, 72 + 64 * node] for node in nodes], int(proof["max_gap"]), max_request)
    bytes_of = [sum(end - start for start, end in requests) for requests in (data, [] if proof["known"] else board)]
    if data and length <= max_request and length <= sum(bytes_of):
        data, board, whole = [[0, length]], [], True
    return data, board, whole, slices(spans, data)


def slices(spans, requests):
    """For each span the number of the request with its first byte."""
    holding = [[number for number, (first, last) in enumerate(requests) if first <= start < last] for start, _ in spans]
    return [holds[0] if start < end else 0 for (start, end), holds in zip(spans, holding)]


def run(vector):
    """The operation on requests."""
    data, board, whole, numbers = plan(vector)
    texts = [[[str(start), str(end)] for start, end in requests] for requests in (data, board)]
    return {"expected_requests": texts[0], "expected_proof_requests": texts[1], "expected_whole": whole, "expected_slices": numbers}

"""Bao outboards and range proofs from BLAKE3's definition: 1 KiB chunks, nodes in pre-order (slow, plain Python)."""

import functools
import struct

from wire import Refusal, address, base32, parse_address

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
MIXES = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
CHUNK = 1024
MASK = 0xFFFFFFFF


def compress(chaining, block, counter, length, flags):
    state = [*chaining, *IV[:4], counter & MASK, counter >> 32, length, flags]
    words = struct.unpack("<16I", block.ljust(64, b"\0"))
    for _ in range(7):
        for step, (a, b, c, d) in enumerate(MIXES):
            for word, first, second in ((words[2 * step], 16, 12), (words[2 * step + 1], 8, 7)):
                state[a] = (state[a] + state[b] + word) & MASK
                turn = state[d] ^ state[a]
                state[d] = (turn >> first | turn << 32 - first) & MASK
                state[c] = (state[c] + state[d]) & MASK
                turn = state[b] ^ state[c]
                state[b] = (turn >> second | turn << 32 - second) & MASK
        words = [words[index] for index in PERMUTATION]
    return [state[index] ^ state[index + 8] for index in range(8)]


def chunk_value(data, index, root):
    chaining = IV
    blocks = max(1, -(-len(data) // 64))
    for number in range(blocks):
        flags = CHUNK_START * (number == 0) | (CHUNK_END | ROOT * root) * (number == blocks - 1)
        block = data[64 * number:64 * number + 64]
        chaining = compress(chaining, block, index, len(block), flags)
    return struct.pack("<8I", *chaining)


def parent_value(node, root):
    return struct.pack("<8I", *compress(IV, node, 0, 64, PARENT | ROOT * root))


def left_length(length):
    """Bytes under the left child: the largest power of two of chunks that leaves something to the right."""
    chunks = 1
    while 2 * chunks * CHUNK < length:
        chunks *= 2
    return chunks * CHUNK


def node_count(length):
    return max(0, -(-length // CHUNK) - 1)


def nodes_of(data):
    """The nodes in pre-order, and the digest."""
    nodes = []

    def walk(start, length, root):
        if length <= CHUNK:
            return chunk_value(data[start:start + length], start // CHUNK, root)
        slot, left = len(nodes), left_length(length)
        nodes.append(None)
        nodes[slot] = walk(start, left, False) + walk(start + left, length - left, False)
        return parent_value(nodes[slot], root)

    return nodes, walk(0, len(data), True)


def subtree_value(data, at, root):
    """The chaining value, or digest, of the subtree over the bytes that begin at `at`."""
    if len(data) <= CHUNK:
        return chunk_value(data, at // CHUNK, root)
    left = left_length(len(data))
    node = subtree_value(data[:left], at, False) + subtree_value(data[left:], at + left, False)
    return parent_value(node, root)


def plan(length, start, end):
    """The chunk-aligned span that holds [start, end), and the indices of the nodes that prove it.

    A subtree that lies wholly inside the span is hashed from its bytes and needs no node.
    """
    if length == 0:
        return [0, 0], []
    if start == end:
        start = min(start, length - 1)
        end = start + 1
    span = [start // CHUNK * CHUNK, min(length, -(-end // CHUNK) * CHUNK)]
    indices = []

    def walk(at, size, index):
        if at >= span[1] or at + size <= span[0] or (span[0] <= at and at + size <= span[1]):
            return
        left = left_length(size)
        indices.append(index)
        walk(at, left, index + 1)
        walk(at + left, size - left, index + 1 + node_count(left))

    walk(0, length, 0)
    return span, indices


def verify(named, length, nodes, span, body):
    """Refuses unless `body`, the bytes of `span`, and the nodes that prove it hash to the address."""
    def walk(at, size, index, expected, root):
        if not root and (at >= span[1] or at + size <= span[0]):
            return
        if span[0] <= at and at + size <= span[1]:
            if subtree_value(body[at - span[0]:at - span[0] + size], at, root) != expected:
                raise Refusal("HashMismatch")
            return
        if parent_value(nodes[index], root) != expected:
            raise Refusal("HashMismatch")
        left = left_length(size)
        walk(at, left, index + 1, nodes[index][:32], False)
        walk(at + left, size - left, index + 1 + node_count(left), nodes[index][32:], False)

    walk(0, length, 0, parse_address(named)[1:], True)


def pattern(data):
    """The bytes that a `data` field describes."""
    assert data["pattern"] == "i%251"
    return bytes(index % 251 for index in range(data["length"]))


@functools.cache
def outboard(data):
    nodes, digest = nodes_of(data)
    return len(data).to_bytes(8, "little") + b"".join(nodes), base32(b"\x1e" + digest)


def run(vector):
    """The operations on outboards and ranges."""
    operation = vector["operation"]
    if operation == "plan-range":
        span, indices = plan(int(vector["length"]), *map(int, vector["range"]))
        return {"expected_span": [str(end) for end in span], "expected_nodes": indices}
    data = pattern(vector["data"])
    board, named = outboard(data)
    if operation == "make-outboard":
        assert named == address(data)
        results = {"expected_address": named, "expected_outboard_length": len(board), "expected_outboard_address": address(board)}
        return results | {"expected_outboard_hex": board.hex()}
    assert operation == "verify-range"
    start, end = map(int, vector["range"])
    span, indices = plan(len(data), start, end)
    nodes = {index: board[8 + 64 * index:72 + 64 * index] for index in indices}
    body = data[span[0]:span[1]]
    flip = vector.get("flip")
    if flip is None:
        verify(named, len(data), nodes, span, body)
        return {"expected_span": [str(end) for end in span], "expected_nodes": indices,
                "expected_bytes_address": address(data[start:end])}
    first, last = flip["bits"]
    missed = 0
    # Every bit is the vector's business; this slow model looks at a sample of them.
    for bit in range(first, last, 1 if last - first < 600 else 211):
        changed_body, changed_nodes = bytearray(body), dict(nodes)
        if flip["in"] == "data":
            changed_body[bit // 8] ^= 1 << bit % 8
        else:
            index = indices[bit // 512]
            node = bytearray(nodes[index])
            node[bit % 512 // 8] ^= 1 << bit % 8
            changed_nodes[index] = bytes(node)
        try:
            verify(named, len(data), changed_nodes, span, bytes(changed_body))
            missed += 1
        except Refusal as refusal:
            code = refusal.code
    if missed:
        return {}
    raise Refusal(code)

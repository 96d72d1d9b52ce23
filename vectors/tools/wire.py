"""Bytes: addresses, base32, and CBOR that keeps pair order, repetitions and any malformation that a vector needs.

Written for the vectors alone; nothing here comes from the product that the vectors test.
"""

import base64
import struct

import blake3

U64_END = 1 << 64
SAFE_END = 1 << 53
MAX_DEPTH = 128


class Refusal(Exception):
    """An outcome other than success: a code, and the key, field or modality it is about."""

    def __init__(self, code, subject=None):
        super().__init__(code if subject is None else f"{code} ({subject})")
        self.code = code
        self.subject = subject


# ---------------------------------------------------------------- addresses

def multihash(data):
    """The 33 bytes that name `data`."""
    return b"\x1e" + blake3.blake3(data).digest()


def base32(raw):
    """RFC 4648 base32, lower case, unpadded."""
    return base64.b32encode(raw).decode().lower().rstrip("=")


def address(data):
    """The 53 characters that name `data`."""
    return base32(multihash(data))


ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


def parse_address(text):
    """The 33 bytes that an address spells; only the one canonical spelling is read."""
    if len(text.encode()) != 53 or any(letter not in ALPHABET for letter in text):
        raise Refusal("Multihash")
    bits = 0
    for letter in text:
        bits = bits << 5 | ALPHABET.index(letter)
    if bits & 1:
        raise Refusal("Multihash")
    return check_multihash((bits >> 1).to_bytes(33, "big"))


def check_multihash(raw):
    """`raw`, if it is a BLAKE3-256 multihash of 33 bytes."""
    if len(raw) != 33 or raw[0] != 0x1E:
        raise Refusal("Multihash")
    return raw


# ---------------------------------------------------------------- CBOR

class Map(list):
    """A map as the list of its pairs, in wire order, repetitions kept."""

    def get(self, key, default=None):
        return next((value for name, value in self if name == key and type(name) is type(key)), default)

    def has(self, key):
        return any(name == key and type(name) is type(key) for name, _ in self)


class Tag:
    """A tagged item."""

    def __init__(self, number, value):
        self.number, self.value = number, value

    def __eq__(self, other):
        return isinstance(other, Tag) and (self.number, self.value) == (other.number, other.value)


class Simple:
    """A simple value other than false, true and null; only undefined (23) is read."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Simple) and self.number == other.number


class Raw(bytes):
    """Bytes that are CBOR already, right or wrong."""


def head(major, argument, width=None):
    """A head; `width` (1, 2, 4 or 8 bytes of argument) makes it longer than it need be."""
    if width is None:
        width = 0 if argument < 24 else 1 if argument < 1 << 8 else 2 if argument < 1 << 16 else 4 if argument < 1 << 32 else 8
    if width == 0:
        return bytes([major << 5 | argument])
    return bytes([major << 5 | 23 + width.bit_length()]) + argument.to_bytes(width, "big")


def encode(value, ordered=False):
    """CBOR with minimal heads; `ordered` sorts the keys of every map by their encoding."""
    if isinstance(value, Raw):
        return bytes(value)
    if value is None:
        return b"\xf6"
    if value is True:
        return b"\xf5"
    if value is False:
        return b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, (bytes, bytearray)):
        return head(2, len(value)) + bytes(value)
    if isinstance(value, str):
        raw = value.encode()
        return head(3, len(raw)) + raw
    if isinstance(value, Simple):
        return head(7, value.number)
    if isinstance(value, Tag):
        return head(6, value.number) + encode(value.value, ordered)
    if isinstance(value, dict):
        return encode(Map(value.items()), True)
    if isinstance(value, Map):
        pairs = [encode(key, ordered) + encode(item, ordered) for key, item in value]
        if ordered:
            pairs = [key + item for key, item in sorted((encode(k, True), encode(v, True)) for k, v in value)]
        return head(5, len(value)) + b"".join(pairs)
    return head(4, len(value)) + b"".join(encode(item, ordered) for item in value)


def decode_first(data, text_keys=False):
    """The first item of `data` and the number of bytes it takes."""
    return _decode(data, 0, text_keys, 0)


def decode(data, text_keys=False):
    """The only item of `data`."""
    value, end = decode_first(data, text_keys)
    if end != len(data):
        raise Refusal("Cbor")
    return value


def _decode(data, at, text_keys, depth):
    if depth > MAX_DEPTH or at >= len(data):
        raise Refusal("Cbor")
    major, info = data[at] >> 5, data[at] & 31
    at += 1
    if info < 24:
        argument = info
    elif info < 28:
        width = 1 << info - 24
        if at + width > len(data):
            raise Refusal("Cbor")
        argument = int.from_bytes(data[at:at + width], "big")
        at += width
    else:
        raise Refusal("Cbor")
    if major == 7:
        simple = {20: False, 21: True, 22: None, 23: Simple(23)}
        if info not in simple:
            raise Refusal("Cbor")
        return simple[info], at
    if major == 0:
        return argument, at
    if major == 1:
        return -1 - argument, at
    if major in (2, 3):
        if at + argument > len(data):
            raise Refusal("Cbor")
        body, at = data[at:at + argument], at + argument
        if major == 2:
            return body, at
        try:
            return body.decode(), at
        except UnicodeDecodeError:
            raise Refusal("Cbor") from None
    if major == 4:
        items = []
        for _ in range(argument):
            item, at = _decode(data, at, text_keys, depth + 1)
            items.append(item)
        return items, at
    if major == 5:
        pairs = Map()
        for _ in range(argument):
            key, at = _decode(data, at, text_keys, depth + 1)
            if text_keys and not isinstance(key, str):
                raise Refusal("Cbor")
            item, at = _decode(data, at, text_keys, depth + 1)
            pairs.append((key, item))
        return pairs, at
    item, at = _decode(data, at, text_keys, depth + 1)
    if argument == 2 and isinstance(item, bytes) and len(item.lstrip(b"\0")) <= 8:
        return int.from_bytes(item, "big"), at
    return Tag(argument, item), at


# ---------------------------------------------------------------- JSON

def json_int(value):
    """An integer that every JSON parser keeps: larger ones than 2^53-1 become decimal strings."""
    return value if -SAFE_END < value < SAFE_END else str(value)


def json_value(value):
    """`value` with its large integers written as decimal strings."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return json_int(value)
    if isinstance(value, dict):
        return {key: json_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(item) for item in value]
    return value

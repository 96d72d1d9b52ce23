//! What the targets share: taking an input apart. The targets are in `targets/`, their first inputs are made by `seeds.mjs`.

use dreamdb_arrays::cbor::{Reader, Value, Writer};

/// An input of several parts: each but the last stands behind its length, two bytes, least significant first.
#[must_use]
pub fn parts<const N: usize>(mut data: &[u8]) -> Option<[&[u8]; N]> {
    let mut parts = [data; N];
    for part in parts.iter_mut().take(N - 1) {
        let (length, rest) = data.split_first_chunk::<2>()?;
        (*part, data) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    }
    parts[N - 1] = data;
    Some(parts)
}

/// The next number of an input: a byte says how many bytes of it follow, up to eight.
pub fn number(data: &mut &[u8]) -> Option<u64> {
    let (width, rest) = data.split_first()?;
    let (bytes, rest) = rest.split_at_checked(usize::from(width % 9))?;
    *data = rest;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Numbers of eight bytes each, least significant first; what is left over is nothing.
#[must_use]
pub fn numbers(data: &[u8]) -> Vec<u64> {
    data.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect()
}

/// The canonical encoding of a tree.
#[must_use]
pub fn encoded(value: &Value<'_>) -> Vec<u8> {
    let mut out = Writer::new();
    out.value(value);
    out.into_bytes()
}

/// Asserts that bytes are one item in canonical form.
pub fn assert_canonical(bytes: &[u8]) {
    let value = Reader::new(bytes).value().expect("what is written can be read");
    assert_eq!(encoded(&value), bytes, "what is written is canonical");
}

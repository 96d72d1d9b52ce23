//! CBOR by hand: bytes in exactly the order and form that a test wants, whether canonical or not.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

/// A head of that major type, in its shortest form.
pub fn head(major: u8, argument: u64) -> Vec<u8> {
    let wide = argument.to_be_bytes();
    let (info, width) = match argument {
        0..=23 => return vec![major << 5 | wide[7]],
        24..=0xff => (24, 1),
        0x100..=0xffff => (25, 2),
        0x1_0000..=0xffff_ffff => (26, 4),
        _ => (27, 8),
    };
    [&[major << 5 | info], &wide[8 - width..]].concat()
}

pub fn uint(value: u64) -> Vec<u8> {
    head(0, value)
}

pub fn bytes(value: &[u8]) -> Vec<u8> {
    [head(2, value.len() as u64), value.to_vec()].concat()
}

pub fn text(value: &str) -> Vec<u8> {
    [head(3, value.len() as u64), value.as_bytes().to_vec()].concat()
}

pub fn array(items: &[Vec<u8>]) -> Vec<u8> {
    [head(4, items.len() as u64), items.concat()].concat()
}

/// A map with those pairs, in that order.
pub fn map(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let pairs: Vec<Vec<u8>> = pairs.iter().flat_map(|(key, value)| [text(key), value.clone()]).collect();
    [head(5, pairs.len() as u64 / 2), pairs.concat()].concat()
}

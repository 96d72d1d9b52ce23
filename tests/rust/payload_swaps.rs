//! Byte swaps and index decoding against the obvious loops.

#![cfg(test)]
// Sizes are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use dreamdb_arrays::endian::{decode_be_u64s, swap};
use dreamdb_arrays::error::Code;

fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|index| (index * 167 + 13) as u8).collect()
}

fn swapped(bytes: &[u8], width: usize) -> Vec<u8> {
    bytes.chunks(width).flat_map(|element| element.iter().rev().copied()).collect()
}

#[test]
fn every_width_and_length_at_every_alignment() {
    for width in [1, 2, 4, 8] {
        for length in (0..=100).chain([1000, 4096, 65536]) {
            for start in 0..=16 {
                let whole = pattern(start + length + 3);
                let mut found = whole.clone();
                let outcome = swap(&mut found[start..start + length], width as u64);
                let mut wanted = whole.clone();
                if length % width == 0 {
                    assert_eq!(outcome, Ok(()), "{length} bytes by {width}");
                    wanted.splice(start..start + length, swapped(&whole[start..start + length], width));
                } else {
                    assert_eq!(outcome.unwrap_err().code(), Code::InvalidArgument, "{length} bytes by {width}");
                }
                assert_eq!(found, wanted, "{length} bytes by {width} at {start}");
            }
        }
    }
}

#[test]
fn a_swap_undoes_itself() {
    for width in [2, 4, 8] {
        let bytes = pattern(1024 + 8);
        let mut twice = bytes.clone();
        swap(&mut twice, width).unwrap();
        assert_ne!(twice, bytes);
        swap(&mut twice, width).unwrap();
        assert_eq!(twice, bytes);
    }
}

#[test]
fn other_widths_are_refused() {
    for width in [0, 3, 5, 6, 7, 9, 16, u64::MAX] {
        let mut bytes = pattern(48);
        assert_eq!(swap(&mut bytes, width).unwrap_err().code(), Code::InvalidArgument, "{width}");
        assert_eq!(bytes, pattern(48));
    }
}

#[test]
fn bits_of_floats_survive() {
    let singles = [0x8000_0000_u32, 0x7fc0_0001, 0x7f80_0001, 0xffff_ffff, 0x0000_0001];
    let mut bytes: Vec<u8> = singles.iter().flat_map(|bits| bits.to_be_bytes()).collect();
    swap(&mut bytes, 4).unwrap();
    assert_eq!(bytes, singles.iter().flat_map(|bits| bits.to_le_bytes()).collect::<Vec<_>>());

    let doubles = [1_u64 << 63, 0x7ff8_0000_0000_0001, 0x7ff0_0000_0000_0001, u64::MAX, 1];
    let mut bytes: Vec<u8> = doubles.iter().flat_map(|bits| bits.to_be_bytes()).collect();
    swap(&mut bytes, 8).unwrap();
    assert_eq!(bytes, doubles.iter().flat_map(|bits| bits.to_le_bytes()).collect::<Vec<_>>());
}

#[test]
fn decoding_fills_the_front() {
    let bytes = pattern(24);
    for room in 3..6 {
        let mut out = vec![7; room];
        let wanted: Vec<u64> = bytes.chunks(8).map(|raw| u64::from_be_bytes(raw.try_into().unwrap())).collect();
        assert_eq!(decode_be_u64s(&bytes, &mut out).unwrap(), wanted);
        assert_eq!(out[..3], wanted);
        assert!(out[3..].iter().all(|slot| *slot == 7));
    }
    assert!(decode_be_u64s(&[], &mut []).unwrap().is_empty());
    for (length, room) in [(24, 2), (23, 3), (1, 3), (8, 0)] {
        let refused = decode_be_u64s(&bytes[..length], &mut vec![0; room]).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{length} bytes for {room}");
    }
}

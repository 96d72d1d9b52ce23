//! Digests and values beside those of the algorithm's own crate.

#![cfg(test)]

use blake3::hazmat::{HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
use data_encoding::HEXLOWER;
use dreamdb_blake3::{CHUNK_BYTES, hash, parent, root, subtree};
use proptest::prelude::*;

/// Bytes without a pattern that a block or a chunk repeats.
fn bytes(count: usize) -> Vec<u8> {
    (0_u32..).take(count).map(|at| (at.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect()
}

fn theirs(bytes: &[u8], chunk: u64) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.set_input_offset(chunk.wrapping_mul(CHUNK_BYTES as u64));
    hasher.update(bytes);
    hasher.finalize_non_root()
}

#[test]
fn every_length_around_every_edge() {
    // All of two chunks, then the edges of blocks and chunks in trees of up to 200 chunks, which is more than stand side by side.
    let edges = (2..200).flat_map(|chunks: usize| [0, 1, 63, 64, 65, 1023].map(|more| chunks * CHUNK_BYTES + more));
    let all = bytes(201 * CHUNK_BYTES);
    for length in (0..=2 * CHUNK_BYTES).chain(edges) {
        let object = &all[..length];
        assert_eq!(hash(object), *blake3::hash(object).as_bytes(), "{length} bytes");
    }
}

#[test]
fn the_algorithms_own_vectors() {
    // Of `test_vectors.json` of the algorithm's authors: bytes that count up to 250 and begin again.
    let vectors = [
        (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
        (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"),
        (1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"),
        (1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"),
        (1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"),
        (2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"),
        (31_744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"),
    ];
    for (length, digest) in vectors {
        let object: Vec<u8> = (0..=250).cycle().take(length).collect();
        assert_eq!(HEXLOWER.encode(&hash(&object)), digest, "{length} bytes");
    }
}

#[test]
fn counters_beyond_32_bits() {
    let all = bytes(9 * CHUNK_BYTES);
    for chunk in [0, 8, 1 << 32, (1 << 32) - 8, (1 << 54) - 16] {
        for length in [1, 1024, 4096, 5000, 8192] {
            assert_eq!(
                subtree(&all[..length], chunk),
                theirs(&all[..length], chunk),
                "{length} bytes at chunk {chunk}"
            );
        }
    }
}

proptest! {
    #[test]
    fn objects(object in prop::collection::vec(any::<u8>(), 0..20_000)) {
        prop_assert_eq!(hash(&object), *blake3::hash(&object).as_bytes());
    }

    #[test]
    fn nodes(left in any::<[u8; 32]>(), right in any::<[u8; 32]>()) {
        prop_assert_eq!(parent(&left, &right), merge_subtrees_non_root(&left, &right, Mode::Hash));
        prop_assert_eq!(root(&left, &right), *merge_subtrees_root(&left, &right, Mode::Hash).as_bytes());
    }
}

//! Hashing in windows, against hashing as a whole.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use dreamdb_arrays::tree::{CHUNK_BYTES, combine, window};
use dreamdb_arrays::{Address, Code};

fn data(length: usize) -> Vec<u8> {
    (0..251_u8).cycle().take(length).collect()
}

fn in_windows(data: &[u8], size: usize) -> Address {
    let windows = (0_u64..).step_by(size).zip(data.chunks(size));
    let values: Vec<u8> = windows.flat_map(|(offset, bytes)| window(bytes, offset).unwrap()).collect();
    combine(&values).unwrap()
}

#[test]
fn around_multiples_of_the_window() {
    for size in [1, 2, 4, 16, 64].map(|chunks| chunks * 1024) {
        for windows in [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31] {
            for length in [windows * size - 1, windows * size, windows * size + 1] {
                if length > size {
                    let data = data(length);
                    assert_eq!(in_windows(&data, size), Address::of(&data), "{length} bytes in windows of {size}");
                }
            }
        }
    }
}

#[test]
fn every_length_of_few_chunks() {
    for length in 1025..5000 {
        let data = data(length);
        assert_eq!(in_windows(&data, 1024), Address::of(&data), "{length} bytes");
    }
}

#[test]
fn order_matters() {
    let data = data(4096);
    let values: Vec<Vec<u8>> =
        (0_u64..).step_by(1024).zip(data.chunks(1024)).map(|(at, bytes)| window(bytes, at).unwrap().to_vec()).collect();
    let turned = [&values[1], &values[0], &values[2], &values[3]].map(Vec::as_slice).concat();
    assert_eq!(combine(&values.concat()), Ok(Address::of(&data)));
    assert_ne!(combine(&turned), Ok(Address::of(&data)));
}

#[test]
fn refusals() {
    let code = |bytes: &[u8], offset: u64| window(bytes, offset).map(|_| ()).map_err(|error| error.code());
    let refused = Err(Code::InvalidArgument);
    assert_eq!(code(&[0], 0), Ok(()));
    assert_eq!(code(&[], 0), refused);
    assert_eq!(code(&[0], 1), refused);
    assert_eq!(code(&[0], CHUNK_BYTES - 1), refused);
    assert_eq!(code(&data(1024), 1024), Ok(()));
    assert_eq!(code(&data(1025), 1024), refused, "a subtree at chunk 1 is that chunk");
    assert_eq!(code(&data(2048), 2048), Ok(()));
    assert_eq!(code(&data(2049), 2048), refused);
    assert_eq!(code(&data(4096), 12 * 1024), Ok(()));
    assert_eq!(code(&data(4097), 12 * 1024), refused);
    assert_eq!(code(&[0], u64::MAX), refused);
    assert_eq!(code(&[0], u64::MAX - 1023), Ok(()));
    for length in [0, 1, 31, 32, 33, 63, 65, 96 + 1] {
        assert_eq!(combine(&data(length)).unwrap_err().code(), Code::InvalidArgument, "{length} bytes of values");
    }
    assert!(combine(&data(64)).is_ok());
}

#[test]
fn beyond_four_gib() {
    // 2^32 zeros and one more, as the `blake3` package for Python hashes them.
    let zeros = vec![0; 1 << 26];
    let (mut values, mut offset) = (Vec::new(), 0_u64);
    while offset < 1 << 32 {
        values.extend_from_slice(&window(&zeros, offset).unwrap());
        offset += zeros.len() as u64;
    }
    values.extend_from_slice(&window(&[0], offset).unwrap());
    assert_eq!(combine(&values).unwrap().to_string(), "dyofha7d4qs3rmt5ktq3np4rxmzsbof2cslposb7q627isikkqtzi");
}

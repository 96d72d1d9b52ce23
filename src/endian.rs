//! Byte order: swapping elements in place, decoding big-endian indices.
//!
//! Elements are moved as bytes and never become floating-point numbers on the way, so NaN payloads, signalling NaNs
//! and negative zeros survive. Whether bytes need a swap is the caller's knowledge: the declared byte order of
//! values against the host's, while indices are big-endian always. A swap undoes itself; swap a copy, or once.

use crate::error::{Code, Error, Result};
use crate::sentence::say;

/// Reverses the bytes of each element of `width` bytes: 1 (nothing to do), 2, 4 or 8. Costs one pass at the speed of
/// memory.
///
/// # Errors
/// [`Code::InvalidArgument`] for another width, or a length that is not a multiple of it; nothing is swapped then.
pub fn swap(bytes: &mut [u8], width: u64) -> Result<()> {
    match width {
        1 => Ok(()),
        2 => swap_elements(bytes, |element| u16::from_ne_bytes(element).swap_bytes().to_ne_bytes()),
        4 => swap_elements(bytes, |element| u32::from_ne_bytes(element).swap_bytes().to_ne_bytes()),
        8 => swap_elements(bytes, |element| u64::from_ne_bytes(element).swap_bytes().to_ne_bytes()),
        _ => Err(Error::new(Code::InvalidArgument, say!("elements have 1, 2, 4 or 8 bytes, not {}", width))
            .bounds("1, 2, 4 or 8", width)),
    }
}

/// Decodes big-endian integers into the front of `out`, and gives that front.
///
/// # Errors
/// [`Code::InvalidArgument`] if the bytes cut an integer in two or are more than `out` has room for.
pub fn decode_be_u64s<'o>(bytes: &[u8], out: &'o mut [u64]) -> Result<&'o [u64]> {
    let (integers, rest) = bytes.as_chunks();
    let room = out.len();
    let (true, Some(front)) = (rest.is_empty(), out.get_mut(..integers.len())) else {
        let message = say!("{} bytes are not 8 for each of at most {} integers", bytes.len(), room);
        return Err(Error::new(Code::InvalidArgument, message));
    };
    let (pairs, odd) = front.as_chunks_mut::<2>();
    let (integer_pairs, integer_odd) = integers.as_chunks::<2>();
    for (pair, [low, high]) in pairs.iter_mut().zip(integer_pairs) {
        *pair = swap_pair(u64::from_le_bytes(*low), u64::from_le_bytes(*high));
    }
    for (slot, integer) in odd.iter_mut().zip(integer_odd) {
        *slot = u64::from_be_bytes(*integer);
    }
    Ok(front)
}

fn swap_elements<const WIDTH: usize>(bytes: &mut [u8], swapped: impl Fn([u8; WIDTH]) -> [u8; WIDTH]) -> Result<()> {
    let length = bytes.len();
    if !length.is_multiple_of(WIDTH) {
        let message = say!("{} bytes are not whole elements of {}", length, WIDTH);
        return Err(Error::new(Code::InvalidArgument, message).bounds(say!("a multiple of {}", WIDTH), length));
    }
    for element in swap_vectors::<WIDTH>(bytes).as_chunks_mut::<WIDTH>().0 {
        *element = swapped(*element);
    }
    Ok(())
}

/// Swaps in vectors of 16 bytes what fills them, and gives the rest.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn swap_vectors<const WIDTH: usize>(bytes: &mut [u8]) -> &mut [u8] {
    let (vectors, rest) = bytes.as_chunks_mut::<16>();
    for vector in vectors {
        if let ([low, high], []) = vector.as_chunks_mut::<8>() {
            let [first, second] = shuffle::<WIDTH>(u64::from_le_bytes(*low), u64::from_le_bytes(*high));
            (*low, *high) = (first.to_le_bytes(), second.to_le_bytes());
        }
    }
    rest
}

/// Nothing: other targets get vector code from the plain loop.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
const fn swap_vectors<const WIDTH: usize>(bytes: &mut [u8]) -> &mut [u8] {
    bytes
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn swap_pair(low: u64, high: u64) -> [u64; 2] {
    shuffle::<8>(low, high)
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
const fn swap_pair(low: u64, high: u64) -> [u64; 2] {
    [low.swap_bytes(), high.swap_bytes()]
}

/// Reverses the elements of `WIDTH` bytes in the 16 bytes that two integers are.
///
/// LLVM makes vector code of a loop over `u16` or `u32`, but not over `u64`, for which WebAssembly has no swap. Two
/// integers gathered into a vector it recognises as one load, so that 16 bytes cost a load, a shuffle and a store.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn shuffle<const WIDTH: usize>(low: u64, high: u64) -> [u64; 2] {
    use core::arch::wasm32::{i8x16_shuffle, u64x2, u64x2_extract_lane};

    let lanes = u64x2(low, high);
    let lanes = match WIDTH {
        2 => i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(lanes, lanes),
        4 => i8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(lanes, lanes),
        _ => i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(lanes, lanes),
    };
    [u64x2_extract_lane::<0>(lanes), u64x2_extract_lane::<1>(lanes)]
}

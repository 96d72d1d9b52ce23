//! Byte order: swapping elements in place, decoding big-endian indices.
//!
//! Elements are moved as bytes and never become floating-point numbers on the way, so NaN payloads, signalling NaNs
//! and negative zeros survive. Whether bytes need a swap is the caller's knowledge: the declared byte order of
//! values against the host's, while indices are big-endian always. A swap undoes itself; swap a copy, or once.

use crate::error::{Code, Error, Result};

/// Reverses the bytes of each element of `width` bytes: 1 (nothing to do), 2, 4 or 8. Costs one pass at the speed of
/// memory.
///
/// # Errors
/// [`Code::InvalidArgument`] for another width, or a length that is not a multiple of it; nothing is swapped then.
pub fn swap(bytes: &mut [u8], width: u64) -> Result<()> {
    match width {
        1 => Ok(()),
        2 => swap_elements::<2>(bytes),
        4 => swap_elements::<4>(bytes),
        8 => swap_elements::<8>(bytes),
        _ => Err(Error::new(Code::InvalidArgument, format!("elements have 1, 2, 4 or 8 bytes, not {width}"))
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
        let message = format!("{} bytes are not 8 for each of at most {room} integers", bytes.len());
        return Err(Error::new(Code::InvalidArgument, message));
    };
    for (slot, integer) in front.iter_mut().zip(integers) {
        *slot = u64::from_be_bytes(*integer);
    }
    Ok(front)
}

fn swap_elements<const WIDTH: usize>(bytes: &mut [u8]) -> Result<()> {
    let length = bytes.len();
    if !length.is_multiple_of(WIDTH) {
        let message = format!("{length} bytes are not whole elements of {WIDTH}");
        return Err(Error::new(Code::InvalidArgument, message).bounds(format_args!("a multiple of {WIDTH}"), length));
    }
    for element in swap_vectors::<WIDTH>(bytes).as_chunks_mut::<WIDTH>().0 {
        element.reverse();
    }
    Ok(())
}

/// Swaps in vectors of 16 bytes what fills them, and gives the rest.
///
/// LLVM makes vector code of a loop over `u16` and `u32`, but not over `u64`, for which WebAssembly has no swap. Two
/// integers gathered into a vector it recognises as one load, so that each 16 bytes cost a load, a shuffle, a store.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn swap_vectors<const WIDTH: usize>(bytes: &mut [u8]) -> &mut [u8] {
    use core::arch::wasm32::{i8x16_shuffle, u64x2, u64x2_extract_lane};

    let (vectors, rest) = bytes.as_chunks_mut::<16>();
    for vector in vectors {
        let ([low, high], []) = vector.as_chunks_mut::<8>() else { continue };
        let lanes = u64x2(u64::from_le_bytes(*low), u64::from_le_bytes(*high));
        let lanes = match WIDTH {
            2 => i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(lanes, lanes),
            4 => i8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(lanes, lanes),
            _ => i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(lanes, lanes),
        };
        *low = u64x2_extract_lane::<0>(lanes).to_le_bytes();
        *high = u64x2_extract_lane::<1>(lanes).to_le_bytes();
    }
    rest
}

/// Nothing: other targets get vector code from the plain loop.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
const fn swap_vectors<const WIDTH: usize>(bytes: &mut [u8]) -> &mut [u8] {
    bytes
}

//! Extents: checked element counts and byte lengths, and their spelling in a tag.
//!
//! All arithmetic is checked u64, left to right, and each partial product must fit (0025 §6): `[0, 2^63, 2]` is legal
//! and empty, `[2^63, 2, 0]` overflows.

use crate::dtype::DType;
use crate::error::{Code, Error, Result};
use crate::sentence::{decimal, say};
use alloc::string::String;

/// Number of elements: the product of the extents, 1 for rank 0.
///
/// # Errors
/// [`Code::ShapeOverflow`] if a partial product exceeds 64 bits.
pub fn element_count(extents: &[u64]) -> Result<u64> {
    extents.iter().try_fold(1_u64, |product, extent| product.checked_mul(*extent)).ok_or_else(overflow)
}

/// Number of bytes: the element count times the element size.
///
/// # Errors
/// [`Code::ShapeOverflow`] if the count or the length exceeds 64 bits.
pub fn byte_length(extents: &[u64], dtype: DType) -> Result<u64> {
    element_count(extents)?.checked_mul(dtype.size()).ok_or_else(overflow)
}

/// The extents with a separator between them, for example `778x3`; empty for rank 0.
#[must_use]
pub fn joined(extents: &[u64], separator: &str) -> String {
    let mut text = String::new();
    for extent in extents {
        if !text.is_empty() {
            text.push_str(separator);
        }
        text.push_str(&decimal(*extent));
    }
    text
}

fn overflow() -> Error {
    Error::new(Code::ShapeOverflow, say!("the declared extents have more bytes than 64 bits can count"))
}

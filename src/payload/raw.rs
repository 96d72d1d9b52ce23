//! Codec `raw` of dense arrays: the elements and nothing else (0025 §6, §7).

use super::{DenseParts, Span};
use crate::error::{Code, Error, Result};
use crate::item_type::DenseType;
use crate::sentence::say;

/// Where the elements lie in a raw payload of `total` bytes: all of it. No byte has to be looked at.
///
/// # Errors
/// [`Code::PayloadLength`] unless `total` is exactly the declared byte length: 0 if an extent is zero, one element
/// at rank 0.
pub fn check(dense: &DenseType, total: u64) -> Result<DenseParts> {
    exact_length(dense, total)?;
    Ok(DenseParts { values: Span { offset: 0, length: total } })
}

/// Refuses another number of element bytes than the declared one.
pub(super) fn exact_length(dense: &DenseType, actual: u64) -> Result<()> {
    let expected = dense.byte_length();
    if expected == actual {
        return Ok(());
    }
    let message = say!("the declared shape has {} bytes of elements, the payload has {}", expected, actual);
    Err(Error::new(Code::PayloadLength, message).bounds(expected, actual))
}

//! BLAKE3 in pieces: the hash of an object from those of its windows.
//!
//! An object larger than one cares to hold in memory twice is hashed window by window, each to the chaining value of
//! its subtree, without a state between the calls; the values then combine to the object's address. The shape is
//! BLAKE3's own: chunks of 1 KiB, the left subtree the largest power of two of chunks that leaves something over.

use crate::error::{Code, Error, Result};
use crate::multihash::Address;
pub use dreamdb_blake3::Value as ChainingValue;
use dreamdb_blake3::{parent, root, subtree};

/// Bytes of a chunk, the leaf of the tree.
pub const CHUNK_BYTES: u64 = 1024;

/// Bytes of a chaining value.
pub const CHAINING_BYTES: usize = 32;

/// The chaining value of the window that begins at byte `offset` of a larger object.
///
/// Windows must have one size, a power of two of whole chunks, except the last, which may be shorter; `offset` must
/// be a multiple of that size. Costs one pass over the window.
///
/// # Errors
/// [`Code::InvalidArgument`] if the window is empty, or larger than a subtree at that offset can be.
pub fn window(bytes: &[u8], offset: u64) -> Result<ChainingValue> {
    let length = bytes.len() as u64;
    // The largest power of two that divides the offset; at the front there is no limit.
    let room = 1_u64.checked_shl(offset.trailing_zeros()).unwrap_or(u64::MAX);
    if length == 0 || room < CHUNK_BYTES || length > room {
        let message = format_args!("{length} bytes at offset {offset} are not a subtree of an object");
        return Err(Error::new(Code::InvalidArgument, message));
    }
    Ok(subtree(bytes, offset.checked_div(CHUNK_BYTES).unwrap_or(0)))
}

/// The address of the object whose windows have these chaining values, 32 bytes each, in order.
///
/// # Errors
/// [`Code::InvalidArgument`] unless there are two or more: an object of one window is hashed as a whole.
pub fn combine(values: &[u8]) -> Result<Address> {
    let (windows, rest) = values.as_chunks::<CHAINING_BYTES>();
    match split(windows) {
        Some((left, right)) if rest.is_empty() => Ok(Address::from_digest(&root(&merged(left), &merged(right)))),
        _ => {
            Err(Error::new(Code::InvalidArgument, "an object in windows has at least two chaining values of 32 bytes"))
        }
    }
}

fn merged(windows: &[ChainingValue]) -> ChainingValue {
    match split(windows) {
        Some((left, right)) => parent(&merged(left), &merged(right)),
        None => windows.first().copied().unwrap_or_default(),
    }
}

/// The two subtrees of a node over two or more windows.
fn split(windows: &[ChainingValue]) -> Option<(&[ChainingValue], &[ChainingValue])> {
    let before_last = windows.len().checked_sub(1)?;
    let left = 1_usize.checked_shl(before_last.checked_ilog2()?)?;
    windows.split_at_checked(left)
}

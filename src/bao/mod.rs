//! Bao: proof that a range of an object is what the object's address names, without the rest of the object.
//!
//! An outboard is the object's length, 8 bytes little-endian, then BLAKE3's inner nodes in pre-order, 64 bytes each:
//! the chaining values of a node's two children. Chunks are 1 KiB, without groups. [`outboard`] builds one, [`plan`]
//! says which chunk-aligned bytes and which nodes prove a range, [`verify`] checks them against the address.
//!
//! A subtree that lies wholly inside the range is hashed at once from its bytes, so a proof needs nodes only along
//! the range's two edges. The length in an outboard is not to be trusted by itself: a wrong one has another tree,
//! which the address does not match.
//!
//! Fetching does not belong here.

mod build;
mod plan;
mod verify;

pub use build::{Outboard, outboard};
pub use plan::{Plan, nodes, plan};
pub use verify::verify;

use crate::tree::CHUNK_BYTES;

/// Bytes of an outboard before its first node.
pub const HEADER_BYTES: usize = 8;

/// Bytes of a node.
pub const NODE_BYTES: usize = 64;

/// Inner nodes over `length` bytes: one fewer than there are chunks.
#[must_use]
pub const fn node_count(length: u64) -> u64 {
    length.div_ceil(CHUNK_BYTES).saturating_sub(1)
}

/// Bytes under the left child of a node over `length` bytes, more than one chunk: the largest power of two of chunks
/// that leaves something to the right.
const fn left_bytes(length: u64) -> u64 {
    match length.div_ceil(CHUNK_BYTES).saturating_sub(1).checked_ilog2() {
        Some(log) => CHUNK_BYTES.saturating_mul(1 << log),
        None => CHUNK_BYTES,
    }
}

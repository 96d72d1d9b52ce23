//! Payloads of `ragged-array` version 1 (0025 §11.1).
//!
//! `RAG1`, the version as u32, rows and cells as u64, `rows + 1` offsets as u64, then the cells. Everything before
//! the cells is big-endian; offsets count cells.

use super::front::Front;
use super::offsets::{INDEX_BYTES, OffsetScan};
use super::{RaggedParts, bytes_of};
use crate::error::Result;
use crate::item_type::RaggedType;

/// Bytes of the header: what [`header`] needs of a payload.
pub const HEADER_BYTES: u64 = 24;

pub(super) const MAGIC: [u8; 4] = *b"RAG1";

/// Where the parts of a payload of `total` bytes lie, from its first [`HEADER_BYTES`] bytes (fewer if it is shorter).
///
/// Counts are believed only if they add up to `total` exactly, in checked 64-bit arithmetic: a lying header costs
/// nothing. Cells of no bytes may be as many as 64 bits can count.
///
/// # Errors
/// * [`Code::PayloadHeader`](crate::error::Code::PayloadHeader) for another magic or version, or fewer than 8 bytes;
/// * [`Code::PayloadLength`](crate::error::Code::PayloadLength) for fewer than 24 bytes, or another number of bytes
///   than the counts make;
/// * [`Code::InvalidArgument`](crate::error::Code::InvalidArgument) if `prefix` holds less than is needed.
pub fn header(ty: &RaggedType, prefix: &[u8], total: u64) -> Result<RaggedParts> {
    let front = Front::new(prefix, total);
    front.signature(MAGIC)?;
    front.has_header(HEADER_BYTES)?;
    let rows = front.be_u64(8)?;
    let cells = front.be_u64(16)?;
    let parts = [(rows.checked_add(1), INDEX_BYTES), (Some(cells), ty.cell_bytes())];
    let [row_offsets, values] = front.parts(HEADER_BYTES, parts)?;
    Ok(RaggedParts { rows, cells, row_offsets, values })
}

/// Where the parts of a whole payload lie, once all of it is checked. Costs one pass over the offsets.
///
/// # Errors
/// Those of [`header`], then those of [`OffsetScan`], the terminal offset last.
pub fn check(ty: &RaggedType, payload: &[u8]) -> Result<RaggedParts> {
    let parts = header(ty, payload, payload.len() as u64)?;
    let mut scan = OffsetScan::new(parts.rows);
    scan.feed(bytes_of(parts.row_offsets, payload)?)?;
    scan.finish(parts.cells)?;
    Ok(parts)
}

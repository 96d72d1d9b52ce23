//! Fronts of structured payloads, for writers: what stands before the index tables (0025 §11).
//!
//! What follows is the caller's to put there, who has it in memory already; [`check`](super::check) judges the whole.

use super::front::VERSION;
use super::offsets::INDEX_BYTES;
use super::{csr, ragged};
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::sentence::say;
use alloc::vec::Vec;

/// The header of a ragged or CSR payload with so many rows, and cells or stored elements.
///
/// # Errors
/// [`Code::InvalidArgument`] for a dense type, whose payload has no tables; [`Code::ShapeMismatch`] for another number
/// of rows than a CSR type declares; [`Code::PayloadLength`] if the payload would have 2^64 bytes or more.
pub fn header(item_type: &ItemType, rows: u64, count: u64) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(32);
    let width = match item_type {
        ItemType::Dense(_) => {
            return Err(Error::new(Code::InvalidArgument, say!("a payload of a dense type has no rows")));
        }
        ItemType::Ragged(ty) => {
            out.extend_from_slice(&ragged::MAGIC);
            out.extend_from_slice(&VERSION);
            out.extend_from_slice(&rows.to_be_bytes());
            Some(ty.cell_bytes())
        }
        ItemType::Csr(ty) => {
            let [declared, columns] = ty.shape();
            if rows != declared {
                let message = say!("the type declares {} rows, the row offsets are of {}", declared, rows);
                return Err(Error::new(Code::ShapeMismatch, message).bounds(declared, rows));
            }
            out.extend_from_slice(&csr::MAGIC);
            out.extend_from_slice(&VERSION);
            out.extend_from_slice(&rows.to_be_bytes());
            out.extend_from_slice(&columns.to_be_bytes());
            ty.dtype().size().checked_add(INDEX_BYTES)
        }
    };
    out.extend_from_slice(&count.to_be_bytes());
    let tables = rows.checked_add(1).and_then(|offsets| offsets.checked_mul(INDEX_BYTES));
    let elements = width.and_then(|width| count.checked_mul(width));
    let total = tables.zip(elements).and_then(|(tables, elements)| tables.checked_add(elements));
    if total.and_then(|total| total.checked_add(out.len() as u64)).is_some() {
        return Ok(out);
    }
    let message = say!("{} rows of {} elements make 2^64 bytes or more, which no payload has", rows, count);
    Err(Error::new(Code::PayloadLength, message))
}

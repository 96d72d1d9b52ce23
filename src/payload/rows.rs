//! Rows of ragged and CSR Items by byte range: where they lie, from the front of an Item alone (0025 §11.4).
//!
//! Three steps, each on what the one before had fetched: the front says where the offsets of the rows lie
//! ([`RowMap::locate`], [`RowMap::offsets`]); these, once [`OffsetScan`](super::offsets::OffsetScan) has checked them
//! from their first row on, say where the rows lie ([`RowMap::parts`]); a CSR row's columns are checked by
//! [`ColumnScan::at_row`](super::csr::ColumnScan::at_row).
//!
//! No span that is given out reaches beyond the Item, whatever its bytes are. What the rest of the Item holds, bytes
//! and their proofs do not belong here.

use super::offsets::INDEX_BYTES;
use super::{Span, csr, ragged};
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::sentence::say;

/// Where the rows of one Item lie, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowMap {
    /// Bytes of the Item.
    pub size: u64,
    /// Number of rows.
    pub rows: u64,
    /// Number of cells or stored elements of all rows.
    pub count: u64,
    /// Number of columns of a CSR Item.
    pub columns: Option<u64>,
    row_offsets: Span,
    column_indices: Option<Span>,
    values: Span,
    width: u64,
}

/// Where the parts of adjacent rows lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowParts {
    /// The column indices of a CSR Item's rows, big-endian u64.
    pub column_indices: Option<Span>,
    /// The cells or stored elements, in the declared byte order.
    pub values: Span,
}

impl RowMap {
    /// Reads the front of an Item: its header, or all of an Item that is shorter.
    ///
    /// `size` is what else is known of the Item's bytes. Without it the header's own counts say how many there are,
    /// and are held against nothing but 64 bits.
    ///
    /// # Errors
    /// Those of [`ragged::header`] and [`csr::header`]; [`Code::InvalidArgument`] for a dense type.
    pub fn locate(item_type: &ItemType, front: &[u8], size: Option<u64>) -> Result<Self> {
        match item_type {
            ItemType::Ragged(ty) => {
                let width = ty.cell_bytes();
                let size = size.unwrap_or_else(|| claimed(front, ragged::HEADER_BYTES, 16, Some(width)));
                let parts = ragged::header(ty, front, size)?;
                Ok(Self {
                    size,
                    rows: parts.rows,
                    count: parts.cells,
                    columns: None,
                    row_offsets: parts.row_offsets,
                    column_indices: None,
                    values: parts.values,
                    width,
                })
            }
            ItemType::Csr(ty) => {
                let width = ty.dtype().size();
                let size =
                    size.unwrap_or_else(|| claimed(front, csr::HEADER_BYTES, 24, width.checked_add(INDEX_BYTES)));
                let parts = csr::header(ty, front, size)?;
                Ok(Self {
                    size,
                    rows: parts.rows,
                    count: parts.nnz,
                    columns: Some(parts.columns),
                    row_offsets: parts.row_offsets,
                    column_indices: Some(parts.column_indices),
                    values: parts.values,
                    width,
                })
            }
            ItemType::Dense(_) => Err(Error::new(Code::InvalidArgument, say!("dense arrays have no row offsets"))),
        }
    }

    /// The row offsets of rows `start` to `end`, the latter excluded: one more than there are rows, none of no rows.
    ///
    /// # Errors
    /// [`Code::InvalidArgument`] if the Item has not all of these rows, or `end` is before `start`.
    pub fn offsets(&self, start: u64, end: u64) -> Result<Span> {
        let rows = end.checked_sub(start).filter(|_| end <= self.rows).ok_or_else(|| no_rows(start, end, self.rows))?;
        let entries = if rows == 0 { 0 } else { rows.saturating_add(1) };
        Ok(within(self.row_offsets, INDEX_BYTES, start, entries))
    }

    /// The parts of rows of which `first` is the first offset and `last` the one after them.
    ///
    /// # Errors
    /// [`Code::OffsetOrder`] if they do not follow each other up to the header's count.
    pub fn parts(&self, first: u64, last: u64) -> Result<RowParts> {
        let count = last.checked_sub(first).filter(|_| last <= self.count);
        let count = count.ok_or_else(|| out_of_order(first, last, self.count))?;
        Ok(RowParts {
            column_indices: self.column_indices.map(|span| within(span, INDEX_BYTES, first, count)),
            values: within(self.values, self.width, first, count),
        })
    }
}

/// `count` things of `width` bytes from number `first` on, which the span is known to have.
const fn within(span: Span, width: u64, first: u64, count: u64) -> Span {
    Span { offset: span.offset.saturating_add(first.saturating_mul(width)), length: count.saturating_mul(width) }
}

/// The bytes that a header's counts make, rows and, at `at`, things of `width` bytes; the most possible, if they make more.
fn claimed(front: &[u8], header: u64, at: usize, width: Option<u64>) -> u64 {
    let number = |at: usize| front.get(at..)?.first_chunk().copied().map(u64::from_be_bytes);
    let size = || {
        let offsets = number(8)?.checked_add(1)?.checked_mul(INDEX_BYTES)?;
        number(at)?.checked_mul(width?)?.checked_add(offsets)?.checked_add(header)
    };
    size().unwrap_or(u64::MAX)
}

#[cold]
fn no_rows(start: u64, end: u64, rows: u64) -> Error {
    let message = say!("rows {} to {}, the latter excluded, are none of an Item that has {}", start, end, rows);
    Error::new(Code::InvalidArgument, message).bounds(say!("0 to {}", rows), say!("{} to {}", start, end))
}

#[cold]
fn out_of_order(first: u64, last: u64, count: u64) -> Error {
    let message =
        say!("row offsets {} and {} do not follow each other up to {}, the header's count", first, last, count);
    Error::new(Code::OffsetOrder, message).bounds(say!("at most {}", count), last)
}

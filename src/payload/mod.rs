//! Payloads: what the bytes of an Item must be, and where its parts lie in them (0025 §6, §7, §11).
//!
//! [`check`] judges a whole payload. What reads by ranges or has little memory uses the pieces: the header functions
//! need only the front of a payload and its length, the scans take index tables window by window and keep their state
//! between. Both give the same answers, because the former is made of the latter.
//!
//! Nothing here copies, converts or allocates in proportion to a payload; values are located, never looked at. All
//! offsets and lengths are u64, also where memory is addressed with 32 bits.
//!
//! One topic a file: [`raw`] and [`npy`] for dense arrays, [`ragged`], [`csr`], and [`offsets`] and [`rows`], which the
//! last two share. [`write`] is the other direction.

pub mod csr;
mod front;
pub mod npy;
pub mod offsets;
pub mod ragged;
pub mod raw;
pub mod rows;
pub mod write;

use crate::error::{Code, Error, Result};
use crate::item_type::{Codec, ItemType};
use crate::sentence::say;

/// A run of bytes in a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Bytes before it.
    pub offset: u64,
    /// Bytes in it.
    pub length: u64,
}

impl Span {
    /// The bytes of the span, if `payload` has them all.
    #[must_use]
    pub fn of(self, payload: &[u8]) -> Option<&[u8]> {
        let start = usize::try_from(self.offset).ok()?;
        let length = usize::try_from(self.length).ok()?;
        payload.get(start..start.checked_add(length)?)
    }
}

/// Parts of a dense payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DenseParts {
    /// The elements, in the declared layout and byte order.
    pub values: Span,
}

/// Parts of a ragged payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RaggedParts {
    /// Number of rows.
    pub rows: u64,
    /// Number of cells of all rows.
    pub cells: u64,
    /// The `rows + 1` row offsets, big-endian u64, counting cells.
    pub row_offsets: Span,
    /// The cells, in the declared byte order.
    pub values: Span,
}

/// Parts of a sparse payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CsrParts {
    /// Number of rows: the declared one.
    pub rows: u64,
    /// Number of columns: the declared one.
    pub columns: u64,
    /// Number of stored elements.
    pub nnz: u64,
    /// The `rows + 1` row offsets, big-endian u64, counting stored elements.
    pub row_offsets: Span,
    /// The column index of each stored element, big-endian u64.
    pub column_indices: Span,
    /// The stored elements, in the declared byte order.
    pub values: Span,
}

/// Parts of a payload of any family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parts {
    /// Of a `dense-array` Item.
    Dense(DenseParts),
    /// Of a `ragged-array` Item.
    Ragged(RaggedParts),
    /// Of a `sparse-csr` Item.
    Csr(CsrParts),
}

impl Parts {
    /// Where the values lie: what is in the declared dtype and byte order.
    #[must_use]
    pub const fn values(&self) -> Span {
        match self {
            Self::Dense(parts) => parts.values,
            Self::Ragged(parts) => parts.values,
            Self::Csr(parts) => parts.values,
        }
    }
}

/// Where the parts of a payload lie, once it is known to be valid for its type.
///
/// Costs nothing for `raw`, one look at the header for `npy`, one pass over the index tables for structured families.
///
/// # Errors
/// Those of [`raw::check`], [`npy::check`], [`ragged::check`] or [`csr::check`].
pub fn check(item_type: &ItemType, payload: &[u8]) -> Result<Parts> {
    match item_type {
        ItemType::Dense(dense) => match dense.codec() {
            Codec::Raw => raw::check(dense, payload.len() as u64),
            Codec::Npy => npy::check(dense, payload),
        }
        .map(Parts::Dense),
        ItemType::Ragged(ragged) => ragged::check(ragged, payload).map(Parts::Ragged),
        ItemType::Csr(csr) => csr::check(csr, payload).map(Parts::Csr),
    }
}

/// The bytes of a span that a header placed in this very payload.
fn bytes_of(span: Span, payload: &[u8]) -> Result<&[u8]> {
    span.of(payload).ok_or_else(|| {
        let message = say!("bytes {} to {} are not in memory", span.offset, span.offset.saturating_add(span.length));
        Error::new(Code::InvalidArgument, message)
    })
}

//! `ragged-array` version 1 (0025 §11.1).

use super::Semantics;
use crate::dtype::{DType, Endianness};
use crate::error::Result;
use crate::shape;
use alloc::vec::Vec;

/// The only codec of the family.
pub(super) const CODEC: &str = "offsets-values";

/// A ragged array: each Item has its own number of rows, each row its own number of cells of one shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RaggedType {
    dtype: DType,
    inner_shape: Vec<u64>,
    endianness: Endianness,
    semantics: Semantics,
    cell_bytes: u64,
}

impl RaggedType {
    /// A ragged type of those parts.
    ///
    /// # Errors
    /// [`ShapeOverflow`](crate::error::Code::ShapeOverflow) if the byte length of a cell exceeds 64 bits.
    pub fn new(dtype: DType, inner_shape: Vec<u64>, endianness: Endianness, semantics: Semantics) -> Result<Self> {
        let cell_bytes = shape::byte_length(&inner_shape, dtype)?;
        Ok(Self { dtype, inner_shape, endianness, semantics, cell_bytes })
    }

    /// Element type of the values.
    #[must_use]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// Extents of one cell; empty if a cell is one scalar.
    #[must_use]
    pub fn inner_shape(&self) -> &[u64] {
        &self.inner_shape
    }

    /// Byte order of the values; header and offsets are big-endian.
    #[must_use]
    pub const fn endianness(&self) -> Endianness {
        self.endianness
    }

    /// What the numbers mean.
    #[must_use]
    pub const fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// Bytes of one cell; 0 if an inner extent is zero.
    #[must_use]
    pub const fn cell_bytes(&self) -> u64 {
        self.cell_bytes
    }
}

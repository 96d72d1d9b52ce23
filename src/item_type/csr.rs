//! `sparse-csr` version 1 (0025 §11.2).

use super::Semantics;
use crate::dtype::{DType, Endianness};

/// The only codec of the family.
pub(super) const CODEC: &str = "raw";

/// The only type of row offsets and column indices.
pub(super) const INDEX_DTYPE: &str = "u64";

/// A sparse matrix in compressed rows; its extents may be as large as 64 bits allow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CsrType {
    dtype: DType,
    rows: u64,
    columns: u64,
    endianness: Endianness,
    semantics: Semantics,
}

impl CsrType {
    /// A CSR type of those parts.
    #[must_use]
    pub const fn new(dtype: DType, rows: u64, columns: u64, endianness: Endianness, semantics: Semantics) -> Self {
        Self { dtype, rows, columns, endianness, semantics }
    }

    /// Element type of the values.
    #[must_use]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// Rows and columns.
    #[must_use]
    pub const fn shape(&self) -> [u64; 2] {
        [self.rows, self.columns]
    }

    /// Byte order of the values; header, offsets and column indices are big-endian.
    #[must_use]
    pub const fn endianness(&self) -> Endianness {
        self.endianness
    }

    /// What the numbers mean.
    #[must_use]
    pub const fn semantics(&self) -> &Semantics {
        &self.semantics
    }
}

//! `dense-array` version 1 (0025 §3, §6, §7).

use super::Semantics;
use crate::dtype::{DType, Endianness};
use crate::error::Result;
use crate::shape;
use alloc::vec::Vec;

/// Order in which a dense Item stores its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Last axis fastest.
    C,
    /// First axis fastest.
    F,
}

impl Layout {
    /// The name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::F => "f",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "c" => Some(Self::C),
            "f" => Some(Self::F),
            _ => None,
        }
    }
}

/// How a dense Item's bytes are framed (0025 §7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// The elements and nothing else.
    Raw,
    /// A NumPy `.npy` file whose header repeats the declaration.
    Npy,
}

impl Codec {
    /// The name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Npy => "npy",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "raw" => Some(Self::Raw),
            "npy" => Some(Self::Npy),
            _ => None,
        }
    }
}

/// A dense array: one dtype and one shape for every Item of the Track (0025 §3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DenseType {
    dtype: DType,
    shape: Vec<u64>,
    endianness: Endianness,
    layout: Layout,
    codec: Codec,
    semantics: Semantics,
    byte_length: u64,
}

impl DenseType {
    /// A dense type of those parts.
    ///
    /// # Errors
    /// [`ShapeOverflow`](crate::error::Code::ShapeOverflow) if its byte length exceeds 64 bits.
    pub fn new(
        dtype: DType,
        shape: Vec<u64>,
        endianness: Endianness,
        layout: Layout,
        codec: Codec,
        semantics: Semantics,
    ) -> Result<Self> {
        let byte_length = shape::byte_length(&shape, dtype)?;
        Ok(Self { dtype, shape, endianness, layout, codec, semantics, byte_length })
    }

    /// Element type.
    #[must_use]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// Extents; empty for a scalar.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Byte order of the elements.
    #[must_use]
    pub const fn endianness(&self) -> Endianness {
        self.endianness
    }

    /// Order of the elements.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// Framing of the bytes.
    #[must_use]
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// What the numbers mean.
    #[must_use]
    pub const fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// Bytes of an Item's elements, without a header: product of the extents times the element size.
    #[must_use]
    pub const fn byte_length(&self) -> u64 {
        self.byte_length
    }
}

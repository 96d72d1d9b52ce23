//! Item types: the closed documents that declare what an Item of a typed-array Track is (0025 §3, §11).
//!
//! Three families exist, each a map with exactly its own keys; all keys are hard and take part in the identity, the
//! address of the canonical CBOR. [`document`] reads a closed map in the order in which the reference reports
//! faults; the families say which keys they have. How a tag binds to a type is [`modality`](crate::modality)'s
//! matter, what a payload must hold is [`payload`](crate::payload)'s.

mod csr;
mod declaration;
mod dense;
mod document;
mod ragged;

use alloc::{borrow::ToOwned, string::String, vec::Vec};
pub use csr::CsrType;
pub use declaration::Declaration;
pub use dense::{Codec, DenseType, Layout};
pub use ragged::RaggedType;

use crate::cbor::{Reader, Value, Writer};
use crate::dtype::{DType, Endianness};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::sentence::say;
use crate::shape::joined;
use document::{Draft, Family, invalid};

/// Value of `version` and `codec_version` in every family's first version.
const VERSION: u64 = 1;

/// What numbers mean: free UTF-8 text, compared byte for byte, never normalised (0025 §3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Semantics {
    /// What the array represents, for example `pose`.
    pub semantic_type: String,
    /// Units of the values, for example `m/s^2`.
    pub units: String,
    /// Frame of reference, for example `camera`.
    pub frame: String,
    /// Names of the axes, for example `xyz`.
    pub axis_order: String,
}

/// A declared item type of any family (0025 §3, §11).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ItemType {
    /// `dense-array`: one shape for every Item.
    Dense(DenseType),
    /// `ragged-array`: rows of varying numbers of fixed-shape cells.
    Ragged(RaggedType),
    /// `sparse-csr`: a rank-2 matrix in compressed sparse rows.
    Csr(CsrType),
}

impl ItemType {
    /// The type that a decoded document declares; its key order and integer widths do not matter.
    ///
    /// # Errors
    /// The first fault in the reference's order: [`Code::NotAMap`], [`Code::NonStringKey`],
    /// [`Code::DuplicateField`], the family, [`Code::UnknownField`], then key by key [`Code::MissingField`],
    /// [`Code::FieldType`], [`Code::InvalidValue`] or [`Code::UnsupportedDtype`], at last
    /// [`Code::ShapeOverflow`] or a CSR rank other than two.
    pub fn from_value(value: &Value<'_>) -> Result<Self> {
        let Draft { family, dtype, extents, endianness, layout, codec, semantics } = Draft::read(value)?;
        match (family, extents.as_slice()) {
            (Family::Dense, _) => DenseType::new(dtype, extents, endianness, layout, codec, semantics).map(Self::Dense),
            (Family::Ragged, _) => RaggedType::new(dtype, extents, endianness, semantics).map(Self::Ragged),
            (Family::Csr, [rows, columns]) => {
                Ok(Self::Csr(CsrType::new(dtype, *rows, *columns, endianness, semantics)))
            }
            (Family::Csr, _) => Err(invalid("shape", &joined(&extents, "x"))),
        }
    }

    /// The type that canonical CBOR bytes declare.
    ///
    /// # Errors
    /// Those of [`from_value`](Self::from_value), and [`Code::Cbor`] for bytes that are not CBOR, are followed by
    /// others, or are not the one canonical encoding of what they declare.
    pub fn from_cbor(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let item_type = Self::from_value(&reader.value()?)?;
        let canonical = item_type.to_cbor();
        if canonical == bytes {
            return Ok(item_type);
        }
        let at = canonical.iter().zip(bytes).position(|(ours, theirs)| ours != theirs);
        let at = at.unwrap_or_else(|| canonical.len().min(bytes.len()));
        Err(Error::new(
            Code::Cbor,
            say!("the item type is not in canonical form: it departs from it at byte {}, or goes on after it", at),
        ))
    }

    /// The canonical CBOR encoding: what the identity hashes (0025 §3.1).
    #[must_use]
    pub fn to_cbor(&self) -> Vec<u8> {
        let semantics = self.semantics();
        let mut out = Writer::new();
        // In the canonical order of keys, which is that of their lengths, then of their bytes.
        out.map(if matches!(self, Self::Csr(_)) { 13 } else { 12 });
        out.text("codec").text(self.codec_name());
        out.text("dtype").text(self.dtype().name());
        out.text("frame").text(&semantics.frame);
        match self {
            Self::Dense(dense) => _ = out.text("shape").uints(dense.shape()),
            Self::Ragged(_) => {}
            Self::Csr(csr) => _ = out.text("shape").uints(&csr.shape()),
        }
        out.text("units").text(&semantics.units);
        out.text("family").text(self.family());
        out.text("layout").text(self.layout().name());
        out.text("version").uint(VERSION);
        out.text("axis_order").text(&semantics.axis_order);
        out.text("endianness").text(self.endianness().name());
        match self {
            Self::Dense(_) => {}
            Self::Ragged(ragged) => _ = out.text("inner_shape").uints(ragged.inner_shape()),
            Self::Csr(_) => _ = out.text("index_dtype").text(csr::INDEX_DTYPE),
        }
        out.text("codec_version").uint(VERSION);
        out.text("semantic_type").text(&semantics.semantic_type);
        out.into_bytes()
    }

    /// The identity: the address of the canonical encoding (0025 §3.1).
    #[must_use]
    pub fn id(&self) -> Address {
        Address::of(&self.to_cbor())
    }

    /// Name of the family: `dense-array`, `ragged-array` or `sparse-csr`.
    #[must_use]
    pub const fn family(&self) -> &'static str {
        match self {
            Self::Dense(_) => document::DENSE,
            Self::Ragged(_) => document::RAGGED,
            Self::Csr(_) => document::CSR,
        }
    }

    /// Element type of the values.
    #[must_use]
    pub const fn dtype(&self) -> DType {
        match self {
            Self::Dense(dense) => dense.dtype(),
            Self::Ragged(ragged) => ragged.dtype(),
            Self::Csr(csr) => csr.dtype(),
        }
    }

    /// Byte order of the values; indices of structured payloads are big-endian whatever this says.
    #[must_use]
    pub const fn endianness(&self) -> Endianness {
        match self {
            Self::Dense(dense) => dense.endianness(),
            Self::Ragged(ragged) => ragged.endianness(),
            Self::Csr(csr) => csr.endianness(),
        }
    }

    /// Element order; structured families have only the C one.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        match self {
            Self::Dense(dense) => dense.layout(),
            Self::Ragged(_) | Self::Csr(_) => Layout::C,
        }
    }

    /// Name of the codec: `raw`, `npy` or `offsets-values`.
    #[must_use]
    pub const fn codec_name(&self) -> &'static str {
        match self {
            Self::Dense(dense) => dense.codec().name(),
            Self::Ragged(_) => ragged::CODEC,
            Self::Csr(_) => csr::CODEC,
        }
    }

    /// What the numbers mean.
    #[must_use]
    pub const fn semantics(&self) -> &Semantics {
        match self {
            Self::Dense(dense) => dense.semantics(),
            Self::Ragged(ragged) => ragged.semantics(),
            Self::Csr(csr) => csr.semantics(),
        }
    }

    /// The shape as a tag spells it: `4x4`, `0d`, `r`, `rx2x3` (0025 §4, §11).
    #[must_use]
    pub fn projected_shape(&self) -> String {
        match self {
            Self::Dense(dense) if dense.shape().is_empty() => "0d".to_owned(),
            Self::Dense(dense) => joined(dense.shape(), "x"),
            Self::Ragged(ragged) if ragged.inner_shape().is_empty() => "r".to_owned(),
            Self::Ragged(ragged) => ["rx", &joined(ragged.inner_shape(), "x")].concat(),
            Self::Csr(csr) => joined(&csr.shape(), "x"),
        }
    }
}

//! Documents: closed maps, read key by key, so that of several faults the reference's is found (0025 §3, 0002 §3.1.4).

use super::{Codec, Layout, Semantics, csr, ragged};
use crate::cbor::Value;
use crate::cbor::value::{Pairs, first_repeated_key};
use crate::dtype::{DType, Endianness};
use crate::error::{Code, Error, Result, brief};
use crate::sentence::{Said, decimal, say};
use alloc::{borrow::ToOwned, vec::Vec};

pub(super) const DENSE: &str = "dense-array";
pub(super) const RAGGED: &str = "ragged-array";
pub(super) const CSR: &str = "sparse-csr";

/// Discriminant of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Dense,
    Ragged,
    Csr,
}

impl Family {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            DENSE => Some(Self::Dense),
            RAGGED => Some(Self::Ragged),
            CSR => Some(Self::Csr),
            _ => None,
        }
    }

    /// All keys after `family`, in the order in which the reference reads them.
    const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Dense => &[
                "version",
                "dtype",
                "shape",
                "endianness",
                "layout",
                "codec",
                "codec_version",
                "semantic_type",
                "units",
                "frame",
                "axis_order",
            ],
            Self::Ragged => &[
                "version",
                "codec_version",
                "layout",
                "codec",
                "inner_shape",
                "dtype",
                "endianness",
                "semantic_type",
                "units",
                "frame",
                "axis_order",
            ],
            Self::Csr => &[
                "version",
                "codec_version",
                "layout",
                "codec",
                "index_dtype",
                "shape",
                "dtype",
                "endianness",
                "semantic_type",
                "units",
                "frame",
                "axis_order",
            ],
        }
    }
}

/// What a document of any family says; members for keys that its family lacks or leaves no choice mean nothing.
pub(super) struct Draft {
    pub(super) family: Family,
    pub(super) dtype: DType,
    /// `shape` or `inner_shape`.
    pub(super) extents: Vec<u64>,
    pub(super) endianness: Endianness,
    pub(super) layout: Layout,
    pub(super) codec: Codec,
    pub(super) semantics: Semantics,
}

impl Draft {
    pub(super) fn read(value: &Value<'_>) -> Result<Self> {
        let document = Document::open(value)?;
        let family = document.word("family", Family::from_name)?;
        document.close(family.keys())?;
        let mut draft = Self {
            family,
            dtype: DType::U8,
            extents: Vec::new(),
            endianness: Endianness::Little,
            layout: Layout::C,
            codec: Codec::Raw,
            semantics: Semantics::default(),
        };
        for key in family.keys() {
            draft.read_key(&document, key)?;
        }
        Ok(draft)
    }

    fn read_key(&mut self, document: &Document<'_, '_>, key: &str) -> Result<()> {
        let dense = self.family == Family::Dense;
        match key {
            "version" | "codec_version" => document.first_version(key)?,
            "dtype" => self.dtype = document.dtype(key)?,
            "shape" | "inner_shape" => self.extents = document.extents(key)?,
            "endianness" => self.endianness = document.word(key, Endianness::from_name)?,
            "layout" => {
                let legal = |layout: &Layout| dense || *layout == Layout::C;
                self.layout = document.word(key, |name| Layout::from_name(name).filter(legal))?;
            }
            "codec" if dense => self.codec = document.word(key, Codec::from_name)?,
            "codec" if self.family == Family::Ragged => document.exactly(key, ragged::CODEC)?,
            "codec" => document.exactly(key, csr::CODEC)?,
            "index_dtype" => document.exactly(key, csr::INDEX_DTYPE)?,
            "semantic_type" => document.text(key)?.clone_into(&mut self.semantics.semantic_type),
            "units" => document.text(key)?.clone_into(&mut self.semantics.units),
            "frame" => document.text(key)?.clone_into(&mut self.semantics.frame),
            _ => document.text(key)?.clone_into(&mut self.semantics.axis_order),
        }
        Ok(())
    }
}

/// A map known to have text keys, and none twice.
struct Document<'v, 'a> {
    pairs: Pairs<'v, 'a>,
}

impl<'v, 'a> Document<'v, 'a> {
    fn open(value: &'v Value<'a>) -> Result<Self> {
        let pairs = value.as_map().ok_or_else(|| Error::new(Code::NotAMap, say!("an item type must be a map")))?;
        if pairs.iter().any(|(key, _)| key.as_text().is_none()) {
            return Err(Error::new(Code::NonStringKey, say!("keys of an item type must be text")));
        }
        if let Some(key) = first_repeated_key(pairs) {
            return Err(about(Code::DuplicateField, key, say!("occurs more than once")));
        }
        Ok(Self { pairs })
    }

    /// Refuses the least key that is neither `family` nor one of `keys`.
    fn close(&self, keys: &[&str]) -> Result<()> {
        let mut unknown = None;
        for key in self.pairs.iter().filter_map(|(key, _)| key.as_text()) {
            if key != "family" && !keys.contains(&key) && unknown.is_none_or(|least| key < least) {
                unknown = Some(key);
            }
        }
        match unknown {
            Some(key) => Err(about(Code::UnknownField, key, say!("is not a key of this family"))),
            None => Ok(()),
        }
    }

    fn get(&self, key: &str) -> Result<&'v Value<'a>> {
        let found = self.pairs.iter().find(|(name, _)| name.as_text() == Some(key));
        found.map(|(_, value)| value).ok_or_else(|| about(Code::MissingField, key, say!("is missing")))
    }

    fn text(&self, key: &str) -> Result<&'a str> {
        self.get(key)?.as_text().ok_or_else(|| wrong_type(key, say!("text")))
    }

    /// A text value that `read` must know.
    fn word<T>(&self, key: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let word = self.text(key)?;
        read(word).ok_or_else(|| invalid(key, word))
    }

    /// The text value `expected`.
    fn exactly(&self, key: &str, expected: &str) -> Result<()> {
        self.word(key, |word| (word == expected).then_some(()))
    }

    /// The version number 1.
    fn first_version(&self, key: &str) -> Result<()> {
        let version = self.get(key)?.as_uint().ok_or_else(|| wrong_type(key, say!("an unsigned integer")))?;
        if version == super::VERSION { Ok(()) } else { Err(invalid(key, &decimal(version))) }
    }

    fn extents(&self, key: &str) -> Result<Vec<u64>> {
        let wrong = || wrong_type(key, say!("an array of unsigned integers"));
        let mut extents = Vec::new();
        for item in self.get(key)?.as_array().ok_or_else(wrong)? {
            extents.push(item.as_uint().ok_or_else(wrong)?);
        }
        Ok(extents)
    }

    fn dtype(&self, key: &str) -> Result<DType> {
        let name = self.text(key)?;
        DType::from_name(name).ok_or_else(|| {
            Error::new(
                Code::UnsupportedDtype,
                say!("dtype `{}` is not one of f32 f64 i8 i16 i32 i64 u8 u16 u32 u64", brief(name)),
            )
            .about(key)
        })
    }
}

pub(super) fn invalid(key: &str, value: &str) -> Error {
    about(Code::InvalidValue, key, say!("must not be `{}`", brief(value)))
}

fn wrong_type(key: &str, wanted: Said) -> Error {
    about(Code::FieldType, key, say!("must be {}", wanted))
}

fn about(code: Code, key: &str, what: Said) -> Error {
    Error::new(code, say!("key `{}` of the item type {}", brief(key), what)).about(key)
}

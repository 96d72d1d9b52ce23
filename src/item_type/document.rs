//! A closed map, read key by key with the faults in the reference's order (0025 §3, closed under 0002 §3.1.4).

use crate::cbor::Value;
use crate::cbor::value::first_repeated_key;
use crate::dtype::{DType, Endianness};
use crate::error::{Code, Error, Result, brief};
use std::fmt::Display;

pub(super) const DENSE: &str = "dense-array";
pub(super) const RAGGED: &str = "ragged-array";
pub(super) const CSR: &str = "sparse-csr";

/// Keys of every family; each adds its own.
const COMMON: [&str; 11] = [
    "family",
    "version",
    "dtype",
    "endianness",
    "layout",
    "codec",
    "codec_version",
    "semantic_type",
    "units",
    "frame",
    "axis_order",
];

/// Discriminant of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Dense,
    Ragged,
    Csr,
}

impl Family {
    const fn own_keys(self) -> &'static [&'static str] {
        match self {
            Self::Dense => &["shape"],
            Self::Ragged => &["inner_shape"],
            Self::Csr => &["shape", "index_dtype"],
        }
    }
}

/// A map known to have text keys, no key twice, a known family and none but that family's keys.
pub(super) struct Document<'v, 'a> {
    pairs: &'v [(Value<'a>, Value<'a>)],
    pub(super) family: Family,
}

impl<'v, 'a> Document<'v, 'a> {
    pub(super) fn open(value: &'v Value<'a>) -> Result<Self> {
        let pairs = value.as_map().ok_or_else(|| Error::new(Code::NotAMap, "an item type must be a map"))?;
        if pairs.iter().any(|(key, _)| key.as_text().is_none()) {
            return Err(Error::new(Code::NonStringKey, "keys of an item type must be text"));
        }
        if let Some(key) = first_repeated_key(pairs) {
            return Err(about(Code::DuplicateField, key, "occurs more than once"));
        }
        let mut document = Self { pairs, family: Family::Dense };
        document.family = match document.text("family")? {
            DENSE => Family::Dense,
            RAGGED => Family::Ragged,
            CSR => Family::Csr,
            other => return Err(invalid("family", other)),
        };
        let own_keys = document.family.own_keys();
        let mut unknown = None;
        for key in pairs.iter().filter_map(|(key, _)| key.as_text()) {
            let known = COMMON.contains(&key) || own_keys.contains(&key);
            if !known && unknown.is_none_or(|smallest| key < smallest) {
                unknown = Some(key);
            }
        }
        match unknown {
            Some(key) => Err(about(Code::UnknownField, key, "is not a key of this family")),
            None => Ok(document),
        }
    }

    fn get(&self, key: &str) -> Result<&'v Value<'a>> {
        let found = self.pairs.iter().find(|(name, _)| name.as_text() == Some(key));
        found.map(|(_, value)| value).ok_or_else(|| about(Code::MissingField, key, "is missing"))
    }

    pub(super) fn text(&self, key: &str) -> Result<&'a str> {
        self.get(key)?.as_text().ok_or_else(|| wrong_type(key, "text"))
    }

    /// A text value that `read` must know.
    pub(super) fn word<T>(&self, key: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let word = self.text(key)?;
        read(word).ok_or_else(|| invalid(key, word))
    }

    /// The text value `expected`.
    pub(super) fn exactly(&self, key: &str, expected: &str) -> Result<()> {
        self.word(key, |word| (word == expected).then_some(()))
    }

    /// The version number 1.
    pub(super) fn first_version(&self, key: &str) -> Result<()> {
        let version = self.get(key)?.as_uint().ok_or_else(|| wrong_type(key, "an unsigned integer"))?;
        if version == super::VERSION { Ok(()) } else { Err(invalid(key, &version.to_string())) }
    }

    pub(super) fn extents(&self, key: &str) -> Result<Vec<u64>> {
        let wrong = || wrong_type(key, "an array of unsigned integers");
        let mut extents = Vec::new();
        for item in self.get(key)?.as_array().ok_or_else(wrong)? {
            extents.push(item.as_uint().ok_or_else(wrong)?);
        }
        Ok(extents)
    }

    pub(super) fn dtype(&self) -> Result<DType> {
        let name = self.text("dtype")?;
        DType::from_name(name).ok_or_else(|| {
            Error::new(
                Code::UnsupportedDtype,
                format_args!("dtype `{}` is not one of f32 f64 i8 i16 i32 i64 u8 u16 u32 u64", brief(name)),
            )
            .about("dtype")
        })
    }

    pub(super) fn endianness(&self) -> Result<Endianness> {
        self.word("endianness", Endianness::from_name)
    }
}

pub(super) fn invalid(key: &str, value: &str) -> Error {
    about(Code::InvalidValue, key, format_args!("must not be `{}`", brief(value)))
}

fn wrong_type(key: &str, wanted: &str) -> Error {
    about(Code::FieldType, key, format_args!("must be {wanted}"))
}

fn about(code: Code, key: &str, what: impl Display) -> Error {
    Error::new(code, format_args!("key `{}` of the item type {what}", brief(key))).about(key)
}

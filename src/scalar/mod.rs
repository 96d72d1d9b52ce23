//! Scalar columns: a value for each row, found through an index that is ordered by values.
//!
//! An index entry names a value and a record: the set of anchors that have it, somewhere in a pack. Categories and
//! truth values have their entries in the Track; those of the other types are the leaves of a tree of pages
//! ([`page`]). Entries are columns ([`entries`]), their values are decoded once ([`value`]), and records are turned
//! around into rows: anchors with the entry that each belongs to ([`rows`]).
//!
//! Fetching pages and records, and which of them a caller needs, does not belong here.

mod bitmap;
pub mod entries;
pub mod page;
pub mod rows;
pub mod value;

use crate::cbor::{Reader, Record, Value, Writer};
use crate::error::{Code, Error, Result};
use crate::modality::Modality;
use crate::multihash::Address;
use crate::sentence::{Said, say};
use alloc::vec::Vec;
use entries::Entries;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// Texts of which there are few.
    Categorical,
    /// Truth values.
    Bool,
    /// Integers of 64 bits with a sign.
    Int,
    /// Finite floats of 64 bits.
    Float,
    /// Texts.
    Text,
    /// Integers of 64 bits with a sign that stand for points in time.
    Timestamp,
}

impl ValueType {
    const ALL: [Self; 6] = [Self::Categorical, Self::Bool, Self::Int, Self::Float, Self::Text, Self::Timestamp];

    /// Names in schemas and in tags, and the index algorithm.
    const fn names(self) -> [&'static str; 3] {
        match self {
            Self::Categorical => ["categorical", "cat", "dreamdb.bitmap-categorical"],
            Self::Bool => ["bool", "bool", "dreamdb.bitmap-categorical"],
            Self::Int => ["int", "i64", "dreamdb.btree-int64"],
            Self::Float => ["float", "f64", "dreamdb.btree-float64"],
            Self::Text => ["string", "str", "dreamdb.btree-string"],
            Self::Timestamp => ["timestamp", "ts", "dreamdb.btree-int64"],
        }
    }

    /// The type that a schema calls `name`, in a Track of modality `tag`.
    ///
    /// # Errors
    /// Those of [`Modality::parse`]; [`Code::UnsupportedIndex`] for a tag of an unknown type; [`Code::ScalarIndex`] for
    /// an unknown name, and for a tag of another type.
    pub fn declared(name: &str, tag: &str) -> Result<Self> {
        match Self::named(name) {
            Some(known) if Self::of_modality(&Modality::parse(tag)?)? == known => Ok(known),
            _ => Err(refuse(say!("values of type `{}` do not belong to modality `{}`", name, tag)).about(name)),
        }
    }

    /// The type whose tag `modality` is.
    pub(crate) fn of_modality(modality: &Modality<'_>) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|known| known.names()[1] == modality.encoding());
        known.ok_or_else(|| {
            let tag = modality.as_str();
            let message = say!("modality `{}` is of a scalar type that this version does not know", tag);
            Error::new(Code::UnsupportedIndex, message).about(tag)
        })
    }

    /// The type that a schema calls `name`, if it is known.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.names()[0] == name)
    }

    const fn metric(self) -> &'static str {
        if self.is_inline() { "categorical" } else { "ordinal" }
    }

    const fn algorithm(self) -> &'static str {
        self.names()[2]
    }

    /// Whether entries stand in the Track itself.
    const fn is_inline(self) -> bool {
        matches!(self, Self::Categorical | Self::Bool)
    }
}

/// The `object_index` of a scalar Track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The entries themselves.
    Entries(Entries),
    /// A tree of pages, whose leaves hold the entries.
    Tree(Tree),
}

/// What a Track says of its tree of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Address of the root page.
    pub root: Address,
    /// Pages in all.
    pub pages: u64,
    /// Levels, that of the leaves included.
    pub height: u64,
    /// Entries in all.
    pub entries: u64,
}

impl Root {
    pub(crate) fn read(reader: &mut Reader<'_>, modality: &Modality<'_>) -> Result<Self> {
        let value_type = ValueType::of_modality(modality)?;
        let index = reader.value()?;
        match &index {
            Value::Array(entries) if entries.is_empty() || value_type.is_inline() => {
                Entries::read(entries, value_type).map(Self::Entries)
            }
            Value::Map(_) if !value_type.is_inline() => Tree::read(&index).map(Self::Tree),
            _ => {
                Err(refuse(say!("the `object_index` of a scalar Track does not have the form that its type asks for")))
            }
        }
    }
}

impl Tree {
    fn read(index: &Value<'_>) -> Result<Self> {
        let index = Record::open(Code::ScalarIndex, "the `object_index` of the Track", index)?;
        index.close(&["form", "root", "page_count", "tree_height", "total_entries"])?;
        if index.text("form")? != "scalar-btree-v1" {
            return Err(index.wrong("form", "`scalar-btree-v1`"));
        }
        let tree = Self {
            root: index.address("root")?,
            pages: index.uint("page_count")?,
            height: index.uint("tree_height")?,
            entries: index.uint("total_entries")?,
        };
        if tree.height == 0 || tree.pages < tree.height || tree.entries == 0 {
            return Err(refuse(say!("a tree of scalar values cannot have so few pages, levels or entries")));
        }
        Ok(tree)
    }
}

/// The object that describes the index of a field with such values, for a writer.
#[must_use]
pub fn descriptor(value_type: ValueType, field: &str) -> Vec<u8> {
    let mut out = Writer::new();
    out.map(4).text("metric").text(value_type.metric()).text("params");
    if value_type.is_inline() {
        out.map(2).text("version").uint(1).text("cardinality_limit").uint(65_536);
    } else {
        out.map(3).text("version").uint(1).text("leaf_fanout").uint(4096).text("internal_fanout").uint(256);
    }
    out.text("algorithm").text(value_type.algorithm()).text("field_name").text(field);
    out.into_bytes()
}

/// Checks the object that describes a column's index: that of the field, by the algorithm of its type.
///
/// # Errors
/// [`Code::Cbor`]; [`Code::ScalarIndex`] for another form, type or field.
pub fn check_descriptor(bytes: &[u8], value_type: ValueType, field: &str) -> Result<()> {
    let root = Reader::new(bytes).with_text_keys().value()?;
    let root = Record::open(Code::ScalarIndex, "the descriptor of a scalar index", &root)?;
    root.close(&["metric", "params", "algorithm", "field_name"])?;
    for (key, expected) in
        [("metric", value_type.metric()), ("algorithm", value_type.algorithm()), ("field_name", field)]
    {
        let actual = root.text(key)?;
        if actual != expected {
            return Err(root.refuse(key, say!("says `{}` {}", key, actual)).bounds(expected, actual));
        }
    }
    let params = Record::open(Code::ScalarIndex, "`params` of a scalar index", root.get("params")?)?;
    if params.uint("version")? == 1 { Ok(()) } else { Err(params.wrong("version", "1")) }
}

fn refuse(message: Said) -> Error {
    Error::new(Code::ScalarIndex, message)
}

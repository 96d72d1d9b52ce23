//! Declarations of scalar columns: types of values, and what describes the index of each.
//!
//! How columns are read and written does not belong here: that is the TypeScript side's.

use crate::cbor::Writer;

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

    /// The type that a schema calls `name`, if it is known.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.names()[0] == name)
    }

    /// The tag of a field's Track.
    pub(crate) fn tag(self, field: &str) -> String {
        format!("scalar.{}.field={field}", self.names()[1])
    }
}

/// The object that describes the index of a field with such values, for a writer.
#[must_use]
pub fn descriptor(value_type: ValueType, field: &str) -> Vec<u8> {
    let is_inline = matches!(value_type, ValueType::Categorical | ValueType::Bool);
    let mut out = Writer::new();
    out.map(4).text("metric").text(if is_inline { "categorical" } else { "ordinal" }).text("params");
    if is_inline {
        out.map(2).text("version").uint(1).text("cardinality_limit").uint(65_536);
    } else {
        out.map(3).text("version").uint(1).text("leaf_fanout").uint(4096).text("internal_fanout").uint(256);
    }
    out.text("algorithm").text(value_type.names()[2]).text("field_name").text(field);
    out.into_bytes()
}

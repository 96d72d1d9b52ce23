//! What a writer says of an array, before it is a type.

use super::document::{CSR, RAGGED};
use super::{ItemType, VERSION, csr};
use crate::cbor::Value;
use crate::error::Result;
use alloc::{vec, vec::Vec};

/// The free keys of a document; its versions and a CSR type's `index_dtype` follow from the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// `dense-array`, `ragged-array` or `sparse-csr`.
    pub family: &'a str,
    /// Element type.
    pub dtype: &'a str,
    /// `shape`, or `inner_shape` of a ragged array.
    pub extents: &'a [u64],
    /// Byte order of the values.
    pub endianness: &'a str,
    /// Order of the elements.
    pub layout: &'a str,
    /// Framing of the bytes.
    pub codec: &'a str,
    /// What the array represents.
    pub semantic_type: &'a str,
    /// Units of the values.
    pub units: &'a str,
    /// Frame of reference.
    pub frame: &'a str,
    /// Names of the axes.
    pub axis_order: &'a str,
}

impl Declaration<'_> {
    /// The type that is declared so.
    ///
    /// # Errors
    /// Those of [`ItemType::from_value`]: the values are judged as those of a document.
    pub fn item_type(&self) -> Result<ItemType> {
        let shape_key = if self.family == RAGGED { "inner_shape" } else { "shape" };
        let mut extents = Vec::new();
        for extent in self.extents {
            extents.push(Value::Uint(*extent));
        }
        let mut pairs = vec![
            (Value::Text("version"), Value::Uint(VERSION)),
            (Value::Text("codec_version"), Value::Uint(VERSION)),
            (Value::Text(shape_key), Value::Array(extents)),
        ];
        let texts = [
            ("family", self.family),
            ("dtype", self.dtype),
            ("endianness", self.endianness),
            ("layout", self.layout),
            ("codec", self.codec),
            ("semantic_type", self.semantic_type),
            ("units", self.units),
            ("frame", self.frame),
            ("axis_order", self.axis_order),
        ];
        for (key, text) in texts {
            pairs.push((Value::Text(key), Value::Text(text)));
        }
        if self.family == CSR {
            pairs.push((Value::Text("index_dtype"), Value::Text(csr::INDEX_DTYPE)));
        }
        ItemType::from_value(&Value::Map(pairs))
    }
}

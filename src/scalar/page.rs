//! Pages of a tree of scalar values: leaves with entries, and the pages above them.
//!
//! The tree is ordered by keys that are made of the values. Who reads a whole column visits all pages from front to
//! back and needs none of them, so keys are not interpreted.

use super::entries::Entries;
use super::{ValueType, refuse};
use crate::cbor::{Reader, Record, Value};
use crate::error::{Code, Result};
use crate::multihash::Address;
use crate::sentence::say;
use alloc::vec::Vec;

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// Entries, ascending by value.
    Leaf(Entries),
    /// Addresses of the pages below, ascending by their values, 33 bytes each.
    Internal(Vec<u8>),
}

impl Page {
    /// Decodes a page with so many levels below it.
    ///
    /// # Errors
    /// [`Code::Cbor`]; [`Code::ScalarIndex`] for a missing, unknown or wrongly typed key, a page of another type, level
    /// or algorithm, one without entries, and a malformed entry or value.
    pub fn decode(bytes: &[u8], value_type: ValueType, level: u64) -> Result<Self> {
        let mut reader = Reader::new(bytes).with_text_keys();
        let page = reader.value()?;
        let page = Record::open(Code::ScalarIndex, "a page of the scalar index", &page)?;
        page.close(&["type", "level", "entries", "algorithm"])?;
        let kind = if level == 0 { "leaf" } else { "internal" };
        if page.text("type")? != kind || page.uint("level")? != level {
            return Err(page.refuse("level", say!("is not of type `{}` at level {}, as it must be", kind, level)));
        }
        if page.text("algorithm")? != value_type.algorithm() {
            return Err(page.wrong("algorithm", value_type.algorithm()));
        }
        let entries = page.list("entries")?;
        if entries.is_empty() || reader.remaining() > 0 {
            return Err(page.refuse("entries", say!("has no entries, or further bytes behind its own")));
        }
        if level == 0 {
            return Entries::read(entries, value_type).map(Self::Leaf);
        }
        let mut addresses = Vec::new();
        for entry in entries {
            match entry.as_array() {
                Some([Value::Bytes(_), Value::Bytes(_), Value::Bytes(child), ..])
                    if Address::from_bytes(child).is_ok() =>
                {
                    addresses.extend_from_slice(child);
                }
                _ => return Err(refuse(say!("an entry of a page is not two keys and the address of a page"))),
            }
        }
        Ok(Self::Internal(addresses))
    }
}

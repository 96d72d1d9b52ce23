//! Index entries, `[value, min_anchor, max_anchor + 1, object, offset, length]` for a record inside a pack, without the
//! last two for a record that is an object of its own. Further elements are ignored.

use super::value::Values;
use super::{ValueType, refuse};
use crate::cbor::Value;
use crate::error::Result;
use crate::multihash::Address;
use crate::sentence::say;
use crate::track::fragments::Names;
use alloc::vec::Vec;

/// Length of a record that is a whole object.
pub const WHOLE: u64 = u64::MAX;

/// Entries as columns, in the order of the index: ascending by value. One value may have several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    /// Value of each entry.
    pub values: Values,
    /// Least anchor of each record, or less.
    pub starts: Vec<u64>,
    /// One more than the greatest anchor of each record, or more.
    pub ends: Vec<u64>,
    /// Object of each record, as a position in [`addresses`](Self::addresses).
    pub objects: Vec<u32>,
    /// Addresses of the distinct objects, 33 bytes each.
    pub addresses: Vec<u8>,
    /// Where each record begins in its object.
    pub offsets: Vec<u64>,
    /// Bytes of each record; [`WHOLE`] if it is all of its object.
    pub lengths: Vec<u64>,
}

impl Entries {
    pub(super) fn read(entries: &[Value<'_>], value_type: ValueType) -> Result<Self> {
        let mut columns = Self {
            values: Values::none(value_type),
            starts: Vec::with_capacity(entries.len()),
            ends: Vec::with_capacity(entries.len()),
            objects: Vec::new(),
            addresses: Vec::new(),
            offsets: Vec::with_capacity(entries.len()),
            lengths: Vec::with_capacity(entries.len()),
        };
        let mut names = Names::default();
        for (position, entry) in entries.iter().enumerate() {
            let refused = || refuse(say!("entry {} of the index is malformed", position));
            let Some([Value::Bytes(value), Value::Uint(start), Value::Uint(end), Value::Bytes(object), place @ ..]) =
                entry.as_array()
            else {
                return Err(refused());
            };
            let (offset, length) = match place {
                [] => (0, WHOLE),
                [Value::Uint(offset), Value::Uint(length), ..] if offset.checked_add(*length).is_some() => {
                    (*offset, *length)
                }
                _ => return Err(refused()),
            };
            let Some(object) = Address::from_bytes(object).ok().filter(|_| start < end) else {
                return Err(refused());
            };
            columns.values.push(value_type, value)?;
            columns.starts.push(*start);
            columns.ends.push(*end);
            columns.offsets.push(offset);
            columns.lengths.push(length);
            names.push(object.as_bytes());
        }
        (columns.objects, columns.addresses) = names.numbered();
        Ok(columns)
    }
}

//! Fragment entries: where media Items are (0022 §3.3, §5).
//!
//! An entry is `[t_start, t_end, byte_size, address]` for an object of its own, the same with `true` for a chunked
//! Item, or with `false` and an offset for a Item inside a pack. An offset of zero is an offset. The reference reads
//! a fifth element that is no boolean as `false` and a sixth that is no integer as absent; here both are refused,
//! since either reading may be the wrong object.

use super::entries::{Entry, ascending_order, reorder, wrong_type};
use super::packs::{self, PackTable};
use super::room;
use crate::cbor::{Head, Reader};
use crate::error::{Code, Error, Result};
use std::collections::BTreeMap;

/// How a fragment entry's Item is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Form {
    /// The object is the Item.
    Single = 0,
    /// The object is an ItemManifest that lists chunks.
    Chunked = 1,
    /// The Item is a span of the object.
    Packed = 2,
}

/// Where the Items of a media Track are, in ascending order of their starts.
///
/// Several entries may have one start; the last of them is the Item in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FragmentIndex {
    /// First anchor of each Item.
    pub starts: Vec<u64>,
    /// Anchor after the last of each Item.
    pub ends: Vec<u64>,
    /// Bytes of each Item.
    pub sizes: Vec<u64>,
    /// Offset of each Item inside its object; 0 unless packed.
    pub offsets: Vec<u32>,
    /// [`Form`] of each Item.
    pub forms: Vec<u8>,
    /// Object of each Item, as a position in [`addresses`](Self::addresses).
    pub objects: Vec<u32>,
    /// Addresses of the distinct objects, 33 bytes each.
    pub addresses: Vec<u8>,
    /// What the packs among the objects must be.
    pub packs: PackTable,
}

impl FragmentIndex {
    pub(super) fn read(reader: &mut Reader<'_>, count: u64) -> Result<Self> {
        let room = room(reader, count);
        let mut index = Self {
            starts: Vec::with_capacity(room),
            ends: Vec::with_capacity(room),
            sizes: Vec::with_capacity(room),
            offsets: Vec::with_capacity(room),
            forms: Vec::with_capacity(room),
            objects: Vec::with_capacity(room),
            ..Self::default()
        };
        let mut known: BTreeMap<&[u8], u32> = BTreeMap::new();
        for position in 0..count {
            let mut entry = Entry::open(reader, position, 4)?;
            let [start, end] = entry.extent()?;
            index.starts.push(start);
            index.ends.push(end);
            index.sizes.push(entry.uint()?);
            let address = entry.address()?;
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            let object = *known.entry(address).or_insert_with(|| {
                index.addresses.extend_from_slice(address);
                next
            });
            index.objects.push(object);
            let (form, offset) = placement(&mut entry, position)?;
            index.forms.push(form as u8);
            index.offsets.push(offset);
            entry.close()?;
        }
        if let Some(order) = ascending_order(&index.starts) {
            index.starts = reorder(&index.starts, &order);
            index.ends = reorder(&index.ends, &order);
            index.sizes = reorder(&index.sizes, &order);
            index.offsets = reorder(&index.offsets, &order);
            index.forms = reorder(&index.forms, &order);
            index.objects = reorder(&index.objects, &order);
        }
        index.packs = packs::table(&index);
        Ok(index)
    }
}

/// Form and offset, from the elements after the address.
fn placement(entry: &mut Entry<'_, '_>, position: u64) -> Result<(Form, u32)> {
    if entry.left() == 0 {
        return Ok((Form::Single, 0));
    }
    let Head::Bool(chunked) = entry.head()? else {
        return Err(wrong_type(position, "has a fifth element that is neither true nor false"));
    };
    let single_or_chunked = if chunked { Form::Chunked } else { Form::Single };
    if entry.left() == 0 {
        return Ok((single_or_chunked, 0));
    }
    let too_large = |offset: &str| {
        let message = format!("index entry {position} has the pack offset {offset}, which does not fit in 32 bits");
        Error::new(Code::IntegerRange, message).bounds(u32::MAX, offset)
    };
    let offset = match entry.head()? {
        Head::Uint(offset) => u32::try_from(offset).map_err(|_| too_large(&offset.to_string()))?,
        Head::Nint(_) => return Err(too_large("below zero")),
        _ => return Err(wrong_type(position, "has a sixth element that is not an integer")),
    };
    Ok(if chunked { (Form::Chunked, 0) } else { (Form::Packed, offset) })
}

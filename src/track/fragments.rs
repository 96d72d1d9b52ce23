//! Fragment entries: where media Items are (0022 §3.3, §5).
//!
//! An entry is `[t_start, t_end, byte_size, address]` for an object of its own, the same with `true` for a chunked
//! Item, or with `false` and an offset for a Item inside a pack. An offset of zero is an offset. The reference reads
//! a fifth element that is no boolean as `false` and a sixth that is no integer as absent; here both are refused,
//! since either reading may be the wrong object.

use super::entries::{Entry, ascending_order, wrong_type};
use super::packs::{self, PackTable};
use super::room;
use crate::cbor::{Head, Reader};
use crate::error::{Code, Error, Result};
use crate::order::{ascending, pick};

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
        let mut addresses: Vec<&[u8]> = Vec::with_capacity(room);
        for position in 0..count {
            let mut entry = Entry::open(reader, position, 4)?;
            let [start, end] = entry.extent()?;
            index.starts.push(start);
            index.ends.push(end);
            index.sizes.push(entry.uint()?);
            addresses.push(entry.address()?);
            let (form, offset) = placement(&mut entry, position)?;
            index.forms.push(form as u8);
            index.offsets.push(offset);
            entry.close()?;
        }
        index.name_objects(&addresses);
        if let Some(order) = ascending_order(&index.starts) {
            index.starts = pick(&index.starts, &order);
            index.ends = pick(&index.ends, &order);
            index.sizes = pick(&index.sizes, &order);
            index.offsets = pick(&index.offsets, &order);
            index.forms = pick(&index.forms, &order);
            index.objects = pick(&index.objects, &order);
        }
        index.packs = packs::table(&index);
        Ok(index)
    }

    /// Numbers the distinct addresses in the order in which they first occur.
    fn name_objects(&mut self, addresses: &[&[u8]]) {
        let order = ascending(addresses.len(), &|first, second| addresses.get(first).cmp(&addresses.get(second)));
        // Within a run of equal addresses the order is that of the entries, so a run's front is its first occurrence.
        let mut first_of = vec![0_u32; addresses.len()];
        for run in order.chunk_by(|first, second| addresses.get(*first as usize) == addresses.get(*second as usize)) {
            for at in run {
                if let (Some(slot), Some(first)) = (first_of.get_mut(*at as usize), run.first()) {
                    *slot = *first;
                }
            }
        }
        let mut number_of = vec![0_u32; addresses.len()];
        let mut count = 0_u32;
        for ((at, address), first) in (0_u32..).zip(addresses).zip(first_of) {
            if at == first {
                self.addresses.extend_from_slice(address);
                if let Some(slot) = number_of.get_mut(at as usize) {
                    *slot = count;
                }
                count = count.saturating_add(1);
            }
            self.objects.push(number_of.get(first as usize).copied().unwrap_or_default());
        }
    }
}

/// Refuses an object of `body` bytes that is to be a single Item of `size`.
///
/// # Errors
/// [`Code::PayloadLength`].
pub fn check_single(size: u64, body: u64) -> Result<()> {
    if body == size {
        return Ok(());
    }
    let message = format_args!("the Item has {body} bytes, but its index entry says {size}");
    Err(Error::new(Code::PayloadLength, message).bounds(size, body))
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
        let message =
            format_args!("index entry {position} has the pack offset {offset}, which does not fit in 32 bits");
        Error::new(Code::IntegerRange, message).bounds(u32::MAX, offset)
    };
    let offset = match entry.head()? {
        Head::Uint(offset) => u32::try_from(offset).map_err(|_| too_large(&offset.to_string()))?,
        Head::Nint(_) => return Err(too_large("below zero")),
        _ => return Err(wrong_type(position, "has a sixth element that is not an integer")),
    };
    Ok(if chunked { (Form::Chunked, 0) } else { (Form::Packed, offset) })
}

//! Index entries of array Tracks: event `[address, anchor]`, continuous `[t_start, t_end, bucket, address]`, and a
//! Constant's lone address. Further elements of an entry are ignored, missing ones refused.

use super::room;
use crate::cbor::{Head, Reader};
use crate::error::{Code, Error, Result};
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::{ascending, pick};

/// Where the Items of an event Track are, in ascending order of anchors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventIndex {
    /// Anchor of each Item.
    pub anchors: Vec<u64>,
    /// Addresses, 33 bytes each.
    pub addresses: Vec<u8>,
}

/// Where the Items of a continuous Track are, in ascending order of their starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContinuousIndex {
    /// First anchor of each Item: the one that finds it.
    pub starts: Vec<u64>,
    /// Anchor after the last of each Item.
    pub ends: Vec<u64>,
    /// Bucket below which each Item is stored.
    pub buckets: Vec<u64>,
    /// Addresses, 33 bytes each.
    pub addresses: Vec<u8>,
}

impl EventIndex {
    pub(super) fn read(reader: &mut Reader<'_>, count: u64) -> Result<Self> {
        let room = room(reader, count);
        let mut index = Self {
            anchors: Vec::with_capacity(room),
            addresses: Vec::with_capacity(room.saturating_mul(ADDRESS_BYTES)),
        };
        for position in 0..count {
            let mut entry = Entry::open(reader, position, 2)?;
            index.addresses.extend_from_slice(entry.address()?);
            index.anchors.push(entry.uint()?);
            entry.close()?;
        }
        if let Some(order) = ascending_order(&index.anchors) {
            index.anchors = pick(&index.anchors, &order);
            index.addresses = pick_addresses(&index.addresses, &order);
        }
        refuse_repeats(&index.anchors)?;
        Ok(index)
    }
}

impl ContinuousIndex {
    pub(super) fn read(reader: &mut Reader<'_>, count: u64) -> Result<Self> {
        let room = room(reader, count);
        let mut index = Self {
            starts: Vec::with_capacity(room),
            ends: Vec::with_capacity(room),
            buckets: Vec::with_capacity(room),
            addresses: Vec::with_capacity(room.saturating_mul(ADDRESS_BYTES)),
        };
        for position in 0..count {
            let mut entry = Entry::open(reader, position, 4)?;
            let [start, end] = entry.extent()?;
            index.starts.push(start);
            index.ends.push(end);
            index.buckets.push(entry.uint()?);
            index.addresses.extend_from_slice(entry.address()?);
            entry.close()?;
        }
        if let Some(order) = ascending_order(&index.starts) {
            index.starts = pick(&index.starts, &order);
            index.ends = pick(&index.ends, &order);
            index.buckets = pick(&index.buckets, &order);
            index.addresses = pick_addresses(&index.addresses, &order);
        }
        refuse_repeats(&index.starts)?;
        Ok(index)
    }
}

/// The address of a Constant, whose index is the entry itself.
pub(super) fn read_constant(reader: &mut Reader<'_>, count: u64) -> Result<Address> {
    let mut entry = Entry::new(reader, 0, count, 1)?;
    let address = Address::from_bytes(entry.address()?)?;
    entry.close()?;
    Ok(address)
}

/// One entry being read, element by element.
pub(super) struct Entry<'r, 'a> {
    reader: &'r mut Reader<'a>,
    position: u64,
    left: u64,
}

impl<'r, 'a> Entry<'r, 'a> {
    pub(super) fn open(reader: &'r mut Reader<'a>, position: u64, least: u64) -> Result<Self> {
        match reader.head()? {
            Head::Array(count) => Self::new(reader, position, count, least),
            _ => Err(wrong_type(position, "is not an array")),
        }
    }

    fn new(reader: &'r mut Reader<'a>, position: u64, count: u64, least: u64) -> Result<Self> {
        if count >= least {
            return Ok(Self { reader, position, left: count });
        }
        let message = format_args!("index entry {position} has {count} elements, at least {least} are needed");
        Err(Error::new(Code::EntryTooShort, message).bounds(least, count))
    }

    /// Elements not yet read.
    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn head(&mut self) -> Result<Head> {
        self.left = self.left.saturating_sub(1);
        self.reader.head()
    }

    pub(super) fn uint(&mut self) -> Result<u64> {
        match self.head()? {
            Head::Uint(value) => Ok(value),
            _ => Err(wrong_type(self.position, "has another value where an unsigned integer is needed")),
        }
    }

    pub(super) fn address(&mut self) -> Result<&'a [u8]> {
        let Head::Bytes(length) = self.head()? else {
            return Err(wrong_type(self.position, "has another value where an address is needed"));
        };
        let bytes = self.reader.body(length)?;
        Address::from_bytes(bytes).map_err(|error| error.within(format_args!("index entry {}", self.position)))?;
        Ok(bytes)
    }

    /// The half-open extent with which the entry starts.
    pub(super) fn extent(&mut self) -> Result<[u64; 2]> {
        let (start, end) = (self.uint()?, self.uint()?);
        if start < end {
            return Ok([start, end]);
        }
        let message = format_args!("index entry {} has the empty extent [{start}, {end})", self.position);
        Err(Error::new(Code::EntryExtent, message))
    }

    /// Passes over the elements that a later version may have added.
    pub(super) fn close(self) -> Result<()> {
        (0..self.left).try_for_each(|_| self.reader.value().map(drop))
    }
}

pub(super) fn wrong_type(position: u64, what: &str) -> Error {
    Error::new(Code::EntryType, format_args!("index entry {position} {what}"))
}

/// The stable order that sorts `keys`, unless they are in order already.
pub(super) fn ascending_order(keys: &[u64]) -> Option<Vec<u32>> {
    if keys.is_sorted() {
        return None;
    }
    Some(ascending(keys.len(), &|first, second| keys.get(first).cmp(&keys.get(second))))
}

fn pick_addresses(column: &[u8], order: &[u32]) -> Vec<u8> {
    let (addresses, _) = column.as_chunks::<ADDRESS_BYTES>();
    order.iter().filter_map(|at| addresses.get(*at as usize)).flatten().copied().collect()
}

fn refuse_repeats(anchors: &[u64]) -> Result<()> {
    let repeated = anchors.windows(2).find_map(|pair| match pair {
        [first, second] if first == second => Some(*first),
        _ => None,
    });
    match repeated {
        Some(anchor) => {
            let message = format_args!("the Track has two array Items at anchor {anchor}");
            Err(Error::new(Code::RepeatedAnchor, message).about(&anchor.to_string()))
        }
        None => Ok(()),
    }
}

//! Index entries: event `[address, anchor]`, continuous `[t_start, t_end, bucket, address]`, fragments
//! `[t_start, t_end, byte_size, address]` and what follows there, and a Constant's lone address. Further elements of
//! an entry are ignored, missing ones refused.
//!
//! Entries of a page ([`pages`](super::pages)) are relative: the first number is the distance from the page's start, and
//! the second a duration.

use super::fragments::{Names, placement};
use crate::cbor::{Head, Reader};
use crate::error::{Code, Error, Result};
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::{ascending, pick};
use crate::sentence::{Said, decimal, say};
use alloc::vec::Vec;

/// Fewest bytes that an index entry can have: an array head, an address, an integer.
const LEAST_ENTRY_BYTES: usize = 1 + 2 + ADDRESS_BYTES + 1;

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

/// What the entries of an index are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Event,
    Continuous,
    Fragments,
}

/// The elements of all entries, in ascending order of the first; columns that the layout does not have are empty.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) starts: Vec<u64>,
    pub(super) ends: Vec<u64>,
    /// Buckets of continuous entries, sizes of fragments.
    pub(super) thirds: Vec<u64>,
    /// Addresses of array Items.
    pub(super) addresses: Vec<[u8; ADDRESS_BYTES]>,
    /// Objects of fragments.
    pub(super) names: Names,
    pub(super) forms: Vec<u8>,
    pub(super) offsets: Vec<u32>,
}

impl Columns {
    /// Reads `count` entries; `base` is added to their starts, and makes their second number a duration.
    pub(super) fn read(reader: &mut Reader<'_>, count: u64, layout: Layout, base: Option<u64>) -> Result<Self> {
        let mut columns = Self::default();
        // Room for all entries, or for as many as the bytes can hold.
        let most = reader.remaining().wrapping_div(LEAST_ENTRY_BYTES);
        let room = usize::try_from(count).unwrap_or(usize::MAX).min(most);
        columns.starts.resize(room, 0);
        if layout == Layout::Event {
            columns.addresses.resize(room, [0; ADDRESS_BYTES]);
        } else {
            columns.ends.resize(room, 0);
            columns.thirds.resize(room, 0);
        }
        if layout == Layout::Continuous {
            columns.addresses.resize(room, [0; ADDRESS_BYTES]);
        }
        if layout == Layout::Fragments {
            columns.names.positions.resize(room, 0);
            columns.forms.resize(room, 0);
            columns.offsets.resize(room, 0);
        }
        for position in 0..count {
            // Within the room: the bytes end before more entries do.
            let at = usize::try_from(position).unwrap_or(usize::MAX);
            let mut entry = Entry::open(reader, position, if layout == Layout::Event { 2 } else { 4 })?;
            if layout == Layout::Event {
                let address = entry.address()?;
                put_address(&mut columns.addresses, at, address);
                let anchor = entry.uint()?;
                put(&mut columns.starts, at, entry.after(base.unwrap_or_default(), anchor)?);
            } else {
                let [start, end] = entry.extent(base)?;
                put(&mut columns.starts, at, start);
                put(&mut columns.ends, at, end);
                put(&mut columns.thirds, at, entry.uint()?);
                let address = entry.address()?;
                if layout == Layout::Fragments {
                    let object = columns.names.number(address);
                    put(&mut columns.names.positions, at, object);
                } else {
                    put_address(&mut columns.addresses, at, address);
                }
            }
            if layout == Layout::Fragments {
                let (form, offset) = placement(&mut entry)?;
                put(&mut columns.forms, at, form as u8);
                put(&mut columns.offsets, at, offset);
            }
            entry.close()?;
        }
        columns.sort();
        Ok(columns)
    }

    /// Brings the entries into ascending order of their starts; equal ones keep theirs.
    pub(super) fn sort(&mut self) {
        if self.starts.is_sorted() {
            return;
        }
        let order = ascending(self.starts.len(), &|first, second| self.starts.get(first).cmp(&self.starts.get(second)));
        for column in [&mut self.starts, &mut self.ends, &mut self.thirds] {
            *column = pick(column, &order);
        }
        self.addresses = pick(&self.addresses, &order);
        self.names.positions = pick(&self.names.positions, &order);
        self.forms = pick(&self.forms, &order);
        self.offsets = pick(&self.offsets, &order);
    }

    fn refuse_repeats(&self) -> Result<()> {
        for pair in self.starts.windows(2) {
            if let [first, second] = pair
                && first == second
            {
                let message = say!("the Track has two array Items at anchor {}", first);
                return Err(Error::new(Code::RepeatedAnchor, message).about(&decimal(*first)));
            }
        }
        Ok(())
    }
}

impl EventIndex {
    pub(super) fn read(reader: &mut Reader<'_>, count: u64, base: Option<u64>) -> Result<Self> {
        Self::of(Columns::read(reader, count, Layout::Event, base)?)
    }

    pub(super) fn of(columns: Columns) -> Result<Self> {
        columns.refuse_repeats()?;
        Ok(Self { anchors: columns.starts, addresses: columns.addresses.into_flattened() })
    }
}

impl ContinuousIndex {
    pub(super) fn read(reader: &mut Reader<'_>, count: u64, base: Option<u64>) -> Result<Self> {
        Self::of(Columns::read(reader, count, Layout::Continuous, base)?)
    }

    pub(super) fn of(columns: Columns) -> Result<Self> {
        columns.refuse_repeats()?;
        let addresses = columns.addresses.into_flattened();
        Ok(Self { starts: columns.starts, ends: columns.ends, buckets: columns.thirds, addresses })
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
    fn open(reader: &'r mut Reader<'a>, position: u64, least: u64) -> Result<Self> {
        if let Some(count) = reader.small(4) {
            return Self::new(reader, position, count, least);
        }
        match reader.head()? {
            Head::Array(count) => Self::new(reader, position, count, least),
            _ => Err(wrong_type(position, say!("is not an array"))),
        }
    }

    #[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
    #[inline(always)]
    fn new(reader: &'r mut Reader<'a>, position: u64, count: u64, least: u64) -> Result<Self> {
        if count >= least {
            Ok(Self { reader, position, left: count })
        } else {
            Err(Self::too_short(position, count, least))
        }
    }

    fn too_short(position: u64, count: u64, least: u64) -> Error {
        let message = say!("index entry {} has {} elements, at least {} are needed", position, count, least);
        Error::new(Code::EntryTooShort, message).bounds(least, count)
    }

    /// Elements not yet read.
    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    /// The last two elements, if they are those of a packed Item; nothing is read otherwise.
    pub(super) fn pack_offset(&mut self) -> Option<u32> {
        /// `false`, behind the major type.
        const FALSE: u64 = 20;
        let mut reader = self.reader.clone();
        let is_packed = self.left == 2 && reader.small(7) == Some(FALSE);
        let offset = if is_packed { u32::try_from(reader.uint()?).ok()? } else { return None };
        *self.reader = reader;
        self.left = 0;
        Some(offset)
    }

    pub(super) fn head(&mut self) -> Result<Head> {
        self.left = self.left.saturating_sub(1);
        self.reader.head()
    }

    #[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
    #[inline(always)]
    fn uint(&mut self) -> Result<u64> {
        if let Some(value) = self.reader.uint() {
            self.left = self.left.saturating_sub(1);
            return Ok(value);
        }
        self.other_uint()
    }

    fn other_uint(&mut self) -> Result<u64> {
        match self.head()? {
            Head::Uint(value) => Ok(value),
            _ => Err(self.wrong_type(say!("has another value where an unsigned integer is needed"))),
        }
    }

    #[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
    #[inline(always)]
    fn address(&mut self) -> Result<&'a [u8; ADDRESS_BYTES]> {
        let mut reader = self.reader.clone();
        if let Some(bytes) = reader.chunk()
            && Address::is_one(bytes)
        {
            *self.reader = reader;
            self.left = self.left.saturating_sub(1);
            return Ok(bytes);
        }
        self.other_address()
    }

    fn other_address(&mut self) -> Result<&'a [u8; ADDRESS_BYTES]> {
        let Head::Bytes(length) = self.head()? else {
            return Err(self.wrong_type(say!("has another value where an address is needed")));
        };
        let bytes = self.reader.body(length)?;
        let position = self.position;
        Address::from_bytes(bytes).map_err(|error| error.within(say!("index entry {}", position)))?;
        bytes.first_chunk().ok_or_else(|| self.wrong_type(say!("has no address")))
    }

    /// The half-open extent with which the entry starts.
    fn extent(&mut self, base: Option<u64>) -> Result<[u64; 2]> {
        let (mut start, mut end) = (self.uint()?, self.uint()?);
        if let Some(base) = base {
            start = self.after(base, start)?;
            end = self.after(start, end)?;
        }
        if start < end {
            return Ok([start, end]);
        }
        let message = say!("index entry {} has the empty extent [{}, {})", self.position, start, end);
        Err(Error::new(Code::EntryExtent, message))
    }

    /// The anchor so far after another one.
    #[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
    #[inline(always)]
    fn after(&self, anchor: u64, distance: u64) -> Result<u64> {
        match anchor.checked_add(distance) {
            Some(after) => Ok(after),
            None => Err(self.too_late(anchor, distance)),
        }
    }

    fn too_late(&self, anchor: u64, distance: u64) -> Error {
        let message = say!("index entry {} lies {} after {}, beyond 2^64 − 1", self.position, distance, anchor);
        Error::new(Code::IntegerRange, message).bounds(u64::MAX, distance)
    }

    /// Passes over the elements that a later version may have added.
    fn close(self) -> Result<()> {
        for _ in 0..self.left {
            self.reader.value()?;
        }
        Ok(())
    }

    pub(super) fn wrong_type(&self, what: Said) -> Error {
        wrong_type(self.position, what)
    }

    pub(super) fn offset_too_large(&self, offset: &str) -> Error {
        let message =
            say!("index entry {} has the pack offset {}, which does not fit in 32 bits", self.position, offset);
        Error::new(Code::IntegerRange, message).bounds(u32::MAX, offset)
    }
}

/// Puts an element into its place. Appending would be a call for each element, as it is compiled here.
#[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
#[inline(always)]
fn put<T>(column: &mut [T], at: usize, value: T) {
    if let Some(slot) = column.get_mut(at) {
        *slot = value;
    }
}

/// Puts an address into its place, in parts that machine words hold: a whole one would be copied by a call.
#[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
#[inline(always)]
fn put_address(column: &mut [[u8; ADDRESS_BYTES]], at: usize, address: &[u8; ADDRESS_BYTES]) {
    if let Some(slot) = column.get_mut(at)
        && let (Some((low, rest)), Some((low_slot, rest_slot))) =
            (address.split_first_chunk::<16>(), slot.split_first_chunk_mut::<16>())
        && let (Some((high, last)), Some((high_slot, last_slot))) =
            (rest.split_first_chunk::<16>(), rest_slot.split_first_chunk_mut::<16>())
    {
        *low_slot = *low;
        *high_slot = *high;
        if let ([last], [last_slot]) = (last, last_slot) {
            *last_slot = *last;
        }
    }
}

fn wrong_type(position: u64, what: Said) -> Error {
    Error::new(Code::EntryType, say!("index entry {} {}", position, what))
}

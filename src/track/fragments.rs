//! Fragment entries: where media Items are (0022 §3.3, §5).
//!
//! An entry is `[t_start, t_end, byte_size, address]` for an object of its own, the same with `true` for a chunked
//! Item, or with `false` and an offset for a Item inside a pack. An offset of zero is an offset. The reference reads
//! a fifth element that is no boolean as `false` and a sixth that is no integer as absent; here both are refused,
//! since either reading may be the wrong object.

use super::entries::{Columns, Entry, Layout};
use super::packs::{self, PackTable};
use crate::cbor::{Head, Reader};
use crate::error::{Code, Error, Result};
use crate::multihash::ADDRESS_BYTES;
use crate::order::ascending;
use crate::sentence::{decimal, say};
use alloc::{vec, vec::Vec};

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

impl Form {
    /// The form with that number, if there is one.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Single),
            1 => Some(Self::Chunked),
            2 => Some(Self::Packed),
            _ => None,
        }
    }
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
    /// What the packs among the objects must be; of a page no more than where the spans end that it knows.
    pub packs: PackTable,
}

impl FragmentIndex {
    pub(super) fn read(reader: &mut Reader<'_>, count: u64, base: Option<u64>) -> Result<Self> {
        let mut index = Self::without_packs(Columns::read(reader, count, Layout::Fragments, base)?);
        // A page may begin and end within a pack, which is not to be judged by a part of it.
        index.packs = if base.is_some() { packs::part(&index) } else { packs::table(&index) };
        Ok(index)
    }

    pub(super) fn of(columns: Columns) -> Self {
        let mut index = Self::without_packs(columns);
        index.packs = packs::table(&index);
        index
    }

    fn without_packs(columns: Columns) -> Self {
        let mut index = Self {
            starts: columns.starts,
            ends: columns.ends,
            sizes: columns.thirds,
            offsets: columns.offsets,
            forms: columns.forms,
            ..Self::default()
        };
        (index.objects, index.addresses) = columns.names.numbered();
        index
    }
}

/// Objects that Items name, one after another. Neighbours of one pack name it alike and share its address here.
#[derive(Default)]
pub(crate) struct Names {
    /// For each Item, the position of its object's address.
    pub(super) positions: Vec<u32>,
    /// Addresses; one that is named here and there is here as often.
    addresses: Vec<[u8; ADDRESS_BYTES]>,
}

impl Names {
    /// The next Item's object.
    pub(crate) fn push(&mut self, address: &[u8; ADDRESS_BYTES]) {
        let position = self.number(address);
        self.positions.push(position);
    }

    /// The position of the next Item's address, which is there now.
    #[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
    #[inline(always)]
    pub(super) fn number(&mut self, address: &[u8; ADDRESS_BYTES]) -> u32 {
        if !self.addresses.last().is_some_and(|last| same(last, address)) {
            self.addresses.push(*address);
        }
        u32::try_from(self.addresses.len()).unwrap_or(u32::MAX).saturating_sub(1)
    }

    /// Numbers the distinct addresses in the order of the first Items that name them: each Item's object as a position
    /// among them, and they themselves, one after another.
    pub(crate) fn numbered(mut self) -> (Vec<u32>, Vec<u8>) {
        let address = |at: u32| self.addresses.get(at as usize);
        let order = ascending(self.addresses.len(), &|first, second| {
            self.addresses.get(first).cmp(&self.addresses.get(second))
        });
        // Each address by its first place: among equal ones, the front.
        let mut firsts = vec![0_u32; order.len()];
        let mut first = order.first().copied().unwrap_or_default();
        for at in order {
            if address(at) != address(first) {
                first = at;
            }
            if let Some(own) = firsts.get_mut(at as usize) {
                *own = first;
            }
        }
        let mut numbers = vec![u32::MAX; firsts.len()];
        let mut distinct = Vec::new();
        let mut count = 0_u32;
        for position in &mut self.positions {
            let first = firsts.get(*position as usize).copied().unwrap_or_default();
            let Some(number) = numbers.get_mut(first as usize) else { continue };
            if *number == u32::MAX {
                *number = count;
                count = count.saturating_add(1);
                distinct.extend(self.addresses.get(first as usize).into_iter().flatten());
            }
            *position = *number;
        }
        (self.positions, distinct)
    }
}

/// Whether two addresses are one, word by word: compiled for size, a comparison of arrays goes by bytes.
#[inline]
fn same(first: &[u8; ADDRESS_BYTES], second: &[u8; ADDRESS_BYTES]) -> bool {
    let (([head], words), ([other], others)) = (first.as_rchunks::<8>(), second.as_rchunks::<8>()) else {
        return false;
    };
    let differ = |(one, other): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
    head == other && words.iter().zip(others).map(differ).fold(0, |all, differ| all | differ) == 0
}

/// Refuses an object of `body` bytes that is to be a single Item of `size`.
///
/// # Errors
/// [`Code::PayloadLength`].
pub fn check_single(size: u64, body: u64) -> Result<()> {
    if body == size {
        return Ok(());
    }
    let message = say!("the Item has {} bytes, but its index entry says {}", body, size);
    Err(Error::new(Code::PayloadLength, message).bounds(size, body))
}

/// Form and offset, from the elements after the address.
pub(super) fn placement(entry: &mut Entry<'_, '_>) -> Result<(Form, u32)> {
    if entry.left() == 0 {
        return Ok((Form::Single, 0));
    }
    if let Some(offset) = entry.pack_offset() {
        return Ok((Form::Packed, offset));
    }
    let Head::Bool(chunked) = entry.head()? else {
        return Err(entry.wrong_type(say!("has a fifth element that is neither true nor false")));
    };
    if entry.left() == 0 {
        return Ok((if chunked { Form::Chunked } else { Form::Single }, 0));
    }
    let offset = match entry.head()? {
        Head::Uint(offset) => u32::try_from(offset).map_err(|_| entry.offset_too_large(&decimal(offset)))?,
        Head::Nint(_) => return Err(entry.offset_too_large("below zero")),
        _ => return Err(entry.wrong_type(say!("has a sixth element that is not an integer"))),
    };
    Ok(if chunked { (Form::Chunked, 0) } else { (Form::Packed, offset) })
}

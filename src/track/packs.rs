//! Pack invariants (0022 §3.4): the spans of a pack's Items are disjoint and leave no gap, from offset zero to the
//! pack's end.
//!
//! They are checked over the distinct spans of all entries that name a pack, never over a window of them: a span
//! listed twice is one span, and empty spans take no bytes, wherever in the pack they lie. The end of the last span is
//! the length that a pack's body must have.

use super::fragments::{Form, FragmentIndex};
use crate::error::{Code, Error, Result};
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::ascending;
use crate::sentence::say;
use alloc::{vec, vec::Vec};

/// What a Track says of the packs that its entries name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackTable {
    /// Where the last span of each object ends, by position in the index's addresses; 0 for objects that are no pack.
    pub lengths: Vec<u64>,
    /// Objects whose spans break the invariants, by ascending position, with the refusal that reading from them gives.
    pub faults: Vec<(u32, Error)>,
}

impl PackTable {
    /// Checks the body of the pack at that position, known by its length, against all spans of the pack.
    ///
    /// # Errors
    /// In this order: [`Code::PackSliceOutOfBounds`] if a span ends beyond the body; [`Code::PackInvariant`];
    /// [`Code::PackLength`] if the body goes on after the last span.
    pub fn check(&self, object: u32, body: u64) -> Result<()> {
        let declared = self.lengths.get(object as usize).copied().unwrap_or_default();
        let fault = self.faults.binary_search_by_key(&object, |(at, _)| *at).ok().and_then(|at| self.faults.get(at));
        match fault {
            Some((_, fault)) if declared <= body => Err(fault.clone()),
            _ => check_slice(0, 0, declared, body),
        }
    }
}

/// The table of entries that are not all of their packs': where the spans end that are known, and no faults.
pub(super) fn part(index: &FragmentIndex) -> PackTable {
    let mut lengths = vec![0_u64; index.addresses.len() / ADDRESS_BYTES];
    for (at, form) in index.forms.iter().enumerate() {
        if *form != Form::Packed as u8 {
            continue;
        }
        let (Some(object), Some(offset), Some(size)) =
            (index.objects.get(at), index.offsets.get(at), index.sizes.get(at))
        else {
            break;
        };
        if let Some(length) = lengths.get_mut(*object as usize) {
            *length = end(*offset, *size).max(*length);
        }
    }
    PackTable { lengths, faults: Vec::new() }
}

/// Builds the table. Costs one look at each entry if every pack's Items stand in the order in which they lie in it, and
/// O(n log n) otherwise.
pub(super) fn table(index: &FragmentIndex) -> PackTable {
    let (addresses, _) = index.addresses.as_chunks::<ADDRESS_BYTES>();
    match lengths_in_order(index, addresses.len()) {
        Some(lengths) => PackTable { lengths, faults: Vec::new() },
        None => sorted_table(index, addresses),
    }
}

/// Where the last span of each object ends, if every span begins where those before it of its pack end.
fn lengths_in_order(index: &FragmentIndex, objects: usize) -> Option<Vec<u64>> {
    let mut lengths = vec![0_u64; objects];
    let spans = index.objects.iter().zip(&index.offsets).zip(&index.sizes);
    for ((object, offset), size) in
        spans.zip(&index.forms).filter(|(_, form)| **form == Form::Packed as u8).map(|(span, _)| span)
    {
        let length = lengths.get_mut(*object as usize)?;
        if u64::from(*offset) != *length {
            return None;
        }
        *length = end(*offset, *size);
    }
    Some(lengths)
}

/// The same for entries in any order, and what is wrong with them.
fn sorted_table(index: &FragmentIndex, addresses: &[[u8; ADDRESS_BYTES]]) -> PackTable {
    let mut table = PackTable { lengths: vec![0; addresses.len()], faults: Vec::new() };
    let span = |at: usize| -> Option<(u32, u32, u64)> {
        let packed = *index.forms.get(at)? == Form::Packed as u8;
        packed.then_some((*index.objects.get(at)?, *index.offsets.get(at)?, *index.sizes.get(at)?))
    };
    let mut previous: Option<(u32, u32, u64)> = None;
    let mut reached = 0_u64;
    for at in ascending(index.forms.len(), &|first, second| span(first).cmp(&span(second))) {
        let Some((object, offset, size)) = span(at as usize) else { continue };
        let (start, end) = (u64::from(offset), end(offset, size));
        if previous.is_none_or(|(last, ..)| last != object) {
            reached = 0;
        }
        if let Some(length) = table.lengths.get_mut(object as usize) {
            *length = end.max(*length);
        }
        if size > 0 && previous != Some((object, offset, size)) {
            let known = table.faults.last().is_some_and(|(last, _)| *last == object);
            if let Some(address) = addresses.get(object as usize).filter(|_| start != reached && !known) {
                table.faults.push((object, broken(address, reached, start)));
            }
            reached = end;
        }
        previous = Some((object, offset, size));
    }
    table
}

/// Refusal of a pack, one of whose spans begins elsewhere than where those before it end.
fn broken(address: &[u8], reached: u64, start: u64) -> Error {
    let address = Address::from_bytes(address).map(|address| address.text()).unwrap_or_default();
    let what = if start < reached { "overlap" } else { "leave a gap" };
    let message = say!(
        "the Items of pack {} {}: one begins at byte {}, those before it end at {}",
        &address,
        what,
        start,
        reached
    );
    Error::new(Code::PackInvariant, message).about(&address)
}

/// Checks that an Item's span lies in a pack's body, and that the body ends where the last of the pack's spans does.
///
/// # Errors
/// [`Code::PackSliceOutOfBounds`] if this span or the last one ends beyond `body`; [`Code::PackLength`] if `body` is
/// longer than `declared`.
pub fn check_slice(offset: u32, size: u64, declared: u64, body: u64) -> Result<()> {
    let last = end(offset, size);
    if last > body {
        let message = say!("the Item is bytes [{}, {}) of its pack, which has {}", offset, last, body);
        return Err(Error::new(Code::PackSliceOutOfBounds, message).bounds(last, body));
    }
    if declared > body {
        let message = say!("the pack has {} bytes, but its Items reach to byte {}", body, declared);
        return Err(Error::new(Code::PackSliceOutOfBounds, message).bounds(declared, body));
    }
    if declared == body {
        return Ok(());
    }
    let message = say!("the pack has {} bytes, but its Items add up to {}", body, declared);
    Err(Error::new(Code::PackLength, message).bounds(declared, body))
}

/// Where a span ends; one that 64 bits cannot count ends where no body reaches.
fn end(offset: u32, size: u64) -> u64 {
    u64::from(offset).saturating_add(size)
}

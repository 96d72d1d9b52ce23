//! Pack invariants (0022 §3.4): the spans of a pack's Items are disjoint and leave no gap, from offset zero to the
//! pack's end.
//!
//! They are checked over the distinct spans of all entries that name a pack, never over a window of them: a span
//! listed twice is one span, and empty spans take no bytes, wherever in the pack they lie. The end of the last span is
//! the length that a pack's body must have.

use super::fragments::{Form, FragmentIndex};
use crate::error::{Code, Error, Result};
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::{ascending, pick};

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

/// Builds the table. Costs O(n log n) over the packed entries.
pub(super) fn table(index: &FragmentIndex) -> PackTable {
    let (addresses, _) = index.addresses.as_chunks::<ADDRESS_BYTES>();
    let mut table = PackTable { lengths: vec![0; addresses.len()], faults: Vec::new() };
    let columns = index.objects.iter().zip(&index.offsets).zip(&index.sizes).zip(&index.forms);
    let listed: Vec<(u32, u32, u64)> = columns
        .filter(|(_, form)| **form == Form::Packed as u8)
        .map(|(((object, offset), size), _)| (*object, *offset, *size))
        .collect();
    let order = ascending(listed.len(), &|first, second| listed.get(first).cmp(&listed.get(second)));
    let mut spans = pick(&listed, &order);
    spans.dedup();
    for pack in spans.chunk_by(|(first, ..), (second, ..)| first == second) {
        let Some((object, ..)) = pack.first().copied() else { continue };
        if let Some(length) = table.lengths.get_mut(object as usize) {
            *length = pack.iter().map(|(_, offset, size)| end(*offset, *size)).max().unwrap_or_default();
        }
        let address = addresses.get(object as usize).and_then(|raw| Address::from_bytes(raw).ok());
        if let (Some(address), Err(what)) = (address, contiguous(pack)) {
            let message = format_args!("the Items of pack {address} {what}");
            table.faults.push((object, Error::new(Code::PackInvariant, message).about(&address.to_string())));
        }
    }
    table
}

/// Checks that an Item's span lies in a pack's body, and that the body ends where the last of the pack's spans does.
///
/// # Errors
/// [`Code::PackSliceOutOfBounds`] if this span or the last one ends beyond `body`; [`Code::PackLength`] if `body` is
/// longer than `declared`.
pub fn check_slice(offset: u32, size: u64, declared: u64, body: u64) -> Result<()> {
    let last = end(offset, size);
    if last > body {
        let message = format_args!("the Item is bytes [{offset}, {last}) of its pack, which has {body}");
        return Err(Error::new(Code::PackSliceOutOfBounds, message).bounds(last, body));
    }
    if declared > body {
        let message = format_args!("the pack has {body} bytes, but its Items reach to byte {declared}");
        return Err(Error::new(Code::PackSliceOutOfBounds, message).bounds(declared, body));
    }
    if declared == body {
        return Ok(());
    }
    let message = format_args!("the pack has {body} bytes, but its Items add up to {declared}");
    Err(Error::new(Code::PackLength, message).bounds(declared, body))
}

/// Where a span ends; one that 64 bits cannot count ends where no body reaches.
fn end(offset: u32, size: u64) -> u64 {
    u64::from(offset).saturating_add(size)
}

/// Whether sorted, distinct spans follow each other from zero without gap or overlap.
fn contiguous(spans: &[(u32, u32, u64)]) -> std::result::Result<(), String> {
    let mut reached = 0_u64;
    for (_, offset, size) in spans.iter().filter(|(_, _, size)| *size > 0) {
        let start = u64::from(*offset);
        if start < reached {
            return Err(format!("overlap at byte {start}"));
        }
        if start > reached {
            return Err(format!("leave a gap between bytes {reached} and {start}"));
        }
        reached = end(*offset, *size);
    }
    Ok(())
}

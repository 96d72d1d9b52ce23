//! Pack invariants (0022 §3.4): the spans of a pack's Items are disjoint and leave no gap, from offset zero to the
//! pack's end.
//!
//! They are checked over the distinct spans of all entries that name a pack, never over a window of them: a span
//! listed twice and empty spans that share an offset are fine. The length that the spans add up to is what a pack's
//! body must have.

use super::fragments::{Form, FragmentIndex};
use crate::error::{Code, Error, Result};
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::{ascending, pick};

/// What a Track says of the packs that its entries name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackTable {
    /// Length that each object must have by its Items' spans, by position in the index's addresses; 0 for objects
    /// that are no pack, and for packs with a fault the sum of their spans.
    pub lengths: Vec<u64>,
    /// Objects whose spans break the invariants, by position, with the refusal that reading from them gives.
    pub faults: Vec<(u32, Error)>,
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
        let sum = pack.iter().try_fold(0_u64, |sum, (_, _, size)| sum.checked_add(*size));
        let address = addresses.get(object as usize).and_then(|raw| Address::from_bytes(raw).ok());
        if let (Some(slot), Some(sum)) = (table.lengths.get_mut(object as usize), sum) {
            *slot = sum;
        }
        if let (Some(address), Err(what)) = (address, contiguous(pack)) {
            let message = format!("the Items of pack {address} {what}");
            table.faults.push((object, Error::new(Code::PackInvariant, message).about(&address.to_string())));
        }
    }
    table
}

/// Checks that an Item's span lies in a pack's body, and that the body is as long as the pack's spans.
///
/// # Errors
/// [`Code::PackSliceOutOfBounds`] if the span ends beyond `body`; [`Code::PackLength`] if `body` is not `declared`.
pub fn check_slice(offset: u32, size: u64, declared: u64, body: u64) -> Result<()> {
    let end = u64::from(offset).checked_add(size);
    if end.is_none_or(|end| end > body) {
        let end = u128::from(offset).saturating_add(u128::from(size));
        let message = format!("the Item is bytes [{offset}, {end}) of its pack, which has {body}");
        return Err(Error::new(Code::PackSliceOutOfBounds, message).bounds(end, body));
    }
    if body == declared {
        return Ok(());
    }
    let message = format!("the pack has {body} bytes, but its Items add up to {declared}");
    Err(Error::new(Code::PackLength, message).bounds(declared, body))
}

/// Whether sorted, distinct spans follow each other from zero without gap or overlap.
fn contiguous(spans: &[(u32, u32, u64)]) -> std::result::Result<(), String> {
    let mut end = 0_u64;
    for (_, offset, size) in spans {
        let offset = u64::from(*offset);
        if offset < end {
            return Err(format!("overlap at byte {offset}"));
        }
        if offset > end {
            return Err(format!("leave a gap between bytes {end} and {offset}"));
        }
        end = offset.checked_add(*size).ok_or_else(|| "have more bytes than 64 bits can count".to_owned())?;
    }
    Ok(())
}

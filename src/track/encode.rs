//! Indexes as a writer emits them: the entries of [`entries`](super::entries) and [`fragments`](super::fragments) in
//! ascending order of anchors, canonical, byte for byte as the reference writes them.

use super::fragments::Form;
use crate::cbor::Writer;
use crate::error::{Code, Error, Result};
use crate::modality::TrackKind;
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::ascending;

/// One media Item to be indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// First anchor; the extent ends after it.
    pub start: u64,
    /// Bytes of the Item.
    pub size: u64,
    /// Its object: the Item, its ItemManifest, or its pack.
    pub object: Address,
    /// How it is stored.
    pub form: Form,
    /// Offset inside the pack; not written unless packed.
    pub offset: u32,
}

/// The `object_index` of an array Track with these Items.
///
/// `existing` are the anchors that the Track already has; they are not written. A Constant has one Item, and no
/// anchor.
///
/// # Errors
/// [`Code::InvalidArgument`] for another number of anchors than Items, a Constant of not exactly one Item, or the
/// anchor 2^64 − 1, after which no extent can end; [`Code::RepeatedAnchor`].
pub fn array_index(kind: TrackKind, anchors: &[u64], items: &[Address], existing: &[u64]) -> Result<Vec<u8>> {
    let mut out = Writer::new();
    if kind == TrackKind::Constant {
        let (&[], [item]) = (anchors, items) else {
            return Err(Error::new(Code::InvalidArgument, "a Constant has exactly one Item, and no anchor"));
        };
        out.array(1).bytes(item.as_bytes());
        return Ok(out.into_bytes());
    }
    if anchors.len() != items.len() {
        let message = format_args!("{} Items cannot have {} anchors", items.len(), anchors.len());
        return Err(Error::new(Code::InvalidArgument, message).bounds(items.len(), anchors.len()));
    }
    refuse_repeats(anchors, existing)?;
    out.array(items.len());
    for at in ascending(anchors.len(), &|first, second| anchors.get(first).cmp(&anchors.get(second))) {
        let found = anchors.get(at as usize).zip(items.get(at as usize));
        let Some((anchor, item)) = found else { continue };
        let end = end_of(*anchor)?;
        match kind {
            TrackKind::Continuous => out.array(4).uint(*anchor).uint(end).uint(*anchor).bytes(item.as_bytes()),
            _ => out.array(2).bytes(item.as_bytes()).uint(*anchor),
        };
    }
    Ok(out.into_bytes())
}

/// The `object_index` of a media Track with these Items (0022 §3.3).
///
/// # Errors
/// [`Code::InvalidArgument`] for the anchor 2^64 − 1.
pub fn fragment_index(items: &[Fragment]) -> Result<Vec<u8>> {
    let start = |at: usize| items.get(at).map(|item| item.start);
    let mut out = Writer::new();
    out.array(items.len());
    for at in ascending(items.len(), &|first, second| start(first).cmp(&start(second))) {
        let Some(item) = items.get(at as usize) else { continue };
        let elements = match item.form {
            Form::Single => 4,
            Form::Chunked => 5,
            Form::Packed => 6,
        };
        out.array(elements).uint(item.start).uint(end_of(item.start)?).uint(item.size).bytes(item.object.as_bytes());
        match item.form {
            Form::Single => {}
            Form::Chunked => {
                out.bool(true);
            }
            Form::Packed => {
                out.bool(false).uint(u64::from(item.offset));
            }
        }
    }
    Ok(out.into_bytes())
}

/// Number of Items in each pack, for Items of these sizes in groups of at most `pack_items` (0022 §4).
///
/// Groups are runs in the given order. One Item a pack, or none said, means no packs at all: an empty result. A last
/// group of one is a pack like the others.
///
/// # Errors
/// [`Code::IntegerRange`] if an Item would begin beyond what an offset of 32 bits can name.
pub fn pack_groups(sizes: &[u64], pack_items: u64) -> Result<Vec<u32>> {
    if pack_items < 2 {
        return Ok(Vec::new());
    }
    let per_pack = usize::try_from(pack_items).unwrap_or(usize::MAX);
    let mut groups = Vec::new();
    for group in sizes.chunks(per_pack) {
        let mut offset = 0_u64;
        for size in group {
            if offset > u64::from(u32::MAX) {
                let message =
                    format_args!("an Item would begin at byte {offset} of its pack, beyond 32 bits; use smaller packs");
                return Err(Error::new(Code::IntegerRange, message).bounds(u32::MAX, offset));
            }
            offset = offset.saturating_add(*size);
        }
        groups.push(u32::try_from(group.len()).unwrap_or(u32::MAX));
    }
    Ok(groups)
}

/// Addresses from a run of 33 bytes each.
///
/// # Errors
/// [`Code::Multihash`] if one is no address; [`Code::InvalidArgument`] if the run is not whole.
pub fn addresses(run: &[u8]) -> Result<Vec<Address>> {
    let (addresses, rest) = run.as_chunks::<ADDRESS_BYTES>();
    if !rest.is_empty() {
        return Err(Error::new(Code::InvalidArgument, "addresses are 33 bytes each"));
    }
    let mut all = Vec::with_capacity(addresses.len());
    for address in addresses {
        all.push(Address::from_bytes(address)?);
    }
    Ok(all)
}

fn end_of(anchor: u64) -> Result<u64> {
    let end = anchor.checked_add(1);
    end.ok_or_else(|| Error::new(Code::InvalidArgument, "no Item can be at anchor 2^64 − 1: its extent could not end"))
}

fn refuse_repeats(anchors: &[u64], existing: &[u64]) -> Result<()> {
    let anchor = |at: usize| {
        let later = || existing.get(at.saturating_sub(anchors.len()));
        anchors.get(at).or_else(later).copied()
    };
    let count = anchors.len().saturating_add(existing.len());
    let order = ascending(count, &|first, second| anchor(first).cmp(&anchor(second)));
    // Only pairs with a new anchor among them: what a Track already has is its own matter.
    let repeated = order.windows(2).find_map(|pair| match pair {
        [first, second] => {
            let new = (*first as usize) < anchors.len();
            anchor(*first as usize).filter(|twice| new && anchor(*second as usize) == Some(*twice))
        }
        _ => None,
    });
    match repeated {
        Some(anchor) => {
            let message = format_args!("two array Items of one Track cannot be at one anchor, {anchor}");
            Err(Error::new(Code::RepeatedAnchor, message).about(&anchor.to_string()))
        }
        None => Ok(()),
    }
}

//! Indexes as a writer emits them: the entries of [`entries`](super::entries) and [`fragments`](super::fragments) in
//! ascending order of anchors, canonical, byte for byte as the reference writes them.

use super::fragments::Form;
use super::write::rows::{Row, Shape, refuse_repeats, sorted};
use crate::cbor::Writer;
use crate::error::{Code, Error, Result};
use crate::modality::TrackKind;
use crate::multihash::{ADDRESS_BYTES, Address};

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
    let shape = if kind == TrackKind::Continuous { Shape::Extent } else { Shape::Anchor };
    let mut rows: Vec<Row<'_>> = existing.iter().map(|anchor| Row::known(*anchor)).collect();
    for (anchor, item) in anchors.iter().zip(items) {
        rows.push(Row::array(shape, *anchor, item)?);
    }
    let mut rows = sorted(rows);
    refuse_repeats(&rows)?;
    rows.retain(|row| row.is_new);
    Ok(written(&rows, shape))
}

/// The `object_index` of a media Track with these Items (0022 §3.3).
///
/// # Errors
/// [`Code::InvalidArgument`] for the anchor 2^64 − 1.
pub fn fragment_index(items: &[Fragment]) -> Result<Vec<u8>> {
    let mut rows = Vec::with_capacity(items.len());
    for item in items {
        rows.push(Row::fragment(item)?);
    }
    Ok(written(&sorted(rows), Shape::Extent))
}

fn written(rows: &[Row<'_>], shape: Shape) -> Vec<u8> {
    let mut out = Writer::new();
    out.array(rows.len());
    for row in rows {
        row.write(&mut out, shape, None);
    }
    out.into_bytes()
}

/// Number of Items in each pack, for Items of these sizes in groups of at most `pack_items` (0022 §4).
///
/// Groups are runs in the given order. One Item a pack, or none said, means no packs at all: an empty result. A last
/// group of one is a pack like the others.
///
/// # Errors
/// [`Code::IntegerRange`] if an Item would begin beyond what an offset of 32 bits can name.
pub fn pack_groups(sizes: &[u64], pack_items: u64) -> Result<Vec<u32>> {
    pack_groups_of(sizes, pack_items, None)
}

/// As [`pack_groups`], with packs of up to `target` bytes (0022 §10, OQ-48).
///
/// A pack takes Items as long as they add up to no more than the target; an Item that is larger by itself is alone in its
/// pack. If no number of Items is said, there may be any; of one Item a pack, there are no packs.
///
/// # Errors
/// As [`pack_groups`], unless there is a target: then another pack begins.
pub fn pack_groups_of(sizes: &[u64], pack_items: u64, target: Option<u64>) -> Result<Vec<u32>> {
    if pack_items == 1 || (pack_items == 0 && target.is_none()) {
        return Ok(Vec::new());
    }
    let most = if pack_items == 0 { u32::MAX } else { u32::try_from(pack_items).unwrap_or(u32::MAX) };
    let mut groups = Vec::new();
    let (mut count, mut offset) = (0_u32, 0_u64);
    for size in sizes {
        let beyond = offset > u64::from(u32::MAX);
        let is_full = target.is_some_and(|target| beyond || offset.saturating_add(*size) > target);
        if count == most || (count > 0 && is_full) {
            groups.push(count);
            (count, offset) = (0, 0);
        } else if beyond {
            let message =
                format_args!("an Item would begin at byte {offset} of its pack, beyond 32 bits; use smaller packs");
            return Err(Error::new(Code::IntegerRange, message).bounds(u32::MAX, offset));
        }
        count = count.saturating_add(1);
        offset = offset.saturating_add(*size);
    }
    if count > 0 {
        groups.push(count);
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

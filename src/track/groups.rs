//! How media Items are grouped into packs (0022 §4). Making packs and their entries does not belong here.

use crate::error::{Code, Error, Result};
use crate::sentence::say;
use alloc::vec::Vec;

/// Number of Items in each pack, for Items of these sizes in groups of at most `pack_items` (0022 §4) and `target` bytes (§10, OQ-48).
///
/// Groups are runs in the given order. One Item a pack, or nothing said, means no packs at all: an empty result. A last
/// group of one is a pack like the others. With a target a pack takes Items as long as they add up to no more than that; an Item
/// that is larger by itself is alone in its pack. If no number of Items is said, there may be any.
///
/// # Errors
/// [`Code::IntegerRange`] if an Item would begin beyond what an offset of 32 bits can name, unless there is a target:
/// then another pack begins.
pub fn pack_groups(sizes: &[u64], pack_items: u64, target: Option<u64>) -> Result<Vec<u32>> {
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
            let message = say!("an Item would begin at byte {} of its pack, beyond 32 bits; use smaller packs", offset);
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

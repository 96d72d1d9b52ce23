//! Sorted orders of columns, by one shared sort.
//!
//! The standard library's sorts are compiled anew for each element type, at several kilobytes of WebAssembly each.
//! Sorting positions under a dynamic comparison is compiled once and moves four bytes whatever the elements are.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Positions `0..count` in ascending order of what they stand for; equal ones keep their order.
///
/// Costs O(n log n) comparisons, n for what is in order already. Columns of more than 2^32 elements do not fit in
/// memory where this runs.
pub(crate) fn ascending(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
    if (1..order.len()).zip(0..).all(|(second, first)| compare(first, second).is_le()) {
        return order;
    }
    let mut merged = Vec::with_capacity(order.len());
    let mut width = 1_usize;
    while width < order.len() {
        for runs in order.chunks(width.saturating_mul(2)) {
            let (mut left, mut right) = runs.split_at_checked(width).unwrap_or((runs, &[]));
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                if compare(*second as usize, *first as usize).is_lt() {
                    merged.push(*second);
                    right = right_rest;
                } else {
                    merged.push(*first);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        core::mem::swap(&mut order, &mut merged);
        merged.clear();
        width = width.saturating_mul(2);
    }
    order
}

/// The elements of `column` at those positions.
pub(crate) fn pick<T: Copy>(column: &[T], order: &[u32]) -> Vec<T> {
    let mut picked = Vec::with_capacity(order.len());
    for at in order {
        picked.extend(column.get(*at as usize));
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::{ascending, pick};
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_a_stable_sort(keys in prop::collection::vec(0_u8..20, 0..300)) {
            let order = ascending(keys.len(), &|first, second| keys[first].cmp(&keys[second]));
            let mut positions: Vec<u32> = (0..).take(keys.len()).collect();
            positions.sort_by_key(|at| keys[*at as usize]);
            prop_assert_eq!(&order, &positions);
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            prop_assert_eq!(pick(&keys, &order), sorted);
        }
    }
}

//! Sorted orders of columns, by one shared sort.
//!
//! A sort is compiled anew for each element type, at several kilobytes of WebAssembly each; sorting positions under
//! a dynamic comparison is compiled once and moves four bytes whatever the elements are.

use std::cmp::Ordering;

/// Positions `0..count` in ascending order of what they stand for; equal ones keep their order.
///
/// Costs O(n log n) comparisons. Columns of more than 2^32 elements do not fit in memory where this runs.
pub(crate) fn ascending(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
    order.sort_unstable_by(|first, second| compare(*first as usize, *second as usize).then(first.cmp(second)));
    order
}

/// The elements of `column` at those positions.
pub(crate) fn pick<T: Copy>(column: &[T], order: &[u32]) -> Vec<T> {
    order.iter().filter_map(|at| column.get(*at as usize).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::{ascending, pick};
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

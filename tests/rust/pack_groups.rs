//! How Items are grouped into packs.

#![cfg(test)]

use dreamdb_arrays::Code;
use dreamdb_arrays::track::groups::pack_groups;
use proptest::prelude::*;

#[test]
fn a_pack_ends_before_it_would_be_larger_than_its_target() {
    for (sizes, pack_items, target, expected) in [
        (vec![4, 4, 4, 4, 4], 0, 8, vec![2, 2, 1]),
        (vec![4, 4, 4, 4, 4], 0, 11, vec![2, 2, 1]),
        (vec![4, 4, 4, 4, 4], 3, 100, vec![3, 2]),
        (vec![1, 100, 1, 1], 0, 10, vec![1, 1, 2]),
        (vec![100, 0, 0, 1], 0, 10, vec![1, 3]),
        (vec![0, 0, 0], 0, 0, vec![3]),
        (vec![10, 0, 0], 0, 10, vec![3]),
        (vec![u64::MAX, 1, u64::MAX], 2, 5, vec![1, 1, 1]),
        (vec![1 << 31, 1 << 31, 1, 1], 0, u64::MAX, vec![2, 2]),
        (vec![], 5, 5, vec![]),
        (vec![1, 1], 1, 5, vec![]),
    ] {
        assert_eq!(pack_groups(&sizes, pack_items, Some(target)), Ok(expected), "{sizes:?}");
    }
    assert_eq!(pack_groups(&[1 << 31, 1 << 31, 1], 0, None), Ok(vec![]));
    assert_eq!(pack_groups(&[1 << 31, 1 << 31, 1], 3, None).unwrap_err().code(), Code::IntegerRange);
}

proptest! {
    #[test]
    fn packs_are_as_large_as_they_may_be(
        sizes in prop::collection::vec(0_u64..50, 0..60),
        target in 0_u64..120,
        pack_items in 2_u64..9,
    ) {
        let groups = pack_groups(&sizes, pack_items, Some(target)).unwrap();
        let mut rest = sizes.as_slice();
        for (at, group) in groups.iter().enumerate() {
            let (pack, others) = rest.split_at(*group as usize);
            let sum: u64 = pack.iter().sum();
            prop_assert!(u64::from(*group) <= pack_items && (sum <= target || pack.len() == 1));
            let is_full = u64::from(*group) == pack_items || others.first().is_some_and(|next| sum.saturating_add(*next) > target);
            prop_assert!(is_full || at.checked_add(1) == Some(groups.len()));
            rest = others;
        }
        prop_assert!(rest.is_empty());
    }
}

//! Packs of a target size, and ItemManifests as a writer emits them.

#![cfg(test)]

use dreamdb_arrays::item_manifest::ItemManifest;
use dreamdb_arrays::track::encode::{pack_groups, pack_groups_of};
use dreamdb_arrays::{Address, Code};
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
        assert_eq!(pack_groups_of(&sizes, pack_items, Some(target)), Ok(expected), "{sizes:?}");
    }
    assert_eq!(pack_groups_of(&[1 << 31, 1 << 31, 1], 0, None), Ok(vec![]));
    assert_eq!(pack_groups(&[1 << 31, 1 << 31, 1], 3).unwrap_err().code(), Code::IntegerRange);
}

proptest! {
    #[test]
    fn packs_are_as_large_as_they_may_be(
        sizes in prop::collection::vec(0_u64..50, 0..60),
        target in 0_u64..120,
        pack_items in 2_u64..9,
    ) {
        let groups = pack_groups_of(&sizes, pack_items, Some(target)).unwrap();
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

    #[test]
    fn an_item_manifest_says_what_it_was_made_of(sizes in prop::collection::vec(any::<u32>().prop_map(u64::from), 1..20)) {
        let addresses: Vec<u8> = sizes.iter().flat_map(|size| *Address::of(&size.to_be_bytes()).as_bytes()).collect();
        let manifest = ItemManifest { addresses, sizes };
        let bytes = manifest.encode().unwrap();
        prop_assert_eq!(ItemManifest::decode(&bytes, manifest.sizes.iter().sum()), Ok(manifest));
    }
}

#[test]
fn an_item_manifest_has_chunks_that_can_be_counted() {
    let one = Address::of(b"").as_bytes().to_vec();
    let refused = |addresses: &[u8], sizes: &[u64]| {
        let manifest = ItemManifest { addresses: addresses.to_vec(), sizes: sizes.to_vec() };
        assert_eq!(manifest.encode().unwrap_err().code(), Code::InvalidArgument);
    };
    refused(&[], &[]);
    refused(&one, &[]);
    refused(&one[..32], &[1]);
    refused(&one, &[1, 2]);
    refused(&[one.as_slice(), one.as_slice()].concat(), &[u64::MAX, 1]);
    assert!(ItemManifest { addresses: one, sizes: vec![0] }.encode().is_ok());
}

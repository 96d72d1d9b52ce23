//! Pages of indexes: a whole tree against the flat list that it was made of, and pages that are not what they must be.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::cbor_build::{array, bytes, map, text, uint};
use crate::manifest_build::{timeline, track};
use dreamdb_arrays::track::pages::{Page, Paged, Place};
use dreamdb_arrays::track::{Advertised, Index};
use dreamdb_arrays::{Address, Code, Result};
use proptest::prelude::*;
use std::collections::HashMap;

const EVENT: &str = "array.f32.kind=event.storage=unbucketed.shape=3.item=x";
const CONTINUOUS: &str = "array.f32.kind=continuous.storage=time_batch.shape=3.item=x";

fn object(anchor: u64) -> Address {
    Address::of(&anchor.to_be_bytes())
}

fn page(kind: &str, bounds: [u64; 2], modality: &str, entries: &[Vec<u8>]) -> Vec<u8> {
    map(&[
        ("type", text(kind)),
        ("t_min", uint(bounds[0])),
        ("t_max", uint(bounds[1])),
        ("entries", array(entries)),
        ("modality", text(modality)),
    ])
}

fn event(distance: u64, anchor: u64) -> Vec<u8> {
    array(&[bytes(object(anchor).as_bytes()), uint(distance)])
}

/// A summary of a page: its bounds and number of Items.
fn child(bounds: [u64; 2], page: Address, items: u64) -> Vec<u8> {
    array(&[uint(bounds[0]), uint(bounds[1]), bytes(page.as_bytes()), uint(items)])
}

fn at(level: u64) -> Place<'static> {
    Place { modality: EVENT, level, fanout: 4, bounds: None }
}

fn code(bytes: &[u8], place: &Place<'_>) -> Option<Code> {
    Page::decode(bytes, place).err().map(|error| error.code())
}

/// A page that was written: its bounds, its address, its Items.
type Written = ([u64; 2], Address, u64);

/// Writes a tree over anchors, `fanout` at a time; its top, its levels, its pages.
fn tree(anchors: &[u64], fanout: usize, pages: &mut HashMap<Address, Vec<u8>>) -> (Address, u64) {
    let mut put = |page: Vec<u8>| {
        let address = Address::of(&page);
        pages.insert(address, page);
        address
    };
    let mut level: Vec<Written> = anchors
        .chunks(fanout)
        .map(|own| {
            let bounds = [own[0], own[own.len() - 1] + 1];
            let entries: Vec<_> = own.iter().map(|anchor| event(anchor - bounds[0], *anchor)).collect();
            (bounds, put(page("leaf", bounds, EVENT, &entries)), own.len() as u64)
        })
        .collect();
    let mut height = 1;
    while level.len() > 1 {
        height += 1;
        level = level
            .chunks(fanout)
            .map(|own| {
                let bounds = [own[0].0[0], own[own.len() - 1].0[1]];
                let entries: Vec<_> = own.iter().map(|(bounds, page, items)| child(*bounds, *page, *items)).collect();
                (bounds, put(page("internal", bounds, EVENT, &entries)), own.iter().map(|below| below.2).sum())
            })
            .collect();
    }
    (level[0].1, height)
}

/// All entries below a page, as anchors with addresses.
fn walk(address: &[u8], place: Place<'_>, pages: &HashMap<Address, Vec<u8>>) -> Result<Vec<(u64, Vec<u8>)>> {
    let bytes = &pages[&Address::from_bytes(address)?];
    match Page::decode(bytes, &place)? {
        Page::Leaf(Index::Event(index)) => {
            Ok(index.anchors.iter().copied().zip(index.addresses.chunks(33).map(<[u8]>::to_vec)).collect())
        }
        Page::Leaf(other) => panic!("not an event index but {other:?}"),
        Page::Internal(children) => {
            let mut all = Vec::new();
            for (number, address) in children.addresses.chunks(33).enumerate() {
                let bounds = Some([children.starts[number], children.ends[number]]);
                let below = walk(address, Place { level: place.level - 1, bounds, ..place }, pages)?;
                assert_eq!(below.len() as u64, children.items[number]);
                all.extend(below);
            }
            Ok(all)
        }
    }
}

proptest! {
    #[test]
    fn a_tree_is_its_flat_list(anchors in prop::collection::btree_set(0..u64::MAX, 1..60), fanout in 2_usize..5) {
        let anchors: Vec<u64> = anchors.into_iter().collect();
        let mut pages = HashMap::new();
        let (root, height) = tree(&anchors, fanout, &mut pages);
        let place = Place { modality: EVENT, level: height, fanout: fanout as u64, bounds: None };
        let found = walk(root.as_bytes(), place, &pages).unwrap();
        let flat: Vec<_> = anchors.iter().map(|anchor| (*anchor, object(*anchor).as_bytes().to_vec())).collect();
        prop_assert_eq!(found, flat);
        if height > 1 {
            let narrow = Place { fanout: 1, ..place };
            prop_assert_eq!(walk(root.as_bytes(), narrow, &pages).unwrap_err().code(), Code::IndexPage);
            let low = Place { level: height - 1, ..place };
            prop_assert_eq!(walk(root.as_bytes(), low, &pages).unwrap_err().code(), Code::IndexPage);
        }
        let high = Place { level: height + 1, ..place };
        prop_assert_eq!(walk(root.as_bytes(), high, &pages).unwrap_err().code(), Code::IndexPage);
    }

    #[test]
    fn any_bytes_are_a_page_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80), level in 1_u64..3) {
        let _ = Page::decode(&bytes, &at(level));
    }

    #[test]
    fn a_page_with_a_changed_byte_is_a_page_or_refused(at_byte in 0_usize..200, bit in 0_u32..8) {
        let mut leaf = page("leaf", [10, 40], EVENT, &[event(0, 10), event(29, 39)]);
        let length = leaf.len();
        leaf[at_byte % length] ^= 1 << bit;
        let _ = Page::decode(&leaf, &at(1));
    }
}

#[test]
fn entries_are_relative() {
    let extent = |start, end, bucket| array(&[uint(start), uint(end), uint(bucket), bytes(object(1).as_bytes())]);
    let leaf = page("leaf", [100, 200], CONTINUOUS, &[extent(5, 3, 7), extent(0, 90, 8)]);
    let place = Place { modality: CONTINUOUS, ..at(1) };
    let Ok(Page::Leaf(Index::Continuous(index))) = Page::decode(&leaf, &place) else { panic!("not a leaf") };
    assert_eq!((index.starts, index.ends, index.buckets), (vec![100, 105], vec![190, 108], vec![8, 7]));
}

#[test]
fn bounds() {
    let leaf = |bounds, distances: &[u64]| {
        page("leaf", bounds, EVENT, &distances.iter().map(|distance| event(*distance, 0)).collect::<Vec<_>>())
    };
    let within = |bounds| Place { bounds: Some(bounds), ..at(1) };
    assert_eq!(code(&leaf([10, 40], &[5, 29]), &within([10, 40])), None);
    assert_eq!(code(&leaf([10, 40], &[5, 29]), &within([0, 1000])), None, "wider above");
    assert_eq!(code(&leaf([10, 40], &[]), &within([10, 40])), None, "an empty leaf");
    for above in [[11, 40], [10, 39], [40, 41], [0, 10], [20, 20]] {
        assert_eq!(code(&leaf([10, 40], &[5]), &within(above)), Some(Code::IndexPage), "{above:?}");
    }
    assert_eq!(code(&leaf([10, 40], &[30]), &at(1)), Some(Code::IndexPage), "an entry at the end");
    for empty in [[10, 10], [10, 9], [0, 0]] {
        assert_eq!(code(&leaf(empty, &[]), &at(1)), Some(Code::IndexPage), "{empty:?}");
    }
    assert_eq!(code(&leaf([10, 40], &[u64::MAX - 9]), &at(1)), Some(Code::IntegerRange));
    assert_eq!(code(&leaf([10, u64::MAX], &[u64::MAX - 11]), &at(1)), None, "the last anchor but one");
    assert_eq!(code(&leaf([10, u64::MAX], &[u64::MAX - 10]), &at(1)), Some(Code::IndexPage), "the last anchor of all");
    assert_eq!(code(&leaf([10, 40], &[5, 6, 5]), &at(1)), Some(Code::RepeatedAnchor));
    let extent = array(&[uint(5), uint(u64::MAX), uint(0), bytes(object(1).as_bytes())]);
    let place = Place { modality: CONTINUOUS, ..at(1) };
    assert_eq!(code(&page("leaf", [10, 40], CONTINUOUS, &[extent]), &place), Some(Code::IntegerRange));
    let empty = array(&[uint(5), uint(0), uint(0), bytes(object(1).as_bytes())]);
    assert_eq!(code(&page("leaf", [10, 40], CONTINUOUS, &[empty]), &place), Some(Code::EntryExtent));
}

#[test]
fn pages_below() {
    let internal = |bounds, children: &[[u64; 2]]| {
        let listed: Vec<_> = children.iter().map(|own| child(*own, object(own[0]), 1)).collect();
        page("internal", bounds, EVENT, &listed)
    };
    let Ok(Page::Internal(children)) = Page::decode(&internal([0, 40], &[[20, 30], [0, 35], [30, 40]]), &at(2)) else {
        panic!("not an internal page")
    };
    assert_eq!((children.starts, children.ends), (vec![0, 20, 30], vec![35, 30, 40]));
    let in_order: Vec<u8> = [0, 20, 30].iter().flat_map(|start| *object(*start).as_bytes()).collect();
    assert_eq!(children.addresses, in_order);
    assert_eq!(code(&internal([0, 40], &[]), &at(2)), None);
    for (bounds, children) in [([1, 40], [0, 20]), ([0, 39], [20, 40]), ([0, 40], [20, 20]), ([0, 40], [20, 19])] {
        assert_eq!(code(&internal(bounds, &[children]), &at(2)), Some(Code::IndexPage), "{bounds:?} {children:?}");
    }
    let many = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]];
    assert_eq!(code(&internal([0, 40], &many[..4]), &at(2)), None);
    assert_eq!(code(&internal([0, 40], &many), &at(2)), Some(Code::IndexPage), "more than the fan-out");
    let summary = |elements: &[Vec<u8>]| page("internal", [0, 40], EVENT, &[array(elements)]);
    let [start, end, address, items] = [uint(0), uint(1), bytes(object(1).as_bytes()), uint(1)];
    let [start, end, address, items] = [&start, &end, &address, &items].map(Clone::clone);
    assert_eq!(code(&summary(&[start.clone(), end.clone(), address.clone()]), &at(2)), Some(Code::IndexPage));
    let longer = [start.clone(), end.clone(), address.clone(), items.clone(), items.clone()];
    assert_eq!(code(&summary(&longer), &at(2)), Some(Code::IndexPage));
    assert_eq!(code(&summary(&[start, end, bytes(&[0x1e; 32]), items]), &at(2)), Some(Code::Multihash));
}

#[test]
fn keys_and_kinds() {
    let all = [
        ("type", text("leaf")),
        ("t_min", uint(0)),
        ("t_max", uint(9)),
        ("entries", array(&[event(1, 1)])),
        ("modality", text(EVENT)),
    ];
    assert_eq!(code(&map(&all), &at(1)), None);
    for missing in 0..all.len() {
        let mut some = all.to_vec();
        some.remove(missing);
        assert_eq!(code(&map(&some), &at(1)), Some(Code::IndexPage), "without {}", all[missing].0);
    }
    for twice in 0..all.len() {
        let repeated = [all.as_slice(), &[all[twice].clone()]].concat();
        assert_eq!(code(&map(&repeated), &at(1)), Some(Code::IndexPage), "{} twice", all[twice].0);
    }
    assert_eq!(code(&map(&[all.as_slice(), &[("zz", uint(1))]].concat()), &at(1)), Some(Code::IndexPage));
    for (key, wrong) in
        [("type", uint(1)), ("t_min", text("0")), ("t_max", bytes(&[9])), ("entries", map(&[])), ("modality", uint(0))]
    {
        let changed = all.clone().map(|(name, value)| (name, if name == key { wrong.clone() } else { value }));
        assert_eq!(code(&map(&changed), &at(1)), Some(Code::IndexPage), "{key}");
    }
    assert_eq!(code(&page("leaf", [0, 9], CONTINUOUS, &[]), &at(1)), Some(Code::IndexPage), "another modality");
    assert_eq!(code(&page("page", [0, 9], EVENT, &[]), &at(1)), Some(Code::IndexPage));
    assert_eq!(code(&page("internal", [0, 9], EVENT, &[]), &at(1)), Some(Code::IndexPage));
    assert_eq!(code(&page("leaf", [0, 9], EVENT, &[]), &at(2)), Some(Code::IndexPage));
    assert_eq!(code(&array(&[]), &at(1)), Some(Code::IndexPage));
}

#[test]
fn what_a_track_says_of_its_tree() {
    let root = bytes(object(1).as_bytes());
    let all = [
        ("form", text("paged")),
        ("root", root),
        ("fanout", uint(4)),
        ("page_count", uint(3)),
        ("total_items", uint(9)),
        ("tree_height", uint(2)),
    ];
    let decode = |pairs: &[(&str, Vec<u8>)]| {
        let object = track(EVENT, [0, 1], map(pairs));
        Index::decode(&object, &Advertised { modality: EVENT, timeline: timeline(), coverage: [0, 1] })
    };
    let paged = Paged { root: object(1), height: 2, items: 9, pages: 3, fanout: 4 };
    assert_eq!(decode(&all), Ok(Index::Paged(paged)));
    let code = |pairs: &[(&str, Vec<u8>)]| decode(pairs).err().map(|error| error.code());
    for missing in 0..all.len() {
        let mut some = all.to_vec();
        some.remove(missing);
        assert_eq!(code(&some), Some(Code::IndexPage), "without {}", all[missing].0);
        assert_eq!(code(&[all.as_slice(), &[all[missing].clone()]].concat()), Some(Code::IndexPage), "twice");
    }
    let with = |key: &str, value: Vec<u8>| {
        all.clone().map(|(name, own)| (name, if name == key { value.clone() } else { own }))
    };
    assert_eq!(code(&with("form", text("other"))), Some(Code::UnsupportedIndex));
    assert_eq!(code(&with("root", bytes(&[0x1e; 5]))), Some(Code::Multihash));
    for (height, expected) in [(0, Some(Code::IndexPage)), (1, None), (64, None), (65, Some(Code::IndexPage))] {
        assert_eq!(code(&with("tree_height", uint(height))), expected, "{height} levels");
    }
    assert_eq!(code(&with("total_items", uint(u64::MAX))), None);
    assert_eq!(code(&with("fanout", text("4"))), Some(Code::IndexPage));
}

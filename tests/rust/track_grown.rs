//! Tracks that get new entries: those of the fixtures along their lineage, random appends against a list, and what is
//! refused.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::cbor_build::{array, bytes, map, text, uint};
use crate::manifest_fixtures::{files_below, manifests};
use crate::track_appends::{Items, grow};
use crate::trials::trials;
use ciborium::Value;
use dreamdb_arrays::modality::{Modality, TrackKind};
use dreamdb_arrays::track::pages::{Page, Paged, Place};
use dreamdb_arrays::track::write::{Step, append, constant_track, new_track};
use dreamdb_arrays::track::{Advertised, Index};
use dreamdb_arrays::{Address, Code};
use proptest::prelude::*;
use std::collections::HashMap;
use std::path::Path;

const EVENT: &str = "array.f32.kind=event.storage=unbucketed.shape=3.item=x";
const PAGE_BYTES: usize = 16 << 10;

/// An entry: first anchor, size, address, form, offset.
type Entry = (u64, u64, Address, u8, u32);
type Pages = HashMap<Address, Vec<u8>>;

fn timeline() -> Address {
    Address::of(b"a timeline")
}

/// What the Track says of itself, by an independent decoder.
fn front(track: &[u8]) -> (String, Address, [u64; 2]) {
    let content: Value = ciborium::from_reader(track).unwrap();
    let get =
        |name: &str| content.as_map().unwrap().iter().find(|(key, _)| key.as_text() == Some(name)).unwrap().1.clone();
    let coverage = get("coverage").into_array().unwrap();
    let coverage = [0, 1].map(|at| u64::try_from(coverage[at].as_integer().unwrap()).unwrap());
    (
        get("modality").into_text().unwrap(),
        Address::from_bytes(&get("timeline").into_bytes().unwrap()).unwrap(),
        coverage,
    )
}

fn decode(track: &[u8]) -> Index {
    let (modality, timeline, coverage) = front(track);
    Index::decode(track, &Advertised { modality: &modality, timeline, coverage }).unwrap()
}

fn entries_of(index: Index) -> Vec<Entry> {
    let address = |run: &[u8], at: usize| Address::from_bytes(&run[33 * at..33 * at + 33]).unwrap();
    match index {
        Index::Event(index) => index
            .anchors
            .iter()
            .enumerate()
            .map(|(at, anchor)| (*anchor, 0, address(&index.addresses, at), 0, 0))
            .collect(),
        Index::Continuous(index) => index
            .starts
            .iter()
            .enumerate()
            .map(|(at, start)| (*start, 0, address(&index.addresses, at), 0, 0))
            .collect(),
        Index::Fragments(index) => {
            let entry = |at: usize| {
                let object = address(&index.addresses, index.objects[at] as usize);
                (index.starts[at], index.sizes[at], object, index.forms[at], index.offsets[at])
            };
            (0..index.starts.len()).map(entry).collect()
        }
        other => panic!("{other:?} has no entries"),
    }
}

/// All entries of a Track, in order. Every page is held against its parent, its size and the counts of the Track.
fn entries(pages: &Pages, track: &[u8]) -> Vec<Entry> {
    let (modality, ..) = front(track);
    let tree = match decode(track) {
        Index::Paged(tree) => tree,
        index => return entries_of(index),
    };
    let (mut all, mut count) = (Vec::new(), 0);
    let mut open = vec![(tree.root, tree.height, None)];
    while let Some((address, level, bounds)) = open.pop() {
        count += 1;
        let page = &pages[&address];
        assert_eq!(Address::of(page), address);
        assert!(page.len() <= PAGE_BYTES, "a page of {} bytes", page.len());
        match Page::decode(page, &Place { modality: &modality, level, fanout: tree.fanout, bounds }).unwrap() {
            Page::Leaf(index) => all.extend(entries_of(index)),
            Page::Internal(children) => {
                for at in (0..children.starts.len()).rev() {
                    let child = Address::from_bytes(&children.addresses[33 * at..33 * at + 33]).unwrap();
                    open.push((child, level - 1, Some([children.starts[at], children.ends[at]])));
                }
            }
        }
    }
    assert_eq!((count, all.len() as u64), (tree.pages, tree.items));
    all
}

fn items(entries: &[Entry], is_array: bool) -> Items {
    let mut items = Items::default();
    for (anchor, size, object, form, offset) in entries {
        items.anchors.push(*anchor);
        items.objects.push(*object);
        if !is_array {
            items.sizes.push(*size);
            items.forms.push(*form);
            items.offsets.push(*offset);
        }
    }
    items
}

#[test]
fn the_fixtures_tracks_come_of_those_before_them() {
    let (mut tracks, mut pages) = (HashMap::new(), Pages::new());
    for path in files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")) {
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        if folder == "track" || folder == "index" {
            let object = std::fs::read(&path).unwrap();
            if folder == "track" { &mut tracks } else { &mut pages }.insert(Address::of(&object), object);
        }
    }
    let (mut empty, mut constants) = (0, 0);
    for track in tracks.values() {
        let (modality, timeline, _) = front(track);
        if modality.starts_with("scalar.") {
            continue;
        }
        match decode(track) {
            Index::Constant(Some(item)) => {
                assert_eq!(constant_track(&modality, &timeline, &item).as_ref(), Ok(track));
                constants += 1;
            }
            index if !matches!(index, Index::Paged(_)) && index.starts().is_empty() => {
                assert_eq!(new_track(&modality, &timeline).as_ref(), Ok(track));
                empty += 1;
            }
            _ => {}
        }
    }
    let mut edges = Vec::new();
    for manifest in manifests() {
        let content: Value = ciborium::from_reader(manifest.as_slice()).unwrap();
        let get = |value: &Value, name: &str| {
            let pair = value.as_map().and_then(|pairs| pairs.iter().find(|(key, _)| key.as_text() == Some(name)));
            pair.map(|(_, value)| value.clone())
        };
        let of = |edge: &Value, end: &str| {
            let address = get(&get(edge, end).unwrap(), "address").unwrap().into_bytes().unwrap();
            Address::from_bytes(&address).unwrap()
        };
        let listed =
            get(&content, "tracks").and_then(|tracks| get(&tracks, "edges")).and_then(|edges| edges.into_array().ok());
        edges.extend(listed.unwrap_or_default().iter().map(|edge| (of(edge, "exact_parent"), of(edge, "child"))));
    }
    edges.sort();
    edges.dedup();
    let mut compared = 0;
    for (parent, child) in edges {
        let (Some(parent), Some(child)) = (tracks.get(&parent), tracks.get(&child)) else { continue };
        let (modality, ..) = front(child);
        let tag = Modality::parse(&modality).unwrap();
        if tag.class() == "scalar" || tag.track_kind() == Ok(Some(TrackKind::Constant)) {
            continue;
        }
        let mut old = entries(&pages, parent);
        let is_new = |entry: &Entry| match old.iter().position(|other| other == entry) {
            Some(at) => {
                old.remove(at);
                false
            }
            None => true,
        };
        let new: Vec<Entry> = entries(&pages, child).into_iter().filter(is_new).collect();
        // Beside appends there are other edits.
        if !old.is_empty() || new.is_empty() {
            continue;
        }
        let (grown, _) = grow(&pages, parent, &items(&new, tag.is_array()));
        assert_eq!(
            Address::of(&grown.track),
            Address::of(child),
            "{modality}, {} of {} entries",
            new.len(),
            grown.items
        );
        for (address, page) in grown.pages {
            assert_eq!(pages[&address], page);
        }
        compared += 1;
    }
    assert!(
        empty >= 20 && constants >= 10 && compared >= 40,
        "{empty} empty, {constants} Constants, {compared} appends"
    );
}

/// A paged Track of one leaf, without which an index would have to be of a megabyte before it is paged.
fn small_paged(modality: &str, first: u64) -> (Vec<u8>, Pages) {
    let object = Address::of(b"the first");
    let entry = if modality == EVENT {
        array(&[bytes(object.as_bytes()), uint(0)])
    } else {
        array(&[uint(0), uint(1), uint(9), bytes(object.as_bytes())])
    };
    let leaf = map(&[
        ("type", text("leaf")),
        ("t_max", uint(first + 1)),
        ("t_min", uint(first)),
        ("entries", array(&[entry])),
        ("modality", text(modality)),
    ]);
    let root = Address::of(&leaf);
    let index =
        [("form", text("paged")), ("root", bytes(root.as_bytes())), ("fanout", uint(1)), ("page_count", uint(1))];
    let index = [index.as_slice(), &[("total_items", uint(1)), ("tree_height", uint(1))]].concat();
    let track = map(&[
        ("coverage", array(&[uint(first), uint(first + 1)])),
        ("modality", text(modality)),
        ("timeline", bytes(timeline().as_bytes())),
        ("object_index", map(&index)),
    ]);
    (track, Pages::from([(root, leaf)]))
}

fn media(anchor: u64, number: u64) -> Entry {
    let object = Address::of(&(number / 50).to_be_bytes());
    match number % 3 {
        0 => (anchor, number * number, object, 0, 0),
        1 => (anchor, number, object, 1, 0),
        _ => (anchor, 70_000 - number % 50, object, 2, (number * 1000) as u32),
    }
}

proptest! {
    #![proptest_config(trials(24))]

    #[test]
    fn appends_in_any_order_give_all_entries_in_order(
        batches in prop::collection::vec((0_u64..1 << 40, 1_u64..3000, 1_u64..1 << 20), 1..5),
        is_paged in any::<bool>(),
        equal in 1_u64..20,
    ) {
        let (mut track, mut pages) = if is_paged {
            small_paged("image.png", 1 << 30)
        } else {
            (new_track("image.png", &timeline()).unwrap(), Pages::new())
        };
        let mut expected = entries(&pages, &track);
        let mut number = 0;
        for (first, count, step) in batches {
            // Some at one anchor, and in no order.
            let new: Vec<Entry> = (0..count).map(|at| {
                number += 1;
                media(first + (at * 7919 % count) / equal * step, number)
            }).collect();
            let (grown, read) = grow(&pages, &track, &items(&new, false));
            expected.extend(&new);
            expected.sort_by_key(|entry| entry.0);
            let (modality, _, coverage) = front(&grown.track);
            prop_assert_eq!(&modality, "image.png");
            prop_assert_eq!(coverage, grown.coverage);
            prop_assert_eq!(coverage, [expected[0].0, expected.last().unwrap().0 + 1]);
            prop_assert!(read <= pages.len());
            pages.extend(grown.pages);
            track = grown.track;
            prop_assert_eq!(&entries(&pages, &track), &expected);
            prop_assert_eq!(grown.items, expected.len() as u64);
        }
    }
}

#[test]
fn one_more_entry_costs_the_path_to_it() {
    let (track, mut pages) = small_paged(EVENT, 500);
    let many: Vec<Entry> =
        (0_u64..120_000).map(|at| ((1 << 50) + at * 1000, 0, Address::of(&at.to_be_bytes()), 0, 0)).collect();
    let (grown, _) = grow(&pages, &track, &items(&many, true));
    pages.extend(grown.pages);
    let track = grown.track;
    let Index::Paged(Paged { height, pages: count, .. }) = decode(&track) else { panic!("not paged") };
    assert!(height == 3 && count > 300, "{count} pages in {height} levels");
    for anchor in [0, (1 << 50) + 60_000_001, 1 << 51] {
        let one = items(&[(anchor, 0, timeline(), 0, 0)], true);
        let (grown, read) = grow(&pages, &track, &one);
        assert_eq!(read, 3);
        assert!((3..=6).contains(&grown.pages.len()), "{} pages", grown.pages.len());
        // Whatever is not needed may be given, and in any order.
        let all: Vec<&[u8]> = pages.values().map(Vec::as_slice).collect();
        assert_eq!(append(&track, &all, &one.added()), Ok(Step::Done(grown)));
    }
}

#[test]
fn an_index_goes_into_pages_above_a_mebibyte() {
    // 45 bytes each, and three for the head of the array.
    let of = |count: u64| (0..count).map(|at| ((1 << 40) + at, 0, timeline(), 0, 0)).collect::<Vec<Entry>>();
    let track = new_track(EVENT, &timeline()).unwrap();
    let most = ((1 << 20) - 3) / 45;
    let (inline, _) = grow(&Pages::new(), &track, &items(&of(most), true));
    assert!(inline.pages.is_empty() && matches!(decode(&inline.track), Index::Event(_)));
    let (paged, _) = grow(&Pages::new(), &track, &items(&of(most + 1), true));
    assert!(!paged.pages.is_empty() && matches!(decode(&paged.track), Index::Paged(_)));
}

#[test]
fn elements_that_nobody_knows_are_kept() {
    let further = array(&[uint(7), text("x")]);
    let entry = array(&[bytes(timeline().as_bytes()), uint(5), uint(99), further.clone()]);
    let track = map(&[
        ("coverage", array(&[uint(0), uint(100)])),
        ("modality", text(EVENT)),
        ("timeline", bytes(timeline().as_bytes())),
        ("object_index", array(std::slice::from_ref(&entry))),
    ]);
    let (grown, _) = grow(&Pages::new(), &track, &items(&[(3, 0, timeline(), 0, 0)], true));
    let expected = map(&[
        ("coverage", array(&[uint(3), uint(6)])),
        ("modality", text(EVENT)),
        ("timeline", bytes(timeline().as_bytes())),
        ("object_index", array(&[array(&[bytes(timeline().as_bytes()), uint(3)]), entry])),
    ]);
    assert_eq!(grown.track, expected);
}

#[test]
fn what_cannot_be_added_is_refused() {
    let refusal = |track: &[u8], pages: &[&[u8]], items: &Items| append(track, pages, &items.added()).unwrap_err();
    let one = |anchor: u64| (anchor, 0, timeline(), 0, 0);
    let empty = new_track(EVENT, &timeline()).unwrap();
    let repeated = refusal(&empty, &[], &items(&[one(4), one(9), one(4)], true));
    assert_eq!((repeated.code(), repeated.subject()), (Code::RepeatedAnchor, Some("4")));
    let (tree, leaves) = small_paged(EVENT, 500);
    let leaf = leaves.values().next().unwrap().as_slice();
    let known = refusal(&tree, &[leaf], &items(&[one(500)], true));
    assert_eq!((known.code(), known.subject()), (Code::RepeatedAnchor, Some("500")));
    assert_eq!(refusal(&empty, &[], &items(&[one(u64::MAX)], true)).code(), Code::InvalidArgument);
    assert_eq!(refusal(&empty, &[], &items(&[one(1)], false)).code(), Code::InvalidArgument);
    let images = new_track("image.png", &timeline()).unwrap();
    assert_eq!(refusal(&images, &[], &items(&[one(1)], true)).code(), Code::InvalidArgument);
    assert_eq!(refusal(&images, &[], &items(&[(1, 1, timeline(), 3, 0)], false)).code(), Code::InvalidArgument);
    let constant = constant_track("title.text", &timeline(), &timeline()).unwrap();
    assert_eq!(refusal(&constant, &[], &items(&[one(1)], true)).code(), Code::UnsupportedIndex);
    assert_eq!(constant_track(EVENT, &timeline(), &timeline()).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(new_track("title.text", &timeline()).unwrap_err().code(), Code::InvalidArgument);
    let torn = &leaf[..leaf.len() - 1];
    assert_eq!(
        append(&tree, &[torn], &items(&[one(7)], true).added()),
        append(&tree, &[], &items(&[one(7)], true).added())
    );
}

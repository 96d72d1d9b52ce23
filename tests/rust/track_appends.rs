//! Tracks and pages as the reference extends them: every append of tests/fixtures/appends.json gives its Track, byte
//! for byte, and with it all pages.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use dreamdb_arrays::Address;
use dreamdb_arrays::item_manifest::ItemManifest;
use dreamdb_arrays::track::encode::pack_groups;
use dreamdb_arrays::track::write::{Added, Grown, Step, append, new_track};
use serde_json::Value;
use std::collections::HashMap;
use std::fs::read_to_string;

/// Columns of new entries.
#[derive(Clone, Debug, Default)]
pub struct Items {
    pub anchors: Vec<u64>,
    pub objects: Vec<Address>,
    pub sizes: Vec<u64>,
    pub forms: Vec<u8>,
    pub offsets: Vec<u32>,
}

impl Items {
    pub fn added(&self) -> Added<'_> {
        let Self { anchors, objects, sizes, forms, offsets } = self;
        Added { anchors, objects, sizes, forms, offsets }
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn anchors(runs: &Value) -> Vec<u64> {
    let runs = runs.as_array().unwrap().iter();
    let of = |run: &Value| {
        let (first, step) = (run[0].as_str().unwrap().parse::<u64>().unwrap(), run[1].as_i64().unwrap());
        (0..run[2].as_i64().unwrap()).map(move |at| first.wrapping_add_signed(step * at)).collect::<Vec<_>>()
    };
    runs.flat_map(of).collect()
}

/// What is written of the Items at these anchors: as the tool beside the fixture says.
fn items(case: &Value, anchors: Vec<u64>) -> Items {
    let body = |anchor: u64| {
        let size = 1 + anchor % number(&case["sizes"]);
        vec![u8::try_from(anchor % 251).unwrap(); usize::try_from(size).unwrap()]
    };
    let bodies: Vec<Vec<u8>> = anchors.iter().map(|anchor| body(*anchor)).collect();
    let mut items = Items { anchors, ..Items::default() };
    if case["kind"] != "media" {
        items.objects = bodies.iter().map(|body| Address::of(body)).collect();
        return items;
    }
    items.sizes = bodies.iter().map(|body| body.len() as u64).collect();
    if let Some(pack_items) = case["pack_items"].as_u64() {
        let mut rest = bodies.as_slice();
        for group in pack_groups(&items.sizes, pack_items).unwrap() {
            let (pack, after) = rest.split_at(group as usize);
            rest = after;
            let address = Address::of(&pack.concat());
            let mut offset = 0;
            for body in pack {
                items.objects.push(address);
                items.forms.push(2);
                items.offsets.push(offset);
                offset += u32::try_from(body.len()).unwrap();
            }
        }
        return items;
    }
    items.offsets = vec![0; bodies.len()];
    for body in &bodies {
        let Some(chunk_size) = case["chunk_size"].as_u64() else {
            items.objects.push(Address::of(body));
            items.forms.push(0);
            continue;
        };
        let mut manifest = ItemManifest::default();
        for chunk in body.chunks(usize::try_from(chunk_size).unwrap()) {
            manifest.addresses.extend(Address::of(chunk).as_bytes());
            manifest.sizes.push(chunk.len() as u64);
        }
        items.objects.push(Address::of(&manifest.encode().unwrap()));
        items.forms.push(1);
    }
    items
}

/// Adds entries, reading pages as they are asked for; gives how many were.
pub fn grow(pages: &HashMap<Address, Vec<u8>>, track: &[u8], items: &Items) -> (Grown, usize) {
    let mut read: Vec<&[u8]> = Vec::new();
    loop {
        match append(track, &read, &items.added()).unwrap() {
            Step::Done(grown) => return (grown, read.len()),
            Step::Need(needed) => read.extend(needed.iter().map(|page| pages[page].as_slice())),
        }
    }
}

#[test]
fn the_references_tracks_come_of_its_appends() {
    let cases: Value = serde_json::from_str(&read_to_string("tests/fixtures/appends.json").unwrap()).unwrap();
    let mut compared = 0;
    for case in cases["cases"].as_array().unwrap() {
        let timeline = Address::parse(case["timeline"].as_str().unwrap()).unwrap();
        let mut track = new_track(case["modality"].as_str().unwrap(), &timeline).unwrap();
        assert_eq!(Address::of(&track).to_string(), case["empty"], "{}", case["name"]);
        let mut pages = HashMap::new();
        let mut count = 0;
        for (step, one) in case["appends"].as_array().unwrap().iter().enumerate() {
            let items = items(case, anchors(&one["runs"]));
            let (grown, _) = grow(&pages, &track, &items);
            count += items.anchors.len() as u64;
            assert_eq!(grown.items, count);
            assert_eq!(Address::of(&grown.track).to_string(), one["track"], "{}, append {step}", case["name"]);
            for (address, page) in grown.pages {
                assert_eq!(Address::of(&page), address);
                pages.insert(address, page);
            }
            track = grown.track;
            compared += 1;
        }
    }
    assert_eq!(compared, 74);
}

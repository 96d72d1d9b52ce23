//! Bytes that were cut, flipped or made to hurt: refusals, never a panic, never a wait.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::cbor_build::{array, bytes, head, map, text, uint};
use crate::manifest_build::{lineage, manifest, schema, timeline, track};
use crate::manifest_fixtures;
use crate::trials::in_time;
use dreamdb_arrays::cbor::Reader;
use dreamdb_arrays::item_manifest::ItemManifest;
use dreamdb_arrays::manifest::Manifest;
use dreamdb_arrays::track::{Advertised, Index};
use dreamdb_arrays::{Address, Code, ItemType, Result};
use std::time::Instant;

/// Everything in the crate that decodes an object.
fn decode_as_anything(object: &[u8], advertised: &Advertised<'_>) {
    _ = Manifest::decode(object);
    _ = Index::decode(object, advertised);
    _ = ItemType::from_cbor(object);
    _ = ItemManifest::decode(object, 10);
    _ = Reader::new(object).value();
}

/// Objects of all kinds that are small enough to be tried thousands of times.
fn objects() -> Vec<(Vec<u8>, String, Address, [u64; 2])> {
    let manifests = manifest_fixtures::manifests().into_iter();
    let manifests = manifests.map(|object| (object, "array.f32".to_owned(), timeline(), [0, 1]));
    let small = |object: &(Vec<u8>, String, Address, [u64; 2])| object.0.len() < 6000;
    let tracks = manifest_fixtures::tracks().into_iter().filter(small).step_by(8);
    manifests.filter(small).step_by(6).chain(tracks).collect()
}

fn advertised((_, modality, timeline, coverage): &(Vec<u8>, String, Address, [u64; 2])) -> Advertised<'_> {
    Advertised { modality, timeline: *timeline, coverage: *coverage }
}

#[test]
fn truncated_objects() {
    for object in objects() {
        for length in 0..object.0.len() {
            let cut = &object.0[..length];
            assert!(Manifest::decode(cut).is_err());
            assert!(Index::decode(cut, &advertised(&object)).is_err());
        }
    }
}

#[test]
fn flipped_objects() {
    let objects = objects();
    assert!(objects.len() > 8, "only {} objects", objects.len());
    // A linear congruential generator, so that every run tries the same.
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let begin = Instant::now();
    for object in &objects {
        for _ in 0..2000 {
            let mut flipped = object.0.clone();
            for _ in 0..=random(3) {
                let at = random(flipped.len());
                flipped[at] ^= u8::try_from(1 + random(255)).unwrap();
            }
            decode_as_anything(&flipped, &advertised(object));
        }
    }
    in_time(begin, 60);
}

/// The refusal, which must come at once.
fn refused_at_once<T: std::fmt::Debug>(result: impl FnOnce() -> Result<T>) -> Code {
    let begin = Instant::now();
    let code = result().unwrap_err().code();
    in_time(begin, 1);
    code
}

#[test]
fn counts_that_lie() {
    for major in 2..=5 {
        for count in [1, 1000, u64::from(u32::MAX), 1 << 62, 1 << 63, u64::MAX] {
            let lie = head(major, count);
            assert_eq!(refused_at_once(|| Reader::new(&lie).value()), Code::Cbor);
            let registry = [head(5, 1), text("dreamdb.schema"), lie.clone()].concat();
            let object = manifest(lineage(&[], &[], &[]), registry);
            assert_eq!(refused_at_once(|| Manifest::decode(&object)), Code::Cbor);
            for modality in ["image.png", "array.f32.kind=event.storage=unbucketed"] {
                let object = track(modality, [0, 1], lie.clone());
                let advertised = Advertised { modality, timeline: timeline(), coverage: [0, 1] };
                refused_at_once(|| Index::decode(&object, &advertised));
            }
            let chunks = [head(5, 2), text("total_size"), uint(1), text("chunks"), lie.clone()].concat();
            assert_eq!(refused_at_once(|| ItemManifest::decode(&chunks, 1)), Code::Cbor);
        }
    }
}

#[test]
fn deep_nesting() {
    let nested = |open: &[u8], depth: usize| [open.repeat(depth), vec![0]].concat();
    for open in [[0x81_u8].as_slice(), &[0xa1, 0x61, b'k'], &[0xc1]] {
        assert!(Reader::new(&nested(open, 127)).value().is_ok());
        for depth in [128, 129, 1000, 1_000_000] {
            let bytes = nested(open, depth);
            assert_eq!(refused_at_once(|| Reader::new(&bytes).value()), Code::Cbor);
        }
    }
    // The element that an entry does not need is read as well.
    let deep = nested(&[0x81], 1_000_000);
    let entry = array(&[bytes(Address::of(b"").as_bytes()), uint(0), deep]);
    let modality = "array.f32.kind=event.storage=unbucketed";
    let object = track(modality, [0, 1], array(&[entry]));
    let advertised = Advertised { modality, timeline: timeline(), coverage: [0, 1] };
    assert_eq!(refused_at_once(|| Index::decode(&object, &advertised)), Code::Cbor);
}

#[test]
fn many_keys() {
    let names: Vec<String> = (0..100_000).map(|at| format!("key-{at:06}")).collect();
    let mut pairs: Vec<(&str, Vec<u8>)> = names.iter().map(|name| (name.as_str(), uint(0))).collect();
    pairs.reverse();
    let begin = Instant::now();
    // As the manifest itself, as its registry, as a schema field, and as a document.
    let empty = [("dreamdb.schema", schema(&[]))];
    let whole = map(&[pairs.clone(), vec![("ts", uint(1)), ("tracks", uint(1))]].concat());
    assert_eq!(Manifest::decode(&whole).unwrap_err().code(), Code::WireOrType);
    let registry = map(&[pairs.clone(), empty.to_vec()].concat());
    assert!(Manifest::decode(&manifest(lineage(&[], &[], &[]), registry)).unwrap().fields.is_empty());
    let registry = map(&[("dreamdb.schema", schema(&[map(&pairs)]))]);
    let refused = Manifest::decode(&manifest(lineage(&[], &[], &[]), registry)).unwrap_err();
    assert_eq!(refused.code(), Code::WireOrType, "{refused}");
    assert_eq!(ItemType::from_cbor(&map(&pairs)).unwrap_err().code(), Code::MissingField);
    let twice = map(&[pairs, vec![("key-050000", uint(1))]].concat());
    let refused = ItemType::from_cbor(&twice).unwrap_err();
    assert_eq!((refused.code(), refused.subject()), (Code::DuplicateField, Some("key-050000")));
    in_time(begin, 5);
}

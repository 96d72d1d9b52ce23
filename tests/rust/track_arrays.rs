//! Array Tracks: order, repetition, and what an object must repeat of its binding.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::cbor_build::{array, bytes, map, text, uint};
use crate::manifest_build::{timeline, track};
use dreamdb_arrays::track::{Advertised, Index};
use dreamdb_arrays::{Address, Code, Result};
use proptest::prelude::*;

const EVENT: &str = "array.f32.kind=event.storage=unbucketed.shape=3.item=x";
const CONTINUOUS: &str = "array.f32.kind=continuous.storage=time_batch.shape=3.item=x";
const CONSTANT: &str = "array.f32.kind=constant.storage=constant.shape=3.item=x";

fn object(anchor: u64) -> Address {
    Address::of(&anchor.to_be_bytes())
}

fn decode(modality: &str, object: &[u8]) -> Result<Index> {
    Index::decode(object, &Advertised { modality, timeline: timeline(), coverage: [0, 1] })
}

fn index(modality: &str, entries: &[Vec<u8>]) -> Result<Index> {
    decode(modality, &track(modality, [0, 1], array(entries)))
}

fn event(anchor: u64) -> Vec<u8> {
    array(&[bytes(object(anchor).as_bytes()), uint(anchor)])
}

fn continuous(anchor: u64) -> Vec<u8> {
    let elements = [uint(anchor), uint(anchor + 2), uint(anchor / 10), bytes(object(anchor).as_bytes())];
    array(&elements)
}

proptest! {
    #[test]
    fn columns_are_sorted(anchors in prop::collection::hash_set(0_u64..1 << 40, 0..50)) {
        let mut sorted: Vec<u64> = anchors.iter().copied().collect();
        sorted.sort_unstable();
        let addresses: Vec<u8> = sorted.iter().flat_map(|anchor| *object(*anchor).as_bytes()).collect();
        let Ok(Index::Event(found)) = index(EVENT, &anchors.iter().map(|anchor| event(*anchor)).collect::<Vec<_>>()) else {
            return Err(TestCaseError::fail("not an event index"));
        };
        prop_assert_eq!(&found.anchors, &sorted);
        prop_assert_eq!(&found.addresses, &addresses);
        let entries: Vec<_> = anchors.iter().map(|anchor| continuous(*anchor)).collect();
        let Ok(Index::Continuous(found)) = index(CONTINUOUS, &entries) else {
            return Err(TestCaseError::fail("not a continuous index"));
        };
        prop_assert_eq!(&found.starts, &sorted);
        prop_assert!(found.ends.iter().zip(&sorted).all(|(end, anchor)| *end == anchor + 2));
        prop_assert!(found.buckets.iter().zip(&sorted).all(|(bucket, anchor)| *bucket == anchor / 10));
        prop_assert_eq!(&found.addresses, &addresses);
    }
}

#[test]
fn repeated_anchors() {
    for (modality, entry) in [(EVENT, event as fn(u64) -> Vec<u8>), (CONTINUOUS, continuous)] {
        let refused = index(modality, &[entry(7), entry(3), entry(9), entry(3)]).unwrap_err();
        assert_eq!((refused.code(), refused.subject()), (Code::RepeatedAnchor, Some("3")));
    }
}

#[test]
fn further_elements_are_passed_over() {
    let longer = |entry: Vec<u8>| {
        let more = [uint(1), text("more"), map(&[("a", array(&[uint(1)]))]), vec![0xf6]].concat();
        [vec![entry[0] + 4], entry[1..].to_vec(), more].concat()
    };
    assert_eq!(index(EVENT, &[longer(event(1)), event(2)]), index(EVENT, &[event(1), event(2)]));
    let both = index(CONTINUOUS, &[continuous(1), longer(continuous(2))]);
    assert_eq!(both, index(CONTINUOUS, &[continuous(1), continuous(2)]));
    let constant = [bytes(object(1).as_bytes()), uint(1)];
    assert_eq!(index(CONSTANT, &constant), Ok(Index::Constant(Some(object(1)))));
    let bad = [vec![event(1)[0] + 1], event(1)[1..].to_vec(), vec![0xa1, 0x01, 0x02]].concat();
    assert_eq!(index(EVENT, &[bad]).unwrap_err().code(), Code::Cbor, "keys are text, in what is ignored too");
}

#[test]
fn a_constant_is_there_or_not() {
    let code = |index: Result<Index>| index.unwrap_err().code();
    assert_eq!(index("title.text", &[bytes(object(1).as_bytes())]), Ok(Index::Constant(Some(object(1)))));
    assert_eq!(index("title.text", &[]), Ok(Index::Constant(None)));
    assert_eq!(code(index(CONSTANT, &[])), Code::EntryTooShort);
    assert_eq!(code(index(EVENT, &[bytes(object(1).as_bytes())])), Code::TrackField);
    assert_eq!(index("scalar.int.field=x", &[]), Ok(Index::Unread), "whatever its entries are");
    assert_eq!(code(decode("scalar.int.field=x", &track("scalar.int.field=x", [0, 1], vec![0x81]))), Code::Cbor);
    assert_eq!(code(decode(EVENT, &track(EVENT, [0, 1], map(&[("form", text("other"))])))), Code::UnsupportedIndex);
}

#[test]
fn another_track_is_not_judged() {
    let advertised = Advertised { modality: EVENT, timeline: timeline(), coverage: [0, 1] };
    let code = |object: &[u8]| Index::decode(object, &advertised).map_err(|error| error.code());
    let broken = || array(&[uint(1)]);
    assert_eq!(code(&track(EVENT, [0, 1], broken())), Err(Code::EntryType));
    for other in [CONTINUOUS, "nonsense", "image.png"] {
        assert_eq!(code(&track(other, [0, 1], broken())), Err(Code::TrackMismatch));
    }
    assert_eq!(code(&track(EVENT, [0, 2], broken())), Err(Code::TrackMismatch));
    let refused = Index::decode(&track(EVENT, [0, 2], broken()), &advertised).unwrap_err();
    assert_eq!(
        (refused.subject(), refused.expected(), refused.actual()),
        (Some("coverage"), Some("[0, 1)"), Some("[0, 2)"))
    );
}

#[test]
fn keys_of_a_track() {
    let (coverage, modality) = (("coverage", array(&[uint(0), uint(1)])), ("modality", text(EVENT)));
    let (timeline, entries) = (("timeline", bytes(timeline().as_bytes())), ("object_index", array(&[])));
    let all = [coverage, modality, timeline, entries];
    let code = |pairs: &[(&str, Vec<u8>)]| decode(EVENT, &map(pairs)).map(|_| ()).map_err(|error| error.code());
    assert_eq!(code(&all), Ok(()));
    // The modality says how to read the index, so it comes before; all else is free.
    let [c, m, t, i] = all.clone();
    assert_eq!(code(&[t.clone(), m.clone(), i.clone(), c.clone()]), Ok(()));
    assert_eq!(code(&[c.clone(), t.clone(), i.clone(), m.clone()]), Err(Code::TrackField));
    for missing in 0..4 {
        let mut some = all.to_vec();
        some.remove(missing);
        assert_eq!(code(&some), Err(Code::TrackField), "without key {missing}");
    }
    for twice in 0..4 {
        assert_eq!(code(&[all.as_slice(), &[all[twice].clone()]].concat()), Err(Code::TrackField));
    }
    assert_eq!(code(&[all.as_slice(), &[("more", uint(1))]].concat()), Err(Code::TrackField));
    for coverage in [array(&[uint(1), uint(1)]), array(&[uint(0)]), array(&[uint(0), uint(1), uint(2)]), uint(1)] {
        assert_eq!(code(&[("coverage", coverage), m.clone(), t.clone(), i.clone()]), Err(Code::TrackField));
    }
}

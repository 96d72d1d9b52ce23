//! Records of scalar columns against another implementation of Roaring bitmaps and a naive map, hostile ones included.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::trials::trials;
use dreamdb_arrays::scalar::rows::{MOST_ROWS, Rows};
use dreamdb_arrays::{Code, Result};
use proptest::prelude::*;
use roaring::RoaringTreemap;
use std::collections::{BTreeMap, BTreeSet};

const ALL: [u64; 2] = [0, u64::MAX];

/// A record as another implementation writes it.
fn record(anchors: &BTreeSet<u64>, runs: bool) -> Vec<u8> {
    let mut out = vec![1];
    let mut set: RoaringTreemap = anchors.iter().copied().collect();
    if runs {
        let parts = set.bitmaps().map(|(high, low)| {
            let mut low = low.clone();
            low.optimize();
            (high, low)
        });
        set = RoaringTreemap::from_bitmaps(parts.collect::<Vec<_>>());
    }
    set.serialize_into(&mut out).unwrap();
    out
}

fn rows(records: &[Vec<u8>], window: [u64; 2]) -> Result<Rows> {
    let lengths: Vec<u32> = records.iter().map(|record| record.len() as u32).collect();
    let (starts, ends) = (vec![0; records.len()], vec![u64::MAX; records.len()]);
    Rows::read(&records.concat(), &lengths, &starts, &ends, window)
}

fn refusal(record: &[u8]) -> Code {
    rows(&[record.to_vec()], ALL).unwrap_err().code()
}

/// Anchors near each other, in stretches, and all over the place.
fn anchors() -> impl Strategy<Value = BTreeSet<u64>> {
    let stretch = (prop_oneof![0..200_000_u64, any::<u64>()], 1..70_000_u64, 1..4_u64);
    let stretches = prop::collection::vec(stretch, 0..3);
    (prop::collection::btree_set(any::<u64>(), 0..20), stretches).prop_map(|(mut set, stretches)| {
        for (start, count, step) in stretches {
            set.extend((0..count).filter_map(|at| start.checked_add(at * step)));
        }
        set.remove(&u64::MAX);
        set.insert(7);
        set
    })
}

proptest! {
    #![proptest_config(trials(48))]

    #[test]
    fn rows_are_those_of_a_naive_map(sets in prop::collection::vec((anchors(), any::<bool>()), 1..4), window in any::<[u64; 2]>()) {
        let records: Vec<Vec<u8>> = sets.iter().map(|(set, runs)| record(set, *runs)).collect();
        for [start, end] in [ALL, window] {
            let mut naive = BTreeMap::new();
            for (number, (set, _)) in (0_u32..).zip(&sets) {
                naive.extend(set.iter().filter(|anchor| start <= **anchor && **anchor < end).map(|anchor| (*anchor, number)));
            }
            let rows = rows(&records, [start, end]).unwrap();
            prop_assert!(rows.anchors.iter().eq(naive.keys()));
            prop_assert!(rows.records.iter().eq(naive.values()));
        }
    }

    #[test]
    fn no_bytes_are_a_panic_or_much_memory(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0..60_usize) {
        let mut broken = record(&BTreeSet::from([1, 2, 70_000, 1 << 40]), true);
        let end = broken.len().min(at + bytes.len());
        broken.splice(at.min(end)..end, bytes.iter().copied());
        for record in [bytes, broken] {
            if let Err(error) = rows(&[record], ALL) {
                prop_assert_eq!(error.code(), Code::ScalarRecord);
            }
        }
    }
}

#[test]
fn containers_are_read_at_the_edges_of_their_forms() {
    for count in [1, 4095, 4096, 4097, 65_535, 65_536, 65_537] {
        for step in [1, 2] {
            let set: BTreeSet<u64> = (0..count).map(|at| (1 << 33) + at * step).collect();
            for runs in [false, true] {
                let record = record(&set, runs);
                let rows = rows(std::slice::from_ref(&record), ALL).unwrap();
                assert!(rows.anchors.iter().eq(&set), "{count} {step} {runs}");
            }
        }
    }
}

#[test]
fn every_shorter_and_longer_record_is_refused() {
    for runs in [false, true] {
        let set = (0..5000).chain([70_000, 1 << 35]).collect();
        let whole = record(&set, runs);
        for end in (0..whole.len()).filter(|end| end % 97 == 0 || *end < 100 || *end + 100 > whole.len()) {
            assert_eq!(refusal(&whole[..end]), Code::ScalarRecord, "{end}");
        }
        assert_eq!(refusal(&[whole, vec![0]].concat()), Code::ScalarRecord);
    }
}

#[test]
fn a_record_that_lies_is_refused() {
    // Version, buckets, high half; cookie, containers; key, cardinality - 1; offset; values.
    let build = |buckets: u64, count: u32, descriptions: &[[u16; 2]], values: &[u16]| {
        let mut out = vec![1];
        out.extend(buckets.to_le_bytes());
        out.extend(0_u32.to_le_bytes());
        out.extend(12346_u32.to_le_bytes());
        out.extend(count.to_le_bytes());
        out.extend(descriptions.iter().flatten().flat_map(|half| half.to_le_bytes()));
        out.extend(descriptions.iter().flat_map(|_| 16_u32.to_le_bytes()));
        out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        out
    };
    let good = build(1, 1, &[[0, 1]], &[5, 9]);
    assert_eq!(rows(std::slice::from_ref(&good), ALL).unwrap().anchors, [5, 9]);
    let other_version = [vec![2], good[1..].to_vec()].concat();
    let other_cookie = [good[..13].to_vec(), vec![0; 4], good[17..].to_vec()].concat();
    for (what, bad) in [
        ("a version", other_version),
        ("a cookie", other_cookie),
        ("no buckets", [1, 0, 0, 0, 0, 0, 0, 0, 0].to_vec()),
        ("no containers", build(1, 0, &[], &[])),
        ("too many buckets", build(u64::MAX, 1, &[[0, 1]], &[5, 9])),
        ("too many containers", build(1, u32::MAX, &[[0, 1]], &[5, 9])),
        ("a greater cardinality", build(1, 1, &[[0, u16::MAX]], &[5, 9])),
        ("values that descend", build(1, 1, &[[0, 1]], &[9, 5])),
        ("a value twice", build(1, 1, &[[0, 1]], &[5, 5])),
        ("keys that descend", build(1, 2, &[[1, 0], [0, 0]], &[5, 9])),
        ("a key twice", build(1, 2, &[[0, 0], [0, 0]], &[5, 9])),
        ("buckets that repeat", [build(2, 1, &[[0, 0]], &[5]), good[9..].to_vec()].concat()),
    ] {
        assert_eq!(refusal(&bad), Code::ScalarRecord, "{what}");
    }
    // A bitmap container with another number of bits than its description says.
    let mut wide = record(&(0..5000).collect(), false);
    let last = wide.len() - 1;
    wide[last] = 1;
    assert_eq!(refusal(&wide), Code::ScalarRecord);
}

#[test]
fn runs_cannot_be_more_rows_than_are_read_at_once() {
    let full: BTreeSet<u64> = (0..1 << 16).collect();
    let short = record(&full, true);
    assert!(short.len() < 40);
    let most = MOST_ROWS >> 16;
    assert_eq!(rows(&vec![short.clone(); most], ALL).unwrap().anchors.len(), 1 << 16);
    let error = rows(&vec![short; most + 1], ALL).unwrap_err();
    assert_eq!((error.code(), error.subject()), (Code::ScalarRecord, Some("256")));
}

#[test]
fn anchors_lie_in_the_extent_of_their_entry_and_columns_fit_together() {
    let record = record(&BTreeSet::from([10, 20]), false);
    let read =
        |start, end| Rows::read(&record, &[record.len() as u32], &[start], &[end], ALL).map_err(|error| error.code());
    assert!(read(10, 21).is_ok() && read(0, 100).is_ok());
    for [start, end] in [[11, 21], [10, 20]] {
        assert_eq!(read(start, end), Err(Code::ScalarRecord));
    }
    for lengths in [&[][..], &[1], &[9, 9]] {
        assert!(Rows::read(&record, lengths, &[0], &[100], ALL).is_err());
    }
}

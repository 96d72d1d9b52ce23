//! Fragment entries in every order and mixture, against a naive reading of them.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::cbor_build::{array, bytes, uint};
use crate::manifest_build::{timeline, track};
use crate::trials::in_time;
use dreamdb_arrays::track::fragments::{FragmentIndex, check_single};
use dreamdb_arrays::track::packs::check_slice;
use dreamdb_arrays::track::{Advertised, Index};
use dreamdb_arrays::{Address, Code};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Single,
    Chunked,
    Packed(u32),
}

/// An entry: start, bytes, number of its object, place.
type Entry = (u64, u64, u8, Place);

fn object(number: u8) -> Address {
    Address::of(&[number])
}

fn cbor(entries: &[Entry]) -> Vec<u8> {
    let entry = |(start, size, number, place): &Entry| {
        let mut elements = vec![uint(*start), uint(start + 1), uint(*size), bytes(object(*number).as_bytes())];
        match place {
            Place::Single => {}
            Place::Chunked => elements.push(vec![0xf5]),
            Place::Packed(offset) => elements.extend([vec![0xf4], uint(u64::from(*offset))]),
        }
        array(&elements)
    };
    array(&entries.iter().map(entry).collect::<Vec<_>>())
}

fn index(entries: &[Entry]) -> FragmentIndex {
    let object = track("image.png", [0, 1], cbor(entries));
    let advertised = Advertised { modality: "image.png", timeline: timeline(), coverage: [0, 1] };
    match Index::decode(&object, &advertised).unwrap() {
        Index::Fragments(index) => index,
        other => panic!("not fragments but {other:?}"),
    }
}

/// The entries, as the columns say them.
fn entries(index: &FragmentIndex) -> Vec<(u64, u64, Address, Place)> {
    let entry = |at: usize| {
        let address = &index.addresses[index.objects[at] as usize * 33..][..33];
        let place = match index.forms[at] {
            0 => Place::Single,
            1 => Place::Chunked,
            _ => Place::Packed(index.offsets[at]),
        };
        (index.starts[at], index.sizes[at], Address::from_bytes(address).unwrap(), place)
    };
    (0..index.starts.len()).map(entry).collect()
}

/// The same of what was written.
fn named(listed: &[Entry]) -> Vec<(u64, u64, Address, Place)> {
    listed.iter().map(|(start, size, number, place)| (*start, *size, object(*number), *place)).collect()
}

/// Position of an object among the index's.
fn position(index: &FragmentIndex, number: u8) -> u32 {
    let at = index.addresses.chunks(33).position(|raw| raw == object(number).as_bytes());
    u32::try_from(at.unwrap()).unwrap()
}

/// What is wrong with the packs, by object.
fn faults(index: &FragmentIndex) -> Vec<(u32, String)> {
    let faults = index.packs.faults.iter();
    faults.inspect(|(_, error)| assert_eq!(error.code(), Code::PackInvariant)).map(fault_text).collect()
}

fn fault_text((object, error): &(u32, dreamdb_arrays::Error)) -> (u32, String) {
    (*object, error.message().to_owned())
}

/// A pack's items, one after another, of these sizes.
fn pack(number: u8, first_start: u64, sizes: &[u64]) -> Vec<Entry> {
    let mut offset = 0;
    let place = |(at, size): (u64, &u64)| {
        let entry = (first_start + at, *size, number, Place::Packed(offset));
        offset += *size as u32;
        entry
    };
    (0_u64..).zip(sizes).map(place).collect()
}

#[test]
fn interleaved_packs_in_any_order() {
    let mut listed: Vec<Entry> = [pack(1, 0, &[3, 0, 5]), pack(2, 1, &[4, 4]), pack(3, 0, &[7])].concat();
    listed.push((2, 9, 4, Place::Single));
    listed.push((2, 9, 5, Place::Chunked));
    for turn in 0..listed.len() {
        let mut turned = listed.clone();
        turned.rotate_left(turn);
        let index = index(&turned);
        assert_eq!(faults(&index), []);
        for (number, length) in [(1, 8), (2, 8), (3, 7), (4, 0), (5, 0)] {
            assert_eq!(index.packs.lengths[position(&index, number) as usize], length, "object {number}");
        }
        let mut expected = turned;
        expected.sort_by_key(|(start, ..)| *start);
        assert_eq!(entries(&index), named(&expected));
    }
}

#[test]
fn spans_that_may_be() {
    let sound: [&[Entry]; 5] = [
        // One span listed twice, also under another start.
        &[(0, 4, 1, Place::Packed(0)), (1, 4, 1, Place::Packed(0)), (0, 4, 1, Place::Packed(0))],
        // Empty Items at the front, between others, at the end, and within another one.
        &[(0, 0, 1, Place::Packed(0)), (1, 4, 1, Place::Packed(0)), (2, 0, 1, Place::Packed(4))],
        &[(0, 0, 1, Place::Packed(4)), (1, 4, 1, Place::Packed(4)), (2, 4, 1, Place::Packed(0))],
        &[(0, 4, 1, Place::Packed(0)), (1, 0, 1, Place::Packed(2))],
        // Nothing but empty Items.
        &[(0, 0, 1, Place::Packed(0)), (0, 0, 1, Place::Packed(0))],
    ];
    for (entries, length) in sound.iter().zip([4, 4, 8, 4, 0]) {
        let index = index(entries);
        assert_eq!(faults(&index), [], "{entries:?}");
        assert_eq!(index.packs.lengths, [length], "{entries:?}");
        assert_eq!(index.packs.check(0, length), Ok(()));
        let code = |body: u64| index.packs.check(0, body).unwrap_err().code();
        assert_eq!(code(length + 1), Code::PackLength);
        assert!(length == 0 || code(length - 1) == Code::PackSliceOutOfBounds);
    }
}

#[test]
fn spans_that_may_not_be() {
    let broken: [(&[Entry], &str); 5] = [
        (&[(0, 4, 1, Place::Packed(1))], "leave a gap: one begins at byte 1, those before it end at 0"),
        (
            &[(0, 4, 1, Place::Packed(0)), (1, 4, 1, Place::Packed(5))],
            "leave a gap: one begins at byte 5, those before it end at 4",
        ),
        (
            &[(0, 4, 1, Place::Packed(0)), (1, 4, 1, Place::Packed(3))],
            "overlap: one begins at byte 3, those before it end at 4",
        ),
        (
            &[(0, 4, 1, Place::Packed(0)), (1, 5, 1, Place::Packed(0))],
            "overlap: one begins at byte 0, those before it end at 4",
        ),
        (
            &[(0, u64::MAX, 1, Place::Packed(0)), (1, 4, 1, Place::Packed(5))],
            "overlap: one begins at byte 5, those before it end at 18446744073709551615",
        ),
    ];
    for (entries, what) in broken {
        // A sound pack before and after it stays sound.
        let listed = [pack(2, 7, &[1, 2]), entries.to_vec(), pack(3, 0, &[5])].concat();
        let index = index(&listed);
        let at = position(&index, 1);
        assert_eq!(faults(&index), [(at, format!("the Items of pack {} {what}", object(1)))]);
        assert_eq!(index.packs.check(position(&index, 2), 3), Ok(()));
        assert_eq!(index.packs.check(position(&index, 3), 5), Ok(()));
        // The faults of one pack in order: too short, broken, too long.
        let length = index.packs.lengths[at as usize];
        let code = |body: u64| index.packs.check(at, body).unwrap_err().code();
        assert_eq!(code(length), Code::PackInvariant);
        assert_eq!(code(length - 1), Code::PackSliceOutOfBounds);
        assert!(length == u64::MAX || code(length + 1) == Code::PackInvariant);
    }
}

#[test]
fn slices() {
    let code = |offset, size, declared, body| check_slice(offset, size, declared, body).map_err(|error| error.code());
    assert_eq!(code(0, 10, 10, 10), Ok(()));
    assert_eq!(code(10, 0, 10, 10), Ok(()));
    assert_eq!(code(3, 4, 10, 10), Ok(()));
    assert_eq!(code(3, 8, 10, 10), Err(Code::PackSliceOutOfBounds));
    assert_eq!(code(3, 4, 10, 9), Err(Code::PackSliceOutOfBounds));
    assert_eq!(code(3, 4, 10, 11), Err(Code::PackLength));
    assert_eq!(code(u32::MAX, u64::MAX, u64::MAX, u64::MAX - 1), Err(Code::PackSliceOutOfBounds));
    assert_eq!(check_single(3, 3), Ok(()));
    assert_eq!(check_single(3, 4).unwrap_err().code(), Code::PayloadLength);
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![Just(Place::Single), Just(Place::Chunked), (0_u32..6).prop_map(Place::Packed)]
}

/// Whether each byte from 0 to the end of the last span is in exactly one distinct span.
fn is_tiled(entries: &[Entry], number: u8) -> bool {
    let spans = entries.iter().filter_map(|(_, size, at, place)| match place {
        Place::Packed(offset) if *at == number => Some((u64::from(*offset), u64::from(*offset) + size)),
        _ => None,
    });
    let distinct: std::collections::BTreeSet<(u64, u64)> = spans.filter(|(start, end)| start < end).collect();
    let end = distinct.iter().map(|(_, end)| *end).max().unwrap_or(0);
    (0..end).all(|byte| distinct.iter().filter(|(start, end)| (*start..*end).contains(&byte)).count() == 1)
}

proptest! {
    #[test]
    fn as_a_naive_reader(listed in prop::collection::vec((0_u64..20, 0_u64..4, 0_u8..5, place()), 0..40)) {
        let index = index(&listed);
        let mut expected = listed.clone();
        expected.sort_by_key(|(start, ..)| *start);
        prop_assert_eq!(entries(&index), named(&expected));
        // Objects are numbered in the order in which the sorted entries name them.
        let mut first_seen: Vec<Address> = Vec::new();
        for (_, _, number, _) in &expected {
            if !first_seen.contains(&object(*number)) {
                first_seen.push(object(*number));
            }
        }
        let numbered: Vec<Address> = index.addresses.chunks(33).map(|raw| Address::from_bytes(raw).unwrap()).collect();
        prop_assert_eq!(&numbered, &first_seen);
        for number in 0..5 {
            if let Some(at) = first_seen.iter().position(|address| *address == object(number)) {
                let faulty = index.packs.faults.iter().any(|(faulty, _)| *faulty as usize == at);
                prop_assert_eq!(!faulty, is_tiled(&listed, number), "object {}", number);
            }
        }
    }
}

#[test]
fn a_large_index_is_quick() {
    let mut listed: Vec<Entry> = (0..200_000).map(|at| (at, 0, (at % 7) as u8, Place::Single)).collect();
    listed.reverse();
    let begin = std::time::Instant::now();
    let index = index(&listed);
    in_time(begin, 5);
    assert!(index.starts.is_sorted());
    assert_eq!(index.addresses.len(), 7 * 33);
}

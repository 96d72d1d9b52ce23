//! Entries given as columns, against those of a Track Object; and many addresses and objects at once.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::cbor_build::{array, bytes, uint};
use crate::manifest_build::{timeline, track};
use dreamdb_arrays::multihash::{texts, verify_all};
use dreamdb_arrays::track::given::Given;
use dreamdb_arrays::track::{Advertised, Index};
use dreamdb_arrays::{Address, Code};
use proptest::prelude::*;

const EVENT: &str = "array.f32.kind=event.storage=unbucketed.shape=3.item=x";
const CONTINUOUS: &str = "array.f32.kind=continuous.storage=time_batch.shape=3.item=x";

fn object(number: u64) -> Address {
    Address::of(&number.to_be_bytes())
}

fn decoded(modality: &str, entries: &[Vec<u8>]) -> Option<Index> {
    let object = track(modality, [0, 1], array(entries));
    Index::decode(&object, &Advertised { modality, timeline: timeline(), coverage: [0, 1] }).ok()
}

/// Start, duration, third number, number of the object, form, offset.
type Entry = (u64, u64, u64, u64, u8, u32);

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    prop::collection::vec((0_u64..40, 1_u64..9, 0_u64..50, 0_u64..5, 0_u8..3, 0_u32..60), 1..30)
}

proptest! {
    #[test]
    fn given_entries_are_those_of_a_track(all in entries()) {
        let starts: Vec<u64> = all.iter().map(|entry| entry.0).collect();
        let ends: Vec<u64> = all.iter().map(|entry| entry.0 + entry.1).collect();
        let thirds: Vec<u64> = all.iter().map(|entry| entry.2).collect();
        let addresses: Vec<u8> = all.iter().flat_map(|entry| *object(entry.3).as_bytes()).collect();
        let forms: Vec<u8> = all.iter().map(|entry| entry.4).collect();
        let offsets: Vec<u32> = all.iter().map(|entry| if entry.4 == 2 { entry.5 } else { 0 }).collect();
        let address = |entry: &Entry| bytes(object(entry.3).as_bytes());
        let extent = |entry: &Entry| vec![uint(entry.0), uint(entry.0 + entry.1), uint(entry.2), address(entry)];

        let event = Given { starts: &starts, addresses: &addresses, ..Given::default() };
        let written: Vec<_> = all.iter().map(|entry| array(&[address(entry), uint(entry.0)])).collect();
        prop_assert_eq!(event.index().ok(), decoded(EVENT, &written));

        let continuous = Given { ends: &ends, thirds: &thirds, ..event };
        let written: Vec<_> = all.iter().map(|entry| array(&extent(entry))).collect();
        prop_assert_eq!(continuous.index().ok(), decoded(CONTINUOUS, &written));

        let media = Given { forms: &forms, offsets: &offsets, ..continuous };
        let fragment = |entry: &Entry| match entry.4 {
            0 => array(&extent(entry)),
            1 => array(&[extent(entry), vec![vec![0xf5]]].concat()),
            _ => array(&[extent(entry), vec![vec![0xf4], uint(u64::from(entry.5))]].concat()),
        };
        let written: Vec<_> = all.iter().map(fragment).collect();
        prop_assert_eq!(media.index().ok(), decoded("image.png", &written));
    }

    #[test]
    fn objects_are_verified_up_to_the_first_wrong_one(
        runs in prop::collection::vec((prop_oneof![0_usize..70, Just(64), Just(1024), Just(3072), Just(4096), Just(4100)], 1_usize..7), 0..5),
        wrong: prop::sample::Index,
        of_addresses: bool,
    ) {
        let sizes: Vec<usize> = runs.iter().flat_map(|(size, count)| vec![*size; *count]).collect();
        let objects: Vec<Vec<u8>> = sizes.iter().enumerate().map(|(at, size)| vec![at as u8; *size]).collect();
        let mut addresses: Vec<u8> = objects.iter().flat_map(|object| *Address::of(object).as_bytes()).collect();
        let mut body = objects.concat();
        let ends: Vec<u32> = sizes.iter().scan(0, |end, size| { *end += *size as u32; Some(*end) }).collect();
        prop_assert_eq!(verify_all(&addresses, &ends, &body), Ok(sizes.len() as u32));
        if !body.is_empty() {
            let at = wrong.index(body.len());
            let first = ends.iter().position(|end| at < *end as usize).unwrap();
            if of_addresses {
                addresses[33 * first + 1 + at % 32] ^= 0x80;
            } else {
                body[at] ^= 0x80;
            }
            prop_assert_eq!(verify_all(&addresses, &ends, &body), Ok(first as u32));
        }
    }

    #[test]
    fn texts_are_each_address(numbers in prop::collection::vec(any::<u64>(), 1..9)) {
        let raw: Vec<u8> = numbers.iter().flat_map(|number| *object(*number).as_bytes()).collect();
        let each: String = numbers.iter().map(|number| object(*number).to_string()).collect();
        prop_assert_eq!(texts(&raw), Ok(each));
    }
}

#[test]
fn nothing_is_an_empty_index() {
    assert!(matches!(Given::default().index(), Ok(Index::Event(index)) if index.anchors.is_empty()));
}

#[test]
fn columns_that_do_not_fit() {
    let two: Vec<u8> = [object(1), object(2)].iter().flat_map(|address| *address.as_bytes()).collect();
    let event = Given { starts: &[1, 2], addresses: &two, ..Given::default() };
    let continuous = Given { ends: &[2, 3], thirds: &[0, 0], ..event };
    let media = Given { forms: &[0, 2], offsets: &[0, 0], ..continuous };
    for given in [event, continuous, media] {
        assert!(given.index().is_ok());
    }
    let wrong = [
        Given { starts: &[1], ..event },
        Given { starts: &[1, 2, 3], ..event },
        Given { addresses: &two[..65], ..event },
        Given { addresses: &two[..33], ..event },
        Given { ends: &[2], ..continuous },
        Given { thirds: &[2], ..continuous },
        Given { thirds: &[], ..continuous },
        Given { ends: &[], ..continuous },
        Given { offsets: &[0], ..media },
        Given { offsets: &[], ..media },
        Given { forms: &[0], ..media },
        Given { forms: &[], ..media },
        Given { forms: &[0, 3], ..media },
        Given { ends: &[], thirds: &[], ..media },
        Given { starts: &[], ..event },
    ];
    for (number, given) in wrong.into_iter().enumerate() {
        assert_eq!(given.index().unwrap_err().code(), Code::InvalidArgument, "{number}");
    }
    assert_eq!(Given { ends: &[2, 2], ..continuous }.index().unwrap_err().code(), Code::EntryExtent);
    assert_eq!(Given { starts: &[1, 1], ..event }.index().unwrap_err().code(), Code::RepeatedAnchor);
    assert!(Given { starts: &[1, 1], ..media }.index().is_ok(), "media may be replaced");
    let mut foreign = two.clone();
    foreign[33] = 0x12;
    assert_eq!(Given { addresses: &foreign, ..event }.index().unwrap_err().code(), Code::Multihash);
}

#[test]
fn addresses_and_objects_that_do_not_fit() {
    let raw = *object(1).as_bytes();
    for length in [0, 1, 32] {
        assert_eq!(texts(&raw[..length]).unwrap_err().code(), Code::Multihash, "{length} bytes");
    }
    assert_eq!(texts(&[raw.as_slice(), &[0x1e]].concat()).unwrap_err().code(), Code::Multihash);
    assert_eq!(texts(&[0x12; 33]).unwrap_err().code(), Code::Multihash);
    let one = *Address::of(b"ab").as_bytes();
    let two = [one, *Address::of(b"c").as_bytes()].concat();
    assert_eq!(verify_all(&two, &[2, 3], b"abc"), Ok(2));
    assert_eq!(verify_all(&[], &[], b""), Ok(0));
    for (addresses, ends, bytes) in [
        (two.as_slice(), [2, 3].as_slice(), b"ab".as_slice()),
        (&two, &[2, 3], b"abcd"),
        (&two, &[2], b"ab"),
        (&two[..65], &[2, 3], b"abc"),
        (&[], &[], b"a"),
        (&one, &[], b""),
    ] {
        assert_eq!(verify_all(addresses, ends, bytes).unwrap_err().code(), Code::InvalidArgument);
    }
    assert_eq!(verify_all(&[one, one].concat(), &[2, 1], b"a").unwrap_err().code(), Code::InvalidArgument);
    let back = [one, one, one].concat();
    assert_eq!(verify_all(&back, &[2, 1, 2], b"ab").unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(verify_all(&[0x12; 33], &[2], b"ab").unwrap_err().code(), Code::Multihash);
}

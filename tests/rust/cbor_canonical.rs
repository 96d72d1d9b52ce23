//! Our CBOR against ciborium's.

#![cfg(test)]

use ciborium::Value as Other;
use dreamdb_arrays::cbor::{Head, Reader, Value, Writer};
use dreamdb_arrays::{Code, Result};
use proptest::prelude::*;

/// What both decoders can hold, without floats.
fn values() -> impl Strategy<Value = Other> {
    let leaf = prop_oneof![
        any::<u64>().prop_map(Other::from),
        (0_u64..300).prop_map(Other::from),
        any::<i64>().prop_map(Other::from),
        any::<bool>().prop_map(Other::from),
        Just(Other::Null),
        ".{0,30}".prop_map(Other::Text),
        prop::collection::vec(any::<u8>(), 0..300).prop_map(Other::Bytes),
    ];
    leaf.prop_recursive(5, 60, 10, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..10).prop_map(Other::Array),
            prop::collection::vec((".{0,5}".prop_map(Other::Text), inner.clone()), 0..10).prop_map(Other::Map),
            (3_u64..1 << 40, inner).prop_map(|(tag, value)| Other::Tag(tag, Box::new(value))),
        ]
    })
}

fn same(ours: &Value<'_>, other: &Other) -> bool {
    match (ours, other) {
        (Value::Uint(ours), Other::Integer(other)) => i128::from(*other) == i128::from(*ours),
        (Value::Nint(ours), Other::Integer(other)) => i128::from(*other) == !i128::from(*ours),
        (Value::Bytes(ours), Other::Bytes(other)) => ours == other,
        (Value::Text(ours), Other::Text(other)) => ours == other,
        (Value::Bool(ours), Other::Bool(other)) => ours == other,
        (Value::Null, Other::Null) => true,
        (Value::Array(ours), Other::Array(other)) => {
            ours.len() == other.len() && ours.iter().zip(other).all(|(ours, other)| same(ours, other))
        }
        (Value::Map(ours), Other::Map(other)) => {
            let pairs = ours.iter().zip(other);
            let all_same = pairs.into_iter().all(|(ours, other)| same(&ours.0, &other.0) && same(&ours.1, &other.1));
            ours.len() == other.len() && all_same
        }
        (Value::Tag(ours, inner), Other::Tag(other, other_inner)) => ours == other && same(inner, other_inner),
        _ => false,
    }
}

proptest! {
    #[test]
    fn reads_what_ciborium_writes(value in values()) {
        let mut bytes = Vec::new();
        ciborium::into_writer(&value, &mut bytes).unwrap();
        bytes.extend_from_slice(b"rest");
        let mut reader = Reader::new(&bytes);
        let ours = reader.value().unwrap();
        prop_assert!(same(&ours, &value), "{:?} is not {:?}", ours, value);
        prop_assert_eq!(reader.remaining(), 4);
    }

    #[test]
    fn writes_what_ciborium_reads(numbers: Vec<u64>, text in ".{0,400}", bytes: Vec<u8>, flag: bool) {
        let mut out = Writer::new();
        out.map(1).text(&text).array(3).uints(&numbers).bytes(&bytes).bool(flag);
        let numbers = numbers.into_iter().map(Other::from).collect();
        let list = Other::Array(vec![Other::Array(numbers), Other::Bytes(bytes), Other::Bool(flag)]);
        let expected = Other::Map(vec![(Other::Text(text), list)]);
        let mut canonical = Vec::new();
        ciborium::into_writer(&expected, &mut canonical).unwrap();
        prop_assert_eq!(out.into_bytes(), canonical);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        // What we read, ciborium reads too, and finds the same.
        if let Ok(ours) = Reader::new(&bytes).value() {
            let other = ciborium::from_reader::<Other, _>(bytes.as_slice());
            prop_assert!(other.is_ok_and(|other| same(&ours, &other)), "{:?}", ours);
        }
    }
}

fn value(bytes: &[u8]) -> Result<Value<'_>> {
    Reader::new(bytes).value()
}

#[test]
fn widths_of_heads() {
    for (bytes, number) in [
        ([0x17].as_slice(), 23),
        (&[0x18, 23], 23),
        (&[0x18, 255], 255),
        (&[0x19, 1, 0], 256),
        (&[0x1a, 0, 0, 0, 1], 1),
        (&[0x1b, 255, 255, 255, 255, 255, 255, 255, 255], u64::MAX),
        (&[0xc2, 0x40], 0),
        (&[0xc2, 0x42, 0, 7], 7),
        (&[0xc2, 0x48, 255, 255, 255, 255, 255, 255, 255, 255], u64::MAX),
        (&[0xc2, 0x4a, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 1 << 56),
    ] {
        assert_eq!(value(bytes), Ok(Value::Uint(number)), "{bytes:?}");
    }
    assert!(matches!(value(&[0xc2, 0x49, 1, 0, 0, 0, 0, 0, 0, 0, 0]), Ok(Value::Tag(2, _))));
    assert!(matches!(value(&[0xc3, 0x41, 1]), Ok(Value::Tag(3, _))));
}

#[test]
fn what_the_profile_excludes() {
    let excluded: [&[u8]; 17] = [
        &[],
        &[0x1c],
        &[0x1f],
        &[0x5f, 0xff],
        &[0x7f, 0xff],
        &[0x9f, 0xff],
        &[0xbf, 0xff],
        &[0xdf],
        &[0xff],
        &[0xe0],
        &[0xf3],
        &[0xf8, 20],
        &[0xf8, 255],
        &[0xf9, 0, 0],
        &[0xfa, 0, 0, 0, 0],
        &[0xfb, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0x61, 0xff],
    ];
    for bytes in excluded {
        assert_eq!(value(bytes).unwrap_err().code(), Code::Cbor, "{bytes:?}");
    }
    assert_eq!(value(&[0xf7]), Ok(Value::Null), "undefined");
    let int_key = [0xa1, 1, 2];
    assert!(value(&int_key).is_ok());
    assert_eq!(Reader::new(&int_key).with_text_keys().value().unwrap_err().code(), Code::Cbor);
    let below = [0x81, 0xa1, 1, 2];
    assert_eq!(Reader::new(&below).with_text_keys().value().unwrap_err().code(), Code::Cbor);
}

#[test]
fn heads_and_bodies() {
    let bytes = [0x82, 0x63, b'a', b'b', b'c', 0x42, 1, 2, 0x20];
    let mut reader = Reader::new(&bytes);
    assert_eq!(reader.head(), Ok(Head::Array(2)));
    assert_eq!(reader.key(), Ok("abc"));
    assert_eq!(reader.head(), Ok(Head::Bytes(2)));
    assert_eq!(reader.body(2), Ok([1, 2].as_slice()));
    assert_eq!((reader.position(), reader.remaining()), (8, 1));
    assert_eq!(reader.head(), Ok(Head::Nint(0)));
    assert_eq!(reader.head().unwrap_err().code(), Code::Cbor);
    assert_eq!(Reader::new(&[0x01]).key().unwrap_err().code(), Code::Cbor);
}

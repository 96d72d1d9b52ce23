//! Indexes of scalar columns: values against another encoder, and forms that must be refused.

#![cfg(test)]

use crate::cbor_build::{array, bytes, map, text, uint};
use crate::manifest_build::{timeline, track};
use dreamdb_arrays::scalar::entries::{Entries, WHOLE};
use dreamdb_arrays::scalar::page::Page;
use dreamdb_arrays::scalar::value::Values;
use dreamdb_arrays::scalar::{Root, Tree, ValueType, check_descriptor};
use dreamdb_arrays::track::{Advertised, Index};
use dreamdb_arrays::{Address, Code};
use proptest::prelude::*;

proptest! {
    #[test]
    fn floats_are_those_of_another_encoder(value in prop_oneof![any::<f64>(), any::<f32>().prop_map(f64::from), (-70_000..70_000_i32).prop_map(|n| f64::from(n) / 64.0), (0..2048_u32).prop_map(|n| f64::from(n) / 33_554_432.0)]) {
        let mut shortest = Vec::new();
        ciborium::into_writer(&value, &mut shortest).unwrap();
        let double = [&[0xfb], value.to_be_bytes().as_slice()].concat();
        if value.is_finite() {
            prop_assert_eq!(words(ValueType::Float, &shortest), Ok(vec![value.to_bits()]));
            prop_assert_eq!(words(ValueType::Float, &double).is_ok(), double == shortest);
        } else {
            prop_assert_eq!(words(ValueType::Float, &shortest), Err(Code::ScalarIndex));
        }
    }

    #[test]
    fn integers_are_those_of_another_encoder(value in prop_oneof![any::<i64>(), -300..300_i64], kind in prop_oneof![Just(ValueType::Int), Just(ValueType::Timestamp)]) {
        let mut encoded = Vec::new();
        ciborium::into_writer(&value, &mut encoded).unwrap();
        prop_assert_eq!(words(kind, &encoded), Ok(vec![value.cast_unsigned()]));
    }
}

fn object() -> Address {
    Address::of(b"a pack")
}

fn entry(value: &[u8]) -> Vec<u8> {
    array(&[bytes(value), uint(3), uint(9), bytes(object().as_bytes()), uint(5), uint(31)])
}

fn tag(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Categorical => "scalar.cat.field=x",
        ValueType::Bool => "scalar.bool.field=x",
        ValueType::Int => "scalar.i64.field=x",
        ValueType::Float => "scalar.f64.field=x",
        ValueType::Text => "scalar.str.field=x",
        ValueType::Timestamp => "scalar.ts.field=x",
    }
}

fn root(value_type: ValueType, index: Vec<u8>) -> Result<Root, Code> {
    let modality = tag(value_type);
    let object = track(modality, [0, 1], index);
    let advertised = Advertised { modality, timeline: timeline(), coverage: [0, 1] };
    match Index::decode(&object, &advertised).map_err(|error| error.code())? {
        Index::Scalars(root) => Ok(root),
        other => panic!("not scalars but {other:?}"),
    }
}

fn page(kind: &str, level: u64, algorithm: &str, entries: &[Vec<u8>]) -> Vec<u8> {
    map(&[("type", text(kind)), ("level", uint(level)), ("entries", array(entries)), ("algorithm", text(algorithm))])
}

fn leaf(value_type: ValueType, value: &[u8]) -> Result<Entries, Code> {
    let algorithm = match value_type {
        ValueType::Float => "dreamdb.btree-float64",
        ValueType::Text => "dreamdb.btree-string",
        _ => "dreamdb.btree-int64",
    };
    match Page::decode(&page("leaf", 0, algorithm, &[entry(value)]), value_type, 0).map_err(|error| error.code())? {
        Page::Leaf(entries) => Ok(entries),
        Page::Internal(_) => panic!("no leaf"),
    }
}

fn words(value_type: ValueType, value: &[u8]) -> Result<Vec<u64>, Code> {
    match leaf(value_type, value)?.values {
        Values::Words(words) => Ok(words),
        Values::Texts(_) => panic!("no words"),
    }
}

#[test]
fn values_have_one_encoding() {
    for (value_type, bad) in [
        (ValueType::Int, &[0x18, 23][..]),
        (ValueType::Int, &[0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        (ValueType::Int, &[0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        (ValueType::Int, &[0xf9, 0, 0]),
        (ValueType::Int, &[0, 0]),
        (ValueType::Int, &[]),
        (ValueType::Timestamp, &[0x61, b'x']),
        (ValueType::Float, &[0]),
        (ValueType::Float, &[0xf9, 0]),
        (ValueType::Float, &[0xf9, 0x7c, 0]),
        (ValueType::Float, &[0xf9, 0x7e, 0]),
        (ValueType::Float, &[0xfa, 0, 0, 0, 0]),
        (ValueType::Text, &[0x78, 1, b'x']),
        (ValueType::Text, &[0x61, 0xff]),
        (ValueType::Text, &[0x62, b'x']),
        (ValueType::Text, &[0x61, b'x', b'y']),
        (ValueType::Text, &[0x41, b'x']),
    ] {
        assert_eq!(leaf(value_type, bad).map(|_| ()), Err(Code::ScalarIndex), "{value_type:?} {bad:?}");
    }
    assert_eq!(words(ValueType::Float, &[0xf9, 0x80, 0]), Ok(vec![(-0.0_f64).to_bits()]));
    assert_eq!(words(ValueType::Float, &[0xf9, 0, 1]), Ok(vec![2_f64.powi(-24).to_bits()]));
    assert_eq!(leaf(ValueType::Text, &[0x60]).unwrap().values, Values::Texts(vec![String::new()]));
}

#[test]
fn inline_entries_are_columns() {
    let whole = array(&[bytes(&[0xf5]), uint(1), uint(2), bytes(Address::of(b"other").as_bytes())]);
    let Root::Entries(entries) = root(ValueType::Bool, array(&[entry(&[0xf4]), whole, entry(&[0xf5])])).unwrap() else {
        panic!("no entries");
    };
    assert_eq!(entries.values, Values::Words(vec![0, 1, 1]));
    assert_eq!((entries.starts, entries.ends), (vec![3, 1, 3], vec![9, 2, 9]));
    assert_eq!((entries.offsets, entries.lengths), (vec![5, 0, 5], vec![31, WHOLE, 31]));
    assert_eq!(entries.objects, [0, 1, 0]);
    assert_eq!(entries.addresses, [*object().as_bytes(), *Address::of(b"other").as_bytes()].concat());
}

#[test]
fn entries_that_are_none_are_refused() {
    let address = || bytes(object().as_bytes());
    let front = || vec![bytes(&[0xf4]), uint(0), uint(1), address()];
    for bad in [
        uint(0),
        array(&[bytes(&[0xf4]), uint(0), uint(1)]),
        array(&[vec![0xf4], uint(0), uint(1), address()]),
        array(&[bytes(&[0xf4]), uint(1), uint(1), address()]),
        array(&[bytes(&[0xf4]), uint(0), uint(1), bytes(&[0x1e; 32])]),
        array(&[bytes(&[0xf6]), uint(0), uint(1), address()]),
        array(&[front(), vec![text("x"), uint(1)]].concat()),
        array(&[front(), vec![uint(1), uint(u64::MAX)]].concat()),
        array(&[front(), vec![uint(1)]].concat()),
    ] {
        assert_eq!(root(ValueType::Bool, array(&[bad])), Err(Code::ScalarIndex));
    }
    assert!(root(ValueType::Bool, array(&[array(&front())])).is_ok());
}

#[test]
fn an_index_has_the_form_of_its_type() {
    let tree = |form: &str, pages, height, entries| {
        map(&[
            ("form", text(form)),
            ("root", bytes(object().as_bytes())),
            ("page_count", uint(pages)),
            ("tree_height", uint(height)),
            ("total_entries", uint(entries)),
        ])
    };
    let good = || tree("scalar-btree-v1", 3, 2, 9);
    let expected = Root::Tree(Tree { root: object(), pages: 3, height: 2, entries: 9 });
    for value_type in [ValueType::Int, ValueType::Float, ValueType::Text, ValueType::Timestamp] {
        assert_eq!(root(value_type, good()), Ok(expected.clone()));
        assert!(matches!(root(value_type, array(&[])), Ok(Root::Entries(entries)) if entries.starts.is_empty()));
        assert_eq!(root(value_type, array(&[entry(&[0])])), Err(Code::ScalarIndex));
        for bad in
            [tree("paged", 3, 2, 9), tree("scalar-btree-v1", 1, 2, 9), tree("scalar-btree-v1", 1, 0, 9), map(&[])]
        {
            assert_eq!(root(value_type, bad), Err(Code::ScalarIndex));
        }
    }
    for value_type in [ValueType::Categorical, ValueType::Bool] {
        assert_eq!(root(value_type, good()), Err(Code::ScalarIndex));
        assert!(root(value_type, array(&[])).is_ok());
    }
}

#[test]
fn pages_are_what_their_place_says() {
    let algorithm = "dreamdb.btree-int64";
    let child = array(&[bytes(b"a"), bytes(b"b"), bytes(object().as_bytes())]);
    let decode = |page: &[u8], level| Page::decode(page, ValueType::Int, level).map_err(|error| error.code());
    let above = page("internal", 1, algorithm, &[child.clone(), child.clone()]);
    assert_eq!(decode(&above, 1), Ok(Page::Internal(object().as_bytes().repeat(2))));
    let good = page("leaf", 0, algorithm, &[entry(&[0])]);
    assert!(decode(&good, 0).is_ok());
    for (bad, level) in [
        (&above, 2),
        (&page("leaf", 1, algorithm, std::slice::from_ref(&child)), 1),
        (&page("internal", 0, algorithm, &[entry(&[0])]), 0),
        (&page("leaf", 0, "dreamdb.btree-string", &[entry(&[0])]), 0),
        (&page("leaf", 0, algorithm, &[]), 0),
        (&page("internal", 1, algorithm, &[]), 1),
        (&[good.clone(), vec![0]].concat(), 0),
        (&map(&[("type", text("leaf")), ("level", uint(0)), ("entries", array(&[entry(&[0])]))]), 0),
        (&map(&[("type", text("leaf")), ("level", uint(0)), ("algorithm", text(algorithm)), ("more", uint(0))]), 0),
        (&map(&[("type", text("leaf")), ("level", uint(0)), ("algorithm", text(algorithm)), ("level", uint(0))]), 0),
        (&array(&[]), 0),
    ] {
        assert_eq!(decode(bad, level), Err(Code::ScalarIndex));
    }
    for end in 0..good.len() {
        assert!(decode(&good[..end], 0).is_err());
    }
}

#[test]
fn a_descriptor_is_that_of_its_field() {
    let build = |metric: &str, version, algorithm: &str, field: &str| {
        let params = map(&[("version", uint(version)), ("leaf_fanout", uint(4096))]);
        map(&[
            ("metric", text(metric)),
            ("params", params),
            ("algorithm", text(algorithm)),
            ("field_name", text(field)),
        ])
    };
    let check = |object: Vec<u8>, value_type| check_descriptor(&object, value_type, "x").map_err(|error| error.code());
    for (value_type, metric, algorithm) in [
        (ValueType::Categorical, "categorical", "dreamdb.bitmap-categorical"),
        (ValueType::Bool, "categorical", "dreamdb.bitmap-categorical"),
        (ValueType::Int, "ordinal", "dreamdb.btree-int64"),
        (ValueType::Timestamp, "ordinal", "dreamdb.btree-int64"),
        (ValueType::Float, "ordinal", "dreamdb.btree-float64"),
        (ValueType::Text, "ordinal", "dreamdb.btree-string"),
    ] {
        assert_eq!(check(build(metric, 1, algorithm, "x"), value_type), Ok(()));
        for bad in [
            build("other", 1, algorithm, "x"),
            build(metric, 2, algorithm, "x"),
            build(metric, 1, "dreamdb.other", "x"),
            build(metric, 1, algorithm, "y"),
            map(&[]),
        ] {
            assert_eq!(check(bad, value_type), Err(Code::ScalarIndex));
        }
    }
}

#[test]
fn a_declared_type_is_that_of_the_tag() {
    for (name, value_type) in [
        ("categorical", ValueType::Categorical),
        ("bool", ValueType::Bool),
        ("int", ValueType::Int),
        ("float", ValueType::Float),
        ("string", ValueType::Text),
        ("timestamp", ValueType::Timestamp),
    ] {
        assert_eq!(ValueType::declared(name, tag(value_type)), Ok(value_type));
        let other = if value_type == ValueType::Int { ValueType::Bool } else { ValueType::Int };
        assert_eq!(ValueType::declared(name, tag(other)).unwrap_err().code(), Code::ScalarIndex);
    }
    assert_eq!(ValueType::declared("decimal", "scalar.i64.field=x").unwrap_err().code(), Code::ScalarIndex);
    assert_eq!(ValueType::declared("int", "scalar.dec.field=x").unwrap_err().code(), Code::UnsupportedIndex);
}

//! Two manifests before a merge: whether they register the same types (0025 §5).

#![cfg(test)]

use crate::cbor_build::{array, map, text, uint};
use crate::manifest_build::{Binding, array_field, lineage, manifest, schema};
use crate::manifest_fixtures;
use dreamdb_arrays::manifest::{Manifest, check_registries};
use dreamdb_arrays::modality::{TrackKind, tag};
use dreamdb_arrays::{Code, Error, ItemType};

/// The pairs of a dense document, in canonical order; `change` replaces the value of a key.
fn pairs<'k>(change: &[(&'k str, Vec<u8>)]) -> Vec<(&'k str, Vec<u8>)> {
    let mut pairs = vec![
        ("codec", text("raw")),
        ("dtype", text("f32")),
        ("frame", text("world")),
        ("shape", array(&[uint(2), uint(3)])),
        ("units", text("m")),
        ("family", text("dense-array")),
        ("layout", text("c")),
        ("version", uint(1)),
        ("axis_order", text("none")),
        ("endianness", text("little")),
        ("codec_version", uint(1)),
        ("semantic_type", text("pose")),
    ];
    for (key, value) in change {
        pairs.iter_mut().find(|(name, _)| name == key).unwrap().1.clone_from(value);
    }
    pairs
}

fn entry(document: Vec<u8>) -> Vec<u8> {
    map(&[("item_type", document)])
}

/// The tag of the unchanged document.
fn modality() -> String {
    tag(&ItemType::from_cbor(&map(&pairs(&[]))).unwrap(), TrackKind::Event).unwrap()
}

/// A manifest of which only the registry matters.
fn registering(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let schema = ("dreamdb.schema", schema(&[]));
    manifest(lineage(&[], &[], &[]), map(&[&[schema][..], entries].concat()))
}

fn conflict(first: &[(&str, Vec<u8>)], second: &[(&str, Vec<u8>)]) -> Error {
    check_registries(&registering(first), &registering(second)).unwrap_err()
}

#[test]
fn a_conflict_names_the_modality_and_what_differs() {
    let modality = modality();
    let one = [(modality.as_str(), entry(map(&pairs(&[]))))];
    let mut reordered = pairs(&[]);
    reordered.swap(0, 1);
    let mut longer = pairs(&[]);
    longer.push(("note", text("x")));
    let shorter = pairs(&[]).split_off(1);
    for (document, expected, actual) in [
        (map(&pairs(&[("units", text("mm"))])), "units: `m`", "units: `mm`"),
        (map(&pairs(&[("shape", array(&[uint(3), uint(2)]))])), "shape: [2, 3]", "shape: [3, 2]"),
        (map(&pairs(&[("version", uint(2))])), "version: 1", "version: 2"),
        (map(&pairs(&[("units", vec![0xf5])])), "units: `m`", "units: of another type"),
        (map(&longer), "note: absent", "note: `x`"),
        (map(&shorter), "codec: `raw`", "codec: absent"),
        (map(&reordered), "one order of keys", "another order of keys, or repeated ones"),
        (text("a document"), "item_type: a map", "item_type: `a document`"),
    ] {
        let other = [(modality.as_str(), entry(document))];
        let error = conflict(&one, &other);
        assert_eq!(error.code(), Code::RegistryConflict);
        assert_eq!(error.subject(), Some(modality.as_str()));
        assert_eq!((error.expected(), error.actual()), (Some(expected), Some(actual)));
        let error = conflict(&other, &one);
        assert_eq!((error.code(), error.subject()), (Code::RegistryConflict, Some(modality.as_str())));
    }
}

#[test]
fn an_entry_without_a_declaration_differs_from_one_with_it() {
    let modality = modality();
    let one = [(modality.as_str(), entry(map(&pairs(&[]))))];
    for other in [map(&[]), map(&[("spatial_index", uint(1))]), vec![0xf6], uint(5)] {
        let error = conflict(&one, &[(modality.as_str(), other)]);
        assert_eq!((error.code(), error.actual()), (Code::RegistryConflict, Some("item_type: absent")));
    }
}

#[test]
fn equal_declarations_are_one_however_often_they_stand_there() {
    let modality = modality();
    let one = (modality.as_str(), entry(map(&pairs(&[]))));
    // One in a byte of its own is one.
    let wide = (modality.as_str(), entry(map(&pairs(&[("version", vec![0x18, 1])]))));
    let lists = [vec![], vec![one.clone()], vec![one.clone(), one.clone()], vec![wide.clone(), one.clone(), wide]];
    for first in &lists {
        for second in &lists {
            check_registries(&registering(first), &registering(second)).unwrap();
        }
    }
}

#[test]
fn a_repeated_entry_with_another_declaration_is_found_wherever_it_stands() {
    let modality = modality();
    let one = (modality.as_str(), entry(map(&pairs(&[]))));
    let other = (modality.as_str(), entry(map(&pairs(&[("units", text("mm"))]))));
    for (first, second) in [
        (vec![one.clone()], vec![one.clone(), other.clone()]),
        (vec![one.clone()], vec![other.clone(), one.clone()]),
        (vec![one.clone(), other.clone()], vec![one.clone()]),
        (vec![other.clone(), one.clone()], vec![one.clone()]),
        (vec![one.clone(), other.clone()], vec![one.clone(), other.clone()]),
    ] {
        assert_eq!(conflict(&first, &second).code(), Code::RegistryConflict);
    }
    // Of one side alone it is not between the two.
    check_registries(&registering(&[one, other]), &registering(&[])).unwrap();
}

#[test]
fn nothing_else_is_compared() {
    let modality = modality();
    let document = map(&pairs(&[]));
    let namespaced = format!("dreamdb.{modality}");
    let first = [
        (modality.as_str(), map(&[("item_type", document.clone()), ("spatial_index", uint(1))])),
        ("dreamdb.description", text("one")),
        ("image.png", map(&[("text_index", uint(1))])),
    ];
    let second = [
        ("image.png", map(&[("text_index", uint(2))])),
        (modality.as_str(), map(&[("spatial_index", uint(2)), ("item_type", document)])),
        // Another modality, whatever a parser would make of it.
        (namespaced.as_str(), entry(map(&pairs(&[("units", text("mm"))])))),
        ("dreamdb.description", text("two")),
    ];
    check_registries(&registering(&first), &registering(&second)).unwrap();
}

#[test]
fn the_first_conflict_in_the_order_of_tags_is_told() {
    let entries = |units: &str| map(&[("item_type", map(&[("units", text(units))]))]);
    let first = [("array.b", entries("m")), ("array.a", entries("m")), ("array.c", entries("m"))];
    let second = [("array.c", entries("mm")), ("array.b", entries("mm")), ("array.a", entries("m"))];
    assert_eq!(conflict(&first, &second).subject(), Some("array.b"));
}

#[test]
fn malformed_manifests() {
    let sound = registering(&[]);
    let repeated = [("array.a", map(&[("item_type", uint(1)), ("item_type", uint(1))]))];
    for (object, code) in [
        (vec![], Code::Cbor),
        (uint(1), Code::WireOrType),
        (map(&[("writer", text("no registry"))]), Code::WireOrType),
        (map(&[("registry", uint(1))]), Code::WireOrType),
        (registering(&repeated), Code::RegistryItemTypeDuplicate),
    ] {
        assert_eq!(check_registries(&object, &sound).unwrap_err().code(), code);
        assert_eq!(check_registries(&sound, &object).unwrap_err().code(), code);
    }
}

#[test]
fn manifests_of_the_reference_agree() {
    let manifests = manifest_fixtures::manifests();
    for first in &manifests {
        for second in &manifests {
            check_registries(first, second).unwrap();
        }
    }
}

#[test]
fn a_manifest_that_opens_may_conflict_with_one_that_opens() {
    let modality = modality();
    let document = map(&pairs(&[]));
    let bound = manifest(
        lineage(&[Binding::new("a", "event", &modality)], &[], &[]),
        map(&[
            ("dreamdb.schema", schema(&[array_field("a", document.clone(), "event", "unbucketed")])),
            (&modality, entry(document)),
        ]),
    );
    // No field is bound to the entry any more, so nothing looked at it when the manifest was opened.
    let unbound = registering(&[(&modality, entry(map(&pairs(&[("frame", text("camera"))]))))]);
    Manifest::decode(&bound).unwrap();
    Manifest::decode(&unbound).unwrap();
    let error = check_registries(&bound, &unbound).unwrap_err();
    assert_eq!((error.expected(), error.actual()), (Some("frame: `world`"), Some("frame: `camera`")));
}

//! Properties of documents and manifests that are made at random.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::cbor_build::{array, bytes, head, map, text, uint};
use crate::manifest_build::{Binding, array_field, lineage, manifest, schema};
use crate::trials::trials;
use dreamdb_arrays::cbor::Reader;
use dreamdb_arrays::manifest::{FieldKind, Manifest};
use dreamdb_arrays::modality::{self, Modality, TrackKind};
use dreamdb_arrays::{Address, ItemType};
use proptest::prelude::*;
use proptest::sample::select;

const DTYPES: [&str; 10] = ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

/// A document as its pairs of encoded keys and values, in no order.
type Pairs = Vec<(&'static str, Vec<u8>)>;

fn document() -> impl Strategy<Value = Pairs> {
    let extents = prop::collection::vec(prop_oneof![0_u64..5, any::<u16>().prop_map(u64::from)], 0..3);
    let texts = prop::array::uniform4(".{0,12}");
    let words =
        (select(&DTYPES[..]), select(&["little", "big"][..]), select(&["c", "f"][..]), select(&["raw", "npy"][..]));
    (0..3_u8, words, extents, any::<[u64; 2]>(), texts).prop_map(|(family, words, extents, matrix, texts)| {
        let (dtype, endianness, layout, codec) = words;
        let list = |extents: &[u64]| array(&extents.iter().copied().map(uint).collect::<Vec<_>>());
        let [semantic_type, units, frame, axis_order] = texts;
        let mut pairs = vec![
            ("version", uint(1)),
            ("codec_version", uint(1)),
            ("dtype", text(dtype)),
            ("endianness", text(endianness)),
            ("semantic_type", text(&semantic_type)),
            ("units", text(&units)),
            ("frame", text(&frame)),
            ("axis_order", text(&axis_order)),
        ];
        pairs.extend(match family {
            0 => vec![
                ("family", text("dense-array")),
                ("layout", text(layout)),
                ("codec", text(codec)),
                ("shape", list(&extents)),
            ],
            1 => vec![
                ("family", text("ragged-array")),
                ("layout", text("c")),
                ("codec", text("offsets-values")),
                ("inner_shape", list(&extents)),
            ],
            _ => vec![
                ("family", text("sparse-csr")),
                ("layout", text("c")),
                ("codec", text("raw")),
                ("index_dtype", text("u64")),
                ("shape", list(&matrix)),
            ],
        });
        pairs
    })
}

/// The canonical encoding, by the rule: pairs in the order of their encoded keys.
fn canonical(pairs: &Pairs) -> Vec<u8> {
    let mut pairs = pairs.clone();
    pairs.sort_by_key(|(key, _)| text(key));
    map(&pairs)
}

proptest! {
    #![proptest_config(trials(400))]

    #[test]
    fn a_document_keeps_its_bytes_and_its_identity(pairs in document()) {
        let cbor = canonical(&pairs);
        let item_type = ItemType::from_cbor(&cbor).unwrap();
        prop_assert_eq!(item_type.to_cbor(), cbor.clone());
        prop_assert_eq!(item_type.id(), Address::of(&cbor));
        for kind in TrackKind::ALL {
            let tag = modality::tag(&item_type, kind).unwrap();
            prop_assert_eq!(Modality::parse(&tag).unwrap().bind(&item_type).unwrap(), kind);
        }
    }

    #[test]
    fn the_order_of_an_inline_documents_keys_does_not_matter(pairs in document(), turn in 0_usize..12) {
        let mut turned = pairs.clone();
        turned.rotate_left(turn);
        let inline = map(&turned);
        let item_type = ItemType::from_value(&Reader::new(&inline).value().unwrap()).unwrap();
        prop_assert_eq!(item_type.to_cbor(), canonical(&pairs));
    }

    #[test]
    fn a_manifest_says_what_it_was_made_of(
        documents in prop::collection::btree_map("[a-z]{1,6}", (document(), select(&TrackKind::ALL[..])), 0..6),
        replaced: bool,
        flips in prop::collection::vec((any::<usize>(), 1_u8..), 0..4),
    ) {
        let (mut active, mut past, mut fields, mut registry) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (name, (pairs, kind)) in &documents {
            let cbor = canonical(pairs);
            let tag = modality::tag(&ItemType::from_cbor(&cbor).unwrap(), *kind).unwrap();
            fields.push(array_field(name, cbor.clone(), kind.name(), kind.storage().object_kind()));
            registry.push((tag.clone(), map(&[("item_type", cbor)])));
            active.push(Binding::new(name, kind.name(), &tag));
            let old = Binding { track: Address::of(b"an older Track"), ..Binding::new(name, kind.name(), &tag) };
            past.extend(replaced.then_some(old));
        }
        let edges: Vec<(&Binding, &Binding)> = active.iter().zip(&past).collect();
        let mut entries = head(5, registry.len() as u64 + 2);
        for (tag, entry) in registry {
            entries.extend([text(&tag), entry].concat());
        }
        entries.extend([text("dreamdb.schema"), schema(&fields), text("dreamdb.description"), text("at random")].concat());
        let bytes = manifest(lineage(&active, &past, &edges), entries);

        let decoded = Manifest::decode(&bytes).unwrap();
        prop_assert_eq!(decoded.active.len(), documents.len());
        prop_assert_eq!(&decoded.notes, &[("dreamdb.description", "at random")]);
        for (field, (name, (pairs, kind))) in decoded.fields.iter().zip(&documents) {
            prop_assert_eq!(field.name, name);
            let FieldKind::Array { item_type, track_kind } = &field.kind else { panic!("{field:?} is no array") };
            prop_assert_eq!((item_type.to_cbor(), track_kind), (canonical(pairs), kind));
        }

        // Whatever is changed, the answer is a manifest or a refusal.
        let mut changed = bytes;
        for (at, flip) in flips {
            let at = at % changed.len();
            changed[at] ^= flip;
            let _ = Manifest::decode(&changed);
        }
    }
}

#[test]
fn addresses_in_a_manifest_are_33_bytes() {
    let short = map(&[
        ("ts", uint(1)),
        ("writer", text("")),
        ("parents", array(&[bytes(b"short")])),
        ("timelines", array(&[])),
    ]);
    assert!(Manifest::decode(&short).is_err());
}

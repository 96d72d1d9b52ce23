//! Which binding serves which field: by name, and in the plain list also by modality.

#![cfg(test)]

use crate::cbor_build::{array, bytes, map, text, uint};
use crate::manifest_build::{Binding, lineage, manifest, media_field, schema, timeline};
use dreamdb_arrays::manifest::Manifest;
use dreamdb_arrays::{Address, Code};

/// A binding of that name, or of none, whose Track is named by its number.
fn bound(field: Option<&str>, modality: &str, number: u8, timeline: Address) -> Vec<u8> {
    let mut pairs = vec![
        ("kind", text("continuous")),
        ("role", text("base")),
        ("address", bytes(Address::of(&[number]).as_bytes())),
        ("coverage", array(&[uint(0), uint(1)])),
        ("modality", text(modality)),
        ("timeline", bytes(timeline.as_bytes())),
    ];
    if let Some(field) = field {
        pairs.insert(2, ("field", text(field)));
    }
    map(&pairs)
}

/// Numbers of the Tracks that serve the fields, in the schema's order; or the refusal with what it is about.
fn served(tracks: &[u8], fields: &[(&str, &str)]) -> Result<Vec<u8>, (Code, Option<String>)> {
    let fields: Vec<_> = fields.iter().map(|(name, mime)| media_field(name, "image", mime)).collect();
    let object = manifest(tracks.to_vec(), map(&[("dreamdb.schema", schema(&fields))]));
    let decoded = Manifest::decode(&object).map_err(|error| (error.code(), error.subject().map(str::to_owned)))?;
    let number = |track: Address| (0..=u8::MAX).find(|number| Address::of(&[*number]) == track).unwrap();
    Ok(decoded.fields.iter().map(|field| number(decoded.active[field.binding].track)).collect())
}

/// The same for a plain list of bindings, each by name and modality.
fn plain(list: &[(Option<&str>, &str)], fields: &[(&str, &str)]) -> Result<Vec<u8>, (Code, Option<String>)> {
    let bindings: Vec<_> =
        (1..).zip(list).map(|(number, (field, modality))| bound(*field, modality, number, timeline())).collect();
    served(&array(&bindings), fields)
}

const PNG: &str = "image.png";

#[test]
fn unnamed_bindings_serve_by_modality() {
    assert_eq!(plain(&[(None, PNG)], &[("a", "png")]), Ok(vec![1]));
    // Fields choose in the order of their names, not of the schema.
    assert_eq!(plain(&[(None, PNG), (None, PNG)], &[("b", "png"), ("a", "png")]), Ok(vec![2, 1]));
    assert_eq!(plain(&[(None, "image.jpeg"), (None, PNG)], &[("a", "png"), ("b", "jpeg")]), Ok(vec![2, 1]));
    assert_eq!(plain(&[(Some("zz"), PNG)], &[("a", "png")]), Ok(vec![1]), "of another name");
}

#[test]
fn names_come_first() {
    assert_eq!(plain(&[(None, PNG), (Some("a"), PNG)], &[("a", "png")]), Ok(vec![2]));
    assert_eq!(plain(&[(None, PNG), (Some("b"), PNG)], &[("a", "png"), ("b", "png")]), Ok(vec![1, 2]));
    // The first field by name takes the first binding of its modality, though another one is called so.
    assert_eq!(plain(&[(Some("b"), PNG), (None, PNG)], &[("a", "png"), ("b", "png")]), Ok(vec![1, 2]));
    assert_eq!(plain(&[(Some("a"), PNG), (Some("a"), PNG)], &[("a", "png")]), Ok(vec![1]), "the first of two");
}

#[test]
fn too_few_bindings() {
    let missing = |field: &str| Err((Code::BindingMissing, Some(field.to_owned())));
    assert_eq!(plain(&[(None, PNG)], &[("a", "png"), ("b", "png")]), missing("b"));
    assert_eq!(plain(&[(None, "image.jpeg")], &[("a", "png")]), missing("a"));
    assert_eq!(plain(&[], &[("a", "png")]), missing("a"));
    // Named forms go by names alone.
    let other = lineage(&[Binding::new("zz", "continuous", PNG)], &[], &[]);
    assert_eq!(served(&other, &[("a", "png")]), missing("a"));
}

#[test]
fn named_forms_need_names() {
    let tracks = map(&[
        ("form", text("lineage-v1")),
        ("edges", array(&[])),
        ("active", array(&[bound(None, PNG, 1, timeline())])),
        ("lineage", array(&[])),
    ]);
    assert_eq!(served(&tracks, &[("a", "png")]).map_err(|refused| refused.0), Err(Code::WireOrType));
}

#[test]
fn one_active_binding_a_field() {
    let of = |modality: &str, number: u8| Binding {
        track: Address::of(&[number]),
        ..Binding::new("a", "continuous", modality)
    };
    let mut both = [of(PNG, 1), of(PNG, 2)];
    both.sort_by_key(|binding| *binding.track.as_bytes());
    let collision = Err((Code::BindingSetCollision, Some("a".to_owned())));
    assert_eq!(served(&lineage(&both, &[], &[]), &[("a", "png")]), collision);
    assert_eq!(served(&lineage(&[of("image.jpeg", 1), of(PNG, 2)], &[], &[]), &[("a", "png")]), collision);
    let twice = [of(PNG, 1), of(PNG, 1)];
    assert_eq!(
        served(&lineage(&twice, &[], &[]), &[("a", "png")]).map_err(|refused| refused.0),
        Err(Code::OrderingOrDuplicate)
    );
}

#[test]
fn fields_lie_on_one_timeline() {
    let other = Address::of(b"another timeline");
    let tracks = |second| array(&[bound(Some("a"), PNG, 1, timeline()), bound(Some("b"), PNG, 2, second)]);
    assert_eq!(served(&tracks(timeline()), &[("a", "png"), ("b", "png")]), Ok(vec![1, 2]));
    let conflict = Err((Code::TimelineConflict, Some("b".to_owned())));
    assert_eq!(served(&tracks(other), &[("a", "png"), ("b", "png")]), conflict);
    // A binding that serves no field may lie anywhere.
    assert_eq!(served(&tracks(other), &[("a", "png")]), Ok(vec![1]));
}

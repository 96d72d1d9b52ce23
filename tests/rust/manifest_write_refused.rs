//! What a writer of manifests is refused, and what it may do where the reference has nothing to compare with.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::cbor_build::{array, bytes, map, text, uint};
use crate::manifest_build::{Binding, lineage, manifest, media_field as schema_entry, schema, timeline};
use dreamdb_arrays::item_type::DenseType;
use dreamdb_arrays::manifest::write::{
    Edit, MOST_TRACKS_BYTES, NewField, Placed, Written, array_field, create, edit, media_field,
};
use dreamdb_arrays::manifest::{Manifest, MediaKind};
use dreamdb_arrays::modality::TrackKind;
use dreamdb_arrays::{Address, Code, ItemType, Result};

const EMPTY: [u64; 2] = [0, 1];

fn placed(track: &str, coverage: [u64; 2]) -> Placed {
    Placed { track: Address::of(track.as_bytes()), coverage }
}

fn image(name: &str) -> Vec<u8> {
    media_field(name, false, MediaKind::Image, "png", None, None).unwrap()
}

fn numbers() -> ItemType {
    let document = map(&[
        ("codec", text("raw")),
        ("dtype", text("f32")),
        ("frame", text("none")),
        ("shape", array(&[uint(3)])),
        ("units", text("none")),
        ("family", text("dense-array")),
        ("layout", text("c")),
        ("version", uint(1)),
        ("axis_order", text("none")),
        ("endianness", text("little")),
        ("codec_version", uint(1)),
        ("semantic_type", text("none")),
    ]);
    ItemType::from_cbor(&document).unwrap()
}

fn constant(name: &str) -> Vec<u8> {
    array_field(name, false, TrackKind::Constant, &numbers()).unwrap()
}

/// A first version with these fields.
fn first(entries: &[Vec<u8>]) -> Result<Written> {
    let entries = entries.concat();
    let fields = NewField::decode_all(&entries)?;
    let place = |field: &NewField<'_>| match field.kind() {
        TrackKind::Constant => placed("k", [0, u64::MAX]),
        _ => placed("empty", EMPTY),
    };
    let added = fields.iter().map(|field| (field, place(field))).collect();
    create(&timeline(), &Edit { timestamp: 1, writer: "w", added, ..Edit::default() })
}

/// The version that follows, with one more field.
fn grown(parent: &[u8], entry: &[u8]) -> Result<Written> {
    let fields = NewField::decode_all(entry)?;
    edit(parent, &Edit { added: fields.iter().map(|field| (field, placed("new", EMPTY))).collect(), ..Edit::default() })
}

fn moved(parent: &[u8], fields: &[(&str, &str)]) -> Result<Written> {
    let moved = fields.iter().map(|(field, track)| (*field, placed(track, [5, 6]))).collect();
    edit(parent, &Edit { moved, ..Edit::default() })
}

fn noted(parent: &[u8], key: &str) -> Result<Written> {
    edit(parent, &Edit { notes: vec![(key, "text")], ..Edit::default() })
}

fn code<T: std::fmt::Debug>(result: Result<T>) -> Code {
    result.unwrap_err().code()
}

#[test]
fn fields_that_are_refused() {
    let media =
        |mime: &str, pack_items, chunk_size| media_field("f", true, MediaKind::Video, mime, pack_items, chunk_size);
    for (mime, expected) in [
        ("", Code::EmptySegment),
        ("x..y", Code::EmptySegment),
        ("PNG", Code::InvalidSegment),
        ("a-b", Code::InvalidSegment),
        ("image/png", Code::InvalidSegment),
        // A parameter, which the tag could have and the path of an object could not.
        ("x.y=Z", Code::InvalidSegment),
        ("m".repeat(251).as_str(), Code::ModalityTooLong),
    ] {
        assert_eq!(code(media(mime, None, None)), expected, "{mime}");
    }
    assert!(media("svg.xml", Some(0), Some(u64::MAX)).is_ok());
    assert!(media("m".repeat(250).as_str(), Some(1 << 20), Some(1)).is_ok());
    assert_eq!(code(media("png", Some((1 << 20) + 1), None)), Code::InvalidArgument);
    assert_eq!(code(media("png", None, Some(0))), Code::InvalidArgument);

    assert_eq!(code(array_field("k", true, TrackKind::Constant, &numbers())), Code::InvalidArgument);
    let deep = DenseType::new(
        numbers().dtype(),
        vec![1; 80],
        numbers().endianness(),
        numbers().layout(),
        dreamdb_arrays::item_type::Codec::Raw,
        numbers().semantics().clone(),
    );
    let deep = ItemType::Dense(deep.unwrap());
    assert_eq!(code(array_field("a", true, TrackKind::Event, &deep)), Code::InvalidModality);

    let scalar = |value_type| map(&[("kind", text("scalar")), ("name", text("s")), ("value_type", text(value_type))]);
    assert!(NewField::decode_all(&scalar("int")).is_ok());
    assert_eq!(code(NewField::decode_all(&scalar("decimal"))), Code::InvalidArgument);
    assert_eq!(code(NewField::decode_all(&map(&[("kind", text("image")), ("name", text("i"))]))), Code::SchemaField);
    assert_eq!(code(NewField::decode_all(&image("i")[1..])), Code::WireOrType);
}

#[test]
fn fields_of_any_name_have_their_place() {
    let names = ["", "a\0b", "é", "Z", "aa", "b", "a/b"];
    let entries: Vec<Vec<u8>> = names.iter().map(|name| image(name)).collect();
    let object = first(&entries).unwrap().object;
    let manifest = Manifest::decode(&object).unwrap();
    let found: Vec<&str> = manifest.fields.iter().map(|field| field.name).collect();
    assert_eq!(found, ["", "Z", "a\0b", "a/b", "aa", "b", "é"]);
    assert_eq!(first(&[]).unwrap().tracks_bytes, lineage(&[], &[], &[]).len());
}

#[test]
fn fields_that_are_there_already() {
    assert_eq!(code(first(&[image("a"), image("a")])), Code::InvalidArgument);
    assert_eq!(code(first(&[constant("k"), constant("l")])), Code::InvalidArgument);
    let parent = first(&[image("a"), constant("k")]).unwrap().object;
    assert_eq!(code(grown(&parent, &image("a"))), Code::InvalidArgument);
    assert_eq!(code(grown(&parent, &constant("l"))), Code::InvalidArgument);
    assert!(grown(&parent, &image("b")).is_ok());
}

#[test]
fn a_type_that_is_registered_otherwise() {
    let document = map(&[("item_type", map(&[("codec", text("raw"))]))]);
    let event = array_field("a", true, TrackKind::Event, &numbers()).unwrap();
    let modality = NewField::decode_all(&event).unwrap()[0].modality().to_owned();
    let registry = [("dreamdb.schema", schema(&[])), (modality.as_str(), document)];
    let parent = manifest_in_order(&lineage(&[], &[], &[]), &registry);
    assert_eq!(code(grown(&parent, &event)), Code::MissingField);
}

/// A manifest in canonical form.
fn manifest_in_order(tracks: &[u8], registry: &[(&str, Vec<u8>)]) -> Vec<u8> {
    map(&[
        ("ts", uint(1)),
        ("tracks", tracks.to_vec()),
        ("writer", text("a test")),
        ("parents", array(&[])),
        ("registry", map(registry)),
        ("timelines", array(&[bytes(timeline().as_bytes())])),
    ])
}

#[test]
fn moves_that_are_refused() {
    let parent = first(&[image("a"), image("b")]).unwrap().object;
    assert_eq!(code(moved(&parent, &[("zz", "t")])), Code::BindingMissing);
    assert_eq!(code(moved(&parent, &[("a", "t"), ("a", "u")])), Code::InvalidArgument);
    assert_eq!(code(moved(&parent, &[("a", "empty")])), Code::InvalidArgument);
    // Back to a Track that the field had before: it would be its own ancestor.
    let second = moved(&parent, &[("a", "t")]).unwrap().object;
    assert_eq!(code(moved(&second, &[("a", "empty")])), Code::BindingSetCollision);
    let backwards = Edit { moved: vec![("a", placed("u", [6, 6]))], ..Edit::default() };
    assert_eq!(code(edit(&parent, &backwards)), Code::WireOrType);
    // Two fields may have one Track.
    let third = moved(&second, &[("b", "t")]).unwrap().object;
    assert_eq!(Manifest::decode(&third).unwrap().parents, [Address::of(&second)]);
}

#[test]
fn notes_that_are_refused() {
    let parent = first(&[]).unwrap().object;
    for key in ["title", "", "Dreamdb.x", "dreamdb.schema", "dreamdb.tombstones", "dreamdb.entity_keys"] {
        assert_eq!(code(noted(&parent, key)), Code::InvalidArgument, "{key}");
    }
    let noted_once = noted(&parent, "dreamdb.é").unwrap().object;
    assert_eq!(Manifest::decode(&noted_once).unwrap().notes, [("dreamdb.é", "text")]);
    // What is there and is no text is not a note, whatever it is called.
    let registry = [("dreamdb.x", array(&[])), ("dreamdb.schema", schema(&[]))];
    assert_eq!(code(noted(&manifest_in_order(&lineage(&[], &[], &[]), &registry), "dreamdb.x")), Code::InvalidArgument);
}

#[test]
fn parents_that_are_refused() {
    let registry = || map(&[("dreamdb.schema", schema(&[schema_entry("x", "image", "png")]))]);
    let bound = Binding::new("x", "continuous", "image.png");
    let tracks = |form: &str, more: &[&str]| {
        let mut pairs = vec![("form", text(form)), ("edges", array(&[]))];
        pairs.extend([("active", array(&[bound.cbor()])), ("lineage", array(&[]))]);
        pairs.extend(more.iter().map(|key| (*key, array(&[]))));
        map(&pairs)
    };
    let sorted = |tracks: Vec<u8>| {
        manifest_in_order(&tracks, &[("dreamdb.schema", schema(&[schema_entry("x", "image", "png")]))])
    };
    assert_eq!(code(moved(&manifest(tracks("lineage-v1", &[]), registry()), &[("x", "t")])), Code::Cbor);
    let canonical = sorted(tracks("lineage-v1", &[]));
    assert!(moved(&canonical, &[("x", "t")]).is_ok());
    assert_eq!(code(moved(&[canonical.clone(), vec![0]].concat(), &[("x", "t")])), Code::Cbor);
    assert!(moved(&sorted(tracks("lineage-v2", &["backfill_claims"])), &[("x", "t")]).is_ok());
    assert_eq!(code(moved(&sorted(array(&[bound.cbor()])), &[("x", "t")])), Code::NotWritable);
    assert_eq!(code(noted(&sorted(tracks("lineage-v3", &[])), "dreamdb.x")), Code::NotWritable);
    assert_eq!(code(moved(&[], &[])), Code::Cbor);

    // Where rows are keyed by entities, other things than rows can be written.
    let keyed = [
        ("dreamdb.schema", schema(&[schema_entry("x", "image", "png")])),
        ("dreamdb.entity_keys", bytes(Address::of(b"keys").as_bytes())),
    ];
    let keyed = manifest_in_order(&tracks("lineage-v4", &["backfill_claims"]), &keyed);
    assert_eq!(code(moved(&keyed, &[("x", "t")])), Code::NotWritable);
    let deleted = Edit { tombstones: Some(Address::of(b"head")), ..Edit::default() };
    assert_eq!(code(edit(&keyed, &deleted)), Code::NotWritable);
    assert!(noted(&keyed, "dreamdb.x").is_ok());
    assert!(grown(&keyed, &image("y")).is_ok());
}

#[test]
fn the_container_is_bounded() {
    // One field whose name fills it; a byte more would make it too large.
    let spare = first(&[image("")]).unwrap().tracks_bytes;
    // The head of so long a text has four bytes more.
    let name = "n".repeat(MOST_TRACKS_BYTES - spare - 4);
    let full = first(&[image(&name)]).unwrap();
    assert_eq!(full.tracks_bytes, MOST_TRACKS_BYTES);
    let error = first(&[image(&format!("{name}n"))]).unwrap_err();
    assert_eq!(
        (error.code(), error.expected(), error.actual()),
        (Code::ManifestFull, Some("1048576"), Some("1048577"))
    );
    assert!(noted(&full.object, "dreamdb.x").is_ok());
    assert_eq!(code(moved(&full.object, &[(&name, "t")])), Code::ManifestFull);
}

#[test]
fn lineage_can_be_forgotten() {
    let mut object = first(&[image("a"), image("b")]).unwrap().object;
    for track in ["t", "u", "v"] {
        object = moved(&object, &[("a", track), ("b", track)]).unwrap().object;
    }
    let change = Edit { moved: vec![("b", placed("w", [0, 9]))], forgets_lineage: true, ..Edit::default() };
    let forgotten = edit(&object, &change).unwrap();
    let manifest = Manifest::decode(&forgotten.object).unwrap();
    assert_eq!(manifest.parents, [Address::of(&object)]);
    let bindings: Vec<_> =
        manifest.active.iter().map(|binding| (binding.field, binding.track, binding.coverage)).collect();
    assert_eq!(bindings, [("a", Address::of(b"v"), [5, 6]), ("b", Address::of(b"w"), [0, 9])]);
    let empty = first(&[image("a"), image("b")]).unwrap();
    assert_eq!(forgotten.tracks_bytes, empty.tracks_bytes);
    assert!(moved(&forgotten.object, &[("a", "x")]).unwrap().tracks_bytes > empty.tracks_bytes);
}

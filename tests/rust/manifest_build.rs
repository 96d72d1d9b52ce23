//! Manifests and Tracks by hand, around the parts that a test is about.

#![cfg(test)]

use crate::cbor_build::{array, bytes, map, text, uint};
use dreamdb_arrays::Address;

/// Any timeline.
pub fn timeline() -> Address {
    Address::of(b"a timeline")
}

/// A binding as it is written into a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub field: String,
    pub kind: String,
    pub role: String,
    pub modality: String,
    pub track: Address,
    pub coverage: [u64; 2],
}

impl Binding {
    pub fn new(field: &str, kind: &str, modality: &str) -> Self {
        Self {
            field: field.to_owned(),
            kind: kind.to_owned(),
            role: "base".to_owned(),
            modality: modality.to_owned(),
            track: Address::of(b"a Track"),
            coverage: [0, 1],
        }
    }

    pub fn cbor(&self) -> Vec<u8> {
        map(&[
            ("kind", text(&self.kind)),
            ("role", text(&self.role)),
            ("field", text(&self.field)),
            ("address", bytes(self.track.as_bytes())),
            ("coverage", array(&self.coverage.map(uint))),
            ("modality", text(&self.modality)),
            ("timeline", bytes(timeline().as_bytes())),
        ])
    }

    /// The binding as an edge names it.
    pub fn end(&self) -> Vec<u8> {
        map(&[
            ("field", text(&self.field)),
            ("address", bytes(self.track.as_bytes())),
            ("modality", text(&self.modality)),
            ("timeline", bytes(timeline().as_bytes())),
        ])
    }
}

/// A container of form `lineage-v1`; an edge is a pair of child and parent.
pub fn lineage(active: &[Binding], lineage: &[Binding], edges: &[(&Binding, &Binding)]) -> Vec<u8> {
    let list = |bindings: &[Binding]| array(&bindings.iter().map(Binding::cbor).collect::<Vec<_>>());
    let edge = |(child, parent): &(&Binding, &Binding)| map(&[("child", child.end()), ("exact_parent", parent.end())]);
    map(&[
        ("form", text("lineage-v1")),
        ("edges", array(&edges.iter().map(edge).collect::<Vec<_>>())),
        ("active", list(active)),
        ("lineage", list(lineage)),
    ])
}

/// A manifest; the registry comes last, so that what ends it too early ends the manifest too early.
pub fn manifest(tracks: Vec<u8>, registry: Vec<u8>) -> Vec<u8> {
    map(&[
        ("ts", uint(1)),
        ("tracks", tracks),
        ("writer", text("a test")),
        ("parents", array(&[])),
        ("timelines", array(&[bytes(timeline().as_bytes())])),
        ("registry", registry),
    ])
}

/// A schema of those fields.
pub fn schema(fields: &[Vec<u8>]) -> Vec<u8> {
    map(&[("v", uint(1)), ("fields", array(fields))])
}

/// An array field of a schema.
pub fn array_field(name: &str, document: Vec<u8>, track_kind: &str, object_kind: &str) -> Vec<u8> {
    map(&[
        ("kind", text("array")),
        ("name", text(name)),
        ("required", vec![0xf5]),
        ("track_kind", text(track_kind)),
        ("object_kind", text(object_kind)),
        ("item_type", document),
    ])
}

/// A media field of a schema.
pub fn media_field(name: &str, kind: &str, mime: &str) -> Vec<u8> {
    map(&[("kind", text(kind)), ("mime", text(mime)), ("name", text(name))])
}

/// A Track Object around an index.
pub fn track(modality: &str, coverage: [u64; 2], object_index: Vec<u8>) -> Vec<u8> {
    map(&[
        ("coverage", array(&coverage.map(uint))),
        ("modality", text(modality)),
        ("timeline", bytes(timeline().as_bytes())),
        ("object_index", object_index),
    ])
}

//! Vectors about the way from a modality to its item type, through whole manifests.
//!
//! The inputs are parts of a manifest, and which of several faults wins depends on the order in which a manifest is
//! judged. So each vector becomes a manifest, its bytes put in as they are.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::cbor_build::{head, map, text as text_cbor};
use crate::manifest_build::{Binding, array_field, lineage, manifest, schema};
use crate::vectors::{Outcome, Refusal, hex, text};
use crate::vectors_types::{kind_results, type_results};
use dreamdb_arrays::item_type::Declaration;
use dreamdb_arrays::manifest::{FieldKind, Manifest};
use dreamdb_arrays::modality::{self, Modality, TrackKind};
use dreamdb_arrays::{Code, ItemType};
use serde_json::Value;

const FIELD: &str = "x";

/// The registered document stands at the very end. The schema has a copy of it; or, where a refusal is expected, also
/// a document that is sound, so that the registered one is seen to be judged itself, and after the schema's.
pub fn resolve_tag(vector: &Value) -> Outcome {
    let (tag, document) = (text(vector, "modality"), hex(vector, "type_cbor_hex"));
    let own_kind = || Modality::parse(tag).and_then(|modality| modality.track_kind()).ok().flatten();
    let kind = vector["binding_kind"].as_str().and_then(TrackKind::from_name).or_else(own_kind);
    let kind = kind.unwrap_or(TrackKind::Event);
    let outcome_with = |schema_document: Vec<u8>| {
        let field = array_field(FIELD, schema_document, kind.name(), kind.storage().object_kind());
        let registry = map(&[("dreamdb.schema", schema(&[field])), (tag, map(&[("item_type", document.clone())]))]);
        let binding = Binding::new(FIELD, kind.name(), tag);
        resolved(&manifest(lineage(&[binding], &[], &[]), registry), FIELD)
    };
    let Some(expected) = vector["expected_error"].as_str() else { return outcome_with(document.clone()) };
    let other = outcome_with(sound_document());
    if !is_one_item(&document) || matches!(&other, Err(refusal) if refusal.code != expected) {
        return other;
    }
    // A sound document that would not fit in any tag is refused with the schema, before the tag is looked at.
    match outcome_with(document.clone()) {
        Err(refusal) if refusal.code == Code::InvalidModality.as_str() => other,
        outcome => outcome,
    }
}

/// The schema's fields are bound to the given modality, or, the others of them, to the one that they declare.
pub fn resolve_registry(vector: &Value) -> Outcome {
    let (registry, field) = (hex(vector, "registry_cbor_hex"), text(vector, "field"));
    let mut bindings = vec![Binding::new(field, text(vector, "binding_kind"), text(vector, "modality"))];
    let mut pairs = Vec::new();
    if vector["schema_cbor_hex"].is_string() {
        let schema = hex(vector, "schema_cbor_hex");
        bindings.extend(other_fields(&schema, field));
        pairs = [text_cbor("dreamdb.schema"), schema].concat();
    }
    bindings.sort_by(|first, second| first.field.cmp(&second.field));
    let (count, rest) = map_of_few(&registry);
    let registry = [head(5, count + u64::from(!pairs.is_empty())), pairs, rest.to_vec()].concat();
    resolved(&manifest(lineage(&bindings, &[], &[]), registry), field)
}

fn resolved(manifest: &[u8], name: &str) -> Outcome {
    let manifest = Manifest::decode(manifest)?;
    let field = manifest.fields.iter().find(|field| field.name == name).unwrap();
    match &field.kind {
        FieldKind::Array { item_type, track_kind } => {
            Ok(type_results(item_type).into_iter().chain(kind_results(*track_kind)).collect())
        }
        other => Err(Refusal::new(&format!("not an array but {other:?}"), Some(name))),
    }
}

/// A document that differs from all others.
fn sound_document() -> Vec<u8> {
    let declaration = Declaration {
        family: "dense-array",
        dtype: "f64",
        extents: &[],
        endianness: "big",
        layout: "f",
        codec: "raw",
        semantic_type: "a sound document",
        units: "none",
        frame: "none",
        axis_order: "none",
    };
    declaration.item_type().unwrap().to_cbor()
}

/// Whether the bytes are one CBOR item, of whatever profile, so that what follows them can be read.
fn is_one_item(mut bytes: &[u8]) -> bool {
    ciborium::from_reader::<ciborium::Value, _>(&mut bytes).is_ok() && bytes.is_empty()
}

/// The pairs of a map of fewer than 24: their number and their bytes.
fn map_of_few(cbor: &[u8]) -> (u64, &[u8]) {
    match cbor.split_first() {
        Some((first @ 0xa0..=0xb7, rest)) => (u64::from(first - 0xa0), rest),
        _ => panic!("a registry is a map of few pairs"),
    }
}

/// Bindings of the array fields of a schema but for one, to the modalities that they declare.
fn other_fields(schema: &[u8], but: &str) -> Vec<Binding> {
    let Ok(schema) = ciborium::from_reader::<ciborium::Value, _>(schema) else { return Vec::new() };
    let get = |value: &ciborium::Value, name: &str| {
        value.as_map()?.iter().find(|(key, _)| key.as_text() == Some(name)).map(|(_, value)| value.clone())
    };
    let binding = |field: &ciborium::Value| {
        let (name, kind) = (get(field, "name")?.into_text().ok()?, get(field, "track_kind")?.into_text().ok()?);
        let mut document = Vec::new();
        ciborium::into_writer(&get(field, "item_type")?, &mut document).unwrap();
        let tag = modality::tag(&ItemType::from_cbor(&document).ok()?, TrackKind::from_name(&kind)?).ok()?;
        (name != but).then(|| Binding::new(&name, &kind, &tag))
    };
    let fields = get(&schema, "fields").and_then(|fields| fields.into_array().ok()).unwrap_or_default();
    fields.iter().filter_map(binding).collect()
}

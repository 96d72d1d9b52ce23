//! Vectors about item types and modality tags.

#![cfg(test)]

use crate::vectors::{Outcome, Refusal, hex, results, text};
use data_encoding::HEXLOWER;
use dreamdb_arrays::cbor::Value as Cbor;
use dreamdb_arrays::item_type::Declaration;
use dreamdb_arrays::modality::{self, Modality, TrackKind};
use dreamdb_arrays::registry::Registry;
use dreamdb_arrays::{Code, ItemType};
use serde_json::{Map, Value};

/// What is compared of a type.
pub fn type_results(item_type: &ItemType) -> Map<String, Value> {
    results([
        ("type_cbor_hex", HEXLOWER.encode(&item_type.to_cbor()).into()),
        ("item_id", item_type.id().to_string().into()),
    ])
}

/// What is compared of a Track kind.
pub fn kind_results(kind: TrackKind) -> Map<String, Value> {
    results([("track_kind", kind.name().into()), ("object_kind", kind.storage().object_kind().into())])
}

fn joined<const N: usize>(parts: [Map<String, Value>; N]) -> Map<String, Value> {
    parts.into_iter().flatten().collect()
}

fn tag_results(item_type: &ItemType, kind: TrackKind) -> Outcome {
    let tag = results([("modality", modality::tag(item_type, kind)?.into())]);
    Ok(joined([type_results(item_type), kind_results(kind), tag]))
}

pub fn decode_item_type(vector: &Value) -> Outcome {
    Ok(type_results(&ItemType::from_cbor(&hex(vector, "type_cbor_hex"))?))
}

/// The declaration in a JSON object, with the extents that were read from it.
fn declaration<'v>(object: &'v Value, extents: &'v [u64]) -> Declaration<'v> {
    Declaration {
        family: text(object, "family"),
        dtype: text(object, "dtype"),
        extents,
        endianness: text(object, "endianness"),
        layout: text(object, "layout"),
        codec: text(object, "codec"),
        semantic_type: text(object, "semantic_type"),
        units: text(object, "units"),
        frame: text(object, "frame"),
        axis_order: text(object, "axis_order"),
    }
}

/// Extents, numbers or decimal strings; that they are such is a caller's affair.
fn extents(value: &Value) -> Option<Vec<u64>> {
    value.as_array()?.iter().map(|extent| extent.as_u64().or_else(|| extent.as_str()?.parse().ok())).collect()
}

pub fn encode_item_type(vector: &Value) -> Outcome {
    let object = &vector["item_type"];
    let shape = object.get("inner_shape").or(object.get("shape")).unwrap();
    let item_type = declaration(object, &extents(shape).unwrap()).item_type()?;
    match vector["track_kind"].as_str() {
        Some(kind) => tag_results(&item_type, TrackKind::from_name(kind).unwrap()),
        None => Ok(type_results(&item_type)),
    }
}

pub fn declare(vector: &Value) -> Outcome {
    let object = &vector["declaration"];
    let extents = extents(&object["shape"]).ok_or_else(|| Refusal::new("InvalidArgument", Some("shape")))?;
    let item_type = declaration(object, &extents).item_type()?;
    let kind = modality::pair(text(object, "track_kind"), text(object, "object_kind"), Code::InvalidArgument)?;
    tag_results(&item_type, kind)
}

pub fn parse_modality(vector: &Value) -> Outcome {
    Ok(results([("class", Modality::parse(text(vector, "modality"))?.class().into())]))
}

/// Two modalities are the same if a registry has one under the other's name; they need not even be modalities.
pub fn compare_modalities(vector: &Value) -> Outcome {
    let pairs = [(Cbor::Text(text(vector, "modality")), Cbor::Null)];
    let found = Registry::new(&pairs)?.get(text(vector, "other_modality")).is_some();
    Ok(results([("same", found.into())]))
}

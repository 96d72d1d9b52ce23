//! Manifests that the reference wrote, written again from their parents and what they changed.

#![cfg(test)]

use crate::manifest_fixtures::manifests;
use ciborium::Value;
use data_encoding::{BASE64, HEXLOWER};
use dreamdb_arrays::manifest::write::{Edit, NewField, Placed, Written, create, edit};
use dreamdb_arrays::manifest::{FieldKind, Manifest};
use dreamdb_arrays::{Address, Result};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Operations of the reference that this crate has as well.
const OURS: [&str; 6] = ["commit", "add_field", "delete", "set_meta", "add_array_constant", "add_constant"];

fn parsed(object: &[u8]) -> Value {
    ciborium::from_reader(object).unwrap()
}

fn get<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_map()?.iter().find(|(key, _)| key.as_text() == Some(name)).map(|(_, value)| value)
}

fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter().fold(value, |value, name| get(value, name).unwrap())
}

fn address(value: &Value) -> Address {
    Address::from_bytes(value.as_bytes().unwrap()).unwrap()
}

fn cbor(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

fn uint(value: &Value) -> u64 {
    value.as_integer().unwrap().try_into().unwrap()
}

fn placed(binding: &Value) -> Placed {
    let coverage = get(binding, "coverage").unwrap().as_array().unwrap();
    Placed { track: address(get(binding, "address").unwrap()), coverage: [uint(&coverage[0]), uint(&coverage[1])] }
}

/// Active bindings by field.
fn active(manifest: &Value) -> BTreeMap<&str, &Value> {
    let bindings = at(manifest, &["tracks", "active"]).as_array().unwrap();
    bindings.iter().map(|binding| (get(binding, "field").unwrap().as_text().unwrap(), binding)).collect()
}

fn head(manifest: &Value) -> Option<Address> {
    get(at(manifest, &["registry"]), "dreamdb.tombstones").map(|entry| address(get(entry, "head").unwrap()))
}

fn notes(manifest: &Value) -> BTreeMap<&str, &str> {
    let registry = at(manifest, &["registry"]).as_map().unwrap();
    registry.iter().filter_map(|(key, value)| Some((key.as_text()?, value.as_text()?))).collect()
}

/// Writes a manifest again, from its parent and from what is in it that the parent has not.
fn again(parent: Option<&[u8]>, child: &[u8]) -> Result<Written> {
    let (before, after) = (parent.map(parsed), parsed(child));
    let bound = before.as_ref().map(active).unwrap_or_default();
    let schema = at(&after, &["registry", "dreamdb.schema", "fields"]).as_array().unwrap();
    let mut entries = Vec::new();
    let mut change = Edit {
        timestamp: uint(at(&after, &["ts"])),
        writer: at(&after, &["writer"]).as_text().unwrap(),
        ..Edit::default()
    };
    let mut placed_new = Vec::new();
    for (field, binding) in active(&after) {
        match bound.get(field) {
            Some(old) if get(old, "address") == get(binding, "address") => {}
            Some(_) => change.moved.push((field, placed(binding))),
            None => {
                let entry = schema.iter().find(|entry| get(entry, "name").unwrap().as_text() == Some(field)).unwrap();
                entries.extend_from_slice(&cbor(entry));
                placed_new.push(placed(binding));
            }
        }
    }
    let new = NewField::decode_all(&entries)?;
    change.added = new.iter().zip(placed_new).collect();
    if head(&after) != before.as_ref().and_then(head) {
        change.tombstones = head(&after);
    }
    let old_notes = before.as_ref().map(notes).unwrap_or_default();
    change.notes = notes(&after).into_iter().filter(|(key, text)| old_notes.get(key) != Some(text)).collect();
    match parent {
        Some(parent) => edit(parent, &change),
        None => create(&address(&at(&after, &["timelines"]).as_array().unwrap()[0]), &change),
    }
}

/// The manifest without what its registry repeats.
fn without_repeats(object: &[u8]) -> Vec<u8> {
    let Value::Map(mut root) = parsed(object) else { panic!() };
    for (key, value) in &mut root {
        if let (Some("registry"), Value::Map(registry)) = (key.as_text(), value) {
            registry.dedup();
        }
    }
    cbor(&Value::Map(root))
}

fn operation(object: &[u8]) -> String {
    let manifest = parsed(object);
    let writer = at(&manifest, &["writer"]).as_text().unwrap();
    let found = writer.split(';').find_map(|part| part.strip_prefix("operation="));
    found.unwrap_or(writer).to_owned()
}

#[test]
fn versions_of_the_fixtures() {
    let all = manifests();
    let by_address: BTreeMap<Address, &Vec<u8>> = all.iter().map(|object| (Address::of(object), object)).collect();
    let (mut same, mut others) = (BTreeMap::new(), BTreeSet::new());
    for object in &all {
        let manifest = Manifest::decode(object).unwrap();
        let operation = operation(object);
        let has_scalars = manifest.fields.iter().any(|field| matches!(field.kind, FieldKind::Scalar { .. }));
        match manifest.parents.as_slice() {
            [parent] if by_address.contains_key(parent) && OURS.contains(&&*operation) => {
                let written = again(Some(by_address[parent]), object).unwrap();
                assert_eq!(HEXLOWER.encode(&written.object), HEXLOWER.encode(object), "{operation}");
                assert_eq!(written.address, Address::of(object));
            }
            [] if operation == "create" && !has_scalars => {
                assert_eq!(again(None, object).unwrap().object, without_repeats(object));
            }
            _ => {
                others.insert(operation);
                continue;
            }
        }
        *same.entry(operation).or_insert(0) += 1;
    }
    let counts = ["commit", "create", "delete", "add_array_constant", "add_constant", "set_meta", "add_field"];
    assert!(counts.iter().zip([34, 9, 8, 8, 4, 3, 1]).all(|(name, least)| same[*name] >= least), "{same:?}");
    // What this crate does not write: scalar columns, layers, entities, merges; and one manifest that was made by hand.
    let known =
        ["add_image_layer", "add_scalar_layer", "append_image_layer", "create", "decommission_modality", "entity"];
    assert_eq!(
        others.iter().filter(|name| !known.contains(&name.as_str())).collect::<Vec<_>>(),
        ["handbuild/0", "union-merge"]
    );
}

/// A chain of versions, as `tests/rust/data/make_writes.py` notes it.
#[test]
fn versions_of_manifests_made_by_hand() {
    let chains: Json = serde_json::from_str(include_str!("data/manifests.json")).unwrap();
    let mut versions = 0;
    for chain in chains.as_array().unwrap() {
        let mut parent = BASE64.decode(chain["first"].as_str().unwrap().as_bytes()).unwrap();
        for step in chain["steps"].as_array().unwrap() {
            let written = carried_out(&parent, step).unwrap_or_else(|error| panic!("{}: {error}", chain["name"]));
            assert_eq!(written.address.to_string(), step["address"].as_str().unwrap(), "{}: {step}", chain["name"]);
            parent = written.object;
            versions += 1;
        }
    }
    assert!(versions > 80, "only {versions} versions were found");
}

fn carried_out(parent: &[u8], step: &Json) -> Result<Written> {
    let all = |key: &str| step[key].as_array().unwrap().clone();
    let placed = |change: &Json| Placed {
        track: Address::parse(change["track"].as_str().unwrap()).unwrap(),
        coverage: [0, 1].map(|at| change["coverage"][at].as_str().unwrap().parse().unwrap()),
    };
    let (moved, added) = (all("moved"), all("added"));
    let entries = added.iter().flat_map(|new| BASE64.decode(new["schema"].as_str().unwrap().as_bytes()).unwrap());
    let entries: Vec<u8> = entries.collect();
    let new = NewField::decode_all(&entries).unwrap();
    let notes = step["notes"].as_object().unwrap();
    edit(
        parent,
        &Edit {
            timestamp: step["ts"].as_u64().unwrap(),
            writer: step["writer"].as_str().unwrap(),
            moved: moved.iter().map(|change| (change["field"].as_str().unwrap(), placed(change))).collect(),
            added: new.iter().zip(added.iter().map(placed)).collect(),
            tombstones: step["tombstones"].as_str().map(|head| Address::parse(head).unwrap()),
            notes: notes.iter().map(|(key, text)| (key.as_str(), text.as_str().unwrap())).collect(),
            forgets_lineage: false,
        },
    )
}

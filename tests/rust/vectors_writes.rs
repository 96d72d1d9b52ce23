//! The operations of a writer: Items appended to an array Track, media Items grouped into packs.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::vectors::{Outcome, Refusal, hex, results, text};
use data_encoding::HEXLOWER;
use dreamdb_arrays::modality::Modality;
use dreamdb_arrays::track::encode::{Fragment, array_index, fragment_index, pack_groups};
use dreamdb_arrays::track::fragments::Form;
use dreamdb_arrays::{Address, ItemType, payload};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn decimal(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

pub fn append_items(vector: &Value) -> Outcome {
    let item_type = ItemType::from_cbor(&hex(vector, "type_cbor_hex"))?;
    let kind = Modality::parse(text(vector, "modality"))?.bind(&item_type)?;
    let samples = list(&vector["samples"]);
    let mut items = Vec::new();
    for sample in samples {
        let payload = hex(sample, "payload_hex");
        payload::check(&item_type, &payload)?;
        items.push(Address::of(&payload));
    }
    let anchors: Vec<u64> =
        samples.iter().filter(|sample| sample["anchor"].is_string()).map(|sample| decimal(&sample["anchor"])).collect();
    let existing: Vec<u64> = list(&vector["existing_anchors"]).iter().map(decimal).collect();
    let index = array_index(kind, &anchors, &items, &existing)?;
    Ok(results([("object_index_cbor_hex", json!(HEXLOWER.encode(&index)))]))
}

pub fn pack_items(vector: &Value) -> Outcome {
    let (mut objects, mut entries) = (BTreeMap::new(), Vec::new());
    let mut store = |bytes: &[u8]| {
        let address = Address::of(bytes);
        objects.insert(format!("{:016x}/{address}", 0), HEXLOWER.encode(bytes));
        address
    };
    for batch in list(&vector["batches"]) {
        let count = |key: &str| batch[key].as_u64().unwrap_or_default();
        if count("pack_items") > 1 && batch["chunk_size"].is_u64() {
            return Err(Refusal::new("InvalidArgument", None));
        }
        let items = list(&batch["items"])
            .iter()
            .map(|item| (decimal(&item[0]), HEXLOWER.decode(item[1].as_str().unwrap().as_bytes()).unwrap()));
        let items: Vec<(u64, Vec<u8>)> = items.collect();
        let sizes: Vec<u64> = items.iter().map(|(_, bytes)| bytes.len() as u64).collect();
        let groups = pack_groups(&sizes, count("pack_items"))?;
        let mut rest = items.as_slice();
        for group in groups {
            let (pack, others) = rest.split_at(group as usize);
            rest = others;
            let object = store(&pack.iter().flat_map(|(_, bytes)| bytes.clone()).collect::<Vec<u8>>());
            let mut offset = 0;
            for (start, bytes) in pack {
                entries.push(Fragment { start: *start, size: bytes.len() as u64, object, form: Form::Packed, offset });
                offset += u32::try_from(bytes.len()).unwrap();
            }
        }
        for (start, bytes) in rest {
            let object = store(bytes);
            entries.push(Fragment { start: *start, size: bytes.len() as u64, object, form: Form::Single, offset: 0 });
        }
    }
    let objects: Vec<Value> =
        objects.into_iter().map(|(path, bytes)| json!({ "path": path, "bytes_hex": bytes })).collect();
    let index = fragment_index(&entries)?;
    Ok(results([("objects", json!(objects)), ("object_index_cbor_hex", json!(HEXLOWER.encode(&index)))]))
}

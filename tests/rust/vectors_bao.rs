//! The operations on outboards and ranges.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::vectors::{Outcome, Refusal, results};
use data_encoding::HEXLOWER;
use dreamdb_arrays::bao::{HEADER_BYTES, NODE_BYTES, Plan, outboard, plan, verify};
use dreamdb_arrays::{Address, Error};
use serde_json::{Value, json};

/// Outboards up to this size stand in the vectors whole.
const WHOLE: usize = 4096;

fn data(vector: &Value) -> Vec<u8> {
    assert_eq!(vector["data"]["pattern"], "i%251");
    (0..vector["data"]["length"].as_u64().unwrap()).map(|index| u8::try_from(index % 251).unwrap()).collect()
}

fn range(vector: &Value) -> [u64; 2] {
    [0, 1].map(|end| vector["range"][end].as_str().unwrap().parse().unwrap())
}

fn plan_results(plan: &Plan) -> [(&'static str, Value); 2] {
    [("span", json!(plan.span.map(|end| end.to_string()))), ("nodes", json!(plan.nodes))]
}

pub fn make_outboard(vector: &Value) -> Outcome {
    let board = outboard(&data(vector))?;
    let mut found = results([
        ("address", json!(board.address.to_string())),
        ("outboard_length", json!(board.bytes.len())),
        ("outboard_address", json!(Address::of(&board.bytes).to_string())),
    ]);
    if board.bytes.len() <= WHOLE {
        found.insert("expected_outboard_hex".to_owned(), json!(HEXLOWER.encode(&board.bytes)));
    }
    Ok(found)
}

pub fn plan_range(vector: &Value) -> Outcome {
    let [start, end] = range(vector);
    let length = vector["length"].as_str().unwrap().parse().unwrap();
    Ok(results(plan_results(&plan(length, start, end)?)))
}

pub fn verify_range(vector: &Value) -> Outcome {
    let object = data(vector);
    let length = object.len() as u64;
    let board = outboard(&object)?;
    let [start, end] = range(vector);
    let plan = plan(length, start, end)?;
    let at = |position: u64| usize::try_from(position).unwrap();
    let mut body = object[at(plan.span[0])..at(plan.span[1])].to_vec();
    let node = |number: &u64| {
        let from = HEADER_BYTES + NODE_BYTES * at(*number);
        board.bytes[from..from + NODE_BYTES].to_vec()
    };
    let mut nodes: Vec<u8> = plan.nodes.iter().flat_map(node).collect();
    let flip = &vector["flip"];
    if flip.is_null() {
        verify(&board.address, length, &plan, &body, &nodes)?;
        let bytes = Address::of(&object[at(start)..at(end)]);
        let [span, nodes] = plan_results(&plan);
        return Ok(results([span, nodes, ("bytes_address", json!(bytes.to_string()))]));
    }
    let [first, last] = [0, 1].map(|end| at(flip["bits"][end].as_u64().unwrap()));
    let mut refusal: Option<Error> = None;
    for bit in first..last {
        let changed = if flip["in"] == "data" { &mut body } else { &mut nodes };
        changed[bit / 8] ^= 1 << (bit % 8);
        match verify(&board.address, length, &plan, &body, &nodes) {
            Ok(()) => return Err(Refusal::new(&format!("bit {bit} was missed"), None)),
            Err(error) => refusal = Some(error),
        }
        let changed = if flip["in"] == "data" { &mut body } else { &mut nodes };
        changed[bit / 8] ^= 1 << (bit % 8);
    }
    refusal.map_or_else(|| Ok(results([])), |error| Err(error.into()))
}

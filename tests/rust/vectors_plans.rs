//! The operation on requests.

#![cfg(test)]

use crate::vectors::{Outcome, results, text};
use dreamdb_arrays::plan::{Policy, ProofPolicy, Requests, Wanted, requests};
use serde_json::{Value, json};

/// A decimal string.
fn decimal(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

fn ranges(requests: &Requests) -> Value {
    let range = |(start, end): (&u64, &u64)| json!([start.to_string(), end.to_string()]);
    requests.starts.iter().zip(&requests.ends).map(range).collect()
}

pub fn plan_requests(vector: &Value) -> Outcome {
    // A size that 64 bits cannot count would be the vector's fault; an end that they cannot is refused.
    let spans = vector["spans"].as_array().unwrap();
    let (starts, sizes): (Vec<u64>, Vec<u64>) = spans.iter().map(|span| (decimal(&span[0]), decimal(&span[1]))).unzip();
    let proof = vector.get("proof");
    let proof = proof
        .map(|proof| ProofPolicy { max_gap: decimal(&proof["max_gap"]), known: proof["known"].as_bool().unwrap() });
    let policy = Policy { max_gap: decimal(&vector["max_gap"]), max_request: decimal(&vector["max_request"]), proof };
    let length = text(vector, "length").parse().unwrap();
    let plan = requests(Wanted { length, starts: &starts, sizes: &sizes }, policy)?;
    Ok(results([
        ("requests", ranges(&plan.data)),
        ("proof_requests", ranges(&plan.proof)),
        ("whole", json!(plan.whole)),
        ("slices", json!(plan.slices)),
    ]))
}

//! Every conformance vector below `vectors/`, carried out by the crate.
//!
//! An operation gives its results under the names of the `expected_…` fields, or a refusal; what both have in common
//! is compared here. Files are found by scanning, so a new one needs no mention, and one that cannot be read fails.

#![cfg(test)]

use crate::{vectors_bao, vectors_manifests, vectors_payloads, vectors_plans, vectors_tracks, vectors_types};
use data_encoding::HEXLOWER;
use dreamdb_arrays::Error;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What an operation says no with: a code of the crate, or of its surroundings.
pub struct Refusal {
    pub code: String,
    pub subject: Option<String>,
    pub message: String,
}

impl Refusal {
    pub fn new(code: &str, subject: Option<&str>) -> Self {
        Self { code: code.to_owned(), subject: subject.map(str::to_owned), message: String::new() }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let subject = error.subject().map(str::to_owned);
        Self { code: error.code().as_str().to_owned(), subject, message: error.message().to_owned() }
    }
}

/// Results by the names of the `expected_…` fields.
pub type Outcome = Result<Map<String, Value>, Refusal>;

/// Results out of pairs.
pub fn results<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (format!("expected_{key}"), value)).collect()
}

/// The bytes of a hex field; none if it is absent.
pub fn hex(vector: &Value, key: &str) -> Vec<u8> {
    HEXLOWER.decode(vector[key].as_str().unwrap_or_default().as_bytes()).unwrap()
}

pub fn text<'v>(vector: &'v Value, key: &str) -> &'v str {
    vector[key].as_str().unwrap_or_else(|| panic!("{}: {key} is not text", vector["id"]))
}

/// Operations of a writer, which is no part of the crate: the package carries them out.
const WRITERS: [&str; 2] = ["append-items", "pack-items"];

fn run(operation: &str, vector: &Value) -> Option<Outcome> {
    Some(match operation {
        "decode-item-type" => vectors_types::decode_item_type(vector),
        "encode-item-type" => vectors_types::encode_item_type(vector),
        "declare" => vectors_types::declare(vector),
        "parse-modality" => vectors_types::parse_modality(vector),
        "compare-modalities" => vectors_types::compare_modalities(vector),
        "resolve-tag" => vectors_manifests::resolve_tag(vector),
        "resolve-registry" => vectors_manifests::resolve_registry(vector),
        "decode-payload" => vectors_payloads::decode_payload(vector),
        "check-payload" => vectors_payloads::check_payload(vector),
        "decode-track" => vectors_tracks::decode_track(vector),
        "decode-fragment-entries" => vectors_tracks::decode_fragment_entries(vector),
        "read-fragments" => vectors_tracks::read_fragments(vector),
        "verify-object" => vectors_tracks::verify_object(vector),
        "make-outboard" => vectors_bao::make_outboard(vector),
        "plan-range" => vectors_bao::plan_range(vector),
        "verify-range" => vectors_bao::verify_range(vector),
        "plan-requests" => vectors_plans::plan_requests(vector),
        _ => return None,
    })
}

/// What differs from the expected outcome.
fn difference(vector: &Value, outcome: &Outcome) -> Option<String> {
    let expected_error = vector["expected_error"].as_str();
    match (outcome, expected_error) {
        (Ok(results), None) => {
            let wanted = vector.as_object().unwrap().iter().filter(|(key, _)| key.starts_with("expected_"));
            let wrong = wanted.filter(|(key, value)| results.get(*key) != Some(value));
            let wrong: Vec<String> =
                wrong.map(|(key, value)| format!("{key} is {:?}, not {value}", results.get(key))).collect();
            (!wrong.is_empty()).then(|| wrong.join("; "))
        }
        (Ok(_), Some(code)) => Some(format!("accepted, not {code}")),
        (Err(refusal), None) => Some(format!("refused: {}: {}", refusal.code, refusal.message)),
        (Err(refusal), Some(code)) if refusal.code != code => {
            Some(format!("{} ({}), not {code}", refusal.code, refusal.message))
        }
        (Err(refusal), Some(_)) => {
            let wanted = vector["expected_subject"].as_str();
            let differs = wanted.is_some() && refusal.subject.as_deref() != wanted;
            differs.then(|| format!("about {:?}, not {wanted:?} ({})", refusal.subject, refusal.message))
        }
    }
}

/// The files that hold vectors.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

/// Every vector, in the order of files.
fn vectors() -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut found = Vec::new();
    files(&root, &mut found);
    found.retain(|path| path.parent() != Some(&root));
    found.sort();
    let read = |path: PathBuf| match serde_json::from_slice(&std::fs::read(&path).unwrap()) {
        Ok(Value::Array(vectors)) => vectors,
        Ok(vector @ Value::Object(_)) => vec![vector],
        other => panic!("{} holds no vectors: {other:?}", path.display()),
    };
    found.into_iter().flat_map(read).collect()
}

#[test]
fn every_vector() {
    let (mut ids, mut ran) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
    let mut failures = Vec::new();
    for vector in vectors() {
        let (id, operation) = (text(&vector, "id").to_owned(), text(&vector, "operation"));
        assert!(ids.insert(id.clone()), "{id} is there twice");
        match run(operation, &vector) {
            Some(outcome) => {
                *ran.entry(operation.to_owned()).or_default() += 1;
                failures.extend(difference(&vector, &outcome).map(|what| format!("{operation} {id}: {what}")));
            }
            None if WRITERS.contains(&operation) => {}
            None => failures.push(format!("{operation} {id}: an unknown operation")),
        }
    }
    println!("{} vectors: {ran:?}", ran.values().sum::<usize>());
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
    assert!(ran.values().sum::<usize>() > 4700, "vectors are missing: {ran:?}");
}

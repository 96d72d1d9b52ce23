//! Changing a decoded tree: maps by key, and the sorted lists of the `tracks` container.
//!
//! Plain loops and calls, since what is generic over the lengths of arrays is compiled anew for each of them.

use crate::cbor::Value;
use crate::error::{Code, Error, Result};
use std::cmp::Ordering;

/// What bindings are ordered by, each by its bytes.
const ORDER: [&str; 4] = ["timeline", "field", "modality", "address"];

/// The pairs of a map, to be changed.
pub(super) type Pairs<'a> = Vec<(Value<'a>, Value<'a>)>;

/// Adds a pair to a map under construction.
pub(super) fn put<'a>(pairs: &mut Pairs<'a>, key: &'a str, value: Value<'a>) {
    pairs.push((Value::Text(key), value));
}

/// The map that `value` is.
pub(super) fn pairs_of<'t, 'a>(value: &'t mut Value<'a>) -> Result<&'t mut Pairs<'a>> {
    if let Value::Map(pairs) = value { Ok(pairs) } else { Err(misshapen()) }
}

/// The value under `key` of the map that `value` is.
pub(super) fn slot<'t, 'a>(value: &'t mut Value<'a>, key: &str) -> Result<&'t mut Value<'a>> {
    let found = pairs_of(value)?.iter_mut().find(|(name, _)| name.as_text() == Some(key));
    found.map(|(_, value)| value).ok_or_else(misshapen)
}

/// The list under `key` of the map that `value` is.
pub(super) fn list<'t, 'a>(value: &'t mut Value<'a>, key: &str) -> Result<&'t mut Vec<Value<'a>>> {
    if let Value::Array(items) = slot(value, key)? { Ok(items) } else { Err(misshapen()) }
}

/// Puts a value under a key of a map, in the place of the one that is there.
pub(super) fn set<'a>(map: &mut Value<'a>, key: &'a str, value: Value<'a>) -> Result<()> {
    match slot(map, key) {
        Ok(there) => *there = value,
        Err(_) => put(pairs_of(map)?, key, value),
    }
    Ok(())
}

/// Puts an item into a sorted list: in front of the first that is greater.
pub(super) fn insert<'a>(items: &mut Vec<Value<'a>>, item: Value<'a>, order: fn(&Value<'_>, &Value<'_>) -> Ordering) {
    let at = items.iter().position(|other| order(&item, other).is_lt()).unwrap_or(items.len());
    items.insert(at, item);
}

/// The order of bindings, and of ends of edges.
pub(super) fn by_binding(first: &Value<'_>, second: &Value<'_>) -> Ordering {
    ORDER.iter().fold(Ordering::Equal, |order, key| order.then_with(|| by_bytes(first.get(key), second.get(key))))
}

/// The order of edges.
pub(super) fn by_edge(first: &Value<'_>, second: &Value<'_>) -> Ordering {
    let end = |key: &str| match (first.get(key), second.get(key)) {
        (Some(first), Some(second)) => by_binding(first, second),
        _ => Ordering::Equal,
    };
    end("child").then_with(|| end("exact_parent"))
}

/// The order of texts and byte strings; other values are equal to the empty one.
pub(super) fn by_bytes(first: Option<&Value<'_>>, second: Option<&Value<'_>>) -> Ordering {
    raw(first).cmp(raw(second))
}

fn raw<'a>(value: Option<&Value<'a>>) -> &'a [u8] {
    match value {
        Some(Value::Bytes(bytes)) => bytes,
        Some(Value::Text(text)) => text.as_bytes(),
        _ => &[],
    }
}

/// Refusal of a tree that [`Manifest::decode`](crate::manifest::Manifest::decode) has passed, and that is not so: a
/// defect of this crate.
fn misshapen() -> Error {
    Error::new(Code::WireOrType, "a part of the manifest is not what it was read as")
}

//! Changing a decoded tree: maps by key, and the sorted lists of the `tracks` container.

use crate::cbor::Value;
use crate::error::{Code, Error, Result};

/// The pairs of a map, to be changed.
pub(super) type PairsMut<'t, 'a> = &'t mut Vec<(Value<'a>, Value<'a>)>;

/// What bindings are ordered by: timeline, field, modality, Track, each by its bytes.
pub(super) type Key<'v> = [&'v [u8]; 4];

/// A map of those pairs.
pub(super) fn map<'a, const N: usize>(pairs: [(&'static str, Value<'a>); N]) -> Value<'a> {
    let mut all = Vec::with_capacity(N);
    for (key, value) in pairs {
        all.push((Value::Text(key), value));
    }
    Value::Map(all)
}

/// The map that `value` is.
pub(super) fn pairs_of<'t, 'a>(value: &'t mut Value<'a>) -> Result<PairsMut<'t, 'a>> {
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
        Err(_) => pairs_of(map)?.push((Value::Text(key), value)),
    }
    Ok(())
}

/// Puts an item into a sorted list: in front of the first that it precedes.
pub(super) fn insert<'a>(
    items: &mut Vec<Value<'a>>,
    item: Value<'a>,
    precedes: &dyn Fn(&Value<'_>, &Value<'_>) -> bool,
) {
    let at = items.iter().position(|other| precedes(&item, other)).unwrap_or(items.len());
    items.insert(at, item);
}

/// The key of a binding, or of an end of an edge.
pub(super) fn key<'v>(binding: &'v Value<'_>) -> Key<'v> {
    ["timeline", "field", "modality", "address"].map(|key| match binding.get(key) {
        Some(Value::Bytes(bytes)) => *bytes,
        Some(Value::Text(text)) => text.as_bytes(),
        _ => &[],
    })
}

/// The key of an edge.
pub(super) fn edge_key<'v>(edge: &'v Value<'_>) -> [Key<'v>; 2] {
    ["child", "exact_parent"].map(|end| edge.get(end).map(key).unwrap_or_default())
}

/// Refusal of a tree that [`Manifest::decode`](crate::manifest::Manifest::decode) has passed, and that is not so: a
/// defect of this crate.
fn misshapen() -> Error {
    Error::new(Code::WireOrType, "a part of the manifest is not what it was read as")
}

//! Typed access to the maps of a manifest, with refusals that name the place.

use crate::cbor::Value;
use crate::cbor::value::first_repeated_key;
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use std::fmt::Display;

pub(super) type Pairs<'v, 'a> = &'v [(Value<'a>, Value<'a>)];

/// The pairs of a map, whatever they are.
pub(super) fn pairs<'v, 'a>(place: &str, value: &'v Value<'a>) -> Result<Pairs<'v, 'a>> {
    value.as_map().ok_or_else(|| refuse(place, "must be a map"))
}

/// The pairs of a map that repeats no key.
pub(super) fn open_map<'v, 'a>(place: &str, value: &'v Value<'a>) -> Result<Pairs<'v, 'a>> {
    let pairs = pairs(place, value)?;
    match first_repeated_key(pairs) {
        Some(key) => Err(refuse(place, format_args!("repeats the key `{key}`"))),
        None => Ok(pairs),
    }
}

/// The pairs of a map that has each of `keys` exactly once and no other.
pub(super) fn closed_map<'v, 'a>(place: &str, value: &'v Value<'a>, keys: &[&str]) -> Result<Pairs<'v, 'a>> {
    let pairs = open_map(place, value)?;
    for (key, _) in pairs {
        let known = key.as_text().is_some_and(|key| keys.contains(&key));
        if !known {
            return Err(refuse(place, format_args!("has the unknown key `{}`", key.as_text().unwrap_or_default())));
        }
    }
    for key in keys {
        required(place, pairs, key)?;
    }
    Ok(pairs)
}

/// The value under `key`.
pub(super) fn required<'v, 'a>(place: &str, pairs: Pairs<'v, 'a>, key: &str) -> Result<&'v Value<'a>> {
    optional(pairs, key).ok_or_else(|| refuse(place, format_args!("lacks the key `{key}`")))
}

/// The value under `key`, if there is one.
pub(super) fn optional<'v, 'a>(pairs: Pairs<'v, 'a>, key: &str) -> Option<&'v Value<'a>> {
    pairs.iter().find(|(name, _)| name.as_text() == Some(key)).map(|(_, value)| value)
}

pub(super) fn uint(place: &str, value: &Value<'_>) -> Result<u64> {
    value.as_uint().ok_or_else(|| refuse(place, "must be an unsigned integer"))
}

pub(super) fn text<'a>(place: &str, value: &Value<'a>) -> Result<&'a str> {
    value.as_text().ok_or_else(|| refuse(place, "must be text"))
}

pub(super) fn address(place: &str, value: &Value<'_>) -> Result<Address> {
    let bytes = value.as_bytes().ok_or_else(|| refuse(place, "must be an address"))?;
    Address::from_bytes(bytes).map_err(|error| refuse(place, error.message()))
}

/// The elements of an array, each read by `read`.
pub(super) fn list<'v, 'a, T>(
    place: &str,
    value: &'v Value<'a>,
    read: impl Fn(&str, &'v Value<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let items = value.as_array().ok_or_else(|| refuse(place, "must be an array"))?;
    items.iter().map(|item| read(place, item)).collect()
}

/// The half-open extent `[start, end)`, which must not be empty.
pub(super) fn extent(place: &str, value: &Value<'_>) -> Result<[u64; 2]> {
    match list(place, value, uint)?.as_slice() {
        [start, end] if start < end => Ok([*start, *end]),
        _ => Err(refuse(place, "must be two integers, the first less than the second")),
    }
}

pub(super) fn refuse(place: &str, what: impl Display) -> Error {
    Error::new(Code::WireOrType, format_args!("{place} {what}"))
}

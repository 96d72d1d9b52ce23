//! The header of a `.npy` file as the reference reads it: a text with three keys in it.
//!
//! Each key must occur once in quotes, anywhere; its value is what follows the next colon. Braces are not matched, what
//! lies between the values is not read, and empty places of the shape's tuple are passed over.

use super::{DESCR, FORTRAN_ORDER, Header, SHAPE, invalid};
use crate::error::{Error, Result};
use crate::sentence::{Said, say};
use alloc::vec::Vec;

/// Reads a header.
///
/// # Errors
/// [`InvalidNpyHeader`](crate::error::Code::InvalidNpyHeader) about the first key that cannot be read.
pub(super) fn read(header: &str) -> Result<Header<'_>> {
    if !header.trim_start().starts_with('{') {
        return Err(invalid(say!("has a header that is not a dictionary")));
    }
    let descr = quoted(value_of(header, DESCR)?)?;
    let fortran_order = boolean(value_of(header, FORTRAN_ORDER)?)?;
    let shape = tuple(value_of(header, SHAPE)?)?;
    Ok(Header { descr, fortran_order, shape })
}

/// The text from the value of `key` on: after the first colon that follows the only quoted occurrence of the key.
fn value_of<'a>(header: &'a str, key: &str) -> Result<&'a str> {
    let (mut found, mut end) = (0_u32, 0);
    for (at, window) in header.as_bytes().windows(key.len().saturating_add(2)).enumerate() {
        // The closing quote of one occurrence is not the opening quote of another.
        if at >= end && is_quoted(window, key.as_bytes()) {
            found = found.saturating_add(1);
            end = at.saturating_add(window.len());
        }
    }
    if found != 1 {
        return Err(field(key, say!("does not occur exactly once")));
    }
    let (_, value) = header
        .get(end..)
        .unwrap_or_default()
        .split_once(':')
        .ok_or_else(|| field(key, say!("has no colon after it")))?;
    Ok(value.trim_start())
}

fn is_quoted(text: &[u8], key: &[u8]) -> bool {
    matches!(text, [b'\'', inside @ .., b'\''] | [b'"', inside @ .., b'"'] if inside == key)
}

fn quoted(value: &str) -> Result<&str> {
    let quote = value.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let quote = quote.ok_or_else(|| field(DESCR, say!("is not a quoted string")))?;
    let (descr, _) = value
        .strip_prefix(quote)
        .and_then(|text| text.split_once(quote))
        .ok_or_else(|| field(DESCR, say!("has no closing quote")))?;
    Ok(descr)
}

fn boolean(value: &str) -> Result<bool> {
    if value.starts_with("True") {
        Ok(true)
    } else if value.starts_with("False") {
        Ok(false)
    } else {
        Err(field(FORTRAN_ORDER, say!("is neither True nor False")))
    }
}

fn tuple(value: &str) -> Result<Vec<u64>> {
    let (inside, _) = value.split_once(')').ok_or_else(|| field(SHAPE, say!("has no closing parenthesis")))?;
    let inside = inside.strip_prefix('(').ok_or_else(|| field(SHAPE, say!("is not a tuple")))?;
    let mut extents = Vec::new();
    for extent in inside.split(',').map(str::trim).filter(|extent| !extent.is_empty()) {
        let extent = extent.parse();
        extents.push(extent.map_err(|_| field(SHAPE, say!("has an extent that is not an unsigned 64-bit integer")))?);
    }
    Ok(extents)
}

fn field(key: &str, what: Said) -> Error {
    invalid(say!("has a header whose key `{}` {}", key, what)).about(key)
}

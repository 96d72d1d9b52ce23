//! The canonical form: minimal heads, definite lengths. The order of a map's keys is the caller's to keep, except in
//! [`Writer::value`], which puts it right.

use super::value::Value;
use crate::order::ascending;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Writes canonical CBOR into a growing buffer.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// An empty writer.
    #[must_use]
    pub const fn new() -> Self {
        Self { out: Vec::new() }
    }

    /// What was written.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Writes an unsigned integer.
    pub fn uint(&mut self, value: u64) -> &mut Self {
        self.head(0, value)
    }

    /// Writes a byte string.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.head(2, bytes.len() as u64);
        self.out.extend_from_slice(bytes);
        self
    }

    /// Writes a text string.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.head(3, text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
        self
    }

    /// Opens an array of `count` items, to be written next.
    pub fn array(&mut self, count: usize) -> &mut Self {
        self.head(4, count as u64)
    }

    /// Opens a map of `pairs` pairs, to be written next in canonical order.
    pub fn map(&mut self, pairs: usize) -> &mut Self {
        self.head(5, pairs as u64)
    }

    /// Writes `false` or `true`.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.out.push(if value { 0xf5 } else { 0xf4 });
        self
    }

    /// Writes a whole array of unsigned integers.
    pub fn uints(&mut self, values: &[u64]) -> &mut Self {
        self.array(values.len());
        for value in values {
            self.uint(*value);
        }
        self
    }

    /// Writes items that are encoded already.
    pub fn encoded(&mut self, items: &[u8]) -> &mut Self {
        self.out.extend_from_slice(items);
        self
    }

    /// Writes a whole tree in canonical form: maps with their keys in order of length, then of bytes. What a map repeats
    /// stays repeated, in the order it had.
    pub fn value(&mut self, value: &Value<'_>) -> &mut Self {
        match value {
            Value::Uint(value) => self.uint(*value),
            Value::Nint(value) => self.head(1, *value),
            Value::Bytes(bytes) => self.bytes(bytes),
            Value::Text(text) => self.text(text),
            Value::Array(items) => {
                self.array(items.len());
                for item in items {
                    self.value(item);
                }
                self
            }
            Value::Map(pairs) => {
                self.map(pairs.len());
                // Most maps are in order already, and small: nothing is to be allocated for them.
                if pairs.is_sorted_by(|(first, _), (second, _)| map_order(first, second).is_le()) {
                    for (key, value) in pairs {
                        self.value(key).value(value);
                    }
                    return self;
                }
                let key = |at: usize| pairs.get(at).map_or(&Value::Null, |(key, _)| key);
                for at in ascending(pairs.len(), &|first, second| map_order(key(first), key(second))) {
                    if let Some((key, value)) = pairs.get(at as usize) {
                        self.value(key).value(value);
                    }
                }
                self
            }
            Value::Tag(tag, inner) => self.head(6, *tag).value(inner),
            Value::Bool(value) => self.bool(*value),
            Value::Null => self.null(),
        }
    }

    /// Writes `null`.
    pub fn null(&mut self) -> &mut Self {
        self.out.push(0xf6);
        self
    }

    fn head(&mut self, major: u8, argument: u64) -> &mut Self {
        let major = major << 5;
        let wide = argument.to_be_bytes();
        let [.., d, c, b, a] = wide;
        match argument {
            0..=23 => self.out.push(major | a),
            24..=0xff => self.out.extend_from_slice(&[major | 0x18, a]),
            0x100..=0xffff => self.out.extend_from_slice(&[major | 0x19, b, a]),
            0x1_0000..=0xffff_ffff => self.out.extend_from_slice(&[major | 0x1a, d, c, b, a]),
            _ => {
                self.out.push(major | 0x1b);
                self.out.extend_from_slice(&wide);
            }
        }
        self
    }
}

/// The order of a map's keys: shorter ones first, those of one length by their bytes.
fn map_order(first: &Value<'_>, second: &Value<'_>) -> Ordering {
    let (first, second) = (first.as_text().unwrap_or_default(), second.as_text().unwrap_or_default());
    first.len().cmp(&second.len()).then_with(|| first.cmp(second))
}

//! A decoded CBOR tree that keeps what the wire said: the order of keys and their repetition.

use crate::order::ascending;
use alloc::{boxed::Box, vec::Vec};

/// Tag of a non-negative big integer.
const POSITIVE_BIGNUM: u64 = 2;

/// The pairs of a map, in wire order.
pub(crate) type Pairs<'v, 'a> = &'v [(Value<'a>, Value<'a>)];

/// One decoded item, borrowing text and bytes from the input.
///
/// Equality is that of decoded values: integers are equal whatever their width was; maps with the same pairs in
/// another order differ (typed registry entries are compared so).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// An unsigned integer.
    Uint(u64),
    /// A negative integer, as `-1 - value`.
    Nint(u64),
    /// A byte string.
    Bytes(&'a [u8]),
    /// A text string.
    Text(&'a str),
    /// An array.
    Array(Vec<Value<'a>>),
    /// A map, its pairs in wire order.
    Map(Vec<(Value<'a>, Value<'a>)>),
    /// A tagged item other than a small positive bignum.
    Tag(u64, Box<Value<'a>>),
    /// `false` or `true`.
    Bool(bool),
    /// `null`, or `undefined`.
    Null,
}

impl<'a> Value<'a> {
    /// The item under `tag`: a bignum that fits in 64 bits is the integer that it spells, whatever its zeros.
    pub(super) fn tagged(tag: u64, inner: Self) -> Self {
        if let (POSITIVE_BIGNUM, Self::Bytes(digits)) = (tag, &inner) {
            let significant = digits.iter().position(|digit| *digit != 0).unwrap_or(digits.len());
            let digits = digits.get(significant..).unwrap_or_default();
            if digits.len() <= 8 {
                return Self::Uint(digits.iter().fold(0, |value, digit| (value << 8) | u64::from(*digit)));
            }
        }
        Self::Tag(tag, Box::new(inner))
    }

    /// The pairs, if this is a map.
    #[must_use]
    pub fn as_map(&self) -> Option<&[(Value<'a>, Value<'a>)]> {
        if let Self::Map(pairs) = self { Some(pairs) } else { None }
    }

    /// The items, if this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The text, if this is a text string.
    #[must_use]
    pub const fn as_text(&self) -> Option<&'a str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The bytes, if this is a byte string.
    #[must_use]
    pub const fn as_bytes(&self) -> Option<&'a [u8]> {
        if let Self::Bytes(bytes) = self { Some(bytes) } else { None }
    }

    /// The number, if this is an unsigned integer.
    #[must_use]
    pub const fn as_uint(&self) -> Option<u64> {
        if let Self::Uint(value) = self { Some(*value) } else { None }
    }

    /// The truth value, if this is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The value under the first text key `name` of this map.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.as_map()?.iter().find(|(key, _)| key.as_text() == Some(name)).map(|(_, value)| value)
    }
}

/// The first text key of `pairs`, in map order, that already occurred before it. Costs O(n log n).
#[must_use]
pub fn first_repeated_key<'a>(pairs: Pairs<'_, 'a>) -> Option<&'a str> {
    let key = |at: usize| pairs.get(at).and_then(|(key, _)| key.as_text());
    let order = ascending(pairs.len(), &|first, second| key(first).cmp(&key(second)));
    let repeated = order.windows(2).filter_map(|pair| match pair {
        [first, second] if key(*first as usize) == key(*second as usize) => Some(*second as usize),
        _ => None,
    });
    repeated.filter(|at| key(*at).is_some()).min().and_then(key)
}

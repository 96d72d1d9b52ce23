//! A pull reader over borrowed bytes: one head at a time, bodies as slices.

use super::value::Value;
use crate::error::{Code, Error, Result};
use crate::sentence::{Said, say};
use alloc::vec::Vec;

/// Nesting beyond this is refused, so that hostile input cannot exhaust the stack.
const MAX_DEPTH: u32 = 128;

/// First elements for which room is made before they are read; a count in the input is not to be trusted.
const TRUSTED_CAPACITY: usize = 1024;

/// The head of a data item: its major type and argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// An unsigned integer.
    Uint(u64),
    /// A negative integer; the argument is `-1 - value`.
    Nint(u64),
    /// A byte string of that many bytes, which follow.
    Bytes(u64),
    /// A text string of that many bytes, which follow.
    Text(u64),
    /// An array of that many items, which follow.
    Array(u64),
    /// A map of that many pairs, which follow.
    Map(u64),
    /// A tag; the tagged item follows.
    Tag(u64),
    /// `false` or `true`.
    Bool(bool),
    /// `null`, or `undefined`, which the reference does not tell from it.
    Null,
}

/// Reads CBOR items from a slice, front to back.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    text_keys: bool,
}

impl<'a> Reader<'a> {
    /// A reader at the front of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, text_keys: false }
    }

    /// The same reader, refusing maps with keys that are not text, as hashed DreamDB objects do.
    #[must_use]
    pub const fn with_text_keys(mut self) -> Self {
        self.text_keys = true;
        self
    }

    /// Bytes read so far.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Bytes not yet read.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The next head.
    ///
    /// # Errors
    /// [`Code::Cbor`] on truncation, indefinite length, a float, or a reserved head.
    pub fn head(&mut self) -> Result<Head> {
        let start = self.at;
        let [first] = self.take::<1>()?;
        let info = first & 0x1f;
        if first >> 5 == 7 {
            return match info {
                20 => Ok(Head::Bool(false)),
                21 => Ok(Head::Bool(true)),
                22 | 23 => Ok(Head::Null),
                0..=19 | 24 => {
                    Err(refuse(start, say!("simple values other than false, true and null are not allowed")))
                }
                25..=27 => Err(refuse(start, say!("floating-point values are not allowed in hashed objects"))),
                31 => Err(refuse(start, say!("a break without an indefinite-length item"))),
                _ => Err(refuse(start, say!("a reserved head"))),
            };
        }
        let argument = match info {
            0..=23 => u64::from(info),
            24 => self.take::<1>().map(|[value]| u64::from(value))?,
            25 => self.take().map(|raw| u64::from(u16::from_be_bytes(raw)))?,
            26 => self.take().map(|raw| u64::from(u32::from_be_bytes(raw)))?,
            27 => self.take().map(u64::from_be_bytes)?,
            31 => return Err(refuse(start, say!("indefinite-length items are not allowed in hashed objects"))),
            _ => return Err(refuse(start, say!("a reserved head"))),
        };
        Ok(match first >> 5 {
            0 => Head::Uint(argument),
            1 => Head::Nint(argument),
            2 => Head::Bytes(argument),
            3 => Head::Text(argument),
            4 => Head::Array(argument),
            5 => Head::Map(argument),
            _ => Head::Tag(argument),
        })
    }

    /// The next item, if it is a small head: an argument of at most 23 behind this major type. Nothing is read otherwise.
    ///
    /// For loops over millions of items; everything else goes by [`head`](Self::head).
    #[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
    #[inline(always)]
    pub fn small(&mut self, major: u8) -> Option<u64> {
        let first = *self.bytes.get(self.at)?;
        let argument = first ^ (major << 5);
        if argument > 23 {
            return None;
        }
        self.at = self.at.wrapping_add(1);
        Some(u64::from(argument))
    }

    /// The next item, if it is an unsigned integer. Nothing is read otherwise; as [`small`](Self::small).
    #[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
    #[inline(always)]
    pub fn uint(&mut self) -> Option<u64> {
        let (value, width) = match self.bytes.get(self.at..)? {
            [small @ 0..=23, ..] => (u64::from(*small), 1),
            [0x18, a, ..] => (u64::from(*a), 2),
            [0x19, a, b, ..] => (u64::from(u16::from_be_bytes([*a, *b])), 3),
            [0x1a, rest @ ..] => (u64::from(u32::from_be_bytes(*rest.first_chunk()?)), 5),
            [0x1b, rest @ ..] => (u64::from_be_bytes(*rest.first_chunk()?), 9),
            _ => return None,
        };
        self.at = self.at.wrapping_add(width);
        Some(value)
    }

    /// The next item, if it is a byte string of `N` bytes, fewer than 256, written in the usual way. Nothing is read otherwise; as
    /// [`small`](Self::small).
    #[allow(clippy::inline_always)] // Compiled for size, nothing is inlined by itself.
    #[inline(always)]
    pub fn chunk<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let bytes = self.bytes;
        let [0x58, length, rest @ ..] = bytes.get(self.at..)? else { return None };
        let chunk = rest.first_chunk::<N>().filter(|_| usize::from(*length) == N)?;
        self.at = self.at.wrapping_add(N).wrapping_add(2);
        Some(chunk)
    }

    /// The next `length` bytes: the body of a byte string whose head was just read.
    ///
    /// # Errors
    /// [`Code::Cbor`] if fewer remain.
    pub fn body(&mut self, length: u64) -> Result<&'a [u8]> {
        let start = self.at;
        let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length));
        let body = end.and_then(|end| self.bytes.get(start..end)).ok_or_else(|| truncated(start))?;
        self.at = start.saturating_add(body.len());
        Ok(body)
    }

    /// The next `length` bytes as text: the body of a text string whose head was just read.
    ///
    /// # Errors
    /// [`Code::Cbor`] if fewer remain or they are not UTF-8.
    pub fn text_body(&mut self, length: u64) -> Result<&'a str> {
        let start = self.at;
        core::str::from_utf8(self.body(length)?).map_err(|_| refuse(start, say!("a text string that is not UTF-8")))
    }

    /// The next item with all it contains.
    ///
    /// # Errors
    /// [`Code::Cbor`] as for [`head`](Self::head), and for nesting deeper than 128 levels.
    pub fn value(&mut self) -> Result<Value<'a>> {
        self.value_at(0)
    }

    /// The next item, which must be a text key.
    ///
    /// # Errors
    /// [`Code::Cbor`] as for [`head`](Self::head), and for another item.
    pub fn key(&mut self) -> Result<&'a str> {
        let start = self.at;
        match self.head()? {
            Head::Text(length) => self.text_body(length),
            _ => Err(not_a_key(start)),
        }
    }

    fn value_at(&mut self, depth: u32) -> Result<Value<'a>> {
        let start = self.at;
        if depth >= MAX_DEPTH {
            return Err(too_deep(start));
        }
        let inner = depth.saturating_add(1);
        Ok(match self.head()? {
            Head::Uint(value) => Value::Uint(value),
            Head::Nint(value) => Value::Nint(value),
            Head::Bytes(length) => Value::Bytes(self.body(length)?),
            Head::Text(length) => Value::Text(self.text_body(length)?),
            Head::Array(count) => {
                let mut items = Vec::with_capacity(self.capacity(start, count, 1)?);
                for _ in 0..count {
                    items.push(self.value_at(inner)?);
                }
                Value::Array(items)
            }
            Head::Map(pairs) => {
                let mut entries = Vec::with_capacity(self.capacity(start, pairs, 2)?);
                for _ in 0..pairs {
                    let key_start = self.at;
                    let key = self.value_at(inner)?;
                    if self.text_keys && !matches!(key, Value::Text(_)) {
                        return Err(not_a_key(key_start));
                    }
                    entries.push((key, self.value_at(inner)?));
                }
                Value::Map(entries)
            }
            Head::Tag(tag) => Value::tagged(tag, self.value_at(inner)?),
            Head::Bool(value) => Value::Bool(value),
            Head::Null => Value::Null,
        })
    }

    /// Number of items that `count` elements of `width` items are, refused if not even their heads can be there.
    fn plausible(&self, start: usize, count: u64, width: u64) -> Result<u64> {
        let items = count.checked_mul(width).ok_or_else(|| truncated(start))?;
        let room = u64::try_from(self.remaining()).unwrap_or(u64::MAX);
        if items > room { Err(truncated(start)) } else { Ok(items) }
    }

    fn capacity(&self, start: usize, count: u64, width: u64) -> Result<usize> {
        self.plausible(start, count, width)?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX).min(TRUSTED_CAPACITY))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let taken = rest.first_chunk::<N>().ok_or_else(|| truncated(start))?;
        self.at = start.saturating_add(N);
        Ok(*taken)
    }
}

fn not_a_key(at: usize) -> Error {
    refuse(at, say!("map keys must be text"))
}

fn refuse(at: usize, what: Said) -> Error {
    Error::new(Code::Cbor, say!("{} (at byte {})", what, at))
}

fn truncated(at: usize) -> Error {
    refuse(at, say!("the bytes end before the item does"))
}

fn too_deep(at: usize) -> Error {
    refuse(at, say!("items are nested too deeply"))
}

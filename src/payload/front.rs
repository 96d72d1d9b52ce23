//! The front of a payload: the few bytes that decide where everything else lies.

use super::Span;
use crate::error::{Code, Error, Result};
use crate::multihash::digits;
use crate::sentence::say;
use alloc::string::String;

/// Version of both structured formats.
pub(super) const VERSION: [u8; 4] = 1_u32.to_be_bytes();

/// Bytes of magic and version.
const SIGNATURE_BYTES: u64 = 8;

/// The first bytes of a payload of `total` bytes, of which the caller holds at least those that are asked for.
pub(super) struct Front<'a> {
    bytes: &'a [u8],
    total: u64,
}

impl<'a> Front<'a> {
    /// The front; bytes beyond `total` belong to a neighbour and are not looked at.
    pub(super) fn new(prefix: &'a [u8], total: u64) -> Self {
        let own = usize::try_from(total).unwrap_or(usize::MAX).min(prefix.len());
        Self { bytes: prefix.get(..own).unwrap_or_default(), total }
    }

    /// Bytes of the whole payload.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// The `N` bytes at `at`, which the payload is known to have.
    pub(super) fn array<const N: usize>(&self, at: u64) -> Result<[u8; N]> {
        self.slice(at, N as u64)?.first_chunk().copied().ok_or_else(|| self.too_short(at.saturating_add(N as u64)))
    }

    /// The `length` bytes at `at`, which the payload is known to have.
    pub(super) fn slice(&self, at: u64, length: u64) -> Result<&'a [u8]> {
        let span = Span { offset: at, length };
        span.of(self.bytes).ok_or_else(|| self.too_short(at.saturating_add(length)))
    }

    /// The big-endian integer at `at`, which the payload is known to have.
    pub(super) fn be_u64(&self, at: u64) -> Result<u64> {
        self.array(at).map(u64::from_be_bytes)
    }

    /// Refuses another magic than `magic`, and another version than 1.
    pub(super) fn signature(&self, magic: [u8; 4]) -> Result<()> {
        let name = spelled(magic);
        if self.total < SIGNATURE_BYTES {
            return Err(Error::new(
                Code::PayloadHeader,
                say!("the payload is too short for `{}` and its version", name),
            )
            .bounds(say!("at least {} bytes", SIGNATURE_BYTES), say!("{} bytes", self.total)));
        }
        let found = self.array::<4>(0)?;
        if found != magic {
            let found = spelled(found);
            return Err(Error::new(
                Code::PayloadHeader,
                say!("the payload starts with `{}`, not with `{}`", &found, &name),
            )
            .bounds(&name, &found));
        }
        let version = self.array::<4>(4)?;
        if version != VERSION {
            let version = u32::from_be_bytes(version);
            return Err(Error::new(
                Code::PayloadHeader,
                say!("the payload has version {} of `{}`, which is unknown", version, name),
            )
            .bounds(1_u32, version));
        }
        Ok(())
    }

    /// Refuses a payload too short for a header of `bytes` bytes.
    pub(super) fn has_header(&self, bytes: u64) -> Result<()> {
        if self.total >= bytes {
            return Ok(());
        }
        let message = say!("the header alone has {} bytes, the payload has {}", bytes, self.total);
        Err(Error::new(Code::PayloadLength, message).bounds(say!("at least {}", bytes), self.total))
    }

    /// The parts that follow a header of `header` bytes, each `(count, width)`, if they fill the payload exactly.
    pub(super) fn parts<const N: usize>(&self, header: u64, parts: [(Option<u64>, u64); N]) -> Result<[Span; N]> {
        let mut end = Some(header);
        let spans = parts.map(|(count, width)| {
            let offset = end.unwrap_or(u64::MAX);
            let length = count.and_then(|count| count.checked_mul(width));
            end = end.zip(length).and_then(|(end, length)| end.checked_add(length));
            Span { offset, length: length.unwrap_or(u64::MAX) }
        });
        match end {
            Some(end) if end == self.total => Ok(spans),
            Some(end) => {
                let message = say!("the header's counts make {} bytes, the payload has {}", end, self.total);
                Err(Error::new(Code::PayloadLength, message).bounds(end, self.total))
            }
            None => {
                let message = say!("the header's counts make 2^64 bytes or more, which no payload has");
                Err(Error::new(Code::PayloadLength, message).bounds("2^64 or more", self.total))
            }
        }
    }

    fn too_short(&self, needed: u64) -> Error {
        let held = self.bytes.len();
        Error::new(
            Code::InvalidArgument,
            say!("the first {} bytes of the payload are needed, not only {}", needed, held),
        )
        .bounds(needed, held)
    }
}

/// A magic as text, whatever its bytes are.
fn spelled(magic: [u8; 4]) -> String {
    let mut text = String::new();
    for byte in magic {
        if byte.is_ascii_graphic() {
            text.push(char::from(byte));
        } else {
            text.push_str("\\x");
            text.extend(digits(byte));
        }
    }
    text
}

//! Addresses: BLAKE3-256 multihashes of 33 bytes, and their base32 text.
//!
//! An address is the algorithm byte `0x1e` followed by 32 digest bytes; its text is RFC 4648 base32 in lower case
//! without padding, 53 characters. 264 bits fill 265, so the last character carries one pad bit, which must be zero:
//! one address has exactly one spelling.

use crate::error::{Code, Error, Result};
use crate::sentence::say;
use alloc::string::String;
use core::fmt;

/// Bytes of an address.
pub const ADDRESS_BYTES: usize = 33;

/// Characters of an address's text.
pub const ADDRESS_CHARS: usize = 53;

/// The multihash code of BLAKE3-256.
const BLAKE3_256: u8 = 0x1e;

const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The content address of an object: a complete BLAKE3-256 multihash (0025 §3.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(align(8))] // Copied in few moves; results that hold addresses are passed on all over the crate.
pub struct Address([u8; ADDRESS_BYTES]);

impl Address {
    /// The address of `bytes`. Costs one pass of BLAKE3 over them.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::from_digest(&dreamdb_blake3::hash(bytes))
    }

    /// The address with that digest.
    #[must_use]
    pub fn from_digest(digest: &[u8; 32]) -> Self {
        let mut raw = [BLAKE3_256; ADDRESS_BYTES];
        let [_, rest @ ..] = &mut raw;
        rest.copy_from_slice(digest);
        Self(raw)
    }

    /// The address whose binary form `bytes` is.
    ///
    /// # Errors
    /// [`Code::Multihash`] unless there are 33 bytes and the first is `0x1e`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let raw = <[u8; ADDRESS_BYTES]>::try_from(bytes).map_err(|_| {
            Error::new(Code::Multihash, say!("an address has {} bytes, this has {}", ADDRESS_BYTES, bytes.len()))
                .bounds(ADDRESS_BYTES, bytes.len())
        })?;
        let [algorithm, ..] = raw;
        if algorithm == BLAKE3_256 {
            return Ok(Self(raw));
        }
        Err(Error::new(
            Code::Multihash,
            say!("unknown multihash algorithm {}; DreamDB uses 0x1e, BLAKE3-256", hex(algorithm)),
        )
        .bounds("0x1e", hex(algorithm)))
    }

    /// Whether so many bytes are an address: all are that begin as one does.
    #[must_use]
    pub const fn is_one(bytes: &[u8; ADDRESS_BYTES]) -> bool {
        let [algorithm, ..] = bytes;
        *algorithm == BLAKE3_256
    }

    /// Its text. Without the machinery of [`fmt`], which is no part of the module.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = [0_u8; ADDRESS_CHARS];
        let mut letters = text.iter_mut();
        let (mut window, mut bits) = (0_u32, 0_u32);
        let mut push = |digit: u32| {
            if let Some(slot) = letters.next() {
                *slot = letter(digit);
            }
        };
        for byte in self.0 {
            window = (window << 8) | u32::from(byte);
            bits = bits.wrapping_add(8);
            while bits >= 5 {
                bits = bits.wrapping_sub(5);
                push(window.wrapping_shr(bits));
                window &= (1_u32 << bits).wrapping_sub(1);
            }
        }
        push(window << 5_u32.wrapping_sub(bits));
        String::from(core::str::from_utf8(&text).unwrap_or_default())
    }

    /// The address whose text is `text`.
    ///
    /// # Errors
    /// [`Code::Multihash`] unless it is the one canonical spelling: 53 characters, lower case, pad bit zero.
    pub fn parse(text: &str) -> Result<Self> {
        let length = text.len();
        if length != ADDRESS_CHARS {
            return Err(Error::new(
                Code::Multihash,
                say!("an address is {} characters of base32, this has {}", ADDRESS_CHARS, length),
            )
            .bounds(ADDRESS_CHARS, length));
        }
        if text.bytes().any(|letter| letter.is_ascii_uppercase()) {
            return Err(Error::new(Code::Multihash, say!("an address is written in lower case")));
        }
        let mut raw = [0_u8; ADDRESS_BYTES];
        let mut bytes = raw.iter_mut();
        let (mut window, mut bits) = (0_u32, 0_u32);
        for letter in text.bytes() {
            let digit = match letter {
                b'a'..=b'z' => letter.wrapping_sub(b'a'),
                b'2'..=b'7' => letter.wrapping_sub(b'2').wrapping_add(26),
                _ => {
                    return Err(Error::new(
                        Code::Multihash,
                        say!("an address uses the letters a-z and the digits 2-7"),
                    ));
                }
            };
            window = (window << 5) | u32::from(digit);
            bits = bits.wrapping_add(5);
            if bits >= 8 {
                bits = bits.wrapping_sub(8);
                if let Some(byte) = bytes.next() {
                    *byte = window.wrapping_shr(bits).to_le_bytes()[0];
                }
                window &= (1_u32 << bits).wrapping_sub(1);
            }
        }
        if window != 0 {
            return Err(Error::new(Code::Multihash, say!("the last character of an address has its pad bit set")));
        }
        Self::from_bytes(&raw)
    }

    /// The 33 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; ADDRESS_BYTES] {
        &self.0
    }

    /// Refuses bytes whose address is another. Costs one pass of BLAKE3 over them.
    ///
    /// # Errors
    /// [`Code::HashMismatch`] with both addresses.
    pub fn verify(&self, bytes: &[u8]) -> Result<()> {
        self.require(&Self::of(bytes), bytes.len() as u64)
    }

    /// Refuses another address than this one, computed from `length` bytes.
    ///
    /// # Errors
    /// [`Code::HashMismatch`] with both addresses.
    pub fn require(&self, computed: &Self, length: u64) -> Result<()> {
        if self == computed {
            return Ok(());
        }
        Err(Error::new(Code::HashMismatch, say!("{} bytes hash to {}, but the address is {}", length, computed, self))
            .bounds(self, computed))
    }
}

/// Texts of the addresses with these bytes, one after another.
///
/// # Errors
/// [`Code::Multihash`] unless these are whole addresses, one at least.
pub fn texts(addresses: &[u8]) -> Result<String> {
    let (whole, rest) = addresses.as_chunks::<ADDRESS_BYTES>();
    if whole.is_empty() || !rest.is_empty() {
        // Says what is wrong with the length.
        Address::from_bytes(addresses)?;
    }
    let mut texts = String::with_capacity(whole.len().saturating_mul(ADDRESS_CHARS));
    for address in whole {
        texts.push_str(&Address::from_bytes(address)?.text());
    }
    Ok(texts)
}

/// How many of these objects hash to their addresses, up to the first that does not. The objects lie one after another
/// in `bytes`; `ends` says where each ends. Costs one pass of BLAKE3.
///
/// # Errors
/// [`Code::InvalidArgument`] if `addresses`, 33 bytes each, `ends` and `bytes` are not of one number of objects;
/// [`Code::Multihash`].
pub fn verify_all(addresses: &[u8], ends: &[u32], bytes: &[u8]) -> Result<u32> {
    let (addresses, rest) = addresses.as_chunks::<ADDRESS_BYTES>();
    let total = ends.last().copied().unwrap_or_default() as usize;
    if !rest.is_empty() || addresses.len() != ends.len() || total != bytes.len() {
        let message = say!("{} addresses, {} ends and {} bytes do not fit", addresses.len(), ends.len(), bytes.len());
        return Err(Error::new(Code::InvalidArgument, message));
    }
    let (mut start, mut right) = (0_usize, 0_u32);
    for (address, end) in addresses.iter().zip(ends) {
        let end = *end as usize;
        let Some(object) = bytes.get(start..end) else {
            return Err(Error::new(Code::InvalidArgument, say!("an object ends at {}, before its start", end)));
        };
        if Address::of(object) != Address::from_bytes(address)? {
            break;
        }
        start = end;
        right = right.saturating_add(1);
    }
    Ok(right)
}

/// The letter of the last five bits of a number.
pub(crate) fn letter(digit: u32) -> u8 {
    ALPHABET.get((digit & 31) as usize).copied().unwrap_or_default()
}

/// A byte as `0x1e`.
fn hex(byte: u8) -> String {
    let mut text = String::from("0x");
    text.extend(digits(byte));
    text
}

/// A byte's two digits of base 16.
pub(crate) fn digits(byte: u8) -> [char; 2] {
    [byte >> 4, byte & 15].map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or_default())
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

//! Values of index entries: canonical CBOR of one text, truth value, integer or float.
//!
//! Integers are i64; floats are finite and in the shortest of the three widths that holds them exactly. A value has
//! one encoding only, so any other is refused: the index could not be ordered or searched by it.

use super::{ValueType, refuse};
use crate::cbor::{Head, Reader};
use crate::error::Result;
use crate::sentence::say;
use alloc::{borrow::ToOwned, string::String, vec::Vec};

/// The values of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Texts.
    Texts(Vec<String>),
    /// All others: 0 or 1, the two's complement of an integer, the bits of a float.
    Words(Vec<u64>),
}

impl Values {
    /// No values of a type.
    #[must_use]
    pub const fn none(value_type: ValueType) -> Self {
        match value_type {
            ValueType::Categorical | ValueType::Text => Self::Texts(Vec::new()),
            _ => Self::Words(Vec::new()),
        }
    }

    /// Number of values.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Words(words) => words.len(),
        }
    }

    /// Whether there is no value.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Decodes one value more.
    ///
    /// # Errors
    /// [`Code::ScalarIndex`](crate::Code::ScalarIndex) for another type, a float that is not finite, and another
    /// encoding than the canonical one.
    pub(super) fn push(&mut self, value_type: ValueType, cbor: &[u8]) -> Result<()> {
        let refused =
            || refuse(say!("a value of the index is not the canonical encoding of a {}", value_type.names()[0]));
        match self {
            Self::Texts(texts) => texts.push(text(cbor).ok_or_else(refused)?.to_owned()),
            Self::Words(words) => {
                let word = match value_type {
                    ValueType::Bool => truth(cbor),
                    ValueType::Float => float(cbor).map(f64::to_bits),
                    _ => integer(cbor).map(i64::cast_unsigned),
                };
                words.push(word.ok_or_else(refused)?);
            }
        }
        Ok(())
    }
}

fn text(cbor: &[u8]) -> Option<&str> {
    let mut reader = Reader::new(cbor);
    let Ok(Head::Text(length)) = reader.head() else { return None };
    let head = reader.position();
    let text = reader.text_body(length).ok()?;
    (head == head_bytes(length) && reader.remaining() == 0).then_some(text)
}

fn truth(cbor: &[u8]) -> Option<u64> {
    match cbor {
        [0xf4] => Some(0),
        [0xf5] => Some(1),
        _ => None,
    }
}

fn integer(cbor: &[u8]) -> Option<i64> {
    let mut reader = Reader::new(cbor);
    let (argument, negative) = match reader.head().ok()? {
        Head::Uint(argument) => (argument, false),
        Head::Nint(argument) => (argument, true),
        _ => return None,
    };
    let magnitude = i64::try_from(argument).ok().filter(|_| cbor.len() == head_bytes(argument))?;
    Some(if negative { !magnitude } else { magnitude })
}

fn float(cbor: &[u8]) -> Option<f64> {
    let (value, width) = match cbor {
        [0xf9, half @ ..] => (from_half(u16::from_be_bytes(half.try_into().ok()?)), 2),
        [0xfa, single @ ..] => (f64::from(f32::from_be_bytes(single.try_into().ok()?)), 4),
        [0xfb, double @ ..] => (f64::from_be_bytes(double.try_into().ok()?), 8),
        _ => return None,
    };
    (value.is_finite() && width == least_width(value)).then_some(value)
}

/// Bytes of the head with that argument.
const fn head_bytes(argument: u64) -> usize {
    match argument {
        0..=23 => 1,
        24..=0xff => 2,
        0x100..=0xffff => 3,
        0x1_0000..=0xffff_ffff => 5,
        _ => 9,
    }
}

/// 2^-24: the least float of 16 bits.
const LEAST_HALF: f64 = 1.0 / 16_777_216.0;

fn from_half(half: u16) -> f64 {
    let (exponent, fraction) = (u64::from(half >> 10 & 0x1f), u64::from(half & 0x3ff));
    let magnitude = match exponent {
        0 => f64::from(half & 0x3ff) * LEAST_HALF,
        31 => f64::INFINITY,
        // The bias of 64-bit exponents is greater by 1008.
        _ => f64::from_bits(exponent.wrapping_add(1008) << 52 | fraction << 42),
    };
    if half >> 15 == 0 { magnitude } else { -magnitude }
}

/// Bytes of the narrowest float that is exactly this finite value.
fn least_width(value: f64) -> usize {
    let magnitude = value.abs();
    let fits_half = if magnitude < 1024.0 * LEAST_HALF {
        // Below the normal ones, halves are multiples of the least.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It is less than 1024.
        let whole = (magnitude / LEAST_HALF) as u32;
        (f64::from(whole) * LEAST_HALF).to_bits() == magnitude.to_bits()
    } else {
        magnitude <= 65_504.0 && magnitude.to_bits().trailing_zeros() >= 42
    };
    #[allow(clippy::cast_possible_truncation)] // Whether it does is the question.
    let single = f64::from(value as f32);
    match (fits_half, single.to_bits() == value.to_bits()) {
        (true, _) => 2,
        (false, true) => 4,
        _ => 8,
    }
}

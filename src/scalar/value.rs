//! Values of index entries: canonical CBOR of one text, truth value, integer or float.
//!
//! Integers are i64; floats are finite and in the shortest of the three widths that holds them exactly. A value has
//! one encoding only, so any other is refused: the index could not be ordered or searched by it.

use super::{ValueType, refuse};
use crate::track::write::head_bytes;
use crate::cbor::{Head, Reader, Value, Writer};
use crate::error::{Code, Error, Result};

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
        let refused = || {
            refuse(format_args!("a value of the index is not the canonical encoding of a {}", value_type.names()[0]))
        };
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

/// Most bytes of a text that is a key of a tree.
const MOST_TEXT: usize = 8192;

/// The canonical encoding of a value that is given as for [`append`](super::write::append).
pub(super) fn encode(value_type: ValueType, given: &[u8]) -> Result<Vec<u8>> {
    let name = value_type.names()[0];
    let refused = |what: &str| {
        Error::new(Code::InvalidArgument, format_args!("a value of a {name} column {what}")).about(name)
    };
    let word = || given.try_into().map(u64::from_le_bytes).map_err(|_| refused("has not as many bytes as it must"));
    let mut out = Writer::new();
    match value_type {
        ValueType::Categorical | ValueType::Text => {
            if value_type == ValueType::Text && given.len() > MOST_TEXT {
                return Err(refused("has more than 8,192 bytes"));
            }
            out.text(std::str::from_utf8(given).map_err(|_| refused("is not UTF-8"))?)
        }
        ValueType::Bool => out.bool(given.first().is_some_and(|first| *first != 0)),
        ValueType::Float => {
            let value = f64::from_bits(word()?);
            if !value.is_finite() {
                return Err(refused("is not finite"));
            }
            #[allow(clippy::cast_possible_truncation)] // Exact: the width was chosen so.
            match least_width(value) {
                2 => out.encoded(&[0xf9]).encoded(&to_half(value).to_be_bytes()),
                4 => out.encoded(&[0xfa]).encoded(&(value as f32).to_be_bytes()),
                _ => out.encoded(&[0xfb]).encoded(&value.to_be_bytes()),
            }
        }
        _ => match word()?.cast_signed() {
            negative @ ..0 => out.value(&Value::Nint((!negative).cast_unsigned())),
            other => out.uint(other.cast_unsigned()),
        },
    };
    Ok(out.into_bytes())
}

/// What the tree is ordered by: the text; else 8 bytes that ascend as the numbers do, of which 0 and −0 are one.
pub(super) fn key(value_type: ValueType, cbor: &[u8]) -> Result<Vec<u8>> {
    let mut values = Values::none(value_type);
    values.push(value_type, cbor)?;
    Ok(match values {
        Values::Texts(texts) => texts.concat().into_bytes(),
        Values::Words(words) => {
            let word = words.first().copied().unwrap_or_default();
            let ordered = match (value_type, word.cast_signed()) {
                (ValueType::Float, i64::MIN) => SIGN,
                (ValueType::Float, ..0) => !word,
                _ => word ^ SIGN,
            };
            ordered.to_be_bytes().to_vec()
        }
    })
}

/// The topmost bit.
const SIGN: u64 = 1 << 63;

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

/// The half that is exactly this value.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // As above, what is cut off is nothing.
fn to_half(value: f64) -> u16 {
    let (bits, magnitude) = (value.to_bits(), value.abs());
    let exponent_and_fraction = if magnitude < 1024.0 * LEAST_HALF {
        (magnitude / LEAST_HALF) as u16
    } else {
        (bits >> 42 & 0x1f_ffff).wrapping_sub(1008 << 10) as u16
    };
    (bits >> 48) as u16 & 0x8000 | exponent_and_fraction
}

/// Bytes of the narrowest float that is exactly this finite value.
fn least_width(value: f64) -> usize {
    let magnitude = value.abs();
    let fits_half = if magnitude < 1024.0 * LEAST_HALF {
        // Below the normal ones, halves are multiples of the least.
        (magnitude / LEAST_HALF).fract() == 0.0
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

//! Codec `npy` of dense arrays: a NumPy file whose header repeats the declaration (0025 §7).
//!
//! A header is accepted only if two readers find the declaration in it:
//!
//! * the reference's, which searches the text for three keys and reads what follows them (`scan`). Its checks come
//!   first, in its order;
//! * NumPy's own, which evaluates a Python literal (`literal`). The reference alone would accept headers that NumPy
//!   cannot read or reads differently: extra keys, no closing brace, `(3,,)`, a key inside a comment.
//!
//! The declaration is authoritative; the header can only confirm it. Magic bytes are looked at only because the
//! declaration says `npy`.

mod literal;
mod scan;

use super::front::Front;
use super::{DenseParts, Span, raw};
use crate::dtype::Endianness;
use crate::error::{Code, Error, Result, brief};
use crate::item_type::{DenseType, Layout};
use crate::sentence::{Said, say};
use crate::shape::joined;
use alloc::{string::String, vec::Vec};

/// Longest header that is read: NumPy's own limit (`max_header_size`).
pub const LONGEST_HEADER: u64 = 10_000;

/// The first bytes of a payload that decide where its elements lie: magic, version, length and the longest header.
pub const PREFIX_BYTES: u64 = 12 + LONGEST_HEADER;

const MAGIC: [u8; 6] = *b"\x93NUMPY";

/// The keys of a header.
const DESCR: &str = "descr";
const FORTRAN_ORDER: &str = "fortran_order";
const SHAPE: &str = "shape";

/// Where the elements of a whole payload lie.
///
/// # Errors
/// Those of [`values_offset`].
pub fn check(dense: &DenseType, payload: &[u8]) -> Result<DenseParts> {
    let offset = values_offset(dense, payload, payload.len() as u64)?;
    Ok(DenseParts { values: Span { offset, length: dense.byte_length() } })
}

/// Where the elements begin in a payload of `total` bytes, from its first [`PREFIX_BYTES`] bytes (fewer if it is
/// shorter). Costs one pass over the header.
///
/// # Errors
/// In this order:
/// * [`Code::InvalidNpyHeader`] for a header that the reference cannot read, or longer than [`LONGEST_HEADER`];
/// * [`Code::CodecHeaderMismatch`] if dtype and byte order, shape or layout are not the declared ones;
/// * [`Code::PayloadLength`] unless exactly the declared elements follow the header;
/// * [`Code::InvalidNpyHeader`] for a header that NumPy cannot read;
///
/// and [`Code::InvalidArgument`] if `prefix` holds less than is needed.
pub fn values_offset(dense: &DenseType, prefix: &[u8], total: u64) -> Result<u64> {
    let front = Front::new(prefix, total);
    let (start, length) = header_extent(&front)?;
    let header = header_text(front.slice(start, length)?)?;
    agree(dense, &scan::read(header)?)?;
    let offset = start.saturating_add(length);
    raw::exact_length(dense, total.saturating_sub(offset))?;
    literal::check(header)?;
    Ok(offset)
}

/// What the reference reads in a header.
struct Header<'a> {
    descr: &'a str,
    fortran_order: bool,
    shape: Vec<u64>,
}

/// Where the header text begins and how long it is, once the payload is known to have all of it.
fn header_extent(front: &Front<'_>) -> Result<(u64, u64)> {
    if front.total() < 10 || front.array(0)? != MAGIC {
        return Err(invalid(say!("does not begin with NumPy's magic, version and header length")));
    }
    let (start, length) = match front.array(6)? {
        [1, 0] => (10, u64::from(u16::from_le_bytes(front.array(8)?))),
        [2 | 3, 0] if front.total() < 12 => return Err(invalid(say!("ends within the length of the header"))),
        [2 | 3, 0] => (12, u64::from(u32::from_le_bytes(front.array(8)?))),
        [major, minor] => {
            return Err(invalid(say!("has the unknown version {}.{}", u32::from(major), u32::from(minor))));
        }
    };
    if length > front.total().saturating_sub(start) {
        let message = say!("declares a header of {} bytes, which is longer than the payload", length);
        return Err(invalid(message).bounds(front.total().saturating_sub(start), length));
    }
    if length > LONGEST_HEADER {
        let message = say!("has a header of {} bytes; at most {} are read, as NumPy does", length, LONGEST_HEADER);
        return Err(invalid(message).bounds(say!("at most {}", LONGEST_HEADER), length));
    }
    Ok((start, length))
}

fn header_text(bytes: &[u8]) -> Result<&str> {
    if bytes.last() != Some(&b'\n') {
        return Err(invalid(say!("has a header that does not end with a newline")));
    }
    core::str::from_utf8(bytes).map_err(|_| invalid(say!("has a header that is not UTF-8")))
}

/// Refuses a header that says something else than the declaration.
fn agree(dense: &DenseType, header: &Header<'_>) -> Result<()> {
    let descr = declared_descr(dense);
    if header.descr != descr {
        return Err(mismatch("dtype/endianness", descr, header.descr));
    }
    if header.shape != dense.shape() {
        return Err(mismatch("shape", &spelled(dense.shape()), &spelled(&header.shape)));
    }
    let fortran_order = dense.layout() == Layout::F;
    if header.fortran_order != fortran_order {
        let found = if header.fortran_order { Layout::F } else { Layout::C };
        return Err(mismatch("layout", dense.layout().name(), found.name()));
    }
    Ok(())
}

/// The type string that NumPy writes; elements of one byte have no byte order, whatever is declared.
const fn declared_descr(dense: &DenseType) -> &'static str {
    use crate::dtype::DType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    use Endianness::{Big, Little};
    match (dense.dtype(), dense.endianness()) {
        (I8, _) => "|i1",
        (U8, _) => "|u1",
        (I16, Little) => "<i2",
        (I16, Big) => ">i2",
        (U16, Little) => "<u2",
        (U16, Big) => ">u2",
        (F32, Little) => "<f4",
        (F32, Big) => ">f4",
        (I32, Little) => "<i4",
        (I32, Big) => ">i4",
        (U32, Little) => "<u4",
        (U32, Big) => ">u4",
        (F64, Little) => "<f8",
        (F64, Big) => ">f8",
        (I64, Little) => "<i8",
        (I64, Big) => ">i8",
        (U64, Little) => "<u8",
        (U64, Big) => ">u8",
    }
}

/// A shape as a Python tuple.
fn spelled(shape: &[u64]) -> String {
    let extents = joined(shape, ", ");
    ["(", &extents, if shape.len() == 1 { ",)" } else { ")" }].concat()
}

/// A refusal of the header.
fn invalid(what: Said) -> Error {
    Error::new(Code::InvalidNpyHeader, say!("the .npy payload {}", what))
}

fn mismatch(field: &str, declared: &str, found: &str) -> Error {
    let found = brief(found);
    let message = say!("{} of the .npy header is `{}`, declared is `{}`", field, &found, declared);
    Error::new(Code::CodecHeaderMismatch, message).about(field).bounds(declared, found)
}

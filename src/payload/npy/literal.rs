//! The header of a `.npy` file as NumPy demands it: a Python literal.
//!
//! NumPy evaluates the header with `ast.literal_eval` and demands a dictionary of exactly the keys `descr`,
//! `fortran_order` and `shape`, with a type description, a bool and a tuple of integers. Of Python's grammar this
//! accepts what writers of headers produce:
//!
//! * a dictionary display, its three pairs in any order, with or without a comma after the last;
//! * strings in single or double quotes, as they stand;
//! * `True` and `False`;
//! * tuples of decimal integers, with or without a comma after the last but for one extent, which needs it: `(3)` is
//!   a number in Python. An integer may have a plus sign and, unless it is zero, no leading zeros;
//! * spaces, tabs, form feeds and line ends between tokens. Before the brace Python takes blanks after a line end for
//!   an indentation, and so do we.
//!
//! The rest is refused. Most of it NumPy refuses as well: keys missing, unknown, or of another type, other values,
//! text after the dictionary, white space outside ASCII. NumPy alone accepts a key twice (the last one counts),
//! adjacent strings, escapes, prefixes and triple quotes, comments and continued lines; no writer is known to emit
//! them, and each can hide from one reader what another sees. Python 2's `3L`, which NumPy filters out, the reference
//! refuses.
//!
//! No values come out of here, because in this grammar nothing stands between a key and its value but a colon: NumPy
//! finds the values that the reference found ([`scan`](super::scan)), which are the declared ones. And since text
//! outside ASCII has no place in it, it is of no consequence that versions 1 and 2 are Latin-1 by NumPy's rules and
//! version 3 is UTF-8.

use super::{DESCR, FORTRAN_ORDER, SHAPE, invalid};
use crate::error::{Error, Result};
use crate::sentence::{Said, say};

const KEYS: [&str; 3] = [DESCR, FORTRAN_ORDER, SHAPE];

/// Digits of the longest integer that Python converts by default.
const LONGEST_INTEGER: usize = 4300;

/// Refuses a header that NumPy would not read; the reference must have read it before.
///
/// # Errors
/// [`InvalidNpyHeader`](crate::error::Code::InvalidNpyHeader), with the byte of the header at which it departs from
/// the grammar.
pub(super) fn check(header: &str) -> Result<()> {
    let mut literal = Literal { text: header.as_bytes(), rest: header.as_bytes() };
    let mut seen = [false; KEYS.len()];
    literal.indentation();
    literal.require("{")?;
    while !literal.accept("}") {
        let before = literal.rest;
        let key = literal.string()?;
        let found = KEYS.iter().zip(&mut seen).find(|(name, seen)| name.as_bytes() == key && !**seen);
        let Some((name, seen)) = found else {
            literal.rest = before;
            return Err(literal.each_key());
        };
        *seen = true;
        literal.require(":")?;
        match *name {
            DESCR => _ = literal.string()?,
            FORTRAN_ORDER => literal.boolean()?,
            _ => literal.tuple()?,
        }
        if !literal.accept(",") {
            literal.require("}")?;
            break;
        }
    }
    if seen.contains(&false) {
        return Err(literal.each_key());
    }
    if !literal.rest.is_empty() {
        return Err(literal.unexpected(say!("nothing more")));
    }
    Ok(())
}

/// A text, of which `rest` is not yet read. Each token is read together with the white space after it.
///
/// All that has a meaning is ASCII, so bytes are looked at; a string may hold others, which are passed over.
struct Literal<'a> {
    text: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Literal<'a> {
    /// Passes over what may stand before an expression: blanks on the first line, then blank lines, then no blanks.
    fn indentation(&mut self) {
        self.rest = after_all(self.rest, |byte| matches!(byte, b' ' | b'\t'));
        let white = after_all(self.rest, is_space);
        let length = self.rest.len().saturating_sub(white.len());
        // A form feed, too, puts Python's column back to zero.
        if !matches!(self.rest.get(..length), Some([.., b' ' | b'\t'])) {
            self.rest = white;
        }
    }

    fn accept(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token.as_bytes());
        if let Some(after) = after {
            self.go_on(after);
        }
        after.is_some()
    }

    fn go_on(&mut self, after: &'a [u8]) {
        self.rest = after_all(after, is_space);
    }

    fn require(&mut self, token: &str) -> Result<()> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(say!("`{}`", token))) }
    }

    /// The content of a string, up to the same quote.
    fn string(&mut self) -> Result<&'a [u8]> {
        if let [quote @ (b'\'' | b'"'), inside @ ..] = self.rest {
            let after = after_all(inside, |byte| byte != *quote);
            let length = inside.len().saturating_sub(after.len());
            if let [_, after @ ..] = after {
                self.go_on(after);
                return Ok(inside.get(..length).unwrap_or_default());
            }
        }
        Err(self.unexpected(say!("a string")))
    }

    fn boolean(&mut self) -> Result<()> {
        if self.accept("True") || self.accept("False") { Ok(()) } else { Err(self.unexpected(say!("True or False"))) }
    }

    fn tuple(&mut self) -> Result<()> {
        self.require("(")?;
        let mut extents = 0_u32;
        while !self.accept(")") {
            self.integer()?;
            extents = extents.saturating_add(1);
            if !self.accept(",") {
                if extents == 1 {
                    return Err(self.unexpected(say!("a comma, as in `(3,)`")));
                }
                return self.require(")");
            }
        }
        Ok(())
    }

    fn integer(&mut self) -> Result<()> {
        let unsigned = self.rest.strip_prefix(b"+").unwrap_or(self.rest);
        let after = after_all(unsigned, |byte| byte.is_ascii_digit());
        let significant = after_all(unsigned, |byte| byte == b'0').len().saturating_sub(after.len());
        let digits = unsigned.len().saturating_sub(after.len());
        let leading_zeros = significant < digits && significant > 0;
        if digits == 0 || digits > LONGEST_INTEGER || leading_zeros {
            return Err(self.unexpected(say!("a decimal integer")));
        }
        self.go_on(after);
        Ok(())
    }

    fn each_key(&self) -> Error {
        self.unexpected(say!("each of the keys descr, fortran_order and shape, once,"))
    }

    fn unexpected(&self, wanted: Said) -> Error {
        let at = self.text.len().saturating_sub(self.rest.len());
        invalid(say!("has a header that NumPy would not read as an array's: {} expected at its byte {}", wanted, at))
    }
}

/// What follows the bytes at the front that are wanted.
fn after_all(mut bytes: &[u8], wanted: impl Fn(u8) -> bool) -> &[u8] {
    while let [first, rest @ ..] = bytes
        && wanted(*first)
    {
        bytes = rest;
    }
    bytes
}

/// White space between tokens; between braces and parentheses a line end is nothing more.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0c' | b'\n' | b'\r')
}

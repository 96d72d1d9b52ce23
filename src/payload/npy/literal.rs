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

/// Digits of the longest integer that Python converts by default.
const LONGEST_INTEGER: usize = 4300;

/// Refuses a header that NumPy would not read; the reference must have read it before.
///
/// # Errors
/// [`InvalidNpyHeader`](crate::error::Code::InvalidNpyHeader), with the byte of the header at which it departs from
/// the grammar.
pub(super) fn check(header: &str) -> Result<()> {
    let mut literal = Literal { text: header, rest: header };
    let mut missing = vec![DESCR, FORTRAN_ORDER, SHAPE];
    literal.indentation();
    literal.require("{")?;
    while !literal.accept("}") {
        let place = missing.iter().position(|key| literal.accept_string(key));
        let place = place.ok_or_else(|| literal.unexpected(format_args!("one of the keys {}", missing.join(", "))))?;
        literal.require(":")?;
        match missing.swap_remove(place) {
            DESCR => literal.string()?,
            FORTRAN_ORDER => literal.boolean()?,
            _ => literal.tuple()?,
        }
        if !literal.accept(",") {
            literal.require("}")?;
            break;
        }
    }
    if !missing.is_empty() {
        return Err(literal.unexpected(format_args!("also {}", missing.join(", "))));
    }
    if !literal.rest.is_empty() {
        return Err(literal.unexpected("nothing more"));
    }
    Ok(())
}

/// A text, of which `rest` is not yet read. Each token is read together with the white space after it.
struct Literal<'a> {
    text: &'a str,
    rest: &'a str,
}

impl Literal<'_> {
    /// Passes over what may stand before an expression: blanks on the first line, then blank lines, then no blanks.
    fn indentation(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let white = self.rest.trim_start_matches(is_space);
        let length = self.rest.len().saturating_sub(white.len());
        let before = self.rest.get(..length).unwrap_or_default();
        // A form feed, too, puts Python's column back to zero.
        if !before.ends_with([' ', '\t']) {
            self.rest = white;
        }
    }

    fn accept(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token);
        if let Some(after) = after {
            self.rest = after.trim_start_matches(is_space);
        }
        after.is_some()
    }

    fn require(&mut self, token: &str) -> Result<()> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(format_args!("`{token}`"))) }
    }

    fn accept_string(&mut self, content: &str) -> bool {
        self.accept(&format!("'{content}'")) || self.accept(&format!("\"{content}\""))
    }

    /// A string that the reference has read already, up to the same quote.
    fn string(&mut self) -> Result<()> {
        let quote = self.rest.chars().next().filter(|first| matches!(first, '\'' | '"'));
        let parts = quote.and_then(|quote| self.rest.strip_prefix(quote)?.split_once(quote));
        let (_, after) = parts.ok_or_else(|| self.unexpected("a string"))?;
        self.rest = after.trim_start_matches(is_space);
        Ok(())
    }

    fn boolean(&mut self) -> Result<()> {
        if self.accept("True") || self.accept("False") { Ok(()) } else { Err(self.unexpected("True or False")) }
    }

    fn tuple(&mut self) -> Result<()> {
        self.require("(")?;
        let mut extents = 0_u32;
        while !self.accept(")") {
            self.integer()?;
            extents = extents.saturating_add(1);
            if !self.accept(",") {
                if extents == 1 {
                    return Err(self.unexpected("a comma, as in `(3,)`"));
                }
                return self.require(")");
            }
        }
        Ok(())
    }

    fn integer(&mut self) -> Result<()> {
        let unsigned = self.rest.strip_prefix('+').unwrap_or(self.rest);
        let after = unsigned.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let digits = unsigned.get(..unsigned.len().saturating_sub(after.len())).unwrap_or_default();
        let significant = digits.trim_start_matches('0');
        if digits.is_empty()
            || digits.len() > LONGEST_INTEGER
            || (significant.len() < digits.len() && !significant.is_empty())
        {
            return Err(self.unexpected("a decimal integer"));
        }
        self.rest = after.trim_start_matches(is_space);
        Ok(())
    }

    fn unexpected(&self, wanted: impl std::fmt::Display) -> Error {
        let at = self.text.len().saturating_sub(self.rest.len());
        invalid(format_args!(
            "has a header that NumPy would not read as an array's: {wanted} expected at its byte {at}"
        ))
    }
}

/// White space between tokens; between braces and parentheses a line end is nothing more.
const fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\x0c' | '\n' | '\r')
}

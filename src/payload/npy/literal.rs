//! The header of a `.npy` file as NumPy reads it: a Python literal.
//!
//! NumPy evaluates the header with `ast.literal_eval` and demands a dictionary of exactly the keys `descr`,
//! `fortran_order` and `shape`, with a type description, a bool and a tuple of integers. Of Python's grammar this
//! reads what writers of headers produce:
//!
//! * a dictionary display, its three pairs in any order, with or without a comma after the last;
//! * strings in single or double quotes, of printable ASCII without backslashes;
//! * `True` and `False`;
//! * tuples of decimal integers, with or without a comma after the last but for one extent, which needs it: `(3)` is
//!   a number in Python. An integer may have a plus sign and, unless it is zero, no leading zeros;
//! * spaces, tabs, form feeds and line ends between tokens. Before the brace Python takes white space after a line
//!   end for an indentation, and so do we.
//!
//! The rest is refused. Most of it NumPy refuses as well: keys missing, unknown, or of another type, other values,
//! text after the dictionary, white space outside ASCII. NumPy alone accepts a key twice (the last one counts),
//! adjacent strings, escapes, prefixes and triple quotes, comments and continued lines; no writer is known
//! to emit them, and each can hide from one reader what another sees. Python 2's `3L`, which NumPy filters out, the
//! reference refuses. Since what remains is ASCII, it is of no consequence that versions 1 and 2 are Latin-1 by
//! NumPy's rules and version 3 is UTF-8.

use super::{DESCR, FORTRAN_ORDER, Header, SHAPE, invalid};
use crate::error::{Error, Result};

/// Digits of the longest integer that Python converts by default.
const LONGEST_INTEGER: usize = 4300;

/// Reads a header that ends with a newline.
///
/// # Errors
/// [`InvalidNpyHeader`](crate::error::Code::InvalidNpyHeader), with the byte of the header at which it departs from
/// the grammar.
pub(super) fn read(header: &str) -> Result<Header<'_>> {
    let mut literal = Literal { text: header, rest: header };
    literal.indentation();
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    literal.require("{")?;
    while !literal.accept("}") {
        let key = literal.string()?;
        literal.require(":")?;
        let first = match key {
            DESCR => descr.replace(literal.string()?).is_none(),
            FORTRAN_ORDER => fortran_order.replace(literal.boolean()?).is_none(),
            SHAPE => shape.replace(literal.tuple()?).is_none(),
            _ => return Err(literal.unexpected("one of the keys descr, fortran_order and shape")),
        };
        if !first {
            return Err(literal.unexpected("each key once"));
        }
        if !literal.accept(",") {
            literal.require("}")?;
            break;
        }
    }
    if !literal.rest.is_empty() {
        return Err(literal.unexpected("nothing after the dictionary"));
    }
    match (descr, fortran_order, shape) {
        (Some(descr), Some(fortran_order), Some(shape)) => Ok(Header { descr, fortran_order, shape }),
        _ => Err(literal.unexpected("all of the keys descr, fortran_order and shape")),
    }
}

/// A text, of which `rest` is not yet read. Each token is read together with the white space after it.
struct Literal<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Literal<'a> {
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

    fn string(&mut self) -> Result<&'a str> {
        let quote = self.rest.chars().next().filter(|first| matches!(first, '\'' | '"'));
        let inside = quote.and_then(|quote| self.rest.strip_prefix(quote)?.split_once(quote));
        match inside {
            Some((string, after)) if string.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\\') => {
                self.rest = after.trim_start_matches(is_space);
                Ok(string)
            }
            _ => Err(self.unexpected("a plain string")),
        }
    }

    fn boolean(&mut self) -> Result<bool> {
        if self.accept("True") {
            Ok(true)
        } else if self.accept("False") {
            Ok(false)
        } else {
            Err(self.unexpected("True or False"))
        }
    }

    fn tuple(&mut self) -> Result<Vec<u64>> {
        let mut extents = Vec::new();
        self.require("(")?;
        while !self.accept(")") {
            extents.push(self.integer()?);
            if !self.accept(",") {
                if extents.len() == 1 {
                    return Err(self.unexpected("a comma, as in `(3,)`"));
                }
                self.require(")")?;
                break;
            }
        }
        Ok(extents)
    }

    fn integer(&mut self) -> Result<u64> {
        let unsigned = self.rest.strip_prefix('+').unwrap_or(self.rest);
        let after = unsigned.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let digits = unsigned.get(..unsigned.len().saturating_sub(after.len())).unwrap_or_default();
        let value = digits.parse().ok().filter(|value| {
            let leading_zero = digits.starts_with('0') && *value != 0;
            !leading_zero && digits.len() <= LONGEST_INTEGER
        });
        let value = value.ok_or_else(|| self.unexpected("a decimal integer"))?;
        self.rest = after.trim_start_matches(is_space);
        Ok(value)
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

//! Sentences for people, and how they leave a module that does not hold them.
//!
//! [`say!`] makes one of a text with `{}` for each part. Natively that is the text. A WebAssembly module spells the text by
//! four letters that stand for it, and the build lists all texts of this crate beside the module, where JavaScript
//! puts them in: the texts, and what it takes to format them, would be a seventh of the module.
//!
//! Spelled so, a sentence is `\u{1}`, its letters, each part behind `\u{2}`, and `\u{3}`; a part may be a sentence.

use crate::multihash::Address;
use alloc::{boxed::Box, string::String};

/// A sentence, or a part of one. It is one pointer wide and grows by calls that pass it on: refusals are made in hundreds of places, and
/// there what is built on the stack would be most of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said(Box<Text>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Text {
    said: String,
    /// What of the literal text is still to come.
    #[cfg(not(target_arch = "wasm32"))]
    rest: &'static str,
}

/// What stands for the text of a sentence.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type Template = &'static str;
/// What stands for the text of a sentence: the numbers of four letters.
#[cfg(target_arch = "wasm32")]
pub(crate) type Template = u32;

/// A sentence: a literal text in which `{}` stands for each of the parts.
macro_rules! say {
    ($text:literal $(, $part:expr)* $(,)?) => {
        $crate::sentence::Said::new(
            const { $crate::sentence::template($text, <[&str]>::len(&[$(stringify!($part)),*])) }
        )$(.with($part))*
    };
}
pub(crate) use say;

/// What can be a part of a sentence.
pub trait Part {
    /// The sentence with it.
    fn add_to(self, said: Said) -> Said;
}

impl Said {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(template: Template) -> Self {
        let mut new = Self::nothing();
        new.begin(template);
        new
    }

    /// What is only its parts.
    pub(crate) fn nothing() -> Self {
        Self(Box::default())
    }

    /// With its next part.
    pub(crate) fn with(self, part: impl Part) -> Self {
        part.add_to(self)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn begin(&mut self, template: Template) {
        self.0.rest = template;
        self.go_on();
    }

    /// Goes on to the place of the next part.
    #[cfg(not(target_arch = "wasm32"))]
    fn go_on(&mut self) {
        let Text { said, rest } = &mut *self.0;
        let (until, after) = rest.split_once("{}").unwrap_or((rest, ""));
        said.push_str(until);
        *rest = after;
    }

    /// Writes a part where its place is.
    #[cfg(not(target_arch = "wasm32"))]
    fn part(mut self, write: impl FnOnce(&mut String)) -> Self {
        write(&mut self.0.said);
        self.go_on();
        self
    }

    #[cfg(target_arch = "wasm32")]
    fn begin(&mut self, template: Template) {
        self.0.said.push('\u{1}');
        for shift in [0, 5, 10, 15] {
            self.0.said.push(crate::multihash::letter(template >> shift).into());
        }
    }

    /// Writes a part behind the others.
    #[cfg(target_arch = "wasm32")]
    fn part(mut self, write: impl FnOnce(&mut String)) -> Self {
        // What is no more than its parts has one.
        if !self.0.said.is_empty() {
            self.0.said.push('\u{2}');
        }
        write(&mut self.0.said);
        self
    }

    #[cold]
    #[inline(never)]
    fn text(self, text: &str) -> Self {
        self.part(|said| said.extend(text.chars().map(harmless)))
    }

    #[cold]
    #[inline(never)]
    fn number(self, number: u64) -> Self {
        self.part(|said| said.push_str(&decimal(number)))
    }

    #[cold]
    #[inline(never)]
    fn inner(self, inner: Self) -> Self {
        self.part(|said| said.push_str(&inner.finished()))
    }

    /// What a sentence says.
    pub(crate) fn finished(self) -> String {
        #[cfg(target_arch = "wasm32")]
        return [self.0.said.as_str(), "\u{3}"].concat();
        #[cfg(not(target_arch = "wasm32"))]
        self.parts()
    }

    /// What the parts of no sentence say; those that are sentences are finished.
    pub(crate) fn parts(self) -> String {
        self.0.said
    }
}

/// What comes from the input must not look like what stands around it.
fn harmless(letter: char) -> char {
    if cfg!(target_arch = "wasm32") && matches!(letter, '\u{1}'..='\u{3}') { '\u{fffd}' } else { letter }
}

impl Part for Said {
    fn add_to(self, said: Said) -> Said {
        said.inner(self)
    }
}

impl Part for &str {
    fn add_to(self, said: Said) -> Said {
        said.text(self)
    }
}

impl Part for &&str {
    fn add_to(self, said: Said) -> Said {
        said.text(self)
    }
}

impl Part for &String {
    fn add_to(self, said: Said) -> Said {
        said.text(self)
    }
}

impl Part for String {
    fn add_to(self, said: Said) -> Said {
        said.text(&self)
    }
}

impl Part for Address {
    fn add_to(self, said: Said) -> Said {
        (&self).add_to(said)
    }
}

impl Part for &Address {
    #[cold]
    #[inline(never)]
    fn add_to(self, said: Said) -> Said {
        said.text(&self.text())
    }
}

impl Part for u64 {
    fn add_to(self, said: Said) -> Said {
        said.number(self)
    }
}

impl Part for u32 {
    fn add_to(self, said: Said) -> Said {
        said.number(self.into())
    }
}

impl Part for usize {
    fn add_to(self, said: Said) -> Said {
        said.number(self as u64)
    }
}

impl Part for &u64 {
    fn add_to(self, said: Said) -> Said {
        said.number(*self)
    }
}

/// A number in digits.
pub(crate) fn decimal(number: u64) -> String {
    let mut digits = [0; 20];
    let (mut rest, mut from) = (number, digits.len());
    for (at, digit) in digits.iter_mut().enumerate().rev() {
        #[allow(clippy::cast_possible_truncation)] // It is less than ten.
        let last = rest.rem_euclid(10) as u8;
        *digit = b'0' | last;
        rest = rest.div_euclid(10);
        from = at;
        if rest == 0 {
            break;
        }
    }
    digits.iter().skip(from).map(|digit| char::from(*digit)).collect()
}

/// Places for parts in a text.
pub(crate) const fn holes(text: &str) -> usize {
    let mut rest = text.as_bytes();
    let mut count = 0_usize;
    while let [first, after @ ..] = rest {
        if let (b'{', [b'}', ..]) = (*first, after) {
            count = count.saturating_add(1);
        }
        rest = after;
    }
    count
}

/// What stands for a text.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const fn template(text: &'static str, parts: usize) -> Template {
    assert!(holes(text) == parts, "a part for each place");
    text
}

/// What stands for a text: letters of a hash. The build fails if two texts have the same.
#[cfg(target_arch = "wasm32")]
pub(crate) const fn template(text: &'static str, parts: usize) -> Template {
    assert!(holes(text) == parts, "a part for each place");
    // FNV-1a.
    let (mut hash, mut rest) = (0x811c_9dc5_u32, text.as_bytes());
    while let [byte, after @ ..] = rest {
        hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
        rest = after;
    }
    (hash ^ hash >> 20) & 0xf_ffff
}

#[cfg(test)]
mod tests {
    use super::{Said, decimal};
    use alloc::string::ToString;

    #[test]
    fn parts_stand_in_their_places() {
        assert_eq!(say!("nothing to put in").finished(), "nothing to put in");
        let inner = say!("[{}, {})", 3_u64, u64::MAX);
        let said = say!("{} lies in {} of `{}`", 7_u32, inner, "{}");
        assert_eq!(said.finished(), "7 lies in [3, 18446744073709551615) of `{}`");
        assert_eq!(Said::nothing().with("a {} b").parts(), "a {} b");
    }

    #[test]
    fn numbers_are_decimal() {
        for number in [0, 1, 9, 10, 99, 100, 12_345_678_901, u64::MAX - 1, u64::MAX] {
            assert_eq!(decimal(number), number.to_string());
        }
    }
}

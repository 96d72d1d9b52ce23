//! Modality tags: their grammar (as the reference applies 0002 §5); the kinds that an array tag's parameters name
//! ([`kinds`]) and the binding of a tag to an item type ([`binding`]; 0025 §4, §5, §11).
//!
//! A tag is dot-separated segments: a built-in class, or three or more reverse-DNS segments and a class of one's own,
//! then an encoding, then plain segments and `key=value` parameters. Two array modalities are the same type if and
//! only if their raw bytes are equal (0025 §5), so nothing here normalises, reorders or compares by parts.

mod binding;
mod kinds;

use alloc::vec::Vec;
pub use binding::tag;
pub use kinds::{Storage, TrackKind, pair};

use crate::error::{Code, Error, Result};
use crate::sentence::{Said, say};

/// Longest legal tag, in bytes.
pub const MAX_TAG_BYTES: usize = 256;

/// Class of typed arrays.
const ARRAY: &str = "array";

/// Segments that a user-defined class needs before it.
const NAMESPACE_SEGMENTS: usize = 3;

/// Classes that need no namespace.
const BUILT_IN: [&str; 16] = [
    ARRAY,
    "image",
    "audio",
    "video",
    "scalar",
    "embedding",
    "transcript",
    "title",
    "author",
    "text",
    "description",
    "license",
    "source",
    "sensor",
    "annotation",
    "scene",
];

/// A tag whose grammar is sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modality<'a> {
    tag: &'a str,
    class: &'a str,
    encoding: &'a str,
    /// What follows the encoding.
    rest: &'a str,
}

impl<'a> Modality<'a> {
    /// Checks the grammar of `tag`.
    ///
    /// # Errors
    /// In this order: [`Code::EmptyModality`], [`Code::ModalityTooLong`], [`Code::EmptySegment`]; for a tag that does
    /// not start with a built-in class [`Code::UserDefinedRequiresReverseDns`] or [`Code::AmbiguousNamespace`];
    /// [`Code::MissingEncoding`]; then [`Code::InvalidSegment`], [`Code::ReservedClass`],
    /// [`Code::EmptyParameterKey`] and [`Code::InvalidParameterValue`].
    pub fn parse(tag: &'a str) -> Result<Self> {
        if tag.is_empty() {
            return Err(Error::new(Code::EmptyModality, say!("a modality tag must not be empty")));
        }
        if tag.len() > MAX_TAG_BYTES {
            return Err(too_long(Code::ModalityTooLong, tag.len()));
        }
        let segments: Vec<&str> = tag.split('.').collect();
        if segments.contains(&"") {
            return Err(refuse(Code::EmptySegment, tag, say!("has an empty segment")));
        }
        let class_at = locate_class(tag, &segments)?;
        let (namespace, others) = segments.split_at_checked(class_at).unwrap_or_default();
        let [class, encoding, rest @ ..] = others else {
            return Err(refuse(Code::MissingEncoding, tag, say!("needs a class and an encoding")));
        };
        require_segment(tag, encoding)?;
        if !namespace.is_empty() && BUILT_IN.contains(class) {
            let what = say!("uses the built-in class `{}` in a namespace", class);
            return Err(refuse(Code::ReservedClass, tag, what));
        }
        require_segment(tag, class)?;
        let mut before_rest = 0_usize;
        for segment in namespace {
            require_segment(tag, segment)?;
            before_rest = before_rest.saturating_add(segment.len()).saturating_add(1);
        }
        for segment in rest {
            require_parameter(tag, segment)?;
        }
        before_rest = before_rest.saturating_add(class.len()).saturating_add(encoding.len()).saturating_add(2);
        Ok(Self { tag, class, encoding, rest: tag.get(before_rest..).unwrap_or_default() })
    }

    /// The tag itself.
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.tag
    }

    /// The class: `array`, `image`, …; a namespaced class is never a built-in one.
    #[must_use]
    pub const fn class(&self) -> &'a str {
        self.class
    }

    /// The encoding: the segment after the class; an array's dtype.
    #[must_use]
    pub const fn encoding(&self) -> &'a str {
        self.encoding
    }

    /// Whether this is a tag of class `array`.
    #[must_use]
    pub fn is_array(&self) -> bool {
        self.class == ARRAY
    }

    /// Value of the first parameter called `key`.
    #[must_use]
    pub fn parameter(&self, key: &str) -> Option<&'a str> {
        for segment in self.rest() {
            if let Some((name, value)) = segment.split_once('=')
                && name == key
            {
                return Some(value);
            }
        }
        None
    }

    /// The Track kind that the tag stands for: an array's `kind` parameter (never defaulted), for other classes the
    /// class's own; `None` for classes whose kind this crate does not need.
    ///
    /// # Errors
    /// [`Code::UnresolvedModality`] for an array tag without a known `kind` and `storage`.
    pub fn track_kind(&self) -> Result<Option<TrackKind>> {
        if self.is_array() {
            return self.array_kinds().map(|(kind, _)| Some(kind));
        }
        Ok(match self.class {
            "image" | "audio" | "video" => Some(TrackKind::Continuous),
            "scalar" => Some(TrackKind::Event),
            "title" | "author" | "text" | "description" | "license" | "source" => Some(TrackKind::Constant),
            _ => None,
        })
    }

    /// Kind and storage of an array tag; the pair may still be illegal.
    ///
    /// # Errors
    /// [`Code::UnresolvedModality`] if either is missing or unknown.
    pub fn array_kinds(&self) -> Result<(TrackKind, Storage)> {
        let kind = self.parameter("kind").and_then(TrackKind::from_name);
        let storage = self.parameter("storage").and_then(Storage::from_tag_name);
        kind.zip(storage).ok_or_else(|| {
            refuse(
                Code::UnresolvedModality,
                self.tag,
                say!("needs kind=event|continuous|constant and storage=unbucketed|time_batch|constant"),
            )
        })
    }

    /// Segments after the encoding.
    fn rest(&self) -> impl Iterator<Item = &'a str> {
        // No segment is empty, but nothing at all splits into one.
        self.rest.split('.').filter(|segment| !segment.is_empty())
    }
}

/// Index of the class segment.
fn locate_class(tag: &str, segments: &[&str]) -> Result<usize> {
    if segments.first().is_some_and(|first| BUILT_IN.contains(first)) {
        return Ok(0);
    }
    let needs_namespace = || {
        refuse(
            Code::UserDefinedRequiresReverseDns,
            tag,
            say!("has no built-in class, and fewer than three reverse-DNS segments before a class of its own"),
        )
    };
    let own = segments.get(NAMESPACE_SEGMENTS..).unwrap_or_default();
    match own {
        [] => return Err(needs_namespace()),
        [first, ..] if first.contains('=') => {
            return Err(refuse(Code::AmbiguousNamespace, tag, say!("has no segment that could be its class")));
        }
        _ => {}
    }
    let plain = own.iter().take_while(|segment| !segment.contains('='));
    if let Some(built_in) = plain.clone().position(|segment| BUILT_IN.contains(segment)) {
        return Ok(built_in.saturating_add(NAMESPACE_SEGMENTS));
    }
    // All but the last two plain segments are namespace.
    match plain.count().checked_sub(2) {
        Some(more) => Ok(more.saturating_add(NAMESPACE_SEGMENTS)),
        None => Err(needs_namespace()),
    }
}

fn require_segment(tag: &str, segment: &str) -> Result<()> {
    if segment.bytes().all(|letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'_')) {
        return Ok(());
    }
    Err(refuse(Code::InvalidSegment, tag, say!("has the segment `{}`; only a-z, 0-9 and _ are allowed", segment)))
}

fn require_parameter(tag: &str, segment: &str) -> Result<()> {
    let Some((key, value)) = segment.split_once('=') else { return require_segment(tag, segment) };
    if key.is_empty() {
        return Err(refuse(Code::EmptyParameterKey, tag, say!("has a parameter without a name")));
    }
    require_segment(tag, key)?;
    if value.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_') {
        return Ok(());
    }
    let what = say!("has the parameter value `{}`; only A-Z, a-z, 0-9 and _ are allowed", value);
    Err(refuse(Code::InvalidParameterValue, tag, what))
}

fn too_long(code: Code, length: usize) -> Error {
    let message = say!("a modality tag has at most {} bytes, this would have {}", MAX_TAG_BYTES, length);
    Error::new(code, message).bounds(MAX_TAG_BYTES, length)
}

fn refuse(code: Code, tag: &str, what: Said) -> Error {
    Error::new(code, say!("modality `{}` {}", tag, what)).about(tag)
}

//! Track kinds and storages, and the table that joins their spellings (0025 §4.0, §4.1).
//!
//! A storage is spelled with an underscore in a tag and with a hyphen as an `ObjectKind`; neither spelling is ever
//! passed where the other belongs.

use crate::error::{Code, Error, Result};
use crate::sentence::say;

/// Object kinds of other Item classes: known to the protocol, legal for no array.
const OTHER_OBJECT_KINDS: [&str; 3] = ["spatial-bucket", "scalar-bucket", "fragment"];

/// What the anchors of a Track mean (0001 §4, 0025 §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackKind {
    /// Items at single anchors.
    Event,
    /// Items over extents of time.
    Continuous,
    /// One Item for the whole Track.
    Constant,
}

impl TrackKind {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Event, Self::Continuous, Self::Constant];

    /// The name in tags, bindings and schemas.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Continuous => "continuous",
            Self::Constant => "constant",
        }
    }

    /// The kind of that name, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The one storage that is legal with this kind (0025 §4.1).
    #[must_use]
    pub const fn storage(self) -> Storage {
        match self {
            Self::Event => Storage::Unbucketed,
            Self::Continuous => Storage::TimeBatch,
            Self::Constant => Storage::Constant,
        }
    }
}

/// How a Track's Items are stored; each has a spelling in tags and another on the wire (0025 §4.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// One object an Item, below its anchor.
    Unbucketed,
    /// One object an Item, below a time bucket.
    TimeBatch,
    /// One object.
    Constant,
}

impl Storage {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Unbucketed, Self::TimeBatch, Self::Constant];

    /// The spelling as a tag's parameter value, which cannot hold a hyphen.
    #[must_use]
    pub const fn tag_name(self) -> &'static str {
        match self {
            Self::Unbucketed => "unbucketed",
            Self::TimeBatch => "time_batch",
            Self::Constant => "constant",
        }
    }

    /// The `ObjectKind` wire name, as schemas spell it.
    #[must_use]
    pub const fn object_kind(self) -> &'static str {
        match self {
            Self::Unbucketed => "unbucketed",
            Self::TimeBatch => "time-batch",
            Self::Constant => "constant",
        }
    }

    /// The storage that a tag spells so, if any.
    #[must_use]
    pub fn from_tag_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|storage| storage.tag_name() == name)
    }

    /// The storage whose wire name this is, if any.
    #[must_use]
    pub fn from_object_kind(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|storage| storage.object_kind() == name)
    }
}

/// The Track kind of a legal pair, by the names that schemas use (0025 §4.1).
///
/// # Errors
/// `unknown`, about the key, if one of the names is none that the protocol knows; [`Code::InvalidKindStorage`] if
/// they do not belong together.
pub fn pair(track_kind: &str, object_kind: &str, unknown: Code) -> Result<TrackKind> {
    let refuse = |key: &str, name: &str| Error::new(unknown, say!("there is no {} `{}`", key, name)).about(key);
    let kind = TrackKind::from_name(track_kind).ok_or_else(|| refuse("track_kind", track_kind))?;
    match Storage::from_object_kind(object_kind) {
        Some(storage) if storage == kind.storage() => Ok(kind),
        None if !OTHER_OBJECT_KINDS.contains(&object_kind) => Err(refuse("object_kind", object_kind)),
        _ => Err(illegal_pair()),
    }
}

/// Refusal of a kind and storage that do not belong together (0025 §4.1).
pub(super) fn illegal_pair() -> Error {
    Error::new(
        Code::InvalidKindStorage,
        say!("kind and storage must be event/unbucketed, continuous/time_batch or constant/constant"),
    )
}

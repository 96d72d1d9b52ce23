//! Track Objects: where the Items of one field lie, as columns.
//!
//! A Track's `object_index` becomes parallel arrays, one pass over the bytes and no object per entry: an index of a
//! million entries is a handful of allocations. Arrays have event, continuous or constant entries ([`entries`]),
//! media have fragment entries ([`fragments`], Spec 0022), whose packs are checked as a whole ([`packs`]). Columns
//! are in ascending order of anchors; entries of equal anchors keep their order on the wire. A large index is a tree of
//! pages ([`pages`]), of which each is decoded by itself. Media Items are packed in [`groups`]. Of a scalar column's Track
//! all but the index is checked; that is read on the TypeScript side.
//!
//! Fetching an object, and what its bytes hold, does not belong here.

pub mod entries;
pub mod fragments;
pub mod given;
pub mod groups;
pub mod packs;
pub mod pages;

use crate::cbor::{Head, Reader};
use crate::error::{Code, Error, Result};
use crate::modality::{Modality, TrackKind};
use crate::multihash::Address;
use crate::sentence::{Part, Said, say};
use entries::{ContinuousIndex, EventIndex};
use fragments::FragmentIndex;
use pages::Paged;

/// What the manifest says of a Track, which the Track Object must repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advertised<'a> {
    /// Modality tag.
    pub modality: &'a str,
    /// Timeline of its anchors.
    pub timeline: Address,
    /// Extent of its anchors.
    pub coverage: [u64; 2],
}

/// The index of a Track, by the form of its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// Array Items at anchors.
    Event(EventIndex),
    /// Array Items over extents.
    Continuous(ContinuousIndex),
    /// The one Item of a Constant, if it was written.
    Constant(Option<Address>),
    /// Media Items: single, chunked or packed.
    Fragments(FragmentIndex),
    /// Items whose entries lie in pages.
    Paged(Paged),
    /// An index of values, that of a scalar column: well-formed, and not read here.
    Unread,
}

impl Index {
    /// First anchors of its Items, in ascending order; none of a Constant, of Items in pages, or of scalars.
    #[must_use]
    pub fn starts(&self) -> &[u64] {
        match self {
            Self::Event(index) => &index.anchors,
            Self::Continuous(index) => &index.starts,
            Self::Fragments(index) => &index.starts,
            Self::Constant(_) | Self::Paged(_) | Self::Unread => &[],
        }
    }

    /// Decodes a Track Object's index, checking that the object is the advertised Track.
    ///
    /// # Errors
    /// [`Code::Cbor`]; [`Code::TrackField`] for a missing, unknown or wrongly typed key; [`Code::TrackMismatch`];
    /// [`Code::EntryType`], [`Code::EntryTooShort`], [`Code::EntryExtent`], [`Code::IntegerRange`],
    /// [`Code::Multihash`] for an entry, whose position the message names; [`Code::RepeatedAnchor`];
    /// [`Code::UnsupportedIndex`] for an index of an unknown form or a modality of another class.
    pub fn decode(bytes: &[u8], advertised: &Advertised<'_>) -> Result<Self> {
        let mut reader = Reader::new(bytes).with_text_keys();
        let Head::Map(pairs) = reader.head()? else { return Err(faulty(say!("is not a map"))) };
        let (mut front, mut index) = (Front::default(), None);
        for _ in 0..pairs {
            match reader.key()? {
                "coverage" if front.coverage.is_none() => front.coverage = Some(read_coverage(&mut reader)?),
                "modality" if front.modality.is_none() => front.modality = Some(read_modality(&mut reader)?),
                "timeline" if front.timeline.is_none() => front.timeline = Some(read_timeline(&mut reader)?),
                "object_index" if index.is_none() => {
                    let modality =
                        front.modality.ok_or_else(|| faulty(say!("must have `modality` before `object_index`")))?;
                    // Another Track's index is not worth a judgement.
                    front.agree(advertised)?;
                    index = Some(read_index(&mut reader, modality)?);
                }
                key => return Err(faulty(say!("has the unknown or repeated key `{}`", key))),
            }
        }
        front.agree(advertised)?;
        let lacks = |key: &str| faulty(say!("lacks the key `{}`", key));
        front.coverage.ok_or_else(|| lacks("coverage"))?;
        front.modality.ok_or_else(|| lacks("modality"))?;
        front.timeline.ok_or_else(|| lacks("timeline"))?;
        index.ok_or_else(|| lacks("object_index"))
    }
}

/// What a Track Object says of itself, as far as it was read.
#[derive(Default)]
struct Front<'a> {
    coverage: Option<[u64; 2]>,
    modality: Option<&'a str>,
    timeline: Option<Address>,
}

impl Front<'_> {
    fn agree(&self, advertised: &Advertised<'_>) -> Result<()> {
        agree("modality", advertised.modality, self.modality)?;
        agree("timeline", advertised.timeline, self.timeline)?;
        agree("coverage", Extent(advertised.coverage), self.coverage.map(Extent))
    }
}

/// A half-open range, as sentences have it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Extent([u64; 2]);

impl Part for Extent {
    fn add_to(self, said: Said) -> Said {
        let Self([start, end]) = self;
        said.with(say!("[{}, {})", start, end))
    }
}

fn read_coverage(reader: &mut Reader<'_>) -> Result<[u64; 2]> {
    match (reader.head()?, reader.head()?, reader.head()?) {
        (Head::Array(2), Head::Uint(start), Head::Uint(end)) if start < end => Ok([start, end]),
        _ => Err(faulty(say!("has a `coverage` that is not two integers, the first less than the second"))),
    }
}

fn read_modality<'a>(reader: &mut Reader<'a>) -> Result<&'a str> {
    let Head::Text(length) = reader.head()? else { return Err(faulty(say!("has a `modality` that is not text"))) };
    reader.text_body(length)
}

fn read_timeline(reader: &mut Reader<'_>) -> Result<Address> {
    let Head::Bytes(length) = reader.head()? else {
        return Err(faulty(say!("has a `timeline` that is not an address")));
    };
    Address::from_bytes(reader.body(length)?).map_err(|error| error.within(say!("Track key `timeline`")))
}

fn read_index(reader: &mut Reader<'_>, tag: &str) -> Result<Index> {
    let modality = Modality::parse(tag)?;
    if modality.class() == "scalar" {
        return reader.value().map(|_| Index::Unread);
    }
    let count = match reader.head()? {
        Head::Array(count) => count,
        Head::Map(pairs) => return Paged::read(reader, pairs, &modality).map(Index::Paged),
        _ => return Err(faulty(say!("has an `object_index` that is neither an array nor a map"))),
    };
    match (modality.class(), modality.track_kind()?) {
        ("array", Some(TrackKind::Event | TrackKind::Continuous)) if starts_with_address(reader, count) => {
            Err(faulty(say!("has the `object_index` of a Constant")))
        }
        // A text may be declared before it is written; an array Constant is written with its declaration.
        (class, Some(TrackKind::Constant)) if class != "array" && count == 0 => Ok(Index::Constant(None)),
        (_, Some(TrackKind::Constant)) => {
            entries::read_constant(reader, count).map(|address| Index::Constant(Some(address)))
        }
        _ => read_entries(reader, count, &modality, None),
    }
}

/// Reads entries with anchors: those of a page are relative to its start.
fn read_entries(reader: &mut Reader<'_>, count: u64, modality: &Modality<'_>, base: Option<u64>) -> Result<Index> {
    match (modality.class(), modality.track_kind()?) {
        ("array", Some(TrackKind::Event)) => EventIndex::read(reader, count, base).map(Index::Event),
        ("array", Some(TrackKind::Continuous)) => ContinuousIndex::read(reader, count, base).map(Index::Continuous),
        ("image" | "audio" | "video", Some(_)) => FragmentIndex::read(reader, count, base).map(Index::Fragments),
        _ => Err(unsupported(modality, say!("has an index that this version does not read"))),
    }
}

fn unsupported(modality: &Modality<'_>, what: Said) -> Error {
    let tag = modality.as_str();
    Error::new(Code::UnsupportedIndex, say!("a Track of modality `{}` {}", tag, what)).about(tag)
}

/// Whether the index about to be read is a bare address.
fn starts_with_address(reader: &Reader<'_>, count: u64) -> bool {
    count > 0 && matches!(reader.clone().head(), Ok(Head::Bytes(_)))
}

fn agree<T: PartialEq + Part + Copy>(what: &str, advertised: T, actual: Option<T>) -> Result<()> {
    let Some(actual) = actual.filter(|actual| *actual != advertised) else { return Ok(()) };
    let message = say!("the manifest advertises the {} {}, but the Track says {}", what, advertised, actual);
    Err(Error::new(Code::TrackMismatch, message).about(what).bounds(advertised, actual))
}

fn faulty(what: Said) -> Error {
    Error::new(Code::TrackField, say!("the Track Object {}", what))
}

//! Tracks as a writer emits them: empty ones, Constants, and those that get new entries.
//!
//! What is written is what the reference would write of the same Items. An index goes into pages when its array of
//! entries takes more than 1 MiB, and stays in them; of a paged one only the pages on the way to the new entries are read
//! and made anew ([`pages`]). Elements of existing entries that this version does not know are kept.
//!
//! Which Items there are, storing objects, and the manifest do not belong here.

mod pages;
pub(super) mod rows;

use super::encode::Fragment;
use super::fragments::Form;
use super::pages::Paged;
use super::{Advertised, Front, Index, faulty, read_coverage, read_modality, read_timeline, unsupported};
use crate::cbor::{Head, Reader, Writer};
use crate::error::{Code, Error, Result};
use crate::modality::{Modality, TrackKind};
use crate::multihash::Address;
use crate::order::{ascending, pick};
use pages::Tree;
use rows::{Row, Shape, head_bytes, refuse_repeats, sorted};

/// Bytes that the array of entries may take in a Track; one that would take more goes into pages.
pub const INLINE_BYTES: usize = 1 << 20;

/// Items to be added to a Track, as columns of one length; those that a class does not have are empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Added<'a> {
    /// Anchor of each Item; the extent ends after it.
    pub anchors: &'a [u64],
    /// Object of each Item: the Item, its ItemManifest, or its pack.
    pub objects: &'a [Address],
    /// Bytes of each Item; of media.
    pub sizes: &'a [u64],
    /// [`Form`] of each Item; of media.
    pub forms: &'a [u8],
    /// Offset of each Item in its pack; of media.
    pub offsets: &'a [u32],
}

/// A Track with new entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grown {
    /// The Track Object.
    pub track: Vec<u8>,
    /// New pages and their addresses; the root of a paged index comes last.
    pub pages: Vec<(Address, Vec<u8>)>,
    /// Extent of its anchors, for the binding.
    pub coverage: [u64; 2],
    /// Items of the Track.
    pub items: u64,
}

/// What comes of an attempt to add entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// These pages have to be read first.
    Need(Vec<Address>),
    /// It is done.
    Done(Grown),
}

/// A Track that has no Items yet.
///
/// # Errors
/// Those of [`Modality::parse`]; [`Code::InvalidArgument`] for a Constant, which is written with its Item.
pub fn new_track(modality: &str, timeline: &Address) -> Result<Vec<u8>> {
    if Modality::parse(modality)?.track_kind()? == Some(TrackKind::Constant) {
        return Err(Error::new(Code::InvalidArgument, "a Constant has exactly one Item, and no anchor"));
    }
    let mut out = front([0, 1], modality, timeline);
    out.array(0);
    Ok(out.into_bytes())
}

/// The Track of a Constant, an array or a text.
///
/// # Errors
/// Those of [`Modality::parse`]; [`Code::InvalidArgument`] for a Track of another kind.
pub fn constant_track(modality: &str, timeline: &Address, item: &Address) -> Result<Vec<u8>> {
    if Modality::parse(modality)?.track_kind()? != Some(TrackKind::Constant) {
        return Err(Error::new(Code::InvalidArgument, "a Track that is no Constant has Items at anchors"));
    }
    let mut out = front([0, u64::MAX], modality, timeline);
    out.array(1).bytes(item.as_bytes());
    Ok(out.into_bytes())
}

/// Adds Items to a Track.
///
/// `stored` are those pages of its index that were read so far. Unless all that are needed are among them, the answer
/// says which to read; the next attempt may need pages below those. The coverage of an inline index is that of its entries,
/// whatever the Track said; that of a paged one is widened. Costs O(n log n) for n entries of an inline index,
/// or of the pages on the way.
///
/// # Errors
/// Those of [`Index::decode`] and [`Page::decode`](super::pages::Page::decode); [`Code::InvalidArgument`] for columns of
/// different lengths, an unknown form, or the anchor 2^64 − 1; [`Code::RepeatedAnchor`] of array Items;
/// [`Code::UnsupportedIndex`] for a Track to which no Items are added.
pub fn append(track: &[u8], stored: &[&[u8]], added: &Added<'_>) -> Result<Step> {
    let (own, at) = open(track)?;
    let class = Modality::parse(own.modality)?;
    let shape = match (class.class(), class.track_kind()?) {
        ("array", Some(TrackKind::Event)) => Shape::Anchor,
        ("array", Some(TrackKind::Continuous)) | ("image" | "audio" | "video", Some(_)) => Shape::Extent,
        _ => return Err(unsupported(&class, "gets no Items by anchors")),
    };
    let index = Index::decode(track, &own)?;
    let new = sorted(added.rows(shape, class.is_array())?);
    if class.is_array() {
        refuse_repeats(&new)?;
    }
    if let Index::Paged(old) = index {
        let Some([start, end]) = extent(&new) else { return Ok(paged(&own, own.coverage, &old, Vec::new())) };
        let coverage =
            if old.items == 0 { [start, end] } else { [own.coverage[0].min(start), own.coverage[1].max(end)] };
        let stored: Vec<(Address, &[u8])> = stored.iter().map(|page| (Address::of(page), *page)).collect();
        let address = |at: usize| stored.get(at).map(|(address, _)| address);
        let stored = pick(&stored, &ascending(stored.len(), &|first, second| address(first).cmp(&address(second))));
        let (grown, tree) = Tree::new(own.modality, shape, class.is_array(), &stored).grow(old, new)?;
        return Ok(if tree.needed.is_empty() {
            paged(&own, coverage, &grown, tree.made)
        } else {
            Step::Need(tree.needed)
        });
    }
    let mut reader = Reader::new(track.get(at..).unwrap_or_default());
    let Head::Array(count) = reader.head()? else { return Err(faulty("has no entries")) };
    let mut rows = Row::read(&mut reader, track.get(at..).unwrap_or_default(), count, shape, None)?;
    rows.extend(new);
    let rows = sorted(rows);
    if class.is_array() {
        refuse_repeats(&rows)?;
    }
    let coverage = extent(&rows).unwrap_or(own.coverage);
    let bytes =
        rows.iter().map(|row| row.bytes(shape, None)).fold(head_bytes(rows.len() as u64), usize::saturating_add);
    if bytes > INLINE_BYTES {
        let (index, tree) = Tree::new(own.modality, shape, class.is_array(), &[]).build(&rows)?;
        return Ok(paged(&own, coverage, &index, tree.made));
    }
    let mut out = front(coverage, own.modality, &own.timeline);
    out.array(rows.len());
    for row in &rows {
        row.write(&mut out, shape, None);
    }
    Ok(Step::Done(Grown { track: out.into_bytes(), pages: Vec::new(), coverage, items: rows.len() as u64 }))
}

impl Added<'_> {
    fn rows(&self, shape: Shape, is_array: bool) -> Result<Vec<Row<'static>>> {
        let count = self.anchors.len();
        let media = if is_array { 0 } else { count };
        let lengths = [self.sizes.len(), self.forms.len(), self.offsets.len()];
        if self.objects.len() != count || lengths != [media; 3] {
            return Err(Error::new(Code::InvalidArgument, "the columns of new entries have different lengths"));
        }
        let mut rows = Vec::with_capacity(count);
        for (at, (anchor, item)) in self.anchors.iter().zip(self.objects).enumerate() {
            let place = (self.sizes.get(at), self.forms.get(at), self.offsets.get(at));
            let (Some(size), Some(form), Some(offset)) = place else {
                rows.push(Row::array(shape, *anchor, item)?);
                continue;
            };
            let unknown = || Error::new(Code::InvalidArgument, format_args!("{form} is no form of a fragment entry"));
            let form = Form::from_number(*form).ok_or_else(unknown)?;
            rows.push(Row::fragment(&Fragment { start: *anchor, size: *size, object: *item, form, offset: *offset })?);
        }
        Ok(rows)
    }
}

/// From the start of the first row to the end of all.
fn extent(rows: &[Row<'_>]) -> Option<[u64; 2]> {
    rows.first().map(|row| row.start).zip(rows.iter().map(|row| row.end).max()).map(<[u64; 2]>::from)
}

/// What a Track says of itself, and where its index begins.
fn open(track: &[u8]) -> Result<(Advertised<'_>, usize)> {
    let mut reader = Reader::new(track).with_text_keys();
    let Head::Map(pairs) = reader.head()? else { return Err(faulty("is not a map")) };
    let (mut own, mut index) = (Front::default(), None);
    for left in (0..pairs).rev() {
        match reader.key()? {
            "coverage" => own.coverage = Some(read_coverage(&mut reader)?),
            "modality" => own.modality = Some(read_modality(&mut reader)?),
            "timeline" => own.timeline = Some(read_timeline(&mut reader)?),
            _ => {
                index = Some(reader.position());
                // As a rule it is the last, and then need not be gone through.
                if left > 0 {
                    reader.value()?;
                }
            }
        }
    }
    match (own, index) {
        (Front { coverage: Some(coverage), modality: Some(modality), timeline: Some(timeline) }, Some(index)) => {
            Ok((Advertised { modality, timeline, coverage }, index))
        }
        _ => Err(faulty("lacks one of `coverage`, `modality`, `timeline`, `object_index`")),
    }
}

/// A Track Object up to its index.
fn front(coverage: [u64; 2], modality: &str, timeline: &Address) -> Writer {
    let mut out = Writer::new();
    out.map(4).text("coverage").uints(&coverage).text("modality").text(modality);
    out.text("timeline").bytes(timeline.as_bytes()).text("object_index");
    out
}

fn paged(own: &Advertised<'_>, coverage: [u64; 2], index: &Paged, pages: Vec<(Address, Vec<u8>)>) -> Step {
    let mut out = front(coverage, own.modality, &own.timeline);
    out.map(6).text("form").text("paged").text("root").bytes(index.root.as_bytes());
    out.text("fanout").uint(index.fanout).text("page_count").uint(index.pages);
    out.text("total_items").uint(index.items).text("tree_height").uint(index.height);
    Step::Done(Grown { track: out.into_bytes(), pages, coverage, items: index.items })
}

//! Paged indexes: a tree of content-addressed pages, for Tracks whose entries would be too many for one object.
//!
//! The Track says where the root is and how high the tree ([`Paged`]); a page is a leaf with entries relative to its
//! start, or lists the pages below it with their bounds ([`Page`]). A page must lie within the bounds that its parent
//! gives it, and its entries within its own, so that a search that goes by the bounds misses nothing. Bounds may be
//! wider than what they hold, and counts are not needed to find anything: an audit holds them against what there is.
//!
//! Which pages a search needs, and fetching them, does not belong here.

use super::{Extent, Index, read_entries, unsupported};
use crate::cbor::{Head, Reader};
use crate::error::{Code, Error, Result};
use crate::modality::{Modality, TrackKind};
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::{ascending, pick};
use crate::sentence::{Part, Said, say};
use alloc::vec::Vec;

/// Fewest bytes that the summary of a page can have: an array head, three integers, an address.
const LEAST_SUMMARY_BYTES: usize = 1 + 3 + 2 + ADDRESS_BYTES;

/// Levels that a tree can have at most: far more than 2^64 Items need.
const MOST_LEVELS: u64 = 64;

/// What a Track says of its tree of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paged {
    /// Address of the page at the top.
    pub root: Address,
    /// Levels of the tree; 1 if the root is a leaf.
    pub height: u64,
    /// Items of all leaves.
    pub items: u64,
    /// Pages of all levels.
    pub pages: u64,
    /// Children that an internal page has at most.
    pub fanout: u64,
}

/// What is above a page says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// Modality tag of the Track.
    pub modality: &'a str,
    /// Level of the page; a leaf has level 1.
    pub level: u64,
    /// Children that an internal page has at most.
    pub fanout: u64,
    /// Bounds by the page above; there is none above the root.
    pub bounds: Option<[u64; 2]>,
}

/// One page of a paged index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// Entries: any index but a Constant's or a paged one.
    Leaf(Index),
    /// Pages one level below.
    Internal(Children),
}

/// Pages below an internal page, in ascending order of their starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Children {
    /// First anchor of each.
    pub starts: Vec<u64>,
    /// Anchor after the last extent of each.
    pub ends: Vec<u64>,
    /// Items of each, those of all leaves below it.
    pub items: Vec<u64>,
    /// Addresses, 33 bytes each.
    pub addresses: Vec<u8>,
}

impl Paged {
    /// Reads the map of `pairs` pairs that stands in place of entries.
    pub(super) fn read(reader: &mut Reader<'_>, pairs: u64, modality: &Modality<'_>) -> Result<Self> {
        if modality.is_array() && modality.track_kind()? == Some(TrackKind::Constant) {
            return Err(unsupported(modality, say!("has a paged index, though it has one Item")));
        }
        let (mut form, mut root, mut numbers) = (None, None, [None; 4]);
        for _ in 0..pairs {
            let number = match reader.key()? {
                "form" if form.is_none() => {
                    let Head::Text(length) = reader.head()? else {
                        return Err(faulty("paged index", say!("has no form")));
                    };
                    form = Some(reader.text_body(length)?);
                    continue;
                }
                "root" if root.is_none() => {
                    root = Some(read_address(reader, "paged index")?);
                    continue;
                }
                "fanout" => 0,
                "page_count" => 1,
                "total_items" => 2,
                "tree_height" => 3,
                key => return Err(faulty("paged index", say!("has the unknown or repeated key `{}`", key))),
            };
            match numbers.get_mut(number) {
                Some(slot @ None) => *slot = Some(read_uint(reader, "paged index")?),
                _ => return Err(faulty("paged index", say!("repeats a key"))),
            }
        }
        if form.is_some_and(|form| form != "paged") {
            return Err(unsupported(modality, say!("has an index of a form that this version does not read")));
        }
        let (Some(_), Some(root), [Some(fanout), Some(pages), Some(items), Some(height)]) = (form, root, numbers)
        else {
            return Err(faulty(
                "paged index",
                say!("lacks one of `form`, `root`, `fanout`, `page_count`, `total_items`, `tree_height`"),
            ));
        };
        if height == 0 || height > MOST_LEVELS {
            return Err(faulty("paged index", say!("has {} levels", height)).bounds("1 to 64", height));
        }
        Ok(Self { root, height, items, pages, fanout })
    }
}

impl Page {
    /// Decodes a page and checks that it is what the Track and the page above say of it.
    ///
    /// # Errors
    /// [`Code::Cbor`]; [`Code::IndexPage`] for a missing, unknown, repeated or wrongly typed key, another kind of page
    /// than belongs at its level, more children than `fanout`, another modality, or an extent outside the bounds that
    /// the page or the one above it has; those of an entry, as in [`Index::decode`].
    pub fn decode(bytes: &[u8], place: &Place<'_>) -> Result<Self> {
        let mut reader = Reader::new(bytes).with_text_keys();
        let Head::Map(pairs) = reader.head()? else { return Err(faulty("index page", say!("is not a map"))) };
        let (mut kind, mut start, mut end, mut modality, mut page) = (None, None, None, None, None);
        for _ in 0..pairs {
            match reader.key()? {
                "type" if kind.is_none() => kind = Some(read_text(&mut reader)?),
                "t_min" if start.is_none() => start = Some(read_uint(&mut reader, "index page")?),
                "t_max" if end.is_none() => end = Some(read_uint(&mut reader, "index page")?),
                "modality" if modality.is_none() => modality = Some(read_text(&mut reader)?),
                "entries" if page.is_none() => {
                    let (Some(kind), Some(start)) = (kind, start) else {
                        return Err(faulty("index page", say!("must have `type` and `t_min` before `entries`")));
                    };
                    page = Some(read_page(&mut reader, kind, start, place)?);
                }
                key => return Err(faulty("index page", say!("has the unknown or repeated key `{}`", key))),
            }
        }
        let (Some(start), Some(end), Some(modality), Some(page)) = (start, end, modality, page) else {
            return Err(faulty("index page", say!("lacks one of `type`, `t_min`, `t_max`, `entries`, `modality`")));
        };
        if modality != place.modality {
            let message = say!("has the modality `{}`, its Track has `{}`", modality, place.modality);
            return Err(faulty("index page", message).bounds(place.modality, modality));
        }
        let own = Bounds { start, end };
        if end <= start {
            return Err(faulty("index page", say!("has the empty extent {}", own)));
        }
        if let Some([start, end]) = place.bounds {
            Bounds { start, end }.hold("has the extent", own)?;
        }
        if let Some((first, end)) = page.extent() {
            own.hold("has entries from", Bounds { start: first, end })?;
            // No half-open extent holds the last anchor of all, so no search would come here for it.
            if page.starts().last() == Some(&u64::MAX) {
                return Err(faulty("index page", say!("has an entry at {}, not within {}", u64::MAX, own)));
            }
        }
        Ok(page)
    }

    /// Extent in which a search would look for what the page has: of entries, their first anchors; of pages, their bounds.
    fn extent(&self) -> Option<(u64, u64)> {
        let (first, last) = self.starts().first().zip(self.starts().last())?;
        let end = match self {
            Self::Leaf(_) => last.saturating_add(1),
            Self::Internal(children) => children.ends.iter().copied().max()?,
        };
        Some((*first, end))
    }

    /// First anchors of entries or of pages, in ascending order.
    fn starts(&self) -> &[u64] {
        match self {
            Self::Leaf(index) => index.starts(),
            Self::Internal(children) => &children.starts,
        }
    }
}

/// A half-open extent of anchors.
#[derive(Clone, Copy)]
struct Bounds {
    start: u64,
    end: u64,
}

impl Bounds {
    /// Refuses what does not lie within.
    fn hold(self, what: &str, inner: Self) -> Result<()> {
        if self.start <= inner.start && inner.end <= self.end {
            return Ok(());
        }
        Err(faulty("index page", say!("{} {}, not within {}", what, inner, self)).bounds(self, inner))
    }
}

impl Part for Bounds {
    fn add_to(self, said: Said) -> Said {
        said.with(Extent([self.start, self.end]))
    }
}

fn read_page(reader: &mut Reader<'_>, kind: &str, start: u64, place: &Place<'_>) -> Result<Page> {
    let leaf = match kind {
        "leaf" => true,
        "internal" => false,
        other => return Err(faulty("index page", say!("has the unknown type `{}`", other))),
    };
    if leaf != (place.level == 1) {
        let message = say!("is of type `{}` at level {} of the tree, leaves are at level 1", kind, place.level);
        return Err(faulty("index page", message));
    }
    let Head::Array(count) = reader.head()? else {
        return Err(faulty("index page", say!("has `entries` that are not an array")));
    };
    if leaf {
        let modality = Modality::parse(place.modality)?;
        let mut index = read_entries(reader, count, &modality, Some(start))?;
        // Packs go on from leaf to leaf: one alone cannot say what is wrong with them, unless there is no other.
        if let (Index::Fragments(fragments), Some(_)) = (&mut index, place.bounds) {
            fragments.packs.faults.clear();
        }
        return Ok(Page::Leaf(index));
    }
    if count > place.fanout {
        let message = say!("has {} children, the Track declares a fan-out of {}", count, place.fanout);
        return Err(faulty("index page", message).bounds(place.fanout, count));
    }
    Children::read(reader, count).map(Page::Internal)
}

impl Children {
    fn read(reader: &mut Reader<'_>, count: u64) -> Result<Self> {
        let room = reader.remaining().wrapping_div(LEAST_SUMMARY_BYTES);
        let room = usize::try_from(count).unwrap_or(usize::MAX).min(room);
        let mut children = Self::default();
        let mut addresses: Vec<[u8; ADDRESS_BYTES]> = Vec::with_capacity(room);
        for _ in 0..count {
            if reader.head()? != Head::Array(4) {
                return Err(faulty("index page", say!("lists a page below it otherwise than by four elements")));
            }
            let own = Bounds { start: read_uint(reader, "index page")?, end: read_uint(reader, "index page")? };
            if own.end <= own.start {
                return Err(faulty("index page", say!("lists a page with the empty extent {}", own)));
            }
            children.starts.push(own.start);
            children.ends.push(own.end);
            addresses.push(*read_address(reader, "index page")?.as_bytes());
            children.items.push(read_uint(reader, "index page")?);
        }
        let starts = &children.starts;
        let order = ascending(starts.len(), &|first, second| starts.get(first).cmp(&starts.get(second)));
        children.addresses = pick(&addresses, &order).concat();
        for column in [&mut children.starts, &mut children.ends, &mut children.items] {
            *column = pick(column, &order);
        }
        Ok(children)
    }
}

fn read_uint(reader: &mut Reader<'_>, what: &str) -> Result<u64> {
    match reader.head()? {
        Head::Uint(value) => Ok(value),
        _ => Err(faulty(what, say!("has another value where an unsigned integer is needed"))),
    }
}

fn read_text<'a>(reader: &mut Reader<'a>) -> Result<&'a str> {
    match reader.head()? {
        Head::Text(length) => reader.text_body(length),
        _ => Err(faulty("index page", say!("has another value where text is needed"))),
    }
}

fn read_address(reader: &mut Reader<'_>, what: &str) -> Result<Address> {
    match reader.head()? {
        Head::Bytes(length) => Address::from_bytes(reader.body(length)?),
        _ => Err(faulty(what, say!("has another value where an address is needed"))),
    }
}

fn faulty(what: &str, fault: Said) -> Error {
    Error::new(Code::IndexPage, say!("the {} {}", what, fault))
}

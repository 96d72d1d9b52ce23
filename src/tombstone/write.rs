//! Tombstones as a writer emits them: the head and pages that say of more anchors that they are deleted.
//!
//! The tree is the reference's: anchors go to the first page that reaches as far, or else to the last; a page that
//! would have more than 128 entries or children becomes as few as can hold them, of sizes that differ by one at most,
//! the larger ones first; pages that nothing goes to are not touched. An anchor that is deleted again has the later
//! entry. A head that is a plain list, or of another timeline, becomes a parent of a new index.
//!
//! Which pages are needed is known only as they are read, so [`delete`] is called again with what it asked for.

use super::{Head, INDEX, MOST_LEAF_ENTRIES, MOST_PAGE_BYTES, PAGE, Page, Summary, refuse};
use crate::cbor::{Reader, Record, Writer};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::order::ascending;

/// Most children of a page; the fewest are two.
const MOST_CHILDREN: usize = 128;

/// Most bytes of a reason.
const MOST_REASON_BYTES: usize = 256;

/// Levels beyond which a tree is not followed: all anchors that there are would fit into fewer.
const MOST_LEVELS: u64 = 16;

/// What is to be deleted.
#[derive(Clone, Copy, Debug)]
pub struct Deletion<'a> {
    /// Timeline of the anchors.
    pub timeline: Address,
    /// The anchors, in any order; those that are deleted already or never were are no fault.
    pub anchors: &'a [u64],
    /// Why, for people: at most 256 bytes.
    pub reason: Option<&'a str>,
    /// When, in milliseconds since the epoch.
    pub now: u64,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Pages that must be there at the next call, besides those that were.
    Needs(Vec<Address>),
    /// The objects to be stored: the head, and pages that it needs and that were not there before.
    Done {
        /// The new head.
        head: Vec<u8>,
        /// The new pages.
        pages: Vec<Vec<u8>>,
    },
}

/// Deletes anchors below `head`, if there is one. `pages` are pages of its tree one after another, as far as they are there.
///
/// # Errors
/// [`Code::InvalidArgument`] if there are no anchors, or a reason is too long; those of [`Head::decode`] and
/// [`Page::decode`]; [`Code::Tombstones`] as well for what the reference would not append to: unsorted parents, unknown
/// keys, pages of one child.
pub fn delete<'a>(head: Option<&[u8]>, pages: &'a [u8], deletion: &'a Deletion<'a>) -> Result<Step> {
    let invalid = |message| Err(Error::new(Code::InvalidArgument, message));
    if deletion.anchors.is_empty() {
        return invalid("there is no anchor to be deleted");
    }
    if deletion.reason.is_some_and(|reason| reason.len() > MOST_REASON_BYTES) {
        return invalid("the reason of a deletion has at most 256 bytes of UTF-8");
    }
    let Base { parents, root } = Base::of(head, &deletion.timeline)?;
    let mut tree = Tree { loaded: loaded(pages)?, deletion, needs: Vec::new(), made: Vec::new() };
    let mut tops = match &root {
        Some(root) => tree.insert(root, &tree.sorted())?,
        None => tree.leaves(&tree.merge(&[], &tree.sorted()))?,
    };
    if !tree.needs.is_empty() {
        return Ok(Step::Needs(tree.needs));
    }
    while tops.len() > 1 {
        tops = tree.internals(&tops)?;
    }
    let mut out = Writer::new();
    out.map(5).text("kind").text(INDEX).text("root");
    match tops.first() {
        Some(root) => root.write(&mut out),
        None => _ = out.null(),
    }
    out.text("parents").array(parents.len());
    for parent in &parents {
        out.bytes(parent.as_bytes());
    }
    out.text("timeline").bytes(deletion.timeline.as_bytes()).text("issued_at").uint(deletion.now);
    Ok(Step::Done { head: out.into_bytes(), pages: tree.made })
}

/// What a new head goes on from.
struct Base {
    parents: Vec<Address>,
    root: Option<Summary>,
}

impl Base {
    fn of(head: Option<&[u8]>, timeline: &Address) -> Result<Self> {
        let Some(bytes) = head else { return Ok(Self { parents: Vec::new(), root: None }) };
        let head = Head::decode(bytes)?;
        let value = Reader::new(bytes).with_text_keys().value()?;
        let record = Record::open(Code::Tombstones, "the head of tombstones", &value)?;
        if record.text("kind")? != INDEX || head.timeline != Some(*timeline) {
            return Ok(Self { parents: vec![Address::of(bytes)], root: None });
        }
        record.close(&["kind", "root", "parents", "timeline", "issued_at"])?;
        if !head.parents.is_sorted_by(|first, second| first < second) {
            return Err(refuse("the parents of an index of tombstones are not in strictly ascending order"));
        }
        Ok(Self { parents: head.parents, root: head.root })
    }
}

/// One deleted anchor.
#[derive(Clone, Copy)]
struct Entry<'a> {
    anchor: u64,
    reason: Option<&'a str>,
    deleted_at: u64,
}

struct Tree<'a> {
    /// Pages that are there, in ascending order of their addresses.
    loaded: Vec<(Address, &'a [u8])>,
    deletion: &'a Deletion<'a>,
    needs: Vec<Address>,
    made: Vec<Vec<u8>>,
}

impl<'a> Tree<'a> {
    /// The anchors in ascending order, each once.
    fn sorted(&self) -> Vec<u64> {
        let anchors = self.deletion.anchors;
        let order = ascending(anchors.len(), &|first, second| anchors.get(first).cmp(&anchors.get(second)));
        let mut sorted = crate::order::pick(anchors, &order);
        sorted.dedup();
        sorted
    }

    /// Puts anchors below a page; gives what takes its place, or nothing if pages are needed first.
    fn insert(&mut self, summary: &Summary, anchors: &[u64]) -> Result<Vec<Summary>> {
        let found = self.loaded.binary_search_by(|(address, _)| address.cmp(&summary.page));
        let Some((_, bytes)) = found.ok().and_then(|at| self.loaded.get(at)).copied() else {
            self.needs.push(summary.page);
            return Ok(Vec::new());
        };
        if summary.level > MOST_LEVELS {
            return Err(refuse("the tree of tombstones is deeper than any that holds 64-bit anchors"));
        }
        let children = match Page::decode(bytes, summary)? {
            Page::Leaf(_) => {
                let merged = self.merge(&entries(bytes)?, anchors);
                return self.leaves(&merged);
            }
            Page::Internal(children) => children,
        };
        if !(2..=MOST_CHILDREN).contains(&children.len()) {
            return Err(refuse("a page of tombstones has not 2 to 128 children"));
        }
        let mut rest = anchors;
        let mut below = Vec::with_capacity(children.len());
        for (left, child) in (0..children.len()).rev().zip(&children) {
            let reached = if left == 0 { rest.len() } else { rest.partition_point(|anchor| *anchor <= child.max) };
            let (mine, others) = rest.split_at_checked(reached).unwrap_or((rest, &[]));
            rest = others;
            if mine.is_empty() { below.push(*child) } else { below.extend(self.insert(child, mine)?) }
        }
        if self.needs.is_empty() { self.internals(&below) } else { Ok(Vec::new()) }
    }

    /// Entries with those of the anchors among them, in the place of older ones.
    fn merge(&self, entries: &[Entry<'a>], anchors: &[u64]) -> Vec<Entry<'a>> {
        let mut merged = Vec::with_capacity(entries.len().saturating_add(anchors.len()));
        let mut rest = entries;
        for anchor in anchors {
            let (before, after) = rest.split_at(rest.partition_point(|entry| entry.anchor < *anchor));
            merged.extend_from_slice(before);
            rest = match after {
                [same, after @ ..] if same.anchor == *anchor => after,
                _ => after,
            };
            merged.push(Entry { anchor: *anchor, reason: self.deletion.reason, deleted_at: self.deletion.now });
        }
        merged.extend_from_slice(rest);
        merged
    }

    fn leaves(&mut self, entries: &[Entry<'a>]) -> Result<Vec<Summary>> {
        let mut summaries = Vec::new();
        let mut rest = entries;
        for size in shares(entries.len(), MOST_LEAF_ENTRIES) {
            let (page, others) = rest.split_at_checked(size).unwrap_or((rest, &[]));
            rest = others;
            let ([first, ..], [.., last]) = (page, page) else { continue };
            let mut out = Writer::new();
            out.map(3).text("kind").text(PAGE).text("level").uint(0).text("entries").array(page.len());
            for entry in page {
                out.map(if entry.reason.is_some() { 3 } else { 2 }).text("anchor").uint(entry.anchor);
                if let Some(reason) = entry.reason {
                    out.text("reason").text(reason);
                }
                out.text("deleted_at").uint(entry.deleted_at);
            }
            let [min, max] = [first, last].map(|entry| entry.anchor);
            let count = page.len() as u64;
            summaries.push(Summary { min, max, count, level: 0, page: self.store(out)? });
        }
        Ok(summaries)
    }

    fn internals(&mut self, children: &[Summary]) -> Result<Vec<Summary>> {
        let mut summaries = Vec::new();
        let mut rest = children;
        for size in shares(children.len(), MOST_CHILDREN) {
            let (page, others) = rest.split_at_checked(size).unwrap_or((rest, &[]));
            rest = others;
            let ([first, ..], [.., last]) = (page, page) else { continue };
            let level = first.level.saturating_add(1);
            let mut out = Writer::new();
            out.map(3).text("kind").text(PAGE).text("level").uint(level).text("children").array(page.len());
            let mut count = 0_u64;
            for child in page {
                child.write(&mut out);
                count = count.saturating_add(child.count);
            }
            summaries.push(Summary { min: first.min, max: last.max, count, level, page: self.store(out)? });
        }
        Ok(summaries)
    }

    /// Keeps a page to be stored.
    fn store(&mut self, page: Writer) -> Result<Address> {
        let page = page.into_bytes();
        if page.len() > MOST_PAGE_BYTES {
            return Err(refuse("a page of tombstones would have more than 65,536 bytes"));
        }
        let address = Address::of(&page);
        self.made.push(page);
        Ok(address)
    }
}

impl Summary {
    fn write(&self, out: &mut Writer) {
        out.map(5).text("max").uint(self.max).text("min").uint(self.min).text("hash").bytes(self.page.as_bytes());
        out.text("count").uint(self.count).text("level").uint(self.level);
    }
}

/// Sizes of as few pages as can hold `count` entries: they differ by one at most, the larger ones come first.
fn shares(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let pages = count.div_ceil(most);
    let (least, more) = (count.checked_div(pages).unwrap_or(0), count.checked_rem(pages).unwrap_or(0));
    (0..pages).map(move |at| least.saturating_add(usize::from(at < more)))
}

/// The pages that stand one after another in `bytes`, in ascending order of their addresses.
fn loaded(bytes: &[u8]) -> Result<Vec<(Address, &[u8])>> {
    let mut reader = Reader::new(bytes).with_text_keys();
    let mut pages = Vec::new();
    while reader.remaining() > 0 {
        let start = reader.position();
        reader.value()?;
        let page = bytes.get(start..reader.position()).unwrap_or_default();
        pages.push((Address::of(page), page));
    }
    let address = |at: usize| pages.get(at).map(|(address, _)| address);
    let order = ascending(pages.len(), &|first, second| address(first).cmp(&address(second)));
    Ok(crate::order::pick(&pages, &order))
}

/// All of a leaf's entries; [`Page::decode`] has seen their anchors.
fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>> {
    let page = Reader::new(bytes).with_text_keys().value()?;
    let page = Record::open(Code::Tombstones, "a page of tombstones", &page)?;
    page.close(&["kind", "level", "entries"])?;
    let mut entries = Vec::new();
    for entry in page.list("entries")? {
        let entry = Record::open(Code::Tombstones, "an entry of tombstones", entry)?;
        let reason = entry.find("reason").map(|_| entry.text("reason")).transpose()?;
        let keys = ["anchor", "deleted_at", "reason"];
        entry.close(keys.get(..if reason.is_some() { 3 } else { 2 }).unwrap_or_default())?;
        entries.push(Entry { anchor: entry.uint("anchor")?, reason, deleted_at: entry.uint("deleted_at")? });
    }
    Ok(entries)
}

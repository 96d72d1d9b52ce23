//! Pages of a tree of scalar values as a writer emits them: of at most 64 KiB and 256 children, and only those on the way to
//! new entries.
//!
//! As the reference does it, entries go into the tree one by one, ascending. Each goes to the last page that does not
//! begin after its key, or the first of all; pages that become too large are cut into full ones, from the front.
//! Pages above list theirs by least key, greatest key and address.

use super::super::page::Page as Checked;
use super::super::value;
use super::super::{Tree, ValueType, refuse};
use crate::cbor::{Reader, Value, Writer};
use crate::error::Result;
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::ascending;
use crate::track::write::head_bytes;
use std::cmp::Ordering;

/// Bytes that a page has at most.
const PAGE_BYTES: usize = 64 << 10;

/// Pages that an internal page lists at most. As many entries as a leaf could have by number do not fit into its bytes.
const MOST_CHILDREN: usize = 256;

/// An entry of a leaf, or what an internal page says of a page.
#[derive(Default)]
pub(super) struct Row {
    /// Least key; of entries that stand in a Track what these are ordered by.
    pub(super) low: Vec<u8>,
    /// Greatest key; of entries none.
    high: Vec<u8>,
    /// As it stands in its page; of a page that is being changed the address at its end is not true yet.
    pub(super) entry: Vec<u8>,
    below: Option<Page>,
}

/// A page that is being changed.
pub(super) struct Page {
    level: u64,
    rows: Vec<Row>,
    /// Bytes of the rows.
    bytes: usize,
}

impl Row {
    /// An entry of a value, by its canonical encoding.
    pub(super) fn leaf(value_type: ValueType, value: &[u8], start: u64, entry: Vec<u8>) -> Result<Self> {
        let low = if value_type.is_inline() {
            // No encoding is the front of another one.
            [value, &start.to_be_bytes()].concat()
        } else {
            value::key(value_type, value)?
        };
        Ok(Self { low, high: Vec::new(), entry, below: None })
    }

    /// The rows of an index that was checked, so many levels above its leaves.
    pub(super) fn read_all(list: Option<&Value<'_>>, value_type: ValueType, level: u64) -> Result<Vec<Self>> {
        let mut rows = Vec::new();
        for item in list.and_then(Value::as_array).unwrap_or_default() {
            let mut out = Writer::new();
            out.value(item);
            let entry = out.into_bytes();
            rows.push(match item.as_array() {
                Some([Value::Bytes(value), Value::Uint(start), ..]) if level == 0 => {
                    Self::leaf(value_type, value, *start, entry)?
                }
                Some([Value::Bytes(low), Value::Bytes(high), ..]) => {
                    Self { low: low.to_vec(), high: high.to_vec(), entry, below: None }
                }
                _ => return Err(refuse("an entry of the index is not what it was read as")),
            });
        }
        Ok(rows)
    }

    /// What is said of a page.
    fn of(page: Page) -> Self {
        let low = page.rows.first().map(|row| row.low.clone()).unwrap_or_default();
        let last = page.rows.last().map(|row| if page.level == 0 { &row.low } else { &row.high });
        let high = last.cloned().unwrap_or_default();
        let mut out = Writer::new();
        out.array(3).bytes(&low).bytes(&high).bytes(&[0; ADDRESS_BYTES]);
        Self { low, high, entry: out.into_bytes(), below: Some(page) }
    }

    /// Order of entries in a leaf: the key, then value, extent and place, all of which are spelled in order.
    fn order(&self, other: &Self) -> Ordering {
        self.low.cmp(&other.low).then_with(|| self.entry.get(1..).cmp(&other.entry.get(1..)))
    }

    /// Order of pages.
    fn range(&self) -> [&[u8]; 2] {
        [&self.low, &self.high]
    }

    fn address(&self) -> &[u8] {
        self.entry.last_chunk::<ADDRESS_BYTES>().map(<[u8; ADDRESS_BYTES]>::as_slice).unwrap_or_default()
    }
}

impl Page {
    fn new(level: u64, rows: Vec<Row>) -> Self {
        let bytes = rows.iter().map(|row| row.entry.len()).fold(0, usize::saturating_add);
        Self { level, rows, bytes }
    }
}

/// The pages of one tree.
pub(super) struct Pages<'a> {
    value_type: ValueType,
    /// Pages that are there.
    stored: Vec<(Address, &'a [u8])>,
    /// Pages that are new, the root last.
    pub(super) made: Vec<(Address, Vec<u8>)>,
    /// Pages that have to be read first.
    pub(super) needed: Vec<Address>,
    /// Pages that are no longer part of the tree.
    replaced: u64,
}

impl<'a> Pages<'a> {
    pub(super) fn new(value_type: ValueType, stored: &[&'a [u8]]) -> Self {
        let stored = stored.iter().map(|page| (Address::of(page), *page)).collect();
        Self { value_type, stored, made: Vec::new(), needed: Vec::new(), replaced: 0 }
    }

    /// The tree with new entries. If pages are [needed](Self::needed), it is not whole.
    pub(super) fn grow(&mut self, old: Option<Tree>, new: Vec<Row>) -> Result<Tree> {
        let (mut entries, mut pages) = (new.len() as u64, 0);
        let mut root = Page::new(0, Vec::new());
        if let Some(old) = old {
            entries = entries.saturating_add(old.entries);
            pages = old.pages;
            let Some(page) = self.load(&old.root, old.height.saturating_sub(1))? else { return Ok(old) };
            root = page;
        }
        for row in arranged(new, &Row::order) {
            let mut parts = self.insert(root, row)?;
            while parts.len() > 1 {
                let level = parts.first().map_or(0, |part| part.level).saturating_add(1);
                parts = self.divided(Page::new(level, parts.into_iter().map(Row::of).collect()));
            }
            root = parts.pop().unwrap_or_else(|| Page::new(0, Vec::new()));
        }
        let address = self.seal(&mut root, true);
        pages = pages.saturating_sub(self.replaced).saturating_add(self.made.len() as u64);
        Ok(Tree { root: address, pages, height: root.level.saturating_add(1), entries })
    }

    /// A page that is there; it is needed if it is not.
    fn load(&mut self, address: &Address, level: u64) -> Result<Option<Page>> {
        let Some((_, bytes)) = self.stored.iter().find(|(stored, _)| stored == address) else {
            if !self.needed.contains(address) {
                self.needed.push(*address);
            }
            return Ok(None);
        };
        Checked::decode(bytes, self.value_type, level).map_err(|error| error.within(format_args!("page {address}")))?;
        self.replaced = self.replaced.saturating_add(1);
        let page = Reader::new(bytes).value()?;
        Ok(Some(Page::new(level, Row::read_all(page.get("entries"), self.value_type, level)?)))
    }

    /// The pages that stand in the place of one that gets an entry.
    fn insert(&mut self, mut page: Page, row: Row) -> Result<Vec<Page>> {
        if page.level == 0 {
            let at = page.rows.partition_point(|other| other.order(&row).is_le());
            page.bytes = page.bytes.saturating_add(row.entry.len());
            page.rows.insert(at, row);
        } else {
            let at = page.rows.partition_point(|child| child.low <= row.low).saturating_sub(1);
            let Some(child) = page.rows.get_mut(at) else { return Ok(vec![page]) };
            let below = match child.below.take() {
                Some(below) => Some(below),
                None => self.load(&Address::from_bytes(child.address())?, page.level.saturating_sub(1))?,
            };
            let Some(below) = below else { return Ok(vec![page]) };
            let parts = self.insert(below, row)?;
            let after = page.rows.split_off(at.saturating_add(1));
            page.rows.truncate(at);
            page.rows.extend(parts.into_iter().map(Row::of));
            page.rows.extend(after);
            page = Page::new(page.level, self.settled(page.rows));
        }
        Ok(if self.fits(page.level, page.rows.len(), page.bytes) { vec![page] } else { self.divided(page) })
    }

    /// Puts pages of one range in the order of their addresses.
    fn settled(&mut self, mut rows: Vec<Row>) -> Vec<Row> {
        for run in rows.chunk_by_mut(|first, second| first.range() == second.range()) {
            if run.len() > 1 {
                for row in run {
                    self.seal_row(row, false);
                }
            }
        }
        arranged(rows, &|first, second| {
            first.range().cmp(&second.range()).then_with(|| first.address().cmp(second.address()))
        })
    }

    /// Full pages of a page that is too large.
    fn divided(&self, page: Page) -> Vec<Page> {
        let (level, mut own, mut bytes, mut pages) = (page.level, Vec::new(), 0_usize, Vec::new());
        for row in page.rows {
            let more = bytes.saturating_add(row.entry.len());
            if own.is_empty() || self.fits(level, own.len().saturating_add(1), more) {
                bytes = more;
            } else {
                pages.push(Page { level, rows: std::mem::take(&mut own), bytes });
                bytes = row.entry.len();
            }
            own.push(row);
        }
        pages.push(Page { level, rows: own, bytes });
        pages
    }

    fn fits(&self, level: u64, count: usize, bytes: usize) -> bool {
        // Four keys and their heads, and the heads of the page and of two texts.
        let frame = 1 + 5 + 6 + 8 + 10 + 2 + kind(level).len() + self.value_type.algorithm().len();
        let heads = head_bytes(level).saturating_add(head_bytes(count as u64));
        let all = frame.saturating_add(heads).saturating_add(bytes);
        all <= PAGE_BYTES && (level == 0 || count <= MOST_CHILDREN)
    }

    /// The address of a page, once those below it have theirs; keeps them all if they are to stay.
    fn seal(&mut self, page: &mut Page, keep: bool) -> Address {
        let mut out = Writer::new();
        out.map(4).text("type").text(kind(page.level)).text("level").uint(page.level);
        out.text("entries").array(page.rows.len());
        for row in &mut page.rows {
            self.seal_row(row, keep);
            out.encoded(&row.entry);
        }
        out.text("algorithm").text(self.value_type.algorithm());
        let object = out.into_bytes();
        let address = Address::of(&object);
        if keep {
            self.made.push((address, object));
        }
        address
    }

    fn seal_row(&mut self, row: &mut Row, keep: bool) {
        if let Some(below) = &mut row.below {
            let address = self.seal(below, keep);
            if let Some(place) = row.entry.last_chunk_mut::<ADDRESS_BYTES>() {
                *place = *address.as_bytes();
            }
        }
    }
}

/// Rows in ascending order; equal ones keep theirs.
pub(super) fn arranged(mut rows: Vec<Row>, compare: &dyn Fn(&Row, &Row) -> Ordering) -> Vec<Row> {
    let order = ascending(rows.len(), &|first, second| match (rows.get(first), rows.get(second)) {
        (Some(first), Some(second)) => compare(first, second),
        _ => Ordering::Equal,
    });
    order.into_iter().filter_map(|at| rows.get_mut(at as usize).map(std::mem::take)).collect()
}

const fn kind(level: u64) -> &'static str {
    if level > 0 { "internal" } else { "leaf" }
}

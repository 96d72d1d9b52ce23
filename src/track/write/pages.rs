//! Pages as a writer emits them: of at most 16 KiB and 256 children, and only those on the way to new entries.
//!
//! As the reference does it. An index that becomes paged fills its leaves one after another. An existing page that
//! becomes too large is divided: as long as there is a rest, its front that fits in a page says how many pages the rest
//! needs, and the next page takes its equal share. Levels above are divided in this way from the beginning. New entries
//! go to the last page that does not start after them, the first page takes what is before all.

use super::rows::{Row, Shape, head_bytes, refuse_repeats, sorted};
use crate::cbor::{Head, Reader, Writer};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::order::{ascending, pick};
use crate::track::pages::{Page, Paged, Place};

/// Bytes that a page has at most, unless one entry takes more.
const PAGE_BYTES: usize = 16 << 10;

/// Pages that an internal page lists at most.
const MOST_CHILDREN: usize = 256;

/// Level of the leaves.
const LEAVES: u64 = 1;

/// How rows are divided into pages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fill {
    /// As many to each page as fit.
    Full,
    /// Equal shares.
    Even,
}

/// A tree of pages being written.
pub(super) struct Tree<'a> {
    pub(super) modality: &'a str,
    /// Of entries.
    pub(super) shape: Shape,
    /// Whether two entries cannot be at one anchor.
    pub(super) is_array: bool,
    /// Pages that are there, in ascending order of their addresses.
    pub(super) stored: &'a [(Address, &'a [u8])],
    /// Pages that are new, the root last.
    pub(super) made: Vec<(Address, Vec<u8>)>,
    /// Pages that have to be read first.
    pub(super) needed: Vec<Address>,
    /// Children of the widest page that was made.
    widest: u64,
    /// Pages that are no longer part of the tree.
    replaced: u64,
}

impl<'a> Tree<'a> {
    pub(super) const fn new(
        modality: &'a str,
        shape: Shape,
        is_array: bool,
        stored: &'a [(Address, &'a [u8])],
    ) -> Self {
        Self { modality, shape, is_array, stored, made: Vec::new(), needed: Vec::new(), widest: 1, replaced: 0 }
    }

    /// The tree of these entries, which are in ascending order.
    pub(super) fn build(mut self, rows: &[Row<'a>]) -> Result<(Paged, Self)> {
        let leaves = self.divide(rows, LEAVES, Fill::Full)?;
        let (root, height) = self.top(leaves, LEAVES)?;
        let none = Paged { root, height, items: 0, pages: 0, fanout: 0 };
        Ok((self.grown(none, root, height, rows.len()), self))
    }

    /// The tree with new entries, which are in ascending order. If pages are [needed](Self::needed), it is not whole.
    pub(super) fn grow(mut self, old: Paged, new: Vec<Row<'a>>) -> Result<(Paged, Self)> {
        let added = new.len();
        let place = Place { modality: self.modality, level: old.height, fanout: old.fanout, bounds: None };
        let top = self.edit(old.root, place, new)?;
        if !self.needed.is_empty() {
            // One may be needed for two reasons.
            let needed = &self.needed;
            let order = ascending(needed.len(), &|first, second| needed.get(first).cmp(&needed.get(second)));
            self.needed = pick(needed, &order);
            self.needed.dedup();
            return Ok((old, self));
        }
        let (root, height) = self.top(top, old.height)?;
        Ok((self.grown(old, root, height, added), self))
    }

    /// What the Track says of the tree.
    fn grown(&self, old: Paged, root: Address, height: u64, added: usize) -> Paged {
        Paged {
            root,
            height,
            items: old.items.saturating_add(added as u64),
            pages: old.pages.saturating_sub(self.replaced).saturating_add(self.made.len() as u64),
            fanout: old.fanout.max(self.widest),
        }
    }

    /// The pages that stand in the place of one that gets entries.
    fn edit(&mut self, address: Address, place: Place<'a>, new: Vec<Row<'a>>) -> Result<Vec<Row<'a>>> {
        let Some(bytes) = self.find(address) else {
            return Ok(Vec::new());
        };
        Page::decode(bytes, &place).map_err(|error| error.within(format_args!("page {address}")))?;
        self.replaced = self.replaced.saturating_add(1);
        if place.level == LEAVES {
            let mut rows = read(bytes, self.shape)?;
            rows.extend(new);
            let rows = sorted(rows);
            if self.is_array {
                refuse_repeats(&rows)?;
            }
            return self.divide(&rows, LEAVES, Fill::Even);
        }
        let children = sorted(read(bytes, Shape::Extent)?);
        if children.is_empty() {
            return Err(Error::new(Code::IndexPage, format_args!("the index page {address} lists no pages")));
        }
        if self.is_array {
            self.look_aside(&children, place, &new)?;
        }
        let mut below = Vec::with_capacity(children.len());
        let mut new = new.into_iter().peekable();
        let mut after = children.iter().skip(1).map(|child| child.start).collect::<Vec<_>>().into_iter();
        for child in children {
            let next = after.next();
            let mut own = Vec::new();
            while let Some(row) = new.next_if(|row| next.is_none_or(|next| row.start < next)) {
                own.push(row);
            }
            if own.is_empty() {
                below.push(child);
                continue;
            }
            let level = place.level.saturating_sub(1);
            let place = Place { level, bounds: Some([child.start, child.end]), ..place };
            below.extend(self.edit(child.summary()?.0, place, own)?);
        }
        if !self.needed.is_empty() {
            return Ok(Vec::new());
        }
        self.divide(&below, place.level, Fill::Even)
    }

    /// Refuses array Items that a page has already whose bounds reach over the start of those after it. New entries do not
    /// go there, so nobody else looks.
    fn look_aside(&mut self, children: &[Row<'a>], place: Place<'a>, new: &[Row<'a>]) -> Result<()> {
        for (child, next) in children.iter().zip(children.iter().skip(1)) {
            let from = new.partition_point(|row| row.start < child.start.max(next.start));
            let to = new.partition_point(|row| row.start < child.end);
            let Some(aside @ [_, ..]) = new.get(from..to) else { continue };
            let level = place.level.saturating_sub(1);
            self.refuse_known(child, Place { level, bounds: Some([child.start, child.end]), ..place }, aside)?;
        }
        Ok(())
    }

    /// Refuses array Items that are below a page already.
    fn refuse_known(&mut self, summary: &Row<'a>, place: Place<'a>, new: &[Row<'a>]) -> Result<()> {
        let (address, _) = summary.summary()?;
        let Some(bytes) = self.find(address) else {
            return Ok(());
        };
        Page::decode(bytes, &place)?;
        if place.level == LEAVES {
            let mut rows = read(bytes, self.shape)?;
            rows.extend(new.iter().cloned());
            return refuse_repeats(&sorted(rows));
        }
        let level = place.level.saturating_sub(1);
        for child in read(bytes, Shape::Extent)? {
            let within = |row: &&Row<'a>| child.start <= row.start && row.start < child.end;
            let below: Vec<Row<'a>> = new.iter().filter(within).cloned().collect();
            if !below.is_empty() {
                self.refuse_known(&child, Place { level, bounds: Some([child.start, child.end]), ..place }, &below)?;
            }
        }
        Ok(())
    }

    /// A page that is there; it is needed if it is not.
    fn find(&mut self, address: Address) -> Option<&'a [u8]> {
        let found = self.stored.binary_search_by_key(&address, |(stored, _)| *stored).ok();
        let page = found.and_then(|at| self.stored.get(at)).map(|(_, page)| *page);
        if page.is_none() {
            self.needed.push(address);
        }
        page
    }

    /// The one page above these, and the levels of the tree below it.
    fn top(&mut self, mut rows: Vec<Row<'a>>, mut height: u64) -> Result<(Address, u64)> {
        while rows.len() > 1 {
            height = height.saturating_add(1);
            rows = self.divide(&rows, height, Fill::Even)?;
        }
        let root = rows.first().map(Row::summary).transpose()?;
        let (root, _) = root.ok_or_else(|| Error::new(Code::InvalidArgument, "an index of pages has entries"))?;
        Ok((root, height))
    }

    /// Makes pages of rows, and gives their summaries.
    fn divide(&mut self, rows: &[Row<'a>], level: u64, fill: Fill) -> Result<Vec<Row<'a>>> {
        let mut summaries = Vec::new();
        let mut rest = rows;
        while !rest.is_empty() {
            let most = self.fitting(rest, level);
            let share = rest.len().div_ceil(rest.len().div_ceil(most));
            let (page, after) =
                rest.split_at_checked(if fill == Fill::Full { most } else { share }).unwrap_or((rest, &[]));
            summaries.push(self.make(page, level)?);
            rest = after;
        }
        Ok(summaries)
    }

    /// How many of the first rows fit in one page: at least one.
    fn fitting(&self, rows: &[Row<'a>], level: u64) -> usize {
        let (shape, base) = self.form(rows, level);
        let kind = kind(level).len();
        let start = rows.first().map(|row| row.start).unwrap_or_default();
        // A head for the map and each of its ten items, of one byte unless counted below, and what the five keys spell.
        let frame = 11_usize.saturating_add("typet_maxt_minentriesmodality".len()).saturating_add(kind);
        let modality = head_bytes(self.modality.len() as u64).saturating_sub(1).saturating_add(self.modality.len());
        let (mut body, mut end, mut count) = (frame.saturating_add(modality), 0, 0_usize);
        let most = if level > LEAVES { MOST_CHILDREN } else { usize::MAX };
        for row in rows.iter().take(most) {
            body = body.saturating_add(row.bytes(shape, base));
            end = row.end.max(end);
            let next = count.saturating_add(1);
            let numbers = [start, end, next as u64].map(|number| head_bytes(number).saturating_sub(1));
            if numbers.into_iter().fold(body, usize::saturating_add) > PAGE_BYTES {
                break;
            }
            count = next;
        }
        count.max(1)
    }

    /// Makes one page, and gives its summary.
    fn make(&mut self, rows: &[Row<'a>], level: u64) -> Result<Row<'a>> {
        let (shape, base) = self.form(rows, level);
        let start = rows.first().map(|row| row.start).unwrap_or_default();
        let end = rows.iter().map(|row| row.end).max().unwrap_or_default();
        let mut items = rows.len() as u64;
        if level > LEAVES {
            self.widest = self.widest.max(items);
            items = 0;
            for row in rows {
                items = items.saturating_add(row.summary()?.1);
            }
        }
        let mut out = Writer::new();
        out.map(5).text("type").text(kind(level)).text("t_max").uint(end).text("t_min").uint(start);
        out.text("entries").array(rows.len());
        for row in rows {
            row.write(&mut out, shape, base);
        }
        out.text("modality").text(self.modality);
        let page = out.into_bytes();
        let address = Address::of(&page);
        self.made.push((address, page));
        Ok(Row::page(start, end, &address, items))
    }

    /// How a page of these rows is written.
    fn form(&self, rows: &[Row<'a>], level: u64) -> (Shape, Option<u64>) {
        if level > LEAVES {
            return (Shape::Extent, None);
        }
        (self.shape, rows.first().map(|row| row.start))
    }
}

const fn kind(level: u64) -> &'static str {
    if level > LEAVES { "internal" } else { "leaf" }
}

/// Rows of a page that was decoded before.
fn read(bytes: &[u8], shape: Shape) -> Result<Vec<Row<'_>>> {
    let mut reader = Reader::new(bytes);
    let Head::Map(pairs) = reader.head()? else { return Ok(Vec::new()) };
    let (mut start, mut is_leaf) = (0, false);
    for _ in 0..pairs {
        match reader.key()? {
            "type" => is_leaf = reader.value()?.as_text() == Some("leaf"),
            "t_min" => start = reader.value()?.as_uint().unwrap_or_default(),
            "entries" => {
                let Head::Array(count) = reader.head()? else { break };
                return Row::read(&mut reader, bytes, count, shape, is_leaf.then_some(start));
            }
            _ => {
                reader.value()?;
            }
        }
    }
    Ok(Vec::new())
}

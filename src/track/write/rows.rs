//! Entries as they are written: an extent that may be given as distances, and elements that are passed on as they are.
//!
//! Summaries of pages have the same form, so one set of rules measures, groups and writes both.

use crate::cbor::{Head, Reader, Writer};
use crate::error::{Code, Error, Result};
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::order::ascending;
use crate::track::encode::Fragment;
use crate::track::fragments::Form;
use std::borrow::Cow;

/// Bytes of an address as an element: its head and itself.
pub(super) const ADDRESS_ITEM: usize = 2 + ADDRESS_BYTES;

/// How an entry says when its Item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::track) enum Shape {
    /// By one anchor, behind the address.
    Anchor,
    /// By where it starts and ends, in front; relative to a page by distance and duration.
    Extent,
}

/// One entry, or the summary of a page.
#[derive(Clone, Debug, Default)]
pub(in crate::track) struct Row<'a> {
    pub(in crate::track) start: u64,
    pub(in crate::track) end: u64,
    /// Whether it is being added.
    pub(in crate::track) is_new: bool,
    elements: usize,
    /// The elements that are no extent, encoded.
    rest: Cow<'a, [u8]>,
}

impl<'a> Row<'a> {
    /// An array Item to be added at an anchor.
    pub(in crate::track) fn array(shape: Shape, anchor: u64, item: &Address) -> Result<Self> {
        let mut rest = Writer::new();
        if shape == Shape::Extent {
            rest.uint(anchor);
        }
        rest.bytes(item.as_bytes());
        let elements = if shape == Shape::Extent { 4 } else { 2 };
        Ok(Self { start: anchor, end: end_of(anchor)?, is_new: true, elements, rest: rest.into_bytes().into() })
    }

    /// A media Item to be added (0022 §3.3).
    pub(in crate::track) fn fragment(item: &Fragment) -> Result<Self> {
        let mut rest = Writer::new();
        rest.uint(item.size).bytes(item.object.as_bytes());
        let elements = match item.form {
            Form::Single => 4,
            Form::Chunked => {
                rest.bool(true);
                5
            }
            Form::Packed => {
                rest.bool(false).uint(u64::from(item.offset));
                6
            }
        };
        let (start, end) = (item.start, end_of(item.start)?);
        Ok(Self { start, end, is_new: true, elements, rest: rest.into_bytes().into() })
    }

    /// An Item of which only the anchor is known.
    pub(in crate::track) fn known(anchor: u64) -> Self {
        Self { start: anchor, ..Self::default() }
    }

    /// The summary of a page.
    pub(super) fn page(start: u64, end: u64, address: &Address, items: u64) -> Self {
        let mut rest = Writer::new();
        rest.bytes(address.as_bytes()).uint(items);
        Self { start, end, is_new: false, elements: 4, rest: rest.into_bytes().into() }
    }

    /// Address of the page that this is the summary of, and the number of its Items.
    pub(super) fn summary(&self) -> Result<(Address, u64)> {
        let mut reader = Reader::new(&self.rest);
        match (reader.chunk::<ADDRESS_BYTES>(), reader.uint()) {
            (Some(address), Some(items)) => Ok((Address::from_bytes(address)?, items)),
            _ => Err(odd()),
        }
    }

    /// Reads `count` entries out of `bytes`, at which the reader stands; those of a page are relative to `base`.
    pub(super) fn read(
        reader: &mut Reader<'a>,
        bytes: &'a [u8],
        count: u64,
        shape: Shape,
        base: Option<u64>,
    ) -> Result<Vec<Self>> {
        let mut rows = Vec::new();
        for _ in 0..count {
            let Head::Array(elements) = reader.head()? else { return Err(odd()) };
            let elements = usize::try_from(elements).map_err(|_| odd())?;
            let mut row = Self { elements, ..Self::default() };
            let mut own: Cow<'a, [u8]> = Cow::default();
            let mut number = || match reader.head()? {
                Head::Uint(value) => Ok(value),
                _ => Err(odd()),
            };
            if shape == Shape::Extent {
                (row.start, row.end) = (number()?, number()?);
                if let Some(base) = base {
                    row.start = base.checked_add(row.start).ok_or_else(odd)?;
                    row.end = row.start.checked_add(row.end).ok_or_else(odd)?;
                }
            } else {
                let Head::Bytes(length) = reader.head()? else { return Err(odd()) };
                let address = reader.body(length)?;
                let before = reader.position().checked_sub(ADDRESS_ITEM);
                let usual = before.and_then(|from| bytes.get(from..reader.position()));
                own = if let Some(usual @ [0x58, ..]) = usual {
                    usual.into()
                } else {
                    let mut out = Writer::new();
                    out.bytes(address);
                    out.into_bytes().into()
                };
                let Head::Uint(anchor) = reader.head()? else { return Err(odd()) };
                row.start = base.unwrap_or_default().checked_add(anchor).ok_or_else(odd)?;
                row.end = row.start.saturating_add(1);
            }
            let from = reader.position();
            for _ in 2..elements {
                reader.value()?;
            }
            let further = bytes.get(from..reader.position()).unwrap_or_default();
            row.rest = if own.is_empty() { further.into() } else { own };
            if shape == Shape::Anchor && !further.is_empty() {
                row.rest.to_mut().extend_from_slice(further);
            }
            rows.push(row);
        }
        Ok(rows)
    }

    /// Writes the row; relative to `base`, if that is given.
    pub(in crate::track) fn write(&self, out: &mut Writer, shape: Shape, base: Option<u64>) {
        let [start, second] = self.numbers(base);
        out.array(self.elements);
        if shape == Shape::Extent {
            out.uint(start).uint(second).encoded(&self.rest);
        } else {
            let (address, further) = self.rest.split_at_checked(ADDRESS_ITEM).unwrap_or((&self.rest, &[]));
            out.encoded(address).uint(start).encoded(further);
        }
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self, shape: Shape, base: Option<u64>) -> usize {
        let [start, second] = self.numbers(base);
        let numbers = head_bytes(start).saturating_add(if shape == Shape::Extent { head_bytes(second) } else { 0 });
        head_bytes(self.elements as u64).saturating_add(numbers).saturating_add(self.rest.len())
    }

    fn numbers(&self, base: Option<u64>) -> [u64; 2] {
        match base {
            Some(base) => [self.start.saturating_sub(base), self.end.saturating_sub(self.start)],
            None => [self.start, self.end],
        }
    }
}

/// Rows in ascending order of their starts; equal ones keep theirs.
pub(in crate::track) fn sorted(mut rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let start = |at: usize| rows.get(at).map(|row| row.start);
    let order = ascending(rows.len(), &|first, second| start(first).cmp(&start(second)));
    order.into_iter().filter_map(|at| rows.get_mut(at as usize).map(std::mem::take)).collect()
}

/// Refuses array Items at one anchor, one of which is being added. What a Track already has is its own matter.
pub(in crate::track) fn refuse_repeats(rows: &[Row<'_>]) -> Result<()> {
    let repeated = rows.windows(2).find_map(|pair| match pair {
        [first, second] => (first.start == second.start && (first.is_new || second.is_new)).then_some(first.start),
        _ => None,
    });
    let Some(anchor) = repeated else { return Ok(()) };
    let message = format_args!("two array Items of one Track cannot be at one anchor, {anchor}");
    Err(Error::new(Code::RepeatedAnchor, message).about(&anchor.to_string()))
}

/// Bytes of the head of an item with this argument.
pub(super) const fn head_bytes(argument: u64) -> usize {
    match argument {
        0..=23 => 1,
        24..=0xff => 2,
        0x100..=0xffff => 3,
        0x1_0000..=0xffff_ffff => 5,
        _ => 9,
    }
}

fn end_of(anchor: u64) -> Result<u64> {
    let end = anchor.checked_add(1);
    end.ok_or_else(|| Error::new(Code::InvalidArgument, "no Item can be at anchor 2^64 − 1: its extent could not end"))
}

/// The refusal of what the decoder has accepted and is nevertheless not as it should be.
fn odd() -> Error {
    Error::new(Code::EntryType, "an index entry is not what its index says")
}

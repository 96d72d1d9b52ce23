//! Records, the sets of anchors that have one value, and the rows that they are together.
//!
//! A record is the byte 1, the number of its buckets as 8 bytes, and for each bucket the high half of its anchors as 4
//! bytes and a Roaring bitmap of the low halves in the portable format, all little-endian.

use super::bitmap;
use crate::error::{Code, Error, Result};
use crate::order::{ascending, pick};
use crate::sentence::{Said, decimal, say};
use alloc::vec::Vec;

/// Most rows that are made at once. Runs are so short in writing that their bytes bound nothing.
pub const MOST_ROWS: usize = 1 << 24;

/// Rows of a column, by strictly ascending anchors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Anchor of each row.
    pub anchors: Vec<u64>,
    /// Number of the record that each row is of.
    pub records: Vec<u32>,
}

impl Rows {
    /// The rows within the half-open `window` of records that lie one behind another in `bytes`.
    ///
    /// `lengths` are the records' bytes, and `[starts, ends)` the extents that their entries say. Of several records
    /// with one anchor the last has it: if they come in the order of the index, the one with the greatest value, as
    /// the reference reads it.
    ///
    /// # Errors
    /// [`Code::ScalarRecord`] for a malformed record, whose number is the subject, for an anchor outside of its
    /// extent, and for more than [`MOST_ROWS`] anchors; [`Code::InvalidArgument`] for columns that do not fit together.
    pub fn read(bytes: &[u8], lengths: &[u32], starts: &[u64], ends: &[u64], window: [u64; 2]) -> Result<Self> {
        let mut rest = bytes;
        let mut rows = Self::default();
        let mut left = MOST_ROWS;
        for (number, ((length, start), end)) in (0_u32..).zip(lengths.iter().zip(starts).zip(ends)) {
            let Some((record, others)) = rest.split_at_checked(*length as usize) else { break };
            rest = others;
            let add = rows.add(number, record, [*start, *end], window, &mut left);
            add.map_err(|error| error.about(&decimal(number.into())))?;
        }
        if lengths.len() != starts.len() || lengths.len() != ends.len() || !rest.is_empty() {
            return Err(Error::new(Code::InvalidArgument, say!("the columns of records do not fit together")));
        }
        rows.settle();
        Ok(rows)
    }

    fn add(&mut self, number: u32, record: &[u8], extent: [u64; 2], window: [u64; 2], left: &mut usize) -> Result<()> {
        let (head, mut rest) =
            record.split_first_chunk::<9>().ok_or_else(|| refuse(say!("ends before its buckets")))?;
        let [1, buckets @ ..] = *head else { return Err(refuse(say!("is of a version that is not known"))) };
        let mut anchors = Vec::new();
        let mut previous = None;
        for _ in 0..u64::from_le_bytes(buckets) {
            let bucket = rest.split_first_chunk::<4>().ok_or_else(|| refuse(say!("has fewer buckets than it says")))?;
            let high = u32::from_le_bytes(*bucket.0);
            if previous.is_some_and(|previous| previous >= high) {
                return Err(refuse(say!("has buckets that do not ascend")));
            }
            previous = Some(high);
            rest = bucket.1;
            bitmap::read(&mut rest, high, *left, &mut anchors).ok_or_else(|| {
                refuse(say!("has a malformed bitmap, or one that goes beyond {} rows read at once", MOST_ROWS))
            })?;
        }
        let (Some(least), Some(greatest)) = (anchors.first(), anchors.last()) else {
            return Err(refuse(say!("has no anchors")));
        };
        if !rest.is_empty() {
            return Err(refuse(say!("goes on behind its buckets")));
        }
        if *least < extent[0] || *greatest >= extent[1] {
            return Err(refuse(say!("has an anchor outside of the extent that its entry says")));
        }
        *left = left.saturating_sub(anchors.len());
        anchors.retain(|anchor| window[0] <= *anchor && *anchor < window[1]);
        self.records.resize(self.records.len().saturating_add(anchors.len()), number);
        self.anchors.append(&mut anchors);
        Ok(())
    }

    /// Puts the rows in order and keeps of each anchor the last one.
    fn settle(&mut self) {
        let anchors = &self.anchors;
        // Equal ones keep their order, which is that of their records.
        let order = ascending(anchors.len(), &|first, second| anchors.get(first).cmp(&anchors.get(second)));
        let mut kept: Vec<u32> = Vec::with_capacity(order.len());
        for row in order {
            if kept.last().is_some_and(|last| anchors.get(*last as usize) == anchors.get(row as usize)) {
                kept.pop();
            }
            kept.push(row);
        }
        self.anchors = pick(&self.anchors, &kept);
        self.records = pick(&self.records, &kept);
    }
}

fn refuse(what: Said) -> Error {
    Error::new(Code::ScalarRecord, say!("a record of the scalar column {}", what))
}

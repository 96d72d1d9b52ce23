//! The row offsets of both structured families: big-endian, from zero, never decreasing, up to the count (0025 §11).
//!
//! A table of offsets may be larger than the memory one cares to give it, so it is checked through windows of any
//! size, front to back, with a state of three numbers between them.

use crate::endian::decode_be_u64s;
use crate::error::{Code, Error, Result};
use crate::sentence::say;

/// Bytes of one row offset or column index.
pub const INDEX_BYTES: u64 = 8;

/// Indices decoded at a time: few enough for the stack and the nearest cache.
pub(super) const BLOCK: usize = 128;

/// Bytes of so many indices.
pub(super) const BLOCK_BYTES: usize = BLOCK * 8;

/// How far the row offsets of an Item are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetScan {
    entries: u64,
    position: u64,
    last: u64,
}

impl OffsetScan {
    /// A scan over the `rows + 1` offsets of `rows` rows.
    #[must_use]
    pub const fn new(rows: u64) -> Self {
        Self { entries: rows.saturating_add(1), position: 0, last: 0 }
    }

    /// A scan that goes on where another stopped: its [`position`](Self::position) and [`last`](Self::last).
    #[must_use]
    pub const fn resume(rows: u64, position: u64, last: u64) -> Self {
        Self { entries: rows.saturating_add(1), position, last }
    }

    /// Number of offsets checked so far.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// The last offset checked; 0 before the first.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Checks the offsets that follow those already checked. Costs one comparison each; after a refusal the state
    /// is what it was before.
    ///
    /// # Errors
    /// * [`Code::OffsetTerminal`] if the first offset of all is not zero;
    /// * [`Code::OffsetOrder`] at the first offset that is less than the one before it;
    /// * [`Code::InvalidArgument`] if the window cuts an offset in two or goes beyond the last.
    pub fn feed(&mut self, window: &[u8]) -> Result<()> {
        let fed = index_count(window)? as u64;
        let position = self.position.saturating_add(fed);
        if position > self.entries {
            let message = say!("{} row offsets were fed of an Item that has {}", position, self.entries);
            return Err(Error::new(Code::InvalidArgument, message).bounds(self.entries, position));
        }
        let mut scan = *self;
        let mut decoded = [0; BLOCK];
        for block in window.chunks(BLOCK_BYTES) {
            scan.block(decode_be_u64s(block, &mut decoded)?)?;
        }
        *self = scan;
        Ok(())
    }

    fn block(&mut self, offsets: &[u64]) -> Result<()> {
        if let (0, Some(first)) = (self.position, offsets.first()) {
            starts_at_zero(*first)?;
        }
        let mut last = self.last;
        for (at, offset) in offsets.iter().enumerate() {
            if *offset < last {
                return Err(decreases(self.position.saturating_add(at as u64), last, *offset));
            }
            last = *offset;
        }
        self.last = last;
        self.position = self.position.saturating_add(offsets.len() as u64);
        Ok(())
    }

    /// Checks that every offset was fed and that the last one is `count`, the number of cells or stored elements.
    ///
    /// # Errors
    /// [`Code::OffsetTerminal`] if it is not; [`Code::InvalidArgument`] if offsets are missing.
    pub fn finish(&self, count: u64) -> Result<()> {
        if self.position != self.entries {
            let message = say!("only {} of {} row offsets were fed", self.position, self.entries);
            return Err(Error::new(Code::InvalidArgument, message).bounds(self.entries, self.position));
        }
        ends_at(count, self.last)
    }
}

/// Refuses a last offset that is not `count`.
pub(super) fn ends_at(count: u64, last: u64) -> Result<()> {
    if last == count {
        return Ok(());
    }
    let message = say!("the last row offset is {}, but the header counts {}", last, count);
    Err(Error::new(Code::OffsetTerminal, message).bounds(count, last))
}

/// Number of the indices in a window.
pub(super) fn index_count(window: &[u8]) -> Result<usize> {
    let (indices, rest) = window.as_chunks::<8>();
    if rest.is_empty() {
        return Ok(indices.len());
    }
    let length = window.len();
    Err(Error::new(Code::InvalidArgument, say!("a window of {} bytes cuts an index of 8 bytes in two", length))
        .bounds("a multiple of 8", length))
}

fn starts_at_zero(first: u64) -> Result<()> {
    if first == 0 {
        return Ok(());
    }
    Err(Error::new(Code::OffsetTerminal, say!("the first row offset is {}, not 0", first)).bounds(0_u64, first))
}

#[cold]
fn decreases(index: u64, before: u64, offset: u64) -> Error {
    let message = say!("row offset {} is {}, less than {} before it", index, offset, before);
    Error::new(Code::OffsetOrder, message).bounds(say!("at least {}", before), offset)
}

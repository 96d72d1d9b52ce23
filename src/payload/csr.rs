//! Payloads of `sparse-csr` version 1 (0025 §11.2).
//!
//! `CSR1`, the version as u32, rows, columns and nnz as u64, `rows + 1` row offsets, nnz column indices, then nnz
//! values. Everything before the values is big-endian. Columns strictly increase within a row, so a matrix has one
//! encoding per set of stored coordinates; stored zeros are values like any other.

use super::front::Front;
use super::offsets::{BLOCK, BLOCK_BYTES, INDEX_BYTES, OffsetScan, ends_at, index_count};
use super::{CsrParts, bytes_of};
use crate::endian::decode_be_u64s;
use crate::error::{Code, Error, Result};
use crate::item_type::CsrType;
use crate::sentence::say;

/// Bytes of the header: what [`header`] needs of a payload.
pub const HEADER_BYTES: u64 = 32;

pub(super) const MAGIC: [u8; 4] = *b"CSR1";

/// Bytes that must be there before the shape is compared.
const SHAPE_END: u64 = 24;

/// Where the parts of a payload of `total` bytes lie, from its first [`HEADER_BYTES`] bytes (fewer if it is shorter).
///
/// Counts are believed only if they add up to `total` exactly, in checked 64-bit arithmetic: a lying header costs
/// nothing.
///
/// # Errors
/// In this order:
/// * [`Code::PayloadHeader`] for another magic or version, or fewer than 8 bytes;
/// * [`Code::PayloadLength`] for fewer than 24 bytes;
/// * [`Code::ShapeMismatch`] if rows or columns are not the declared ones;
/// * [`Code::PayloadLength`] for fewer than 32 bytes, or another number of bytes than the counts make;
/// * [`Code::InvalidArgument`] if `prefix` holds less than is needed.
pub fn header(ty: &CsrType, prefix: &[u8], total: u64) -> Result<CsrParts> {
    let front = Front::new(prefix, total);
    front.signature(MAGIC)?;
    front.has_header(SHAPE_END)?;
    let [rows, columns] = [front.be_u64(8)?, front.be_u64(16)?];
    declared_shape(ty, rows, columns)?;
    front.has_header(HEADER_BYTES)?;
    let nnz = front.be_u64(24)?;
    let parts = [(rows.checked_add(1), INDEX_BYTES), (Some(nnz), INDEX_BYTES), (Some(nnz), ty.dtype().size())];
    let [row_offsets, column_indices, values] = front.parts(HEADER_BYTES, parts)?;
    Ok(CsrParts { rows, columns, nnz, row_offsets, column_indices, values })
}

/// Checks that the last row offset, the last eight bytes of the offset table, is nnz.
///
/// The reference asks this before the order of the offsets. Whoever scans a table through windows calls this first,
/// if the code of a refusal matters; [`OffsetScan::finish`] asks it again.
///
/// # Errors
/// [`Code::OffsetTerminal`] if it is not.
pub fn terminal(nnz: u64, last: [u8; 8]) -> Result<()> {
    ends_at(nnz, u64::from_be_bytes(last))
}

/// Where the parts of a whole payload lie, once all of it is checked. Costs one pass over offsets and columns.
///
/// # Errors
/// Those of [`header`], then [`Code::OffsetTerminal`] for the first and the last offset, [`Code::OffsetOrder`], and
/// those of [`ColumnScan`].
pub fn check(ty: &CsrType, payload: &[u8]) -> Result<CsrParts> {
    let parts = header(ty, payload, payload.len() as u64)?;
    let offsets = bytes_of(parts.row_offsets, payload)?;
    if let Some(last) = offsets.last_chunk() {
        terminal(parts.nnz, *last)?;
    }
    let mut scan = OffsetScan::new(parts.rows);
    scan.feed(offsets)?;
    scan.finish(parts.nnz)?;

    let mut columns = bytes_of(parts.column_indices, payload)?;
    let mut scan = ColumnScan::new(parts.columns);
    let (_, ends) = offsets.split_at_checked(8).unwrap_or_default();
    let mut decoded = [0; BLOCK];
    for window in ends.chunks(BLOCK_BYTES) {
        let decoded = decode_be_u64s(window, &mut decoded)?;
        let progress = scan.feed(columns, decoded)?;
        columns = columns.get(progress.columns.saturating_mul(8)..).unwrap_or_default();
    }
    scan.finish(&parts)?;
    Ok(parts)
}

/// How far the column indices of an Item are checked.
///
/// They are checked through windows of any size, front to back, with a state of four numbers between them. The row
/// offsets must have been checked before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnScan {
    columns: u64,
    row: u64,
    position: u64,
    /// The least index that may come next in the row.
    least: u64,
}

/// How much of its two windows a call of [`ColumnScan::feed`] used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Column indices checked.
    pub columns: usize,
    /// Rows completed.
    pub rows: usize,
}

impl ColumnScan {
    /// A scan over all rows of a matrix with that many columns.
    #[must_use]
    pub const fn new(columns: u64) -> Self {
        Self::at_row(columns, 0, 0)
    }

    /// A scan that begins with row `row`, whose indices begin at `position`: its row offset.
    #[must_use]
    pub const fn at_row(columns: u64, row: u64, position: u64) -> Self {
        Self { columns, row, position, least: 0 }
    }

    /// A scan that goes on where another stopped, with the numbers of its [`state`](Self::state).
    #[must_use]
    pub const fn resume(columns: u64, [row, position, least]: [u64; 3]) -> Self {
        Self { columns, row, position, least }
    }

    /// Row, position and least next index: what [`resume`](Self::resume) goes on from.
    #[must_use]
    pub const fn state(&self) -> [u64; 3] {
        [self.row, self.position, self.least]
    }

    /// The row that the next index belongs to, or would, if it is not a later one.
    #[must_use]
    pub const fn row(&self) -> u64 {
        self.row
    }

    /// Number of the next index to check among all of the Item.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Checks the column indices that follow those already checked, as far as they belong to the given rows.
    ///
    /// `window` holds big-endian indices from [`position`](Self::position) on, `row_ends` the ends of the rows from
    /// [`row`](Self::row) on: their row offsets from number `row() + 1` on, decoded. The call stops where either is
    /// used up and says how much of each it took; if both hold something, it takes something. Costs one comparison
    /// per index; after a refusal the state is what it was before.
    ///
    /// # Errors
    /// At the first faulty index:
    /// * [`Code::ColumnBounds`] if it is not less than the number of columns;
    /// * [`Code::ColumnOrder`] if it is not greater than the one before it in its row;
    ///
    /// and [`Code::InvalidArgument`] if the window cuts an index in two or a row ends before it begins.
    pub fn feed(&mut self, window: &[u8], row_ends: &[u64]) -> Result<Progress> {
        index_count(window)?;
        let mut scan = *self;
        let mut progress = Progress::default();
        let mut decoded = [0; BLOCK];
        let (mut block, mut rest) = window.split_at_checked(BLOCK_BYTES).unwrap_or((window, &[]));
        loop {
            let indices = decode_be_u64s(block, &mut decoded)?;
            let step = scan.block(indices, row_ends.get(progress.rows..).unwrap_or_default())?;
            progress.columns = progress.columns.saturating_add(step.columns);
            progress.rows = progress.rows.saturating_add(step.rows);
            if step.columns < indices.len() || rest.is_empty() {
                break;
            }
            (block, rest) = rest.split_at_checked(BLOCK_BYTES).unwrap_or((rest, &[]));
        }
        *self = scan;
        Ok(progress)
    }

    /// What [`feed`](Self::feed) does, with decoded indices.
    fn block(&mut self, indices: &[u64], row_ends: &[u64]) -> Result<Progress> {
        let mut rest = indices;
        let mut rows = 0_usize;
        for end in row_ends {
            let wanted = end.checked_sub(self.position).ok_or_else(|| ends_early(self.row, self.position, *end))?;
            let taken = usize::try_from(wanted).unwrap_or(usize::MAX).min(rest.len());
            let (row, others) = rest.split_at_checked(taken).unwrap_or_default();
            self.increasing(row)?;
            rest = others;
            if self.position != *end {
                break;
            }
            self.row = self.row.saturating_add(1);
            self.least = 0;
            rows = rows.saturating_add(1);
        }
        Ok(Progress { columns: indices.len().saturating_sub(rest.len()), rows })
    }

    /// Checks that every row and every column index was fed.
    ///
    /// # Errors
    /// [`Code::InvalidArgument`] if not.
    pub fn finish(&self, parts: &CsrParts) -> Result<()> {
        if (self.row, self.position) == (parts.rows, parts.nnz) {
            return Ok(());
        }
        let message = say!(
            "only {} of {} rows and {} of {} column indices were fed",
            self.row,
            parts.rows,
            self.position,
            parts.nnz
        );
        Err(Error::new(Code::InvalidArgument, message))
    }

    /// Checks indices of the current row.
    fn increasing(&mut self, indices: &[u64]) -> Result<()> {
        let mut least = self.least;
        for (at, index) in indices.iter().enumerate() {
            if *index < least || *index >= self.columns {
                return Err(self.fault(at, *index, least));
            }
            // An index below the number of columns has a successor.
            least = index.wrapping_add(1);
        }
        self.least = least;
        self.position = self.position.saturating_add(indices.len() as u64);
        Ok(())
    }

    #[cold]
    fn fault(&self, at: usize, index: u64, least: u64) -> Error {
        let position = self.position.saturating_add(at as u64);
        let place = say!("column index {}, of row {}, is {}", position, self.row, index);
        if index >= self.columns {
            let message = say!("{}, but there are {} columns", place, self.columns);
            return Error::new(Code::ColumnBounds, message).bounds(say!("less than {}", self.columns), index);
        }
        let before = least.saturating_sub(1);
        let message = say!("{}, not greater than {} before it", place, before);
        Error::new(Code::ColumnOrder, message).bounds(say!("greater than {}", before), index)
    }
}

fn declared_shape(ty: &CsrType, rows: u64, columns: u64) -> Result<()> {
    let [declared_rows, declared_columns] = ty.shape();
    if [declared_rows, declared_columns] == [rows, columns] {
        return Ok(());
    }
    let message = say!(
        "the header has {} rows and {} columns, declared are {} and {}",
        rows,
        columns,
        declared_rows,
        declared_columns
    );
    Err(Error::new(Code::ShapeMismatch, message)
        .bounds(say!("{}x{}", declared_rows, declared_columns), say!("{}x{}", rows, columns)))
}

#[cold]
fn ends_early(row: u64, start: u64, end: u64) -> Error {
    let message = say!("row {} begins at {} and ends at {}: its offsets were not checked", row, start, end);
    Error::new(Code::InvalidArgument, message).bounds(say!("at least {}", start), end)
}

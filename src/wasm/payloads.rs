//! Payloads of array Items: where their parts lie, and windowed checks of their index tables.

use super::names::name;
use super::object::{Plain, Thrown, bytes, thrown};
use crate::endian;
use crate::error::Result;
use crate::item_type::{Codec, ItemType};
use crate::payload::{Span, csr, npy, offsets::OffsetScan, ragged, raw, rows::RowMap, write};
use alloc::{vec, vec::Vec};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A run of bytes in a payload. */
export interface CoreSpan {
  offset: bigint;
  length: bigint;
}
/** Where the parts of a payload lie; `rows`, `cells` of ragged-array, `rows`, `columns`, `nnz` of sparse-csr. */
export interface CoreParts {
  values: CoreSpan;
  rows?: bigint;
  cells?: bigint;
  columns?: bigint;
  nnz?: bigint;
  rowOffsets?: CoreSpan;
  columnIndices?: CoreSpan;
}
/** What the front of a ragged or CSR Item says of some of its rows. */
export interface CoreRows {
  /** Bytes of the Item. */
  size: bigint;
  rows: bigint;
  /** Cells or stored elements of all rows. */
  count: bigint;
  /** Absent for ragged-array. */
  columns?: bigint;
  /** The offsets of the rows: one more than there are rows, none of no rows. */
  rowOffsets: CoreSpan;
}
"#;

/// Bytes that `locateParts` can need of the front of a payload.
#[must_use]
#[wasm_bindgen(js_name = payloadPrefixBytes)]
pub fn payload_prefix_bytes() -> u32 {
    u32::try_from(npy::PREFIX_BYTES.max(csr::HEADER_BYTES).max(ragged::HEADER_BYTES)).unwrap_or(u32::MAX)
}

/// Where the parts of a payload of `total` bytes lie, from its front. Index tables are not looked at.
///
/// # Errors
/// Those of an item type and of the family's header.
#[wasm_bindgen(js_name = locateParts, unchecked_return_type = "CoreParts")]
pub fn locate_parts(type_cbor: &[u8], prefix: &[u8], total: u64) -> Thrown<JsValue> {
    let locate = || -> Result<Plain> {
        Ok(match ItemType::from_cbor(type_cbor)? {
            ItemType::Dense(dense) => {
                let offset = match dense.codec() {
                    Codec::Raw => raw::check(&dense, total)?.values.offset,
                    Codec::Npy => npy::values_offset(&dense, prefix, total)?,
                };
                Plain::new().with(name!("values"), span(Span { offset, length: dense.byte_length() }))
            }
            ItemType::Ragged(ragged) => {
                let parts = ragged::header(&ragged, prefix, total)?;
                Plain::new()
                    .with(name!("values"), span(parts.values))
                    .with(name!("rows"), parts.rows)
                    .with(name!("cells"), parts.cells)
                    .with(name!("rowOffsets"), span(parts.row_offsets))
            }
            ItemType::Csr(csr) => {
                let parts = csr::header(&csr, prefix, total)?;
                Plain::new()
                    .with(name!("values"), span(parts.values))
                    .with(name!("rows"), parts.rows)
                    .with(name!("columns"), parts.columns)
                    .with(name!("nnz"), parts.nnz)
                    .with(name!("rowOffsets"), span(parts.row_offsets))
                    .with(name!("columnIndices"), span(parts.column_indices))
            }
        })
    };
    locate().map(Plain::done).map_err(thrown)
}

/// The header of a ragged or CSR payload, which its index tables follow.
///
/// # Errors
/// Those of an item type; `InvalidArgument` for dense types, `ShapeMismatch`, `PayloadLength`.
#[wasm_bindgen(js_name = payloadHeader, unchecked_return_type = "Uint8Array")]
pub fn payload_header(type_cbor: &[u8], rows: u64, count: u64) -> Thrown<JsValue> {
    let header = ItemType::from_cbor(type_cbor).and_then(|item_type| write::header(&item_type, rows, count));
    header.map(|header| bytes(&header)).map_err(thrown)
}

/// What the front of a ragged or CSR Item says of rows `start` to `end`; `size` is what else is known of its bytes.
///
/// # Errors
/// Those of an item type and of the family's header; `InvalidArgument` for rows that it has not, and for dense types.
#[wasm_bindgen(js_name = locateRows, unchecked_return_type = "CoreRows")]
pub fn locate_rows(type_cbor: &[u8], front: &[u8], size: Option<u64>, start: u64, end: u64) -> Thrown<JsValue> {
    let map = row_map(type_cbor, front, size).map_err(thrown)?;
    let offsets = map.offsets(start, end).map_err(thrown)?;
    Ok(Plain::new()
        .with(name!("size"), map.size)
        .with(name!("rows"), map.rows)
        .with(name!("count"), map.count)
        .maybe(name!("columns"), map.columns)
        .with(name!("rowOffsets"), span(offsets))
        .done())
}

/// Where rows lie of which `first` is the first offset and `last` the one after them.
///
/// # Errors
/// Those of `locateRows`; `OffsetOrder`.
#[wasm_bindgen(js_name = locateRowParts, unchecked_return_type = "Pick<CoreParts, \"values\" | \"columnIndices\">")]
pub fn locate_row_parts(type_cbor: &[u8], front: &[u8], size: u64, first: u64, last: u64) -> Thrown<JsValue> {
    let parts = row_map(type_cbor, front, Some(size)).and_then(|map| map.parts(first, last)).map_err(thrown)?;
    Ok(Plain::new()
        .with(name!("values"), span(parts.values))
        .maybe(name!("columnIndices"), parts.column_indices.map(span))
        .done())
}

fn row_map(type_cbor: &[u8], front: &[u8], size: Option<u64>) -> Result<RowMap> {
    RowMap::locate(&ItemType::from_cbor(type_cbor)?, front, size)
}

/// Checks a window of big-endian row offsets and makes them little-endian; gives the last one.
///
/// `position` offsets were checked before, the last of which was `last`. After the window that completes the table,
/// `count` is asked for as its end.
///
/// # Errors
/// `OffsetTerminal`, `OffsetOrder`, `InvalidArgument`; the window is as it was then.
#[wasm_bindgen(js_name = scanRowOffsets)]
pub fn scan_row_offsets(window: &mut [u8], rows: u64, count: u64, position: u64, last: u64) -> Thrown<u64> {
    let scan = || -> Result<u64> {
        let mut scan = OffsetScan::resume(rows, position, last);
        scan.feed(window)?;
        if scan.position() > rows {
            scan.finish(count)?;
        }
        Ok(scan.last())
    };
    let last = scan().map_err(thrown)?;
    endian::swap(window, 8).map_err(thrown)?;
    Ok(last)
}

/// Checks that a CSR payload's last row offset, in big-endian bytes, is its nnz: asked before the offsets' order.
///
/// # Errors
/// `OffsetTerminal`.
#[wasm_bindgen(js_name = checkLastOffset)]
pub fn check_last_offset(last: &[u8], nnz: u64) -> Thrown<()> {
    csr::terminal(nnz, last.first_chunk().copied().unwrap_or_default()).map_err(thrown)
}

/// Checks big-endian column indices as far as the given row ends reach, and makes those checked little-endian.
///
/// `state` is empty at the front of an Item, later what the last call gave: row, position and least next index, then
/// how many indices and rows of the two windows were used up.
///
/// # Errors
/// `ColumnBounds`, `ColumnOrder`, `InvalidArgument`; the window is as it was then.
#[wasm_bindgen(js_name = scanColumns)]
pub fn scan_columns(window: &mut [u8], row_ends: &[u64], columns: u64, state: &[u64]) -> Thrown<Vec<u64>> {
    let mut scan = match state {
        [row, position, least, ..] => csr::ColumnScan::resume(columns, [*row, *position, *least]),
        _ => csr::ColumnScan::new(columns),
    };
    let progress = scan.feed(window, row_ends).map_err(thrown)?;
    if let Some(checked) = window.get_mut(..progress.columns.saturating_mul(8)) {
        endian::swap(checked, 8).map_err(thrown)?;
    }
    let [row, position, least] = scan.state();
    Ok(vec![row, position, least, progress.columns as u64, progress.rows as u64])
}

/// Reverses the bytes of each element of `width` bytes in the window.
///
/// # Errors
/// `InvalidArgument`.
#[wasm_bindgen(js_name = swapBytes)]
pub fn swap_bytes(window: &mut [u8], width: u32) -> Thrown<()> {
    endian::swap(window, u64::from(width)).map_err(thrown)
}

fn span(span: Span) -> JsValue {
    Plain::new().with(name!("offset"), span.offset).with(name!("length"), span.length).done()
}

//! Ragged payloads against the rules written down naively; in windows and by rows the answer is the same. Parts: type, payload.
#![no_main]

use dreamdb_arrays::item_type::{ItemType, RaggedType};
use dreamdb_arrays::payload::offsets::OffsetScan;
use dreamdb_arrays::payload::rows::RowMap;
use dreamdb_arrays::payload::{ragged, write};
use dreamdb_arrays_fuzz::parts;
use libfuzzer_sys::fuzz_target;

/// Rows, cells and offsets of a valid payload, by the rules as 0025 §11.1 says them.
fn naive(ty: &RaggedType, payload: &[u8]) -> Option<(u64, u64, Vec<u64>)> {
    let number = |at: usize| payload.get(at..)?.first_chunk().map(|bytes| u64::from_be_bytes(*bytes));
    if payload.get(..8)? != b"RAG1\0\0\0\x01" {
        return None;
    }
    let (rows, cells) = (number(8)?, number(16)?);
    let tables = u128::from(rows) * 8 + 8 + 24;
    if tables + u128::from(cells) * u128::from(ty.cell_bytes()) != payload.len() as u128 {
        return None;
    }
    let offsets: Option<Vec<u64>> = (0..=rows as usize).map(|row| number(24 + 8 * row)).collect();
    let offsets = offsets?;
    let ends = offsets.first() == Some(&0) && offsets.last() == Some(&cells);
    (ends && offsets.is_sorted()).then_some((rows, cells, offsets))
}

fn in_windows(rows: u64, cells: u64, table: &[u8], window: usize) -> bool {
    let mut scan = OffsetScan::new(rows);
    for window in table.chunks(window) {
        if OffsetScan::resume(rows, scan.position(), scan.last()) != scan || scan.feed(window).is_err() {
            return false;
        }
    }
    scan.finish(cells).is_ok()
}

fuzz_target!(|data: &[u8]| {
    let Some([document, payload]) = parts(data) else { return };
    let Ok(item_type) = ItemType::from_cbor(document) else { return };
    let ItemType::Ragged(ty) = &item_type else { return };
    let expected = naive(ty, payload);
    let checked = ragged::check(ty, payload);
    assert_eq!(checked.is_ok(), expected.is_some(), "{checked:?}");
    let total = payload.len() as u64;
    let Ok(header) = ragged::header(ty, payload, total) else {
        assert!(RowMap::locate(&item_type, payload, Some(total)).is_err());
        return;
    };
    let table = header.row_offsets.of(payload).expect("the header's counts are those of the payload");
    for window in [8, 24, 4096] {
        assert_eq!(in_windows(header.rows, header.cells, table, window), expected.is_some());
    }
    let map = RowMap::locate(&item_type, payload, Some(total)).expect("as the header");
    let Some((rows, cells, offsets)) = expected else { return };
    assert_eq!(checked, Ok(header));
    assert_eq!(write::header(&item_type, rows, cells).expect("a payload has it"), payload[..24]);
    for (row, pair) in offsets.windows(2).enumerate() {
        let span = map.offsets(row as u64, row as u64 + 1).expect("the row is there");
        assert_eq!(span.of(payload), payload.get(24 + 8 * row..40 + 8 * row));
        let parts = map.parts(pair[0], pair[1]).expect("offsets ascend");
        assert_eq!(parts.values.length, (pair[1] - pair[0]) * ty.cell_bytes());
        assert!(parts.values.of(payload).is_some());
    }
    assert!(map.offsets(0, rows + 1).is_err());
});

//! CSR payloads against the rules written down naively; in windows the answer is the same. Parts: type, payload.
#![no_main]

use dreamdb_arrays::item_type::{CsrType, ItemType};
use dreamdb_arrays::payload::csr::{self, ColumnScan};
use dreamdb_arrays::payload::write;
use dreamdb_arrays_fuzz::parts;
use libfuzzer_sys::fuzz_target;

/// Row offsets and column indices of a valid payload, by the rules as 0025 §11.2 says them.
fn naive(ty: &CsrType, payload: &[u8]) -> Option<(Vec<u64>, Vec<u64>)> {
    let number = |at: usize| payload.get(at..)?.first_chunk().map(|bytes| u64::from_be_bytes(*bytes));
    if payload.get(..8)? != b"CSR1\0\0\0\x01" || [number(8)?, number(16)?] != ty.shape() {
        return None;
    }
    let ([rows, columns], nnz) = (ty.shape(), number(24)?);
    let wide = u128::from(rows) * 8 + 8 + 32 + u128::from(nnz) * (8 + u128::from(ty.dtype().size()));
    if wide != payload.len() as u128 {
        return None;
    }
    let (rows, nnz) = (rows as usize, nnz as usize);
    let offsets: Vec<u64> = (0..=rows).map(|row| number(32 + 8 * row)).collect::<Option<_>>()?;
    let indices: Vec<u64> = (0..nnz).map(|at| number(40 + 8 * (rows + at))).collect::<Option<_>>()?;
    if offsets.first() != Some(&0) || offsets.last() != Some(&(nnz as u64)) || !offsets.is_sorted() {
        return None;
    }
    for row in offsets.windows(2) {
        let row = &indices[row[0] as usize..row[1] as usize];
        if !row.is_sorted_by(|first, second| first < second) || row.iter().any(|index| *index >= columns) {
            return None;
        }
    }
    Some((offsets, indices))
}

/// The scan of column indices through windows of so many, its state taken out and put back between them.
fn in_windows(columns: u64, offsets: &[u64], indices: &[u8], window: usize) -> Option<ColumnScan> {
    let mut scan = ColumnScan::new(columns);
    for window in indices.chunks(8 * window) {
        let mut rest = window;
        while !rest.is_empty() {
            let ends = offsets.get(scan.row() as usize + 1..)?;
            let mut next = ColumnScan::resume(columns, scan.state());
            let progress = next.feed(rest, ends.get(..2).unwrap_or(ends)).ok()?;
            assert!(progress.columns > 0 || progress.rows > 0, "a scan goes on");
            rest = &rest[8 * progress.columns..];
            scan = next;
        }
    }
    // Empty rows at the end have no index that would take them along.
    scan.feed(&[], offsets.get(scan.row() as usize + 1..)?).ok()?;
    Some(scan)
}

fuzz_target!(|data: &[u8]| {
    let Some([document, payload]) = parts(data) else { return };
    let Ok(item_type) = ItemType::from_cbor(document) else { return };
    let ItemType::Csr(ty) = &item_type else { return };
    let expected = naive(ty, payload);
    let checked = csr::check(ty, payload);
    assert_eq!(checked.is_ok(), expected.is_some(), "{checked:?}");
    let (Ok(parts), Some((offsets, indices))) = (checked, expected) else { return };
    assert_eq!(csr::header(ty, &payload[..32], payload.len() as u64), Ok(parts));
    assert_eq!(parts.nnz, indices.len() as u64);
    assert_eq!(write::header(&item_type, parts.rows, parts.nnz).expect("a payload has it"), payload[..32]);
    assert!(parts.values.of(payload).is_some_and(|values| payload.ends_with(values)));
    let bytes = parts.column_indices.of(payload).expect("the header's counts are those of the payload");
    for window in [1, 3, 1000] {
        let scan = in_windows(parts.columns, &offsets, bytes, window).expect("windows give the same answer");
        assert_eq!(scan.finish(&parts), Ok(()));
    }
});

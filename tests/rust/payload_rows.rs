//! Rows by byte range, against a slice of the whole payload, and against headers that lie.

#![cfg(test)]
// Sizes are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::payload_items::item;
use crate::payload_naive::{be, csr_payload, csr_type, ragged_payload, ragged_type, verdict};
use dreamdb_arrays::dtype::{DType, Endianness};
use dreamdb_arrays::error::{Code, Result};
use dreamdb_arrays::item_type::{Codec, DenseType, Layout};
use dreamdb_arrays::payload::csr::ColumnScan;
use dreamdb_arrays::payload::offsets::OffsetScan;
use dreamdb_arrays::payload::rows::{RowMap, RowParts};
use dreamdb_arrays::payload::{self, Parts, Span, csr, ragged};
use dreamdb_arrays::{Error, ItemType};
use proptest::prelude::*;
use proptest::sample::Index;

const FRONT: usize = 40;

/// What a reader of rows gets: row offsets from 0, column indices, values.
type Rows = (Vec<u64>, Vec<u8>, Vec<u8>);

fn front(payload: &[u8]) -> &[u8] {
    &payload[..payload.len().min(FRONT)]
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_be_bytes(*word)).collect()
}

/// Rows the way a reader by ranges takes them: nothing is looked at but the spans that it is told of.
fn by_range(ty: &ItemType, payload: &[u8], size: Option<u64>, start: u64, end: u64) -> Result<Rows> {
    let map = RowMap::locate(ty, front(payload), size)?;
    let offsets = map.offsets(start, end)?.of(payload).expect("offsets lie in the Item");
    let mut scan = OffsetScan::resume(map.rows, start, 0);
    scan.feed(offsets)?;
    if scan.position() > map.rows {
        scan.finish(map.count)?;
    }
    let offsets = words(offsets);
    let (first, last) = (offsets.first().copied().unwrap_or(0), offsets.last().copied().unwrap_or(0));
    let RowParts { column_indices, values } = map.parts(first, last)?;
    let columns = column_indices.map(|span| span.of(payload).expect("columns lie in the Item"));
    if let (Some(columns), Some(bound)) = (columns, map.columns) {
        let ends = offsets.get(1..).unwrap_or_default();
        let mut scan = ColumnScan::at_row(bound, start, first);
        let progress = scan.feed(columns, ends)?;
        assert_eq!((progress.columns * 8, progress.rows), (columns.len(), ends.len()));
    }
    let values = values.of(payload).expect("values lie in the Item");
    Ok((offsets.iter().map(|offset| offset - first).collect(), columns.unwrap_or_default().to_vec(), values.to_vec()))
}

/// The same rows out of the whole payload, which is valid.
fn sliced(ty: &ItemType, payload: &[u8], start: usize, end: usize) -> Rows {
    let (table, columns, values, width) = match (payload::check(ty, payload).unwrap(), ty) {
        (Parts::Ragged(parts), ItemType::Ragged(ty)) => {
            (parts.row_offsets, Span { offset: 0, length: 0 }, parts.values, ty.cell_bytes() as usize)
        }
        (Parts::Csr(parts), ItemType::Csr(ty)) => {
            (parts.row_offsets, parts.column_indices, parts.values, ty.dtype().size() as usize)
        }
        other => panic!("{other:?}"),
    };
    if start == end {
        return Rows::default();
    }
    let all = words(table.of(payload).unwrap());
    let (first, last) = (all[start] as usize, all[end] as usize);
    let columns = columns.of(payload).unwrap();
    let columns = if columns.is_empty() { &[] } else { &columns[8 * first..8 * last] };
    let offsets = all[start..=end].iter().map(|offset| offset - first as u64).collect();
    (offsets, columns.to_vec(), values.of(payload).unwrap()[width * first..width * last].to_vec())
}

fn rows_of(ty: &ItemType, payload: &[u8]) -> u64 {
    RowMap::locate(ty, front(payload), None).unwrap().rows
}

/// The code with which the family's own header function refuses.
fn header_code(ty: &ItemType, payload: &[u8]) -> Option<Code> {
    match ty {
        ItemType::Ragged(ty) => ragged::header(ty, payload, payload.len() as u64).err(),
        ItemType::Csr(ty) => csr::header(ty, payload, payload.len() as u64).err(),
        ItemType::Dense(_) => None,
    }
    .map(|error| error.code())
}

proptest! {
    #[test]
    fn any_rows_are_those_of_the_whole((ty, payload) in item(), from in any::<Index>(), to in any::<Index>()) {
        let rows = rows_of(&ty, &payload) as usize;
        let (a, b) = (from.index(rows + 1), to.index(rows + 1));
        let (start, end) = (a.min(b), a.max(b));
        for size in [Some(payload.len() as u64), None] {
            let read = by_range(&ty, &payload, size, start as u64, end as u64);
            prop_assert_eq!(read, Ok(sliced(&ty, &payload, start, end)));
        }
    }

    /// One changed byte or word anywhere: what can be told from the header is told as by a reader of the whole; the rest
    /// never leaves the Item, and all rows together are refused or taken like the whole.
    #[test]
    fn a_change_is_told_as_of_the_whole((ty, mut payload) in item(), at in any::<Index>(), word in any::<Option<u64>>(), byte in 1..=255_u8) {
        if let Some(word) = word {
            let at = 8 * at.index(payload.len() / 8);
            let near = word % 16;
            payload[at..at + 8].copy_from_slice(&(if word % 3 == 0 { word } else { near }).to_be_bytes());
        } else {
            let at = at.index(payload.len());
            payload[at] ^= byte;
        }
        let size = payload.len() as u64;
        let map = RowMap::locate(&ty, front(&payload), Some(size));
        prop_assert_eq!(map.as_ref().err().map(Error::code), header_code(&ty, &payload));
        let Ok(map) = map else {
            return Ok(());
        };
        prop_assert_eq!(RowMap::locate(&ty, front(&payload), None), Ok(map));
        for row in 0..map.rows {
            // The spans lie in the Item, or this panics.
            let one = by_range(&ty, &payload, Some(size), row, row + 1);
            if verdict(&ty, &payload).is_none() {
                prop_assert_eq!(one, Ok(sliced(&ty, &payload, row as usize, row as usize + 1)));
            }
        }
        if map.rows > 0 {
            let all = by_range(&ty, &payload, Some(size), 0, map.rows).err().map(|error| error.code());
            match verdict(&ty, &payload) {
                // Whether the last offset or the order is asked first is the caller's matter.
                Some(Code::OffsetTerminal | Code::OffsetOrder) => {
                    prop_assert!(matches!(all, Some(Code::OffsetTerminal | Code::OffsetOrder)));
                }
                code => prop_assert_eq!(all, code),
            }
        }
    }

    /// Counts of any size are refused, or make the very size that is given out, in exact arithmetic.
    #[test]
    fn counts_are_held_against_the_size(rows in any::<u64>(), count in any::<u64>(), shift in 0..64_u32, said in any::<Option<u64>>()) {
        let (rows, count) = (rows >> shift, count >> shift);
        let ty = ragged_type(DType::F64, &[3]);
        let front = [b"RAG1\0\0\0\x01".to_vec(), be(&[rows, count, 0])].concat();
        let size = 24 + 8 * (u128::from(rows) + 1) + 24 * u128::from(count);
        let outcome = RowMap::locate(&ty, &front, said);
        match said {
            Some(said) if u128::from(said) == size => prop_assert!(outcome.is_ok()),
            Some(_) => prop_assert_eq!(outcome.unwrap_err().code(), Code::PayloadLength),
            None => prop_assert_eq!(outcome.map(|map| u128::from(map.size)).ok(), u64::try_from(size).ok().map(u128::from)),
        }
        if let Ok(exact) = u64::try_from(size) {
            prop_assert_eq!(RowMap::locate(&ty, &front, Some(exact)).unwrap().rows, rows);
            prop_assert_eq!(RowMap::locate(&ty, &front, Some(exact ^ 1)).unwrap_err().code(), Code::PayloadLength);
        }
    }
}

/// A ragged Item of three rows, of 2, 0 and 3 cells of 4 bytes.
fn three_rows() -> (ItemType, Vec<u8>) {
    (ragged_type(DType::F32, &[]), ragged_payload(&[0, 2, 2, 5], 5, 4))
}

#[test]
fn spans_of_a_small_item() {
    let (ty, payload) = three_rows();
    let map = RowMap::locate(&ty, &payload[..32], Some(payload.len() as u64)).unwrap();
    assert_eq!((map.size, map.rows, map.count, map.columns), (24 + 32 + 20, 3, 5, None));
    assert_eq!(map.offsets(0, 1), Ok(Span { offset: 24, length: 16 }));
    assert_eq!(map.offsets(2, 3), Ok(Span { offset: 40, length: 16 }));
    assert_eq!(map.offsets(0, 3), Ok(Span { offset: 24, length: 32 }));
    assert_eq!(map.offsets(3, 3).unwrap().length, 0);
    let values = Span { offset: 56 + 8, length: 12 };
    assert_eq!(map.parts(2, 5), Ok(RowParts { column_indices: None, values }));

    let csr = csr_type(DType::I16, 2, 9);
    let payload = csr_payload(9, &[0, 1, 4], &[8, 0, 3, 4], 2);
    let map = RowMap::locate(&csr, &payload[..40], None).unwrap();
    assert_eq!((map.size, map.rows, map.count, map.columns), (32 + 24 + 32 + 8, 2, 4, Some(9)));
    let columns = Some(Span { offset: 56 + 8, length: 24 });
    let values = Span { offset: 56 + 32 + 2, length: 6 };
    assert_eq!(map.parts(1, 4), Ok(RowParts { column_indices: columns, values }));
}

#[test]
fn rows_that_are_not_there() {
    let (ty, payload) = three_rows();
    let map = RowMap::locate(&ty, &payload[..32], None).unwrap();
    for (start, end) in [(0, 4), (3, 4), (4, 4), (2, 1), (3, 0), (u64::MAX, u64::MAX), (0, u64::MAX), (u64::MAX, 0)] {
        assert_eq!(map.offsets(start, end).unwrap_err().code(), Code::InvalidArgument, "{start} to {end}");
    }
}

#[test]
fn offsets_beyond_the_count() {
    let (ty, payload) = three_rows();
    let map = RowMap::locate(&ty, &payload[..32], None).unwrap();
    for (first, last) in [(0, 6), (6, 6), (3, 2), (0, u64::MAX), (u64::MAX, u64::MAX)] {
        assert_eq!(map.parts(first, last).unwrap_err().code(), Code::OffsetOrder, "{first} to {last}");
    }
    assert_eq!(map.parts(5, 5).unwrap().values, Span { offset: 76, length: 0 });
}

#[test]
fn an_item_that_is_too_short_or_of_another_family() {
    let (ty, payload) = three_rows();
    for (size, code) in
        [(0, Code::PayloadHeader), (7, Code::PayloadHeader), (8, Code::PayloadLength), (75, Code::PayloadLength)]
    {
        assert_eq!(RowMap::locate(&ty, &payload[..32], Some(size)).unwrap_err().code(), code, "{size}");
    }
    // The caller holds less than there is.
    assert_eq!(RowMap::locate(&ty, &payload[..23], None).unwrap_err().code(), Code::InvalidArgument);
    let csr = csr_type(DType::F32, 3, 1);
    assert_eq!(RowMap::locate(&csr, &payload[..40], None).unwrap_err().code(), Code::PayloadHeader);
    let other = csr_payload(2, &[0, 0], &[], 4);
    assert_eq!(RowMap::locate(&csr, &other, None).unwrap_err().code(), Code::ShapeMismatch);
    let semantics = crate::payload_naive::semantics();
    let dense = DenseType::new(DType::F32, vec![1], Endianness::Little, Layout::C, Codec::Raw, semantics).unwrap();
    let refusal = RowMap::locate(&ItemType::Dense(dense), &payload, None).unwrap_err();
    assert_eq!(refusal.code(), Code::InvalidArgument);
}

#[test]
fn cells_of_no_bytes_may_be_as_many_as_there_are_numbers() {
    let ty = ragged_type(DType::F64, &[0]);
    let payload = ragged_payload(&[0, 7, u64::MAX], 0, 0);
    let front = [&payload[..16], &be(&[u64::MAX]), &payload[24..32]].concat();
    let map = RowMap::locate(&ty, &front, Some(48)).unwrap();
    assert_eq!(map.parts(7, u64::MAX).unwrap().values, Span { offset: 48, length: 0 });
}

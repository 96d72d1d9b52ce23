//! Ragged and CSR payloads: built, mutated and fed in pieces, against the naive validator.

#![cfg(test)]
// Sizes are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::payload_items::{csr_item, item, mutate, mutation, ragged_item, through_windows};
use crate::payload_naive::{be, csr_payload, csr_type, offsets, ragged_payload, ragged_type, verdict};
use crate::trials::trials;
use dreamdb_arrays::dtype::DType;
use dreamdb_arrays::error::{Code, Result};
use dreamdb_arrays::payload::csr::{self, ColumnScan, Progress};
use dreamdb_arrays::payload::offsets::OffsetScan;
use dreamdb_arrays::payload::{self, CsrParts, Parts, RaggedParts, Span, ragged};
use dreamdb_arrays::{Error, ItemType};
use proptest::prelude::*;

/// Numbers of indices around those where an implementation could slip: scans decode blocks of 128.
const COUNTS: [usize; 17] = [0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1025];

fn code(outcome: &Result<Parts>) -> Option<Code> {
    outcome.as_ref().err().map(Error::code)
}

fn ragged_of(item_type: &ItemType, payload: &[u8]) -> RaggedParts {
    match payload::check(item_type, payload) {
        Ok(Parts::Ragged(parts)) => parts,
        other => panic!("{other:?}"),
    }
}

fn csr_of(item_type: &ItemType, payload: &[u8]) -> CsrParts {
    match payload::check(item_type, payload) {
        Ok(Parts::Csr(parts)) => parts,
        other => panic!("{other:?}"),
    }
}
proptest! {
    #![proptest_config(trials(2000))]

    #[test]
    fn valid_items_are_accepted((item_type, payload) in item()) {
        prop_assert_eq!(verdict(&item_type, &payload), None);
        let parts = payload::check(&item_type, &payload).unwrap();
        let values = parts.values();
        prop_assert_eq!(values.offset + values.length, payload.len() as u64);
    }

    #[test]
    fn mutated_items_are_judged_alike(
        (item_type, mut payload) in item(),
        mutations in prop::collection::vec(mutation(), 1..4),
        sizes in prop::collection::vec(0..7_usize, 1..6),
    ) {
        for mutation in &mutations {
            mutate(&mut payload, mutation);
        }
        let whole = payload::check(&item_type, &payload);
        prop_assert_eq!(code(&whole), verdict(&item_type, &payload), "{:?}", whole);
        // Two windows of no size get nowhere; three ones put two together now and then.
        let sizes: Vec<usize> = sizes.into_iter().chain([1, 1, 1]).collect();
        prop_assert_eq!(through_windows(&item_type, &payload, &sizes), whole);
    }

    #[test]
    fn items_of_the_other_family_are_refused((_, payload) in ragged_item(), (csr, _) in csr_item()) {
        prop_assert_eq!(code(&payload::check(&csr, &payload)), Some(Code::PayloadHeader));
    }

    #[test]
    fn any_bytes_are_judged_alike(
        (item_type, payload) in item(),
        kept in 0..33_usize,
        bytes in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let bytes = [&payload[..kept.min(payload.len())], &bytes[..]].concat();
        prop_assert_eq!(code(&payload::check(&item_type, &bytes)), verdict(&item_type, &bytes));
    }
}

#[test]
fn parts_follow_one_another() {
    for rows in COUNTS {
        let offsets = offsets((0..rows).map(|row| row % 3));
        let cells = *offsets.last().unwrap();
        let parts = ragged_of(&ragged_type(DType::F32, &[2]), &ragged_payload(&offsets, cells, 8));
        let row_offsets = Span { offset: 24, length: (rows as u64 + 1) * 8 };
        let values = Span { offset: 24 + row_offsets.length, length: cells * 8 };
        assert_eq!(parts, RaggedParts { rows: rows as u64, cells, row_offsets, values });

        let indices: Vec<u64> = (0..rows).flat_map(|row| 0..row as u64 % 3).collect();
        let payload = csr_payload(2, &offsets, &indices, 2);
        let parts = csr_of(&csr_type(DType::I16, rows as u64, 2), &payload);
        let row_offsets = Span { offset: 32, ..row_offsets };
        let column_indices = Span { offset: 32 + row_offsets.length, length: cells * 8 };
        let values = Span { offset: column_indices.offset + column_indices.length, length: cells * 2 };
        let wanted = CsrParts { rows: rows as u64, columns: 2, nnz: cells, row_offsets, column_indices, values };
        assert_eq!(parts, wanted);
    }
}

/// Judges an Item with each of its first integers after the header, in turn, made `wrong`.
fn one_wrong_integer(item_type: &ItemType, payload: &[u8], header: usize, integers: usize, wrong: u64) {
    for at in 0..integers {
        let mut payload = payload.to_vec();
        payload[header + at * 8..][..8].copy_from_slice(&wrong.to_be_bytes());
        let whole = payload::check(item_type, &payload);
        assert_eq!(code(&whole), verdict(item_type, &payload), "integer {at} of {integers} as {wrong}");
        for sizes in [[1000, 1000], [128, 1], [127, 129]] {
            assert_eq!(through_windows(item_type, &payload, &sizes), whole, "integer {at} of {integers} as {wrong}");
        }
    }
}

#[test]
fn one_wrong_integer_of_many() {
    for count in [1, 2, 127, 128, 129, 255, 256, 257] {
        let rows_of_one = offsets(vec![1; count]);
        let item_type = ragged_type(DType::U8, &[]);
        let payload = ragged_payload(&rows_of_one, count as u64, 1);
        for wrong in [0, 128, count as u64, u64::MAX] {
            one_wrong_integer(&item_type, &payload, 24, count + 1, wrong);
        }
        // Row boundaries at, before and after the ends of blocks, with empty rows on them.
        for lengths in [vec![count], vec![1; count], vec![0, count.min(127), 0, 0, count - count.min(127), 0]] {
            let offsets = offsets(lengths.iter().copied());
            let indices: Vec<u64> = lengths.iter().flat_map(|length| 0..*length as u64).collect();
            let payload = csr_payload(count as u64, &offsets, &indices, 1);
            let item_type = csr_type(DType::U8, lengths.len() as u64, count as u64);
            csr_of(&item_type, &payload);
            for wrong in [0, 127, count as u64] {
                one_wrong_integer(&item_type, &payload, 32, offsets.len() + indices.len(), wrong);
            }
        }
    }
}

#[test]
fn one_wrong_offset_of_five_rows() {
    // Each row but the empty ones leaves its offsets some room; an offset is right only between its neighbours.
    for lengths in [[1, 1, 1, 1, 1], [3, 0, 2, 4, 1], [0, 0, 0, 0, 0], [0, 5, 0, 0, 0]] {
        let right = offsets(lengths);
        let cells = right[5];
        let item_type = ragged_type(DType::U8, &[]);
        for at in 0..6 {
            for wrong in (0..cells + 3).chain([1 << 32, 1 << 63, u64::MAX - 15, u64::MAX]) {
                let mut offsets = right.clone();
                offsets[at] = wrong;
                let found = payload::check(&item_type, &ragged_payload(&offsets, cells, 1));
                let legal = match at {
                    0 => wrong == 0,
                    5 => wrong == cells,
                    _ => right[at - 1] <= wrong && wrong <= right[at + 1],
                };
                assert_eq!(found.is_ok(), legal, "offset {at} of {right:?} as {wrong}: {found:?}");
            }
        }
    }
}

#[test]
fn no_single_offset_of_five_empty_rows_can_change() {
    let item_type = ragged_type(DType::U8, &[]);
    for at in 0..6 {
        for bit in 0..64 {
            let mut offsets = vec![0; 6];
            offsets[at] = 1 << bit;
            let found = code(&payload::check(&item_type, &ragged_payload(&offsets, 0, 1)));
            let wanted = if matches!(at, 0 | 5) { Code::OffsetTerminal } else { Code::OffsetOrder };
            assert_eq!(found, Some(wanted), "offset {at}, bit {bit}");
        }
    }
}

#[test]
fn a_refusal_says_where() {
    let refused = |payload: Vec<u8>, item_type: ItemType| payload::check(&item_type, &payload).unwrap_err();

    let error = refused(ragged_payload(&[0, 4, 3, 5], 5, 1), ragged_type(DType::U8, &[]));
    assert_eq!(error.message(), "row offset 2 is 3, less than 4 before it");
    assert_eq!((error.expected(), error.actual()), (Some("at least 4"), Some("3")));

    let error = refused(ragged_payload(&[0, 4], 5, 1), ragged_type(DType::U8, &[]));
    assert_eq!((error.code(), error.expected(), error.actual()), (Code::OffsetTerminal, Some("5"), Some("4")));

    let error = refused(csr_payload(4, &[0, 2, 2, 4], &[0, 3, 1, 4], 1), csr_type(DType::U8, 3, 4));
    assert_eq!(error.message(), "column index 3, of row 2, is 4, but there are 4 columns");
    assert_eq!((error.code(), error.expected(), error.actual()), (Code::ColumnBounds, Some("less than 4"), Some("4")));

    let error = refused(csr_payload(4, &[0, 2, 2, 4], &[0, 3, 1, 1], 1), csr_type(DType::U8, 3, 4));
    assert_eq!(error.message(), "column index 3, of row 2, is 1, not greater than 1 before it");
    assert_eq!(error.expected(), Some("greater than 1"));

    let mut payload = ragged_payload(&[0, 1], 1, 1);
    payload.pop();
    let error = refused(payload, ragged_type(DType::U8, &[]));
    assert_eq!((error.code(), error.expected(), error.actual()), (Code::PayloadLength, Some("41"), Some("40")));
}

#[test]
fn a_column_may_fall_at_the_end_of_a_row_only() {
    let item_type = csr_type(DType::U8, 2, 3);
    csr_of(&item_type, &csr_payload(3, &[0, 2, 4], &[1, 2, 0, 1], 1));
    let found = payload::check(&item_type, &csr_payload(3, &[0, 3, 4], &[1, 2, 0, 1], 1));
    assert_eq!(code(&found), Some(Code::ColumnOrder));
}

#[test]
fn the_largest_columns_are_compared_unsigned() {
    let item_type = csr_type(DType::U8, 1, u64::MAX);
    let check = |indices: &[u64]| {
        code(&payload::check(&item_type, &csr_payload(u64::MAX, &[0, indices.len() as u64], indices, 1)))
    };
    assert_eq!(check(&[0, i64::MAX as u64, 1 << 63, u64::MAX - 1]), None);
    assert_eq!(check(&[1 << 63, i64::MAX as u64]), Some(Code::ColumnOrder));
    assert_eq!(check(&[u64::MAX - 1, u64::MAX - 1]), Some(Code::ColumnOrder));
    assert_eq!(check(&[u64::MAX]), Some(Code::ColumnBounds));
}

#[test]
fn a_lying_header_is_refused_by_its_front_alone() {
    let huge = [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 61, (1 << 61) - 1, 1 << 60, 1 << 32];
    for counts in huge.iter().flat_map(|count| [[*count, 0], [0, *count], [*count, *count], [*count, 1]]) {
        for total in [24, 32, 40, 1 << 32, u64::MAX - 7, u64::MAX] {
            let front = [b"RAG1\0\0\0\x01", &be(&counts)[..]].concat();
            let ItemType::Ragged(ty) = ragged_type(DType::F64, &[3]) else { unreachable!() };
            let error = ragged::header(&ty, &front, total).unwrap_err();
            assert_eq!(error.code(), Code::PayloadLength, "{counts:?} in {total}");

            let [rows, nnz] = counts;
            let front = [b"CSR1\0\0\0\x01", &be(&[rows, 5, nnz])[..]].concat();
            let ItemType::Csr(ty) = csr_type(DType::F64, rows, 5) else { unreachable!() };
            let wanted = u128::from(rows) * 8 + u128::from(nnz) * 16 + 40;
            let outcome = csr::header(&ty, &front, total);
            if wanted == u128::from(total) {
                assert_eq!(outcome.unwrap().nnz, nnz);
            } else {
                assert_eq!(outcome.unwrap_err().code(), Code::PayloadLength, "{counts:?} in {total}");
            }
        }
    }
}

#[test]
fn counts_that_just_fit_are_believed() {
    // Nothing is allocated, so an Item of almost 2^64 bytes can be laid out from its front.
    let ItemType::Ragged(ty) = ragged_type(DType::U8, &[]) else { unreachable!() };
    let front = [b"RAG1\0\0\0\x01", &be(&[0, u64::MAX - 32])[..]].concat();
    let parts = ragged::header(&ty, &front, u64::MAX).unwrap();
    assert_eq!(parts.values, Span { offset: 32, length: u64::MAX - 32 });
    assert_eq!(parts.values.of(&front), None);

    // Cells of no bytes may be as many as can be counted.
    for inner in [vec![0], vec![1 << 40, 0], vec![0, u64::MAX]] {
        let item_type = ragged_type(DType::F64, &inner);
        let parts = ragged_of(&item_type, &ragged_payload(&[0, u64::MAX], 0, 0).with_count(u64::MAX));
        assert_eq!((parts.cells, parts.values.length), (u64::MAX, 0));
    }
}

trait WithCount {
    fn with_count(self, count: u64) -> Self;
}

impl WithCount for Vec<u8> {
    /// The same ragged payload with another number of cells in its header.
    fn with_count(mut self, count: u64) -> Self {
        self[16..24].copy_from_slice(&count.to_be_bytes());
        self
    }
}

#[test]
fn the_order_of_checks_on_short_csr_payloads() {
    let whole = csr_payload(3, &[0, 1], &[2], 4);
    let declared = csr_type(DType::F32, 1, 3);
    let other = csr_type(DType::F32, 2, 3);
    for length in 0..=whole.len() {
        let found = |item_type| code(&payload::check(item_type, &whole[..length]));
        let short = if length < 8 { Some(Code::PayloadHeader) } else { Some(Code::PayloadLength) };
        assert_eq!(found(&declared), if length == whole.len() { None } else { short }, "{length}");
        assert_eq!(found(&other), if length < 24 { short } else { Some(Code::ShapeMismatch) }, "{length}");
    }
}

#[test]
fn a_front_is_enough_and_less_is_not() {
    let ragged_whole = ragged_payload(&[0, 2, 3], 3, 4);
    let ItemType::Ragged(ragged_ty) = ragged_type(DType::F32, &[]) else { unreachable!() };
    let total = ragged_whole.len() as u64;
    let parts = ragged::check(&ragged_ty, &ragged_whole).unwrap();
    for held in 0..=ragged_whole.len() {
        let found = ragged::header(&ragged_ty, &ragged_whole[..held], total);
        if held < 24 {
            assert_eq!(found.unwrap_err().code(), Code::InvalidArgument, "{held}");
        } else {
            assert_eq!(found, Ok(parts), "{held}");
        }
    }
    // Bytes of a neighbour do not count.
    let error = ragged::header(&ragged_ty, &ragged_whole, 20).unwrap_err();
    assert_eq!(error.code(), Code::PayloadLength);

    let csr_whole = csr_payload(3, &[0, 2, 3], &[0, 2, 1], 4);
    let ItemType::Csr(csr_ty) = csr_type(DType::F32, 2, 3) else { unreachable!() };
    let parts = csr::check(&csr_ty, &csr_whole).unwrap();
    for held in 0..=csr_whole.len() {
        let found = csr::header(&csr_ty, &csr_whole[..held], csr_whole.len() as u64);
        if held < 32 {
            assert_eq!(found.unwrap_err().code(), Code::InvalidArgument, "{held}");
        } else {
            assert_eq!(found, Ok(parts), "{held}");
        }
    }
}

#[test]
fn scans_refuse_what_they_were_not_promised() {
    let invalid = |outcome: Result<()>| assert_eq!(outcome.unwrap_err().code(), Code::InvalidArgument);
    for cut in 1..8 {
        invalid(OffsetScan::new(3).feed(&[0; 16][..8 + cut]));
        invalid(ColumnScan::new(3).feed(&[0; 16][..8 + cut], &[1]).map(|_| ()));
    }
    invalid(OffsetScan::new(1).feed(&be(&[0, 1, 2])));
    invalid(OffsetScan::new(0).finish(0));
    invalid(OffsetScan::new(u64::MAX).finish(0));

    // Row ends that were not checked.
    let mut scan = ColumnScan::new(9);
    assert_eq!(scan.feed(&be(&[1, 2]), &[2]).unwrap(), Progress { columns: 2, rows: 1 });
    let before = scan;
    invalid(scan.feed(&be(&[3]), &[3, 1]).map(|_| ()));
    assert_eq!(scan, before);

    let parts = csr_of(&csr_type(DType::U8, 2, 9), &csr_payload(9, &[0, 2, 3], &[1, 2, 3], 1));
    invalid(scan.finish(&parts));
    scan.feed(&be(&[3]), &[3]).unwrap();
    scan.finish(&parts).unwrap();
}

#[test]
fn scans_go_on_from_any_numbers() {
    // Nonsense gives nonsense or a refusal, but nothing else.
    for position in [0, 1, u64::MAX - 2, u64::MAX - 1, u64::MAX] {
        for window in [&[][..], &[0], &[u64::MAX], &[0, 0], &[7, u64::MAX]] {
            for rows in [0, 1, u64::MAX - 1, u64::MAX] {
                let _ = OffsetScan::resume(rows, position, u64::MAX).feed(&be(window));
            }
            for (least, end) in [(0, u64::MAX), (u64::MAX, u64::MAX), (0, position), (9, 0)] {
                let state = [u64::MAX, position, least];
                let _ = ColumnScan::resume(u64::MAX, state).feed(&be(window), &[end, end, u64::MAX]);
            }
        }
    }
}

#[test]
fn a_refused_window_leaves_the_state() {
    let mut scan = OffsetScan::new(4);
    scan.feed(&be(&[0, 5])).unwrap();
    let before = scan;
    assert_eq!(scan.feed(&be(&[6, 4])).unwrap_err().code(), Code::OffsetOrder);
    assert_eq!(scan, before);

    let mut scan = ColumnScan::new(9);
    scan.feed(&be(&[1, 4]), &[5]).unwrap();
    let before = scan;
    assert_eq!(scan.feed(&be(&[5, 5]), &[5]).unwrap_err().code(), Code::ColumnOrder);
    assert_eq!(scan, before);
    assert_eq!(scan.feed(&be(&[4]), &[5]).unwrap_err().code(), Code::ColumnOrder);
    scan.feed(&be(&[5]), &[5]).unwrap();
}

#[test]
fn one_row_can_be_checked_alone() {
    let mut scan = ColumnScan::at_row(5, 7, 40);
    assert_eq!(scan.feed(&be(&[0, 4]), &[42]).unwrap(), Progress { columns: 2, rows: 1 });
    let error = ColumnScan::at_row(5, 7, 40).feed(&be(&[0, 5]), &[42]).unwrap_err();
    assert_eq!(error.message(), "column index 41, of row 7, is 5, but there are 5 columns");
}

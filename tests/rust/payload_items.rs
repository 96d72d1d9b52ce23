//! Ragged and CSR payloads made at random, with mutations of them, and checked through windows.

#![cfg(test)]
// Sizes are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::payload_naive::{csr_payload, csr_type, offsets, ragged_payload, ragged_type};
use dreamdb_arrays::ItemType;
use dreamdb_arrays::dtype::DType;
use dreamdb_arrays::error::Result;
use dreamdb_arrays::payload::csr::{self, ColumnScan, Progress};
use dreamdb_arrays::payload::offsets::OffsetScan;
use dreamdb_arrays::payload::{CsrParts, Parts, ragged};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeSet;

/// A type and a valid payload of it.
pub fn ragged_item() -> impl Strategy<Value = (ItemType, Vec<u8>)> {
    let inner = select(vec![vec![], vec![1], vec![2, 3], vec![0], vec![1 << 40, 0]]);
    (prop::collection::vec(0..5_usize, 0..12), inner, select(&DType::ALL[..])).prop_map(|(lengths, inner, dtype)| {
        let offsets = offsets(lengths);
        let cell_bytes = (inner.iter().product::<u64>() * dtype.size()) as usize;
        (ragged_type(dtype, &inner), ragged_payload(&offsets, *offsets.last().unwrap(), cell_bytes))
    })
}

/// A type and a valid payload of it.
pub fn csr_item() -> impl Strategy<Value = (ItemType, Vec<u8>)> {
    let row = prop::collection::btree_set(0..9_u64, 0..5);
    let columns = select(vec![9, 10, 1 << 40, u64::MAX]);
    (prop::collection::vec(row, 0..9), columns, select(&DType::ALL[..])).prop_map(|(rows, columns, dtype)| {
        let offsets = offsets(rows.iter().map(BTreeSet::len));
        let indices = rows.concat_all();
        let payload = csr_payload(columns, &offsets, &indices, dtype.size() as usize);
        (csr_type(dtype, rows.len() as u64, columns), payload)
    })
}

trait ConcatAll {
    fn concat_all(&self) -> Vec<u64>;
}

impl ConcatAll for Vec<BTreeSet<u64>> {
    fn concat_all(&self) -> Vec<u64> {
        self.iter().flatten().copied().collect()
    }
}

pub fn item() -> impl Strategy<Value = (ItemType, Vec<u8>)> {
    prop_oneof![ragged_item(), csr_item()]
}

#[derive(Clone, Debug)]
pub enum Mutation {
    Byte(Index, u8),
    /// An integer of the header or a table becomes another.
    Word(Index, u64),
    /// An integer moves by a little.
    Nudge(Index, i8),
    Swap(Index, Index),
    Cut(Index),
    Grow(u8),
}

pub fn mutation() -> impl Strategy<Value = Mutation> {
    let word = prop_oneof![0..12_u64, select(vec![1 << 32, (1 << 61) - 1, 1 << 61, 1 << 63, u64::MAX - 15, u64::MAX])];
    prop_oneof![
        1 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Byte(at, byte)),
        4 => (any::<Index>(), word).prop_map(|(at, word)| Mutation::Word(at, word)),
        4 => (any::<Index>(), -2..3_i8).prop_map(|(at, by)| Mutation::Nudge(at, by)),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Mutation::Swap(one, other)),
        1 => any::<Index>().prop_map(Mutation::Cut),
        1 => (1..20_u8).prop_map(Mutation::Grow),
    ]
}

pub fn mutate(payload: &mut Vec<u8>, mutation: &Mutation) {
    let words = payload.len() / 8;
    if words == 0 {
        return;
    }
    // Mostly what follows the signature.
    let place = |at: &Index| at.index(words).max(usize::from(words > 1)) * 8;
    let word = |payload: &[u8], at: usize| u64::from_be_bytes(payload[at..at + 8].try_into().unwrap());
    match mutation {
        Mutation::Byte(at, byte) => {
            let at = at.index(payload.len());
            payload[at] = *byte;
        }
        Mutation::Word(at, value) => {
            let at = place(at);
            payload[at..at + 8].copy_from_slice(&value.to_be_bytes());
        }
        Mutation::Nudge(at, by) => {
            let at = place(at);
            let value = word(payload, at).wrapping_add_signed(i64::from(*by));
            payload[at..at + 8].copy_from_slice(&value.to_be_bytes());
        }
        Mutation::Swap(one, other) => {
            let (one, other) = (place(one), place(other));
            let (first, second) = (word(payload, one), word(payload, other));
            payload[one..one + 8].copy_from_slice(&second.to_be_bytes());
            payload[other..other + 8].copy_from_slice(&first.to_be_bytes());
        }
        Mutation::Cut(at) => payload.truncate(at.index(payload.len())),
        Mutation::Grow(by) => payload.extend(vec![0; usize::from(*by)]),
    }
}

/// Checks a payload as one does who sees it through windows: header first, then tables in pieces of the given sizes.
pub fn through_windows(item_type: &ItemType, payload: &[u8], sizes: &[usize]) -> Result<Parts> {
    let mut sizes = sizes.iter().copied().cycle();
    let total = payload.len() as u64;
    match item_type {
        ItemType::Ragged(ragged) => {
            let parts = ragged::header(ragged, &payload[..payload.len().min(24)], total)?;
            feed_offsets(parts.row_offsets.of(payload).unwrap(), parts.rows, parts.cells, &mut sizes)?;
            Ok(Parts::Ragged(parts))
        }
        ItemType::Csr(ty) => {
            let parts = csr::header(ty, &payload[..payload.len().min(32)], total)?;
            let offsets = parts.row_offsets.of(payload).unwrap();
            csr::terminal(parts.nnz, *offsets.last_chunk().unwrap())?;
            feed_offsets(offsets, parts.rows, parts.nnz, &mut sizes)?;
            let ends: Vec<u64> = offsets[8..].as_chunks().0.iter().map(|end| u64::from_be_bytes(*end)).collect();
            feed_columns(&parts, parts.column_indices.of(payload).unwrap(), &ends, &mut sizes)?;
            Ok(Parts::Csr(parts))
        }
        ItemType::Dense(_) => unreachable!(),
    }
}

pub fn feed_offsets(mut table: &[u8], rows: u64, count: u64, sizes: &mut impl Iterator<Item = usize>) -> Result<()> {
    let mut scan = OffsetScan::new(rows);
    while !table.is_empty() {
        let (window, rest) = table.split_at((sizes.next().unwrap() * 8).min(table.len()));
        scan.feed(window)?;
        table = rest;
        scan = OffsetScan::resume(rows, scan.position(), scan.last());
    }
    scan.finish(count)
}

pub fn feed_columns(
    parts: &CsrParts,
    mut columns: &[u8],
    mut ends: &[u64],
    sizes: &mut impl Iterator<Item = usize>,
) -> Result<()> {
    let mut scan = ColumnScan::new(parts.columns);
    while !(columns.is_empty() && ends.is_empty()) {
        let window = &columns[..(sizes.next().unwrap() * 8).min(columns.len())];
        let row_ends = &ends[..sizes.next().unwrap().min(ends.len())];
        let before = scan;
        let progress = scan.feed(window, row_ends)?;
        let something = progress != Progress::default();
        assert!(something || window.is_empty() || row_ends.is_empty(), "{before:?} is stuck");
        assert_eq!(scan.position() - before.position(), progress.columns as u64);
        assert_eq!(scan.row() - before.row(), progress.rows as u64);
        columns = &columns[progress.columns * 8..];
        ends = &ends[progress.rows..];
        scan = ColumnScan::resume(parts.columns, scan.state());
    }
    scan.finish(parts)
}

//! Structured payloads done slowly: a builder, and a validator that shares nothing with the crate's but the rules.

#![cfg(test)]
// Sizes are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use dreamdb_arrays::ItemType;
use dreamdb_arrays::dtype::{DType, Endianness};
use dreamdb_arrays::error::Code;
use dreamdb_arrays::item_type::{CsrType, RaggedType, Semantics};

pub fn semantics() -> Semantics {
    let none = || "none".to_owned();
    Semantics { semantic_type: none(), units: none(), frame: none(), axis_order: none() }
}

pub fn ragged_type(dtype: DType, inner_shape: &[u64]) -> ItemType {
    ItemType::Ragged(RaggedType::new(dtype, inner_shape.to_vec(), Endianness::Little, semantics()).unwrap())
}

pub fn csr_type(dtype: DType, rows: u64, columns: u64) -> ItemType {
    ItemType::Csr(CsrType::new(dtype, rows, columns, Endianness::Big, semantics()))
}

/// Index tables as bytes.
pub fn be(integers: &[u64]) -> Vec<u8> {
    integers.iter().flat_map(|integer| integer.to_be_bytes()).collect()
}

/// A ragged payload with those row offsets and that many cells, whatever they are.
pub fn ragged_payload(offsets: &[u64], cells: u64, cell_bytes: usize) -> Vec<u8> {
    let rows = offsets.len() as u64 - 1;
    let mut payload = b"RAG1\0\0\0\x01".to_vec();
    payload.extend(be(&[rows, cells]));
    payload.extend(be(offsets));
    payload.extend((0..cells as usize * cell_bytes).map(|index| index as u8));
    payload
}

/// A CSR payload with those row offsets and column indices, whatever they are.
pub fn csr_payload(columns: u64, offsets: &[u64], indices: &[u64], value_bytes: usize) -> Vec<u8> {
    let rows = offsets.len() as u64 - 1;
    let mut payload = b"CSR1\0\0\0\x01".to_vec();
    payload.extend(be(&[rows, columns, indices.len() as u64]));
    payload.extend(be(offsets));
    payload.extend(be(indices));
    payload.extend((0..indices.len() * value_bytes).map(|index| index as u8));
    payload
}

/// Row offsets of rows of those lengths.
pub fn offsets(lengths: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut offsets = vec![0];
    for length in lengths {
        offsets.push(offsets.last().unwrap() + length as u64);
    }
    offsets
}

/// The code with which a structured payload is to be refused, if it is.
pub fn verdict(item_type: &ItemType, payload: &[u8]) -> Option<Code> {
    let (magic, header_words) = match item_type {
        ItemType::Ragged(_) => (b"RAG1\0\0\0\x01", 2),
        ItemType::Csr(_) => (b"CSR1\0\0\0\x01", 3),
        ItemType::Dense(_) => unreachable!(),
    };
    if !payload.starts_with(magic) {
        return Some(Code::PayloadHeader);
    }
    if payload.len() < 24 {
        return Some(Code::PayloadLength);
    }
    let words: Vec<u64> = payload[8..].as_chunks().0.iter().map(|word| u64::from_be_bytes(*word)).collect();
    if let ItemType::Csr(csr) = item_type
        && words[..2] != csr.shape()
    {
        return Some(Code::ShapeMismatch);
    }
    if words.len() < header_words {
        return Some(Code::PayloadLength);
    }
    let (rows, count) = (words[0], words[header_words - 1]);
    let width = match item_type {
        ItemType::Ragged(ragged) => {
            ragged.inner_shape().iter().map(|extent| u128::from(*extent)).product::<u128>() * size(item_type)
        }
        _ => 8 + size(item_type),
    };
    let length = 8 + 8 * header_words as u128 + 8 * (u128::from(rows) + 1) + u128::from(count) * width;
    if length != payload.len() as u128 {
        return Some(Code::PayloadLength);
    }
    let (offsets, rest) = words[header_words..].split_at(rows as usize + 1);
    let csr = matches!(item_type, ItemType::Csr(_));
    if offsets[0] != 0 || (csr && offsets[rows as usize] != count) {
        return Some(Code::OffsetTerminal);
    }
    if !offsets.is_sorted() {
        return Some(Code::OffsetOrder);
    }
    if offsets[rows as usize] != count {
        return Some(Code::OffsetTerminal);
    }
    if let ItemType::Csr(csr) = item_type {
        for row in offsets.windows(2) {
            let indices = &rest[row[0] as usize..row[1] as usize];
            for (at, index) in indices.iter().enumerate() {
                if *index >= csr.shape()[1] {
                    return Some(Code::ColumnBounds);
                }
                if indices[..at].iter().any(|before| before >= index) {
                    return Some(Code::ColumnOrder);
                }
            }
        }
    }
    None
}

fn size(item_type: &ItemType) -> u128 {
    u128::from(item_type.dtype().size())
}

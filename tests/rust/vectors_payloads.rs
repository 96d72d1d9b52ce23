//! Vectors about payloads: the crate says where the parts of a payload lie, and what lies there is read here.

#![cfg(test)]
// Sizes are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::vectors::{Outcome, hex, results};
use data_encoding::HEXLOWER;
use dreamdb_arrays::ItemType;
use dreamdb_arrays::dtype::{DType, Endianness};
use dreamdb_arrays::item_type::Layout;
use dreamdb_arrays::payload::{self, Parts, Span};
use serde_json::Value;

pub fn check_payload(vector: &Value) -> Outcome {
    let item_type = ItemType::from_cbor(&hex(vector, "type_cbor_hex"))?;
    payload::check(&item_type, &hex(vector, "payload_hex"))?;
    Ok(results([]))
}

pub fn decode_payload(vector: &Value) -> Outcome {
    let item_type = ItemType::from_cbor(&hex(vector, "type_cbor_hex"))?;
    let payload = hex(vector, "payload_hex");
    let parts = payload::check(&item_type, &payload)?;
    let mut found = results([]);
    let shape = match (&item_type, &parts) {
        (ItemType::Dense(dense), Parts::Dense(_)) => dense.shape().to_vec(),
        (ItemType::Ragged(ragged), Parts::Ragged(parts)) => {
            found.extend(results([("row_offsets", indices(&payload, parts.row_offsets))]));
            assert_eq!(parts.row_offsets.length, (parts.rows + 1) * 8, "{}", vector["id"]);
            [&[parts.cells], ragged.inner_shape()].concat()
        }
        (ItemType::Csr(csr), Parts::Csr(parts)) => {
            found.extend(results([
                ("row_offsets", indices(&payload, parts.row_offsets)),
                ("column_indices", indices(&payload, parts.column_indices)),
            ]));
            assert_eq!([parts.rows, parts.columns], csr.shape(), "{}", vector["id"]);
            vec![parts.nnz]
        }
        _ => panic!("{}: parts of another family", vector["id"]),
    };
    let values = parts.values();
    assert_eq!(values.offset + values.length, payload.len() as u64, "{}: values end the payload", vector["id"]);
    let elements = elements(&item_type, &shape, values.of(&payload).unwrap());
    let values: Vec<Value> = elements.iter().map(|element| json(item_type.dtype(), element)).collect();
    found.extend(results([
        ("shape", shape.into()),
        ("values", values.into()),
        ("bits_hex", HEXLOWER.encode(&elements.concat()).into()),
    ]));
    Ok(found)
}

/// The elements as little-endian bytes, last axis fastest.
fn elements(item_type: &ItemType, shape: &[u64], stored: &[u8]) -> Vec<Vec<u8>> {
    let width = item_type.dtype().size() as usize;
    let count = shape.iter().product::<u64>();
    let element = |c_index: u64| {
        let mut at = c_index;
        if item_type.layout() == Layout::F {
            let (mut rest, mut places) = (c_index, vec![0; shape.len()]);
            for axis in (0..shape.len()).rev() {
                places[axis] = rest % shape[axis];
                rest /= shape[axis];
            }
            at = (0..shape.len()).rev().fold(0, |at, axis| at * shape[axis] + places[axis]);
        }
        let start = at as usize * width;
        let mut bytes = stored[start..start + width].to_vec();
        if item_type.endianness() == Endianness::Big {
            bytes.reverse();
        }
        bytes
    };
    (0..count).map(element).collect()
}

/// An element as the vectors write it: 64-bit integers as text, and floats that JSON has no number for.
fn json(dtype: DType, element: &[u8]) -> Value {
    let mut wide = [0_u8; 8];
    wide[..element.len()].copy_from_slice(element);
    let bits = u64::from_le_bytes(wide);
    let unused = 64 - 8 * element.len() as u32;
    let signed = (bits << unused).cast_signed() >> unused;
    match dtype {
        DType::F32 => float(f64::from(f32::from_bits(bits as u32))),
        DType::F64 => float(f64::from_bits(bits)),
        DType::I8 | DType::I16 | DType::I32 => signed.into(),
        DType::I64 => signed.to_string().into(),
        DType::U8 | DType::U16 | DType::U32 => bits.into(),
        DType::U64 => bits.to_string().into(),
    }
}

fn float(value: f64) -> Value {
    match value {
        _ if value.is_nan() => "nan".into(),
        f64::INFINITY => "inf".into(),
        f64::NEG_INFINITY => "-inf".into(),
        _ if value == 0.0 && value.is_sign_negative() => "-0.0".into(),
        _ => value.into(),
    }
}

fn indices(payload: &[u8], span: Span) -> Value {
    let indices = span.of(payload).unwrap().chunks(8);
    indices.map(|index| u64::from_be_bytes(index.try_into().unwrap()).to_string()).collect()
}

//! Scalar columns: their index, its pages, and rows.

use super::object::{Plain, Thrown, bigints, bytes, list, numbers, thrown};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::scalar::entries::Entries;
use crate::scalar::page::Page;
use crate::scalar::rows::Rows;
use crate::scalar::value::Values;
use crate::scalar::{Root, ValueType, check_descriptor};
use crate::sentence::say;
use crate::track::{Advertised, Index};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * Entries of a scalar column's index, as columns in its order; objects are positions in addresses, which are 33 bytes each. Values are
 * texts, or words: 0 or 1, two's complement, the bits of a float. A length of 2^64 - 1 means the whole object.
 */
export interface CoreScalarEntries {
  texts?: string[];
  words?: BigUint64Array;
  starts: BigUint64Array;
  ends: BigUint64Array;
  objects: Uint32Array;
  addresses: Uint8Array;
  offsets: BigUint64Array;
  lengths: BigUint64Array;
}
/** The index of a scalar column: its entries, or the root of a tree. */
export type CoreScalarRoot =
  | { entries: CoreScalarEntries; root?: undefined }
  | { entries?: undefined; root: string; pages: bigint; height: bigint; total: bigint };
/** A page of the tree: a leaf's entries, or the addresses of the pages below, 33 bytes each. */
export type CoreScalarPage = { entries: CoreScalarEntries; children?: undefined } | { entries?: undefined; children: Uint8Array };
/** Rows by ascending anchors, each with the number of its record. */
export interface CoreScalarRows {
  anchors: BigUint64Array;
  records: Uint32Array;
}
"#;

/// Decodes the Track of a scalar column, checking that the object is the Track that the manifest advertises.
///
/// # Errors
/// Those of `Index::decode`; `ScalarIndex`; `Multihash` if `timeline` is no address.
#[wasm_bindgen(js_name = decodeScalarTrack, unchecked_return_type = "CoreScalarRoot")]
pub fn decode_scalar_track(
    object: &[u8],
    modality: &str,
    timeline: &str,
    start: u64,
    end: u64,
    value_type: &str,
) -> Thrown<JsValue> {
    let decode = || {
        ValueType::declared(value_type, modality)?;
        let advertised = Advertised { modality, timeline: Address::parse(timeline)?, coverage: [start, end] };
        match Index::decode(object, &advertised)? {
            Index::Scalars(root) => Ok(root),
            _ => Err(Error::new(Code::ScalarIndex, say!("the Track is not one of a scalar column"))),
        }
    };
    Ok(match decode().map_err(thrown)? {
        Root::Entries(columns) => Plain::new().with("entries", entries(&columns)),
        Root::Tree(tree) => Plain::new()
            .with("root", tree.root)
            .with("pages", tree.pages)
            .with("height", tree.height)
            .with("total", tree.entries),
    }
    .done())
}

/// Decodes a page of a scalar column's index that has so many levels below it.
///
/// # Errors
/// Those of `Page::decode`.
#[wasm_bindgen(js_name = decodeScalarPage, unchecked_return_type = "CoreScalarPage")]
pub fn decode_scalar_page(object: &[u8], modality: &str, value_type: &str, level: u64) -> Thrown<JsValue> {
    let decode = || Page::decode(object, ValueType::declared(value_type, modality)?, level);
    Ok(match decode().map_err(thrown)? {
        Page::Leaf(columns) => Plain::new().with("entries", entries(&columns)),
        Page::Internal(addresses) => Plain::new().with("children", bytes(&addresses)),
    }
    .done())
}

/// Checks the descriptor of a scalar column's index.
///
/// # Errors
/// Those of `check_descriptor`.
#[wasm_bindgen(js_name = checkScalarIndex)]
pub fn check_scalar_index(object: &[u8], modality: &str, value_type: &str, field: &str) -> Thrown<()> {
    let check = || -> Result<()> { check_descriptor(object, ValueType::declared(value_type, modality)?, field) };
    check().map_err(thrown)
}

/// The rows of records that lie one behind another, within the half-open window.
///
/// # Errors
/// Those of `Rows::read`.
#[wasm_bindgen(js_name = scalarRows, unchecked_return_type = "CoreScalarRows")]
pub fn scalar_rows(
    records: &[u8],
    lengths: &[u32],
    starts: &[u64],
    ends: &[u64],
    start: u64,
    end: u64,
) -> Thrown<JsValue> {
    let rows = Rows::read(records, lengths, starts, ends, [start, end]).map_err(thrown)?;
    Ok(Plain::new().with("anchors", bigints(&rows.anchors)).with("records", numbers(&rows.records)).done())
}

fn entries(columns: &Entries) -> JsValue {
    let plain = match &columns.values {
        Values::Texts(texts) => Plain::new().with("texts", list(texts, |text| JsValue::from_str(text))),
        Values::Words(words) => Plain::new().with("words", bigints(words)),
    };
    plain
        .with("starts", bigints(&columns.starts))
        .with("ends", bigints(&columns.ends))
        .with("objects", numbers(&columns.objects))
        .with("addresses", bytes(&columns.addresses))
        .with("offsets", bigints(&columns.offsets))
        .with("lengths", bigints(&columns.lengths))
        .done()
}

//! Tracks and the pages of their indexes.

use super::names::name;
use super::object::{Columns, Plain, Thrown, bigints, bytes, list, thrown};
use crate::error::Error;
use crate::multihash::Address;
use crate::track::given::Given;
use crate::track::pages::{Page, Place};
use crate::track::{Advertised, Index};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Index entries, as columns in ascending order of anchors; addresses are 33 bytes each. */
export type CoreEntries =
  | { form: "event"; anchors: BigUint64Array; addresses: Uint8Array }
  | { form: "continuous"; starts: BigUint64Array; ends: BigUint64Array; buckets: BigUint64Array; addresses: Uint8Array }
  | CoreFragments;
/** The entries of a media Track (0022): forms are 0 single, 1 chunked, 2 packed; objects are positions in addresses. */
export interface CoreFragments {
  form: "fragments";
  starts: BigUint64Array;
  ends: BigUint64Array;
  sizes: BigUint64Array;
  offsets: Uint32Array;
  forms: Uint8Array;
  objects: Uint32Array;
  addresses: Uint8Array;
  packLengths: BigUint64Array;
  packFaults: { object: number; error: Error }[];
}
/** The index of a Track: its entries, a Constant's Item, or where its pages are; that of a scalar column is well-formed CBOR, and read on this side. */
export type CoreIndex = CoreEntries | { form: "constant"; address?: string } | CorePaged | { form: "unread" };
/** A paged index: its top page, the levels of its tree, and what its Track counts. */
export interface CorePaged {
  form: "paged";
  root: string;
  height: bigint;
  fanout: bigint;
  items: bigint;
  pages: bigint;
}
/** The pages below an internal page, as columns in ascending order of their first anchors. */
export interface CoreChildren {
  form: "internal";
  starts: BigUint64Array;
  ends: BigUint64Array;
  items: BigUint64Array;
  addresses: Uint8Array;
}
"#;

/// Decodes a Track Object's index, checking that the object is the Track that the manifest advertises.
///
/// # Errors
/// Those of `Index::decode`; `Multihash` if `timeline` is no address.
#[wasm_bindgen(js_name = decodeTrack, unchecked_return_type = "CoreIndex")]
pub fn decode_track(object: &[u8], modality: &str, timeline: &str, start: u64, end: u64) -> Thrown<JsValue> {
    let decode = || {
        let advertised = Advertised { modality, timeline: Address::parse(timeline)?, coverage: [start, end] };
        Index::decode(object, &advertised)
    };
    Ok(plain(decode().map_err(thrown)?))
}

/// Decodes a page of a Track's index; `bounds` are first anchor and end by the page above, and empty for the root.
///
/// # Errors
/// Those of `Page::decode`.
#[wasm_bindgen(js_name = decodeIndexPage, unchecked_return_type = "CoreEntries | CoreChildren")]
pub fn decode_index_page(object: &[u8], modality: &str, level: u64, fanout: u64, bounds: &[u64]) -> Thrown<JsValue> {
    let bounds = bounds.try_into().ok();
    Ok(match Page::decode(object, &Place { modality, level, fanout, bounds }).map_err(thrown)? {
        Page::Leaf(index) => plain(index),
        Page::Internal(children) => Plain::new()
            .with(name!("form"), "internal")
            .with(name!("starts"), bigints(&children.starts))
            .with(name!("ends"), bigints(&children.ends))
            .with(name!("items"), bigints(&children.items))
            .with(name!("addresses"), bytes(&children.addresses))
            .done(),
    })
}

/// The index of entries given as columns; see `Given`.
///
/// # Errors
/// Those of `Given::index`.
#[wasm_bindgen(js_name = givenEntries, unchecked_return_type = "CoreEntries")]
pub fn given_entries(
    starts: &[u64],
    ends: &[u64],
    thirds: &[u64],
    addresses: &[u8],
    forms: &[u8],
    offsets: &[u32],
) -> Thrown<JsValue> {
    Given { starts, ends, thirds, addresses, forms, offsets }.index().map(plain).map_err(thrown)
}

fn plain(index: Index) -> JsValue {
    match index {
        Index::Event(index) => {
            let mut columns = Columns::with_room(size_of_val(&*index.anchors).saturating_add(index.addresses.len()));
            Plain::new()
                .with(name!("form"), "event")
                .with(name!("anchors"), columns.bigints(&index.anchors))
                .with(name!("addresses"), columns.bytes(&index.addresses))
        }
        Index::Continuous(index) => {
            let words = size_of_val(&*index.starts).saturating_mul(3);
            let mut columns = Columns::with_room(words.saturating_add(index.addresses.len()));
            Plain::new()
                .with(name!("form"), "continuous")
                .with(name!("starts"), columns.bigints(&index.starts))
                .with(name!("ends"), columns.bigints(&index.ends))
                .with(name!("buckets"), columns.bigints(&index.buckets))
                .with(name!("addresses"), columns.bytes(&index.addresses))
        }
        Index::Constant(address) => Plain::new().with(name!("form"), "constant").maybe(name!("address"), address),
        Index::Fragments(index) => {
            let fault = |(object, error): &(u32, Error)| {
                Plain::new().with(name!("object"), *object).with(name!("error"), thrown(error.clone())).done()
            };
            // Three words, two halves and a byte of each entry; a length and an address of each object.
            let objects = size_of_val(&*index.packs.lengths).saturating_add(index.addresses.len());
            let mut columns = Columns::with_room(index.starts.len().saturating_mul(33).saturating_add(objects));
            Plain::new()
                .with(name!("form"), "fragments")
                .with(name!("starts"), columns.bigints(&index.starts))
                .with(name!("ends"), columns.bigints(&index.ends))
                .with(name!("sizes"), columns.bigints(&index.sizes))
                .with(name!("packLengths"), columns.bigints(&index.packs.lengths))
                .with(name!("offsets"), columns.numbers(&index.offsets))
                .with(name!("objects"), columns.numbers(&index.objects))
                .with(name!("forms"), columns.bytes(&index.forms))
                .with(name!("addresses"), columns.bytes(&index.addresses))
                .with(name!("packFaults"), list(&index.packs.faults, fault))
        }
        Index::Unread => Plain::new().with(name!("form"), "unread"),
        Index::Paged(paged) => Plain::new()
            .with(name!("form"), "paged")
            .with(name!("root"), paged.root)
            .with(name!("height"), paged.height)
            .with(name!("fanout"), paged.fanout)
            .with(name!("items"), paged.items)
            .with(name!("pages"), paged.pages),
    }
    .done()
}

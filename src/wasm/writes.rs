//! Packs and chunks for writers.

use super::object::{Thrown, bytes, thrown};
use crate::item_manifest::ItemManifest;
use crate::track::encode::pack_groups_of;
use wasm_bindgen::prelude::*;

/// Number of Items in each pack, for Items of these sizes and packs of at most so many Items and bytes; see `pack_groups_of`.
///
/// # Errors
/// Those of `pack_groups`.
#[wasm_bindgen(js_name = packGroups)]
pub fn pack_groups_js(sizes: &[u64], pack_items: u64, target: Option<u64>) -> Thrown<Vec<u32>> {
    pack_groups_of(sizes, pack_items, target).map_err(thrown)
}

/// The ItemManifest of chunks of these sizes; `addresses` are 33 bytes each.
///
/// # Errors
/// Those of `ItemManifest::encode`.
#[wasm_bindgen(js_name = encodeItemManifest, unchecked_return_type = "Uint8Array")]
pub fn encode_item_manifest(addresses: &[u8], sizes: &[u64]) -> Thrown<JsValue> {
    let manifest = ItemManifest { addresses: addresses.to_vec(), sizes: sizes.to_vec() };
    manifest.encode().map(|manifest| bytes(&manifest)).map_err(thrown)
}

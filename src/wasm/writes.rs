//! Indexes and packs for writers.

use super::object::{Thrown, bytes, thrown};
use crate::error::{Code, Error, Result};
use crate::item_manifest::ItemManifest;
use crate::modality::TrackKind;
use crate::track::encode::{Fragment, addresses, array_index, fragment_index, pack_groups_of};
use crate::track::fragments::Form;
use wasm_bindgen::prelude::*;

/// The `object_index` of an array Track; `items` are addresses of 33 bytes each.
///
/// # Errors
/// Those of `array_index`; `InvalidArgument` for an unknown kind.
#[wasm_bindgen(js_name = encodeArrayIndex, unchecked_return_type = "Uint8Array")]
pub fn encode_array_index(kind: &str, anchors: &[u64], items: &[u8], existing: &[u64]) -> Thrown<JsValue> {
    let encode = || -> Result<Vec<u8>> {
        let kind = TrackKind::from_name(kind).ok_or_else(|| {
            let message = format_args!("`{kind}` is not one of the Track kinds event, continuous, constant");
            Error::new(Code::InvalidArgument, message)
        })?;
        array_index(kind, anchors, &addresses(items)?, existing)
    };
    encode().map(|index| bytes(&index)).map_err(thrown)
}

/// The `object_index` of a media Track, from columns: first anchors, sizes, addresses of 33 bytes each, forms
/// (0 single, 1 chunked, 2 packed) and offsets.
///
/// # Errors
/// Those of `fragment_index`; `InvalidArgument` for columns of different lengths or an unknown form.
#[wasm_bindgen(js_name = encodeFragmentIndex, unchecked_return_type = "Uint8Array")]
pub fn encode_fragment_index(
    starts: &[u64],
    sizes: &[u64],
    objects: &[u8],
    forms: &[u8],
    offsets: &[u32],
) -> Thrown<JsValue> {
    let encode = || -> Result<Vec<u8>> {
        let objects = addresses(objects)?;
        let lengths = [starts.len(), sizes.len(), objects.len(), forms.len(), offsets.len()];
        if lengths.iter().any(|length| *length != starts.len()) {
            return Err(Error::new(Code::InvalidArgument, "the columns of an index have one length"));
        }
        let mut items = Vec::with_capacity(objects.len());
        for ((((start, size), object), form), offset) in starts.iter().zip(sizes).zip(objects).zip(forms).zip(offsets) {
            let unknown = || Error::new(Code::InvalidArgument, format_args!("{form} is no form of a fragment entry"));
            let form = Form::from_number(*form).ok_or_else(unknown)?;
            items.push(Fragment { start: *start, size: *size, object, form, offset: *offset });
        }
        fragment_index(&items)
    };
    encode().map(|index| bytes(&index)).map_err(thrown)
}

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

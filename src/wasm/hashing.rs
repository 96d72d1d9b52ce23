//! Addresses.

use super::object::{Thrown, bytes, text, thrown};
use crate::multihash::{self, Address};
use crate::tree;
use wasm_bindgen::prelude::*;

/// The address of `bytes`, as text.
#[must_use]
#[wasm_bindgen(js_name = addressOf, unchecked_return_type = "string")]
pub fn address_of(bytes: &[u8]) -> JsValue {
    text(&Address::of(bytes))
}

/// Refuses bytes whose address is not `address`: `HashMismatch`.
///
/// # Errors
/// `HashMismatch`; `Multihash` if `address` is none.
#[wasm_bindgen(js_name = verifyBytes)]
pub fn verify_bytes(bytes: &[u8], address: &str) -> Thrown<()> {
    Address::parse(address).and_then(|address| address.verify(bytes)).map_err(thrown)
}

/// Chaining value of the window at byte `offset` of a larger object; see `tree::window`.
///
/// # Errors
/// `InvalidArgument`.
#[wasm_bindgen(js_name = hashWindow, unchecked_return_type = "Uint8Array")]
pub fn hash_window(window: &[u8], offset: u64) -> Thrown<JsValue> {
    tree::window(window, offset).map(|value| bytes(&value)).map_err(thrown)
}

/// Address of the object whose windows have these chaining values; see `tree::combine`.
///
/// # Errors
/// `InvalidArgument`.
#[wasm_bindgen(js_name = combineWindows, unchecked_return_type = "string")]
pub fn combine_windows(values: &[u8]) -> Thrown<JsValue> {
    tree::combine(values).map(|address| text(&address)).map_err(thrown)
}

/// Refuses `computed`, the address of `length` bytes, unless it is `address`: `HashMismatch`.
///
/// # Errors
/// `HashMismatch`; `Multihash` if either is no address.
#[wasm_bindgen(js_name = requireAddress)]
pub fn require_address(address: &str, computed: &str, length: u64) -> Thrown<()> {
    let check = || Address::parse(address)?.require(&Address::parse(computed)?, length);
    check().map_err(thrown)
}

/// Texts of the addresses with these bytes, 33 each, one after another, 53 characters each.
///
/// # Errors
/// `Multihash`.
#[wasm_bindgen(js_name = addressTexts, unchecked_return_type = "string")]
pub fn address_texts(addresses: &[u8]) -> Thrown<JsValue> {
    multihash::texts(addresses).map(|texts| JsValue::from_str(&texts)).map_err(thrown)
}

/// How many of these objects hash to their addresses, up to the first that does not; see `multihash::verify_all`.
///
/// # Errors
/// `InvalidArgument`, `Multihash`.
#[wasm_bindgen(js_name = verifyObjects)]
pub fn verify_objects(addresses: &[u8], ends: &[u32], bytes: &[u8]) -> Thrown<u32> {
    multihash::verify_all(addresses, ends, bytes).map_err(thrown)
}

/// The 33 bytes of the address with this text.
///
/// # Errors
/// `Multihash`.
#[wasm_bindgen(js_name = addressBytes, unchecked_return_type = "Uint8Array")]
pub fn address_bytes(text: &str) -> Thrown<JsValue> {
    Address::parse(text).map(|address| bytes(address.as_bytes())).map_err(thrown)
}

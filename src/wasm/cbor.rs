//! Objects of CBOR that are read on the other side.

use super::object::{Thrown, thrown};
use crate::cbor::Reader;
use wasm_bindgen::prelude::*;

/// Checks that an object begins with an item in the profile that is hashed, with text keys: where it ends.
///
/// # Errors
/// `Cbor`.
#[wasm_bindgen(js_name = checkCbor)]
pub fn check_cbor(object: &[u8]) -> Thrown<u32> {
    let mut reader = Reader::new(object).with_text_keys();
    reader.value().map_err(thrown)?;
    Ok(u32::try_from(reader.position()).unwrap_or(u32::MAX))
}

//! Genesis objects.

use super::object::{Thrown, bytes, thrown};
use crate::error::{Code, Error};
use crate::genesis::{NONCE_BYTES, encode};
use wasm_bindgen::prelude::*;

/// The genesis object with that nonce.
///
/// # Errors
/// `InvalidArgument` for another number of bytes than 16.
#[wasm_bindgen(js_name = encodeGenesis, unchecked_return_type = "Uint8Array")]
pub fn encode_genesis(nonce: &[u8]) -> Thrown<JsValue> {
    let wrong = || Error::new(Code::InvalidArgument, "a nonce has 16 bytes").bounds(NONCE_BYTES, nonce.len());
    nonce.try_into().map(|nonce| bytes(&encode(nonce))).map_err(|_| thrown(wrong()))
}

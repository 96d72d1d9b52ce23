//! JavaScript bindings.
use wasm_bindgen::prelude::wasm_bindgen;

/// BLAKE3-256 of `bytes`, as the 33-byte multihash that addresses an object.
#[wasm_bindgen]
#[must_use]
pub fn address(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1e];
    out.extend_from_slice(blake3::hash(bytes).as_bytes());
    out
}

//! Genesis objects: what a timeline's address is the address of.

use crate::cbor::Writer;

/// Bytes of a nonce.
pub const NONCE_BYTES: usize = 16;

/// The genesis object with that nonce.
#[must_use]
pub fn encode(nonce: &[u8; NONCE_BYTES]) -> Vec<u8> {
    let mut out = Writer::new();
    out.map(1).text("nonce").bytes(nonce);
    out.into_bytes()
}

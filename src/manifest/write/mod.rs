//! Manifests as a writer emits them: a first version, and versions that follow another.
//!
//! A version is made of its parent's tree, not of what the reader understood of it: whatever the parent holds beyond
//! that, unknown keys and repeated ones included, stays as it was. What comes out is canonical, and has passed
//! [`Manifest::decode`](super::Manifest::decode), so that nothing is published that this crate would not read.
//!
//! Clocks, nonces and what `writer` says are the caller's, as is the order of uploads.

mod edit;
mod fields;
mod tree;

pub use edit::{Edit, Placed, create, edit};
pub use fields::{NewField, array_field, media_field, scalar_field};

use super::{ENTITY_KEYS, Manifest, SCHEMA, TOMBSTONES};
use crate::cbor::{Value, Writer};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;

/// Most bytes of an encoded `tracks` container; a manifest with a larger one cannot be opened.
pub const MOST_TRACKS_BYTES: usize = 1_048_576;

/// A manifest that is ready to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The object.
    pub object: Vec<u8>,
    /// Its address.
    pub address: Address,
    /// Bytes of its `tracks` container, of at most [`MOST_TRACKS_BYTES`].
    pub tracks_bytes: usize,
}

impl Written {
    /// Encodes a manifest's tree, and refuses one that would not be read.
    fn new(root: &Value<'_>) -> Result<Self> {
        let tracks_bytes = root.get("tracks").map_or(0, |tracks| encoded(tracks).len());
        if tracks_bytes > MOST_TRACKS_BYTES {
            let message = format_args!(
                "the manifest's `tracks` would have {tracks_bytes} bytes, and nobody opens more than \
                 {MOST_TRACKS_BYTES}: every version adds the Tracks that it replaces; write this one without lineage"
            );
            return Err(Error::new(Code::ManifestFull, message).bounds(MOST_TRACKS_BYTES, tracks_bytes));
        }
        let object = encoded(root);
        Manifest::decode(&object)?;
        Ok(Self { address: Address::of(&object), object, tracks_bytes })
    }
}

/// The canonical encoding of a tree.
fn encoded(value: &Value<'_>) -> Vec<u8> {
    let mut out = Writer::new();
    out.value(value);
    out.into_bytes()
}

/// Refuses a registry key that is not a note: one outside of `dreamdb.`, or one that holds the state of a dataset.
fn note_key(key: &str, existing: Option<&Value<'_>>) -> Result<()> {
    let structural =
        [SCHEMA, TOMBSTONES, ENTITY_KEYS].contains(&key) || !matches!(existing, None | Some(Value::Text(_)));
    if key.starts_with("dreamdb.") && !structural {
        return Ok(());
    }
    let message = format_args!("`{key}` is no key of a note: these begin with `dreamdb.`, and hold nothing but text");
    Err(Error::new(Code::InvalidArgument, message).about(key))
}

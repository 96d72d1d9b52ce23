//! The ItemManifest: the chunks of a chunked media Item.

use crate::cbor::{Reader, Value};
use crate::error::{Code, Error, Result};
use crate::multihash::{ADDRESS_BYTES, Address};

/// The chunks of one Item, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemManifest {
    /// Addresses, 33 bytes each.
    pub addresses: Vec<u8>,
    /// Bytes of each chunk.
    pub sizes: Vec<u64>,
}

impl ItemManifest {
    /// Decodes an ItemManifest object of an Item with `size` bytes.
    ///
    /// # Errors
    /// [`Code::Cbor`]; [`Code::WireOrType`] for another form or no chunk; [`Code::ChunkLength`] if the chunks'
    /// sizes do not add up to the total, or the total is not `size`.
    pub fn decode(bytes: &[u8], size: u64) -> Result<Self> {
        let root = Reader::new(bytes).with_text_keys().value()?;
        let total = root.get("total_size").and_then(Value::as_uint).ok_or_else(malformed)?;
        let chunks = root.get("chunks").and_then(Value::as_array).filter(|chunks| !chunks.is_empty());
        let chunks = chunks.ok_or_else(malformed)?;
        let mut manifest = Self {
            addresses: Vec::with_capacity(chunks.len().saturating_mul(ADDRESS_BYTES)),
            sizes: Vec::with_capacity(chunks.len()),
        };
        let mut sum = Some(0_u64);
        for chunk in chunks {
            let address = chunk.get("hash").and_then(Value::as_bytes).ok_or_else(malformed)?;
            let size = chunk.get("size").and_then(Value::as_uint).ok_or_else(malformed)?;
            manifest.addresses.extend_from_slice(Address::from_bytes(address)?.as_bytes());
            manifest.sizes.push(size);
            sum = sum.and_then(|sum| sum.checked_add(size));
        }
        let sum = sum.unwrap_or(u64::MAX);
        if sum == total && total == size {
            return Ok(manifest);
        }
        let message = format_args!("the chunks add up to {sum} bytes, the total is {total}, the index says {size}");
        Err(Error::new(Code::ChunkLength, message).bounds(size, sum))
    }

    /// Refuses an object of `body` bytes that is to be the chunk at that position.
    ///
    /// # Errors
    /// [`Code::ChunkLength`]; [`Code::InvalidArgument`] if there is no such chunk.
    pub fn check_chunk(&self, position: usize, body: u64) -> Result<()> {
        let size = self.sizes.get(position).copied();
        let size = size.ok_or_else(|| Error::new(Code::InvalidArgument, "the Item has fewer chunks"))?;
        if body == size {
            return Ok(());
        }
        let message = format_args!("chunk {position} has {body} bytes, but its ItemManifest says {size}");
        Err(Error::new(Code::ChunkLength, message).bounds(size, body))
    }
}

fn malformed() -> Error {
    Error::new(Code::WireOrType, "an ItemManifest must have `total_size` and a list `chunks` of `hash` and `size`")
}

//! The ItemManifest: the chunks of a chunked media Item.

use crate::cbor::{Reader, Record};
use crate::error::{Code, Error, Result};
use crate::sentence::say;
use alloc::vec::Vec;

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
        let root = Record::open(Code::WireOrType, "the ItemManifest", &root)?;
        let (total, chunks) = (root.uint("total_size")?, root.list("chunks")?);
        if chunks.is_empty() {
            return Err(root.wrong("chunks", "a list of at least one"));
        }
        let mut manifest = Self::default();
        let mut sum = Some(0_u64);
        for chunk in chunks {
            let chunk = Record::open(Code::WireOrType, "a chunk of the ItemManifest", chunk)?;
            let size = chunk.uint("size")?;
            manifest.addresses.extend_from_slice(chunk.address("hash")?.as_bytes());
            manifest.sizes.push(size);
            sum = sum.and_then(|sum| sum.checked_add(size));
        }
        let sum = sum.unwrap_or(u64::MAX);
        if sum == total && total == size {
            return Ok(manifest);
        }
        let message = say!("the chunks add up to {} bytes, the total is {}, the index says {}", sum, total, size);
        Err(Error::new(Code::ChunkLength, message).bounds(size, sum))
    }

    /// Refuses an object of `body` bytes that is to be the chunk at that position.
    ///
    /// # Errors
    /// [`Code::ChunkLength`]; [`Code::InvalidArgument`] if there is no such chunk.
    pub fn check_chunk(&self, position: usize, body: u64) -> Result<()> {
        let size = self.sizes.get(position).copied();
        let size = size.ok_or_else(|| Error::new(Code::InvalidArgument, say!("the Item has fewer chunks")))?;
        check_chunk(position as u64, size, body)
    }
}

/// Refuses an object of `body` bytes that is to be a chunk of `size`, the one at that position.
///
/// # Errors
/// [`Code::ChunkLength`].
pub fn check_chunk(position: u64, size: u64, body: u64) -> Result<()> {
    if body == size {
        return Ok(());
    }
    let message = say!("chunk {} has {} bytes, but its ItemManifest says {}", position, body, size);
    Err(Error::new(Code::ChunkLength, message).bounds(size, body))
}

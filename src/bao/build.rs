//! Outboards of whole objects.

use super::{HEADER_BYTES, NODE_BYTES, left_bytes, node_count};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::tree::{self, CHUNK_BYTES, ChainingValue};
use dreamdb_blake3::{parent, root};

/// An object's address and outboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outboard {
    /// Address of the object.
    pub address: Address,
    /// Length and nodes.
    pub bytes: Vec<u8>,
}

/// The outboard of an object, byte for byte as the reference writes it. Costs one pass, chunk by chunk.
///
/// # Errors
/// [`Code::InvalidArgument`] if the outboard would not fit in memory.
pub fn outboard(object: &[u8]) -> Result<Outboard> {
    let length = object.len() as u64;
    let nodes = usize::try_from(node_count(length)).ok().and_then(|nodes| nodes.checked_mul(NODE_BYTES));
    let size = nodes.and_then(|nodes| nodes.checked_add(HEADER_BYTES));
    let size = size.ok_or_else(|| Error::new(Code::InvalidArgument, "the outboard would not fit in memory"))?;
    let mut bytes = vec![0_u8; size];
    let Some((header, nodes)) = bytes.split_first_chunk_mut::<HEADER_BYTES>() else {
        return Err(Error::new(Code::InvalidArgument, "an outboard has at least 8 bytes"));
    };
    *header = length.to_le_bytes();
    let mut nodes = nodes.as_chunks_mut::<NODE_BYTES>().0.iter_mut();
    let address = match children(object, 0, &mut nodes)? {
        Some((left, right)) => Address::from_digest(&root(&left, &right)),
        None => Address::of(object),
    };
    Ok(Outboard { address, bytes })
}

type Nodes<'n> = std::slice::IterMut<'n, [u8; NODE_BYTES]>;

/// The chaining values of the two children of the subtree over `bytes`, which begin at `at`; its node and those
/// below are written. `None` for a chunk.
fn children(bytes: &[u8], at: u64, nodes: &mut Nodes<'_>) -> Result<Option<(ChainingValue, ChainingValue)>> {
    if bytes.len() as u64 <= CHUNK_BYTES {
        return Ok(None);
    }
    let node = nodes.next();
    let left = left_bytes(bytes.len() as u64);
    let (first, second) = bytes.split_at_checked(usize::try_from(left).unwrap_or(usize::MAX)).unwrap_or((bytes, &[]));
    let values = (value(first, at, nodes)?, value(second, at.saturating_add(left), nodes)?);
    if let Some((left, right)) = node.and_then(|node| node.split_first_chunk_mut::<32>()) {
        *left = values.0;
        right.copy_from_slice(&values.1);
    }
    Ok(Some(values))
}

fn value(bytes: &[u8], at: u64, nodes: &mut Nodes<'_>) -> Result<ChainingValue> {
    match children(bytes, at, nodes)? {
        Some((left, right)) => Ok(parent(&left, &right)),
        None => tree::window(bytes, at),
    }
}

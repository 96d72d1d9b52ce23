//! Checking a range against an object's address.

use super::{NODE_BYTES, Plan, left_bytes};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::tree::{self, ChainingValue};
use dreamdb_blake3::parent;

/// Checks that `body`, the bytes of `plan.span`, are those of the object of `length` bytes with this address.
///
/// `nodes` are the nodes of the plan, in its order, 64 bytes each. Costs one pass over the body and O(log length)
/// nodes; subtrees inside the span are hashed at once.
///
/// # Errors
/// [`Code::HashMismatch`] if the body, a node or the length is another; [`Code::InvalidArgument`] if body or nodes
/// are not as many bytes as the plan asks for.
pub fn verify(address: &Address, length: u64, plan: &Plan, body: &[u8], nodes: &[u8]) -> Result<()> {
    let [start, end] = plan.span;
    let (nodes, rest) = nodes.as_chunks::<NODE_BYTES>();
    let complete = body.len() as u64 == end.saturating_sub(start) && nodes.len() == plan.nodes.len() && rest.is_empty();
    if !complete {
        let message = format_args!(
            "the proof of bytes [{start}, {end}) needs {} bytes and {} nodes, there are {} and {}",
            end.saturating_sub(start),
            plan.nodes.len(),
            body.len(),
            nodes.len()
        );
        return Err(Error::new(Code::InvalidArgument, message));
    }
    if (start, end) == (0, length) {
        return address.verify(body);
    }
    let mut walk = Walk { address, span: plan.span, body, nodes: nodes.iter(), numbers: plan.nodes.iter() };
    let (left, right) = walk.node()?;
    let root = Address::from_digest(&dreamdb_blake3::root(left, right));
    if root != *address {
        return Err(walk.refuse("the outboard's root node does not belong to it").bounds(address, root));
    }
    walk.children(0, length, left, right)
}

struct Walk<'p> {
    address: &'p Address,
    span: [u64; 2],
    body: &'p [u8],
    nodes: std::slice::Iter<'p, [u8; NODE_BYTES]>,
    numbers: std::slice::Iter<'p, u64>,
}

impl<'p> Walk<'p> {
    /// The next node of the proof: its two children's values.
    fn node(&mut self) -> Result<(&'p ChainingValue, &'p ChainingValue)> {
        let halves = self.nodes.next().and_then(|node| Some((node.first_chunk()?, node.last_chunk()?)));
        halves.ok_or_else(|| self.refuse("the proof lacks a node"))
    }

    fn children(&mut self, at: u64, length: u64, left: &ChainingValue, right: &ChainingValue) -> Result<()> {
        let middle = left_bytes(length);
        self.numbers.next();
        self.subtree(at, middle, left)?;
        self.subtree(at.saturating_add(middle), length.saturating_sub(middle), right)
    }

    /// Checks the part of a subtree that lies in the span against the subtree's value.
    fn subtree(&mut self, at: u64, length: u64, expected: &ChainingValue) -> Result<()> {
        let [start, end] = self.span;
        let subtree_end = at.saturating_add(length);
        if at >= end || subtree_end <= start {
            return Ok(());
        }
        if start <= at && subtree_end <= end {
            let from = usize::try_from(at.saturating_sub(start)).ok();
            let to = usize::try_from(subtree_end.saturating_sub(start)).ok();
            let bytes = from.zip(to).and_then(|(from, to)| self.body.get(from..to)).unwrap_or_default();
            if tree::window(bytes, at)? == *expected {
                return Ok(());
            }
            return Err(self.refuse(&format!("bytes [{at}, {subtree_end}) are not the object's")));
        }
        let number = self.numbers.as_slice().first().copied().unwrap_or_default();
        let (left, right) = self.node()?;
        if parent(left, right) != *expected {
            return Err(self.refuse(&format!("node {number} of the outboard is not the object's")));
        }
        self.children(at, length, left, right)
    }

    fn refuse(&self, what: &str) -> Error {
        let [start, end] = self.span;
        let message = format_args!("bytes [{start}, {end}) are not proved to be those of {}: {what}", self.address);
        Error::new(Code::HashMismatch, message)
    }
}

//! Which bytes and which nodes prove a range.

use super::{left_bytes, node_count};
use crate::error::{Code, Error, Result};
use crate::tree::CHUNK_BYTES;

/// What proves a range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The half-open range of bytes that is needed: the asked one, widened to chunks.
    pub span: [u64; 2],
    /// The nodes that are needed, by their number in pre-order, ascending. Node `i` is at bytes `8 + 64 i` of the
    /// outboard.
    pub nodes: Vec<u64>,
}

/// What proves bytes `[start, end)` of an object of `length` bytes.
///
/// An empty range is proved by the chunk at its start. Costs O(log length).
///
/// # Errors
/// [`Code::InvalidArgument`] unless `start ≤ end ≤ length`.
pub fn plan(length: u64, start: u64, end: u64) -> Result<Plan> {
    if start > end || end > length {
        let message = format_args!("[{start}, {end}) is not a range of an object of {length} bytes");
        return Err(Error::new(Code::InvalidArgument, message));
    }
    let Some(last) = length.checked_sub(1) else { return Ok(Plan::default()) };
    // The chunk numbers of the first and the last byte that must be there.
    let first = start.min(last) / CHUNK_BYTES;
    let through = end.saturating_sub(1).max(start.min(last)) / CHUNK_BYTES;
    let span = [first.saturating_mul(CHUNK_BYTES), through.saturating_add(1).saturating_mul(CHUNK_BYTES).min(length)];
    let mut plan = Plan { span, nodes: Vec::new() };
    plan.descend(0, length, 0);
    Ok(plan)
}

impl Plan {
    /// Collects the nodes of the subtree over `length` bytes from `at`, whose first node is number `node`.
    fn descend(&mut self, at: u64, length: u64, node: u64) {
        if !straddles(self.span, at, length) {
            return;
        }
        self.nodes.push(node);
        let left = left_bytes(length);
        self.descend(at, left, node.saturating_add(1));
        let right_node = node.saturating_add(1).saturating_add(node_count(left));
        self.descend(at.saturating_add(left), length.saturating_sub(left), right_node);
    }
}

/// Whether a subtree lies partly inside the span and partly outside, so that its node is needed.
fn straddles([start, end]: [u64; 2], at: u64, length: u64) -> bool {
    let subtree_end = at.saturating_add(length);
    let outside = at >= end || subtree_end <= start;
    let inside = start <= at && subtree_end <= end;
    !outside && !inside
}

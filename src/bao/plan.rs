//! Which bytes and which nodes prove a range.

use super::{left_bytes, node_count};
use crate::error::{Code, Error, Result};
use crate::sentence::say;
use crate::tree::CHUNK_BYTES;
use alloc::vec::Vec;

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
        let message = say!("[{}, {}) is not a range of an object of {} bytes", start, end, length);
        return Err(Error::new(Code::InvalidArgument, message));
    }
    let Some(last) = length.checked_sub(1) else { return Ok(Plan::default()) };
    // The chunk numbers of the first and the last byte that must be there.
    let first = start.min(last) / CHUNK_BYTES;
    let through = end.saturating_sub(1).max(start.min(last)) / CHUNK_BYTES;
    let start = first.saturating_mul(CHUNK_BYTES);
    let end = through.saturating_add(1).saturating_mul(CHUNK_BYTES).min(length);
    Ok(Plan { span: [start, end], nodes: nodes(length, &[start], &[end]) })
}

/// The nodes that prove several spans of an object of `length` bytes: those of each one's plan, ascending, each once.
///
/// The spans begin at `starts` and end before `ends`, chunk-aligned, ascending, and no byte is in two of them. Two that
/// touch remain two: each can be verified without the other. Costs O(log length) for each span and each node.
#[must_use]
pub fn nodes(length: u64, starts: &[u64], ends: &[u64]) -> Vec<u64> {
    let mut descent = Descent { starts, ends, nodes: Vec::new() };
    descent.subtree(0, length, 0);
    descent.nodes
}

struct Descent<'s> {
    starts: &'s [u64],
    ends: &'s [u64],
    nodes: Vec<u64>,
}

impl Descent<'_> {
    /// Collects the nodes of the subtree over `length` bytes from `at`, whose first node is number `node`.
    fn subtree(&mut self, at: u64, length: u64, node: u64) {
        if length <= CHUNK_BYTES || !self.straddled(at, at.saturating_add(length)) {
            return;
        }
        self.nodes.push(node);
        let left = left_bytes(length);
        self.subtree(at, left, node.saturating_add(1));
        let right_node = node.saturating_add(1).saturating_add(node_count(left));
        self.subtree(at.saturating_add(left), length.saturating_sub(left), right_node);
    }

    /// Whether the subtree over `[at, end)` lies partly inside a span and partly outside, so that its node is needed.
    fn straddled(&self, at: u64, end: u64) -> bool {
        // Of the spans that reach into the subtree, if any do, the first; only that one can hold all of it.
        let first = self.ends.partition_point(|span_end| *span_end <= at);
        self.starts.get(first).zip(self.ends.get(first)).is_some_and(|(span_start, span_end)| {
            let outside = *span_start >= end;
            let inside = *span_start <= at && end <= *span_end;
            !outside && !inside
        })
    }
}

//! Which requests fetch wanted spans of one object, and which fetch the proof of what they bring.
//!
//! A request costs a round trip, whatever it brings; a byte that nobody wanted costs only its transfer. So spans that
//! touch or overlap become one request, and a gap between two is fetched along as long as it is no more than the
//! caller holds a request to be worth. No byte is in two requests, and none is larger than the caller can hold.
//!
//! What is to be verified comes in whole chunks of 1 KiB with nodes of the object's outboard ([`crate::bao`]), which
//! are found and joined by the same rule. When data and nodes together are no fewer bytes than the object has, the
//! object is taken as a whole: it is hashed at once and needs no outboard.
//!
//! The object's length and the spans are taken as declared. Whether they are true, how much a request is worth,
//! fetching and checking do not belong here.

use crate::bao::{self, HEADER_BYTES, NODE_BYTES};
use crate::error::{Code, Error, Result};
use crate::order::ascending;
use crate::sentence::say;
use crate::tree::CHUNK_BYTES;
use alloc::{vec, vec::Vec};

/// The most requests that a plan may have, for the data and for the proof each.
///
/// Nobody sends that many to one object. Without a bound, a span near 2^64 bytes that is split into single bytes would
/// exhaust the memory.
pub const MOST_REQUESTS: u64 = 1 << 20;

/// Spans of one object, in the caller's order. They may repeat, overlap and be empty.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// Bytes of the object.
    pub length: u64,
    /// Where each span begins.
    pub starts: &'w [u64],
    /// Bytes of each span.
    pub sizes: &'w [u64],
}

/// What requests may look like.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The most bytes between two spans that are fetched along to save a request.
    pub max_gap: u64,
    /// The most bytes of a request.
    pub max_request: u64,
    /// How the proof is fetched; `None` if nothing is to be verified.
    pub proof: Option<ProofPolicy>,
}

/// How an object's outboard is fetched.
#[derive(Clone, Copy, Debug)]
pub struct ProofPolicy {
    /// As [`Policy::max_gap`], between nodes of the outboard.
    pub max_gap: u64,
    /// Whether the outboard is at hand, so that it costs nothing.
    pub known: bool,
}

/// Half-open ranges of bytes: ascending, none empty, no byte in two of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// The first byte of each.
    pub starts: Vec<u64>,
    /// The byte after the last one of each.
    pub ends: Vec<u64>,
}

/// What to fetch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Ranges of the object.
    pub data: Requests,
    /// For each wanted span, in the caller's order, the number of the request that holds its first byte; 0 for empty
    /// spans. A span that is longer than what is left there goes on at the start of the next request.
    pub slices: Vec<u32>,
    /// Whether there is one request, for the whole object.
    pub whole: bool,
    /// Ranges of the object's outboard; none if the object comes as a whole.
    pub proof: Requests,
}

/// Plans the requests for the wanted spans.
///
/// In ascending order of what has to come (the spans themselves, or the chunks around each), spans are joined as long
/// as the gap is no more than allowed and the request no larger. Where a span does not fit, a new request begins with
/// it, or where the one before ends if they overlap; a span larger than a request is split. Where something is to be
/// verified, `max_request` counts in whole chunks, and is at least one.
///
/// Costs O(n log n), one look at each span for sorting those that are in order.
///
/// # Errors
/// In this order: [`Code::InvalidArgument`] if the columns differ in length, or if requests may not hold a byte;
/// [`Code::PackSliceOutOfBounds`] for the first span that ends beyond the object; [`Code::InvalidArgument`] if there
/// would be more than [`MOST_REQUESTS`].
pub fn requests(wanted: Wanted<'_>, policy: Policy) -> Result<Plan> {
    let length = wanted.length;
    let max_request = match (policy.max_request, policy.proof) {
        (0, _) => return Err(Error::new(Code::InvalidArgument, say!("a request must be allowed to hold a byte"))),
        (most, None) => most,
        (most, Some(_)) => whole_chunks(most).max(CHUNK_BYTES),
    };
    let needed = needed(wanted, policy.proof.is_some())?;
    let mut plan = Plan { data: join(&needed, policy.max_gap, max_request)?, ..Plan::default() };
    if let Some(proof) = policy.proof.filter(|_| !plan.data.are(length)) {
        plan.proof = join(&node_spans(length, &plan.data), proof.max_gap, max_request)?;
        let cost = if proof.known { 0 } else { plan.proof.bytes() };
        let some = !plan.data.starts.is_empty();
        if some && length <= max_request && length <= plan.data.bytes().saturating_add(cost) {
            plan.data = Requests { starts: vec![0], ends: vec![length] };
            plan.proof = Requests::default();
        }
    }
    plan.whole = plan.data.are(length);
    plan.slices =
        wanted.starts.iter().zip(wanted.sizes).map(|(start, size)| plan.data.holding(*start, *size)).collect();
    Ok(plan)
}

/// The non-empty spans, checked, widened to chunks if they are to be verified; in the caller's order.
fn needed(wanted: Wanted<'_>, chunks: bool) -> Result<Requests> {
    let Wanted { length, starts, sizes } = wanted;
    if starts.len() != sizes.len() {
        let message = say!("there are {} starts of spans, but {} sizes", starts.len(), sizes.len());
        return Err(Error::new(Code::InvalidArgument, message));
    }
    let mut needed = Requests::default();
    for (start, size) in starts.iter().copied().zip(sizes.iter().copied()) {
        let Some(end) = start.checked_add(size).filter(|end| *end <= length) else {
            let end = start.saturating_add(size);
            let message = say!("the Item is bytes [{}, {}) of its object, which has {}", start, end, length);
            return Err(Error::new(Code::PackSliceOutOfBounds, message).bounds(end, length));
        };
        if size > 0 && chunks {
            let end = end.checked_next_multiple_of(CHUNK_BYTES).unwrap_or(u64::MAX);
            needed.push(whole_chunks(start), end.min(length));
        } else if size > 0 {
            needed.push(start, end);
        }
    }
    Ok(needed)
}

/// Joins spans in any order into requests.
fn join(spans: &Requests, max_gap: u64, max_request: u64) -> Result<Requests> {
    let span = |at: usize| spans.starts.get(at).copied().zip(spans.ends.get(at).copied());
    let mut requests = Requests::default();
    for at in ascending(spans.starts.len(), &|first, second| span(first).cmp(&span(second))) {
        let Some((mut start, end)) = span(at as usize) else { continue };
        if let Some((first, reached)) = requests.starts.last().copied().zip(requests.ends.last_mut()) {
            let near = start.saturating_sub(*reached) <= max_gap;
            if end <= *reached || (near && end.saturating_sub(first) <= max_request) {
                *reached = end.max(*reached);
                continue;
            }
            start = start.max(*reached);
        }
        let pieces = end.saturating_sub(start).div_ceil(max_request);
        if pieces.saturating_add(requests.starts.len() as u64) > MOST_REQUESTS {
            let message = say!("more than {} requests of up to {} bytes would be needed", MOST_REQUESTS, max_request);
            return Err(Error::new(Code::InvalidArgument, message));
        }
        while start < end {
            let piece_end = start.saturating_add(max_request).min(end);
            requests.push(start, piece_end);
            start = piece_end;
        }
    }
    Ok(requests)
}

/// Where the nodes that prove the requested data stand in the object's outboard. The length in front comes with the
/// root, which is a node of every proof.
fn node_spans(length: u64, data: &Requests) -> Requests {
    let mut spans = Requests::default();
    for node in bao::nodes(length, &data.starts, &data.ends) {
        let at = node.saturating_mul(NODE_BYTES as u64).saturating_add(HEADER_BYTES as u64);
        spans.push(if node == 0 { 0 } else { at }, at.saturating_add(NODE_BYTES as u64));
    }
    spans
}

/// As many bytes of whole chunks as there are in `bytes`.
const fn whole_chunks(bytes: u64) -> u64 {
    (bytes / CHUNK_BYTES).saturating_mul(CHUNK_BYTES)
}

impl Requests {
    fn push(&mut self, start: u64, end: u64) {
        self.starts.push(start);
        self.ends.push(end);
    }

    /// Bytes of all of them.
    fn bytes(&self) -> u64 {
        let sizes = self.starts.iter().zip(&self.ends).map(|(start, end)| end.saturating_sub(*start));
        sizes.fold(0, u64::saturating_add)
    }

    /// Whether they are the one request for an object of that length.
    fn are(&self, length: u64) -> bool {
        (&*self.starts, &*self.ends) == (&[0], &[length])
    }

    /// The number of the one that holds the first byte of a span; 0 for an empty one.
    fn holding(&self, start: u64, size: u64) -> u32 {
        let begun = self.starts.partition_point(|first| *first <= start);
        let number = if size == 0 { 0 } else { begun.saturating_sub(1) };
        u32::try_from(number).unwrap_or(u32::MAX)
    }
}

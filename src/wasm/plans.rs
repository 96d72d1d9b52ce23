//! Requests for spans of an object, and what goes into one pack.

use super::names::name;
use super::object::{Plain, Thrown, bigints, numbers, thrown};
use crate::bao;
use crate::plan::{self, Policy, ProofPolicy, Wanted};
use crate::track::groups::pack_groups;
use alloc::vec::Vec;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What to fetch: half-open ranges, ascending, no byte in two of them. */
export interface CoreRequests {
  /** Whether there is one request, for the whole object. */
  whole: boolean;
  starts: BigUint64Array;
  ends: BigUint64Array;
  /**
   * For each wanted span, in the caller's order, the number of the request that holds its first byte; 0 for empty ones. A span that is
   * longer than what is left there goes on at the start of the next request.
   */
  slices: Uint32Array;
  /** Ranges of the object's outboard. */
  proofStarts: BigUint64Array;
  proofEnds: BigUint64Array;
  /** Numbers of the nodes that prove the requests, those of each request ascending, one request after another. */
  nodes: BigUint64Array;
  /** Where the nodes of each request end in `nodes`. */
  nodeEnds: Uint32Array;
}
"#;

/// The requests that fetch spans of an object of `length` bytes, and, if they are to be verified, those that fetch
/// the proof from its outboard; `proof_known` says that the outboard is at hand and costs nothing.
///
/// # Errors
/// `PackSliceOutOfBounds` if a span ends beyond the object; `InvalidArgument` for columns of different length, for a
/// `max_request` of 0, and for a plan of more than 2^20 requests.
#[allow(clippy::too_many_arguments)] // They cross as themselves; an object would have to be taken apart here.
#[wasm_bindgen(js_name = planRequests, unchecked_return_type = "CoreRequests")]
pub fn plan_requests(
    length: u64,
    starts: &[u64],
    sizes: &[u64],
    verified: bool,
    max_gap: u64,
    max_request: u64,
    proof_gap: u64,
    proof_known: bool,
) -> Thrown<JsValue> {
    let proof = verified.then_some(ProofPolicy { max_gap: proof_gap, known: proof_known });
    let policy = Policy { max_gap, max_request, proof };
    let plan = plan::requests(Wanted { length, starts, sizes }, policy).map_err(thrown)?;
    let (mut nodes, mut node_ends) = (Vec::new(), Vec::new());
    if verified && !plan.whole {
        for (start, end) in plan.data.starts.iter().zip(&plan.data.ends) {
            nodes.extend(bao::plan(length, *start, *end).map_err(thrown)?.nodes);
            node_ends.push(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
        }
    }
    Ok(Plain::new()
        .with(name!("whole"), plan.whole)
        .with(name!("starts"), bigints(&plan.data.starts))
        .with(name!("ends"), bigints(&plan.data.ends))
        .with(name!("slices"), numbers(&plan.slices))
        .with(name!("proofStarts"), bigints(&plan.proof.starts))
        .with(name!("proofEnds"), bigints(&plan.proof.ends))
        .with(name!("nodes"), bigints(&nodes))
        .with(name!("nodeEnds"), numbers(&node_ends))
        .done())
}

/// Number of Items in each pack, for Items of these sizes and packs of at most so many Items and bytes; see `pack_groups`.
///
/// # Errors
/// Those of `pack_groups`.
#[wasm_bindgen(js_name = packGroups)]
pub fn pack_groups_js(sizes: &[u64], pack_items: u64, target: Option<u64>) -> Thrown<Vec<u32>> {
    pack_groups(sizes, pack_items, target).map_err(thrown)
}

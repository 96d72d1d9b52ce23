//! Bao outboards and range proofs.

use super::names::name;
use super::object::{Plain, Thrown, bigints, bytes, thrown};
use crate::bao;
use crate::error::Result;
use crate::multihash::Address;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** An object's address and outboard. */
export interface CoreOutboard {
  address: string;
  bytes: Uint8Array;
}
/** What proves a range: the half-open span of bytes, and the nodes by their numbers in pre-order. */
export interface CoreRangePlan {
  start: bigint;
  end: bigint;
  nodes: BigUint64Array;
}
"#;

/// The address and Bao outboard of an object.
///
/// # Errors
/// `InvalidArgument` if the outboard would not fit in memory.
#[wasm_bindgen(js_name = makeOutboard, unchecked_return_type = "CoreOutboard")]
pub fn make_outboard(object: &[u8]) -> Thrown<JsValue> {
    let outboard = bao::outboard(object).map_err(thrown)?;
    Ok(Plain::new().with(name!("address"), outboard.address).with(name!("bytes"), bytes(&outboard.bytes)).done())
}

/// What proves bytes `[start, end)` of an object of `length` bytes.
///
/// # Errors
/// `InvalidArgument`.
#[wasm_bindgen(js_name = planRange, unchecked_return_type = "CoreRangePlan")]
pub fn plan_range(length: u64, start: u64, end: u64) -> Thrown<JsValue> {
    let plan = bao::plan(length, start, end).map_err(thrown)?;
    let [start, end] = plan.span;
    Ok(Plain::new()
        .with(name!("start"), start)
        .with(name!("end"), end)
        .with(name!("nodes"), bigints(&plan.nodes))
        .done())
}

/// Checks that `body`, the span that proves `[start, end)` of an object of `length` bytes, is that object's; `nodes`
/// are the plan's nodes, one after another.
///
/// # Errors
/// `HashMismatch`; `InvalidArgument` for a wrong number of bytes or nodes; `Multihash` if `address` is none.
#[wasm_bindgen(js_name = verifyRange)]
pub fn verify_range(address: &str, length: u64, start: u64, end: u64, body: &[u8], nodes: &[u8]) -> Thrown<()> {
    let verify = || -> Result<()> {
        let plan = bao::plan(length, start, end)?;
        bao::verify(&Address::parse(address)?, length, &plan, body, nodes)
    };
    verify().map_err(thrown)
}

//! Tombstones for writers.

use super::object::{Plain, Thrown, bytes, list, text, thrown};
use crate::multihash::Address;
use crate::tombstone::write::{Deletion, Step, delete};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Pages that are to be there at the next call, or the objects to be stored: the new head, and what it needs. */
export type CoreDeletion =
  | { need: string[]; head?: undefined; pages?: undefined }
  | { need?: undefined; head: CoreObject; pages: CoreObject[] };
/** An object to be stored. */
export interface CoreObject {
  address: string;
  bytes: Uint8Array;
}
"#;

/// Deletes anchors of a timeline.
///
/// `head` is the head that there is. `pages` are pages of its tree, one after another: none at the first call, and all
/// that were asked for at the following ones. `reason` is for people, `now` are milliseconds since the epoch.
///
/// # Errors
/// Those of `delete`; `Multihash`.
#[wasm_bindgen(js_name = deleteAnchors, unchecked_return_type = "CoreDeletion")]
#[allow(clippy::needless_pass_by_value)] // What may be absent comes over the boundary as an owned value.
pub fn delete_anchors(
    head: Option<Box<[u8]>>,
    pages: &[u8],
    timeline: &str,
    anchors: &[u64],
    reason: Option<String>,
    now: u64,
) -> Thrown<JsValue> {
    let timeline = Address::parse(timeline).map_err(thrown)?;
    let deletion = Deletion { timeline, anchors, reason: reason.as_deref(), now };
    Ok(match delete(head.as_deref(), pages, &deletion).map_err(thrown)? {
        Step::Needs(pages) => Plain::new().with("need", list(&pages, text)),
        Step::Done { head, pages } => {
            Plain::new().with("head", object(&head)).with("pages", list(&pages, |page| object(page)))
        }
    }
    .done())
}

fn object(content: &[u8]) -> JsValue {
    Plain::new().with("address", Address::of(content)).with("bytes", bytes(content)).done()
}

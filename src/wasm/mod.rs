//! Bindings: the crate's decisions as stateless functions for JavaScript.
//!
//! Arguments are bytes, text and 64-bit integers (`bigint` there); results are plain objects whose TypeScript types
//! stand beside the functions, and typed arrays where there are many numbers. Nothing is kept between two calls, so
//! an instance that trapped can be replaced at any time. Refusals are thrown as `Error` objects with the properties
//! `code`, and where they apply `expected`, `actual` and `subject`. Bulk bytes come in windows that the TypeScript
//! side chooses; a window given as `&mut [u8]` is changed in place.
//!
//! No rule lives here: a function that would need an `if` about the data belongs into the crate proper.

mod cbor;
mod datasets;
mod hashing;
mod item_types;
mod names;
mod object;
mod payloads;
mod plans;
mod proofs;
mod tracks;

use object::list;
use wasm_bindgen::prelude::*;

/// Names of the dtypes and the bytes of an element of each, in the order of their numbers.
#[must_use]
#[wasm_bindgen(js_name = dtypes, unchecked_return_type = "[name: string, bytes: number][]")]
pub fn dtypes() -> JsValue {
    list(&crate::dtype::DType::ALL, |dtype| {
        let size = u8::try_from(dtype.size()).unwrap_or(0);
        list(&[JsValue::from(dtype.name()), JsValue::from(size)], JsValue::clone)
    })
}

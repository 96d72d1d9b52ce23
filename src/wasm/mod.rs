//! Bindings: the crate's decisions as stateless functions for JavaScript.
//!
//! Arguments are bytes, text and 64-bit integers (`bigint` there); results are plain objects whose TypeScript types
//! stand beside the functions, and typed arrays where there are many numbers. Nothing is kept between two calls, so
//! an instance that trapped can be replaced at any time. Refusals are thrown as `Error` objects with the properties
//! `code`, and where they apply `expected`, `actual` and `subject`. Bulk bytes come in windows that the TypeScript
//! side chooses; a window given as `&mut [u8]` is changed in place.
//!
//! No rule lives here: a function that would need an `if` about the data belongs into the crate proper.

mod datasets;
mod hashing;
mod item_types;
mod object;
mod payloads;
mod proofs;
mod writes;

use wasm_bindgen::prelude::*;

/// Every code that the crate's refusals can have.
#[must_use]
#[wasm_bindgen(js_name = errorCodes, unchecked_return_type = "string[]")]
pub fn error_codes() -> js_sys::Array {
    crate::Code::ALL.iter().map(|code| JsValue::from(code.as_str())).collect()
}

/// Names of the dtypes and the bytes of an element of each, in the order of their numbers.
#[must_use]
#[wasm_bindgen(js_name = dtypes, unchecked_return_type = "[name: string, bytes: number][]")]
pub fn dtypes() -> js_sys::Array {
    crate::dtype::DType::ALL
        .into_iter()
        .map(|dtype| {
            js_sys::Array::of2(
                &dtype.name().into(),
                &JsValue::from_f64(f64::from(u8::try_from(dtype.size()).unwrap_or(0))),
            )
        })
        .collect()
}

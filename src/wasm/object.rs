//! JavaScript values: plain objects, lists, copies of columns, and refusals as thrown errors.
//!
//! The few constructors that this needs are declared here, each property with the type that it has: a number or a
//! text then crosses the boundary as itself, and not as a value that was made for it and is thrown away.

use super::names::name;
use crate::error::Error;
use crate::multihash::Address;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type Object;
    #[wasm_bindgen(constructor)]
    fn new() -> Object;

    // `put`, `say` and `refusal` stand in the glue (scripts/lib/glue.mjs), which knows names and codes by their numbers.
    #[wasm_bindgen(js_name = put)]
    fn put_value(target: &JsValue, name: u32, value: &JsValue);
    #[wasm_bindgen(js_name = put)]
    fn put_text(target: &JsValue, name: u32, value: &str);
    #[wasm_bindgen(js_name = put)]
    fn put_bigint(target: &JsValue, name: u32, value: u64);
    #[wasm_bindgen(js_name = put)]
    fn put_number(target: &JsValue, name: u32, value: u32);
    #[wasm_bindgen(js_name = put)]
    fn put_bool(target: &JsValue, name: u32, value: bool);
    // As `put`, for a text of refusals, which spells its sentences.
    #[wasm_bindgen(js_name = say)]
    fn put_said(target: &JsValue, name: u32, value: &str);

    type Array;
    #[wasm_bindgen(constructor)]
    fn new() -> Array;
    #[wasm_bindgen(method)]
    fn push(this: &Array, value: &JsValue);

    fn refusal(code: u32, message: &str) -> JsValue;

    type Uint8Array;
    #[wasm_bindgen(constructor)]
    fn new(copied: &[u8]) -> Uint8Array;
    type Uint32Array;
    #[wasm_bindgen(constructor)]
    fn new(copied: &[u32]) -> Uint32Array;
    type BigUint64Array;
    #[wasm_bindgen(constructor)]
    fn new(copied: &[u64]) -> BigUint64Array;

    type ArrayBuffer;
    #[wasm_bindgen(constructor)]
    fn new(bytes: u32) -> ArrayBuffer;
    #[wasm_bindgen(constructor)]
    fn over(buffer: &ArrayBuffer, offset: u32, length: u32) -> Uint8Array;
    #[wasm_bindgen(method)]
    fn set(this: &Uint8Array, column: &[u8]);
    #[wasm_bindgen(constructor)]
    fn over(buffer: &ArrayBuffer, offset: u32, length: u32) -> Uint32Array;
    #[wasm_bindgen(method)]
    fn set(this: &Uint32Array, column: &[u32]);
    #[wasm_bindgen(constructor)]
    fn over(buffer: &ArrayBuffer, offset: u32, length: u32) -> BigUint64Array;
    #[wasm_bindgen(method)]
    fn set(this: &BigUint64Array, column: &[u64]);
}

/// Result of a binding.
pub(super) type Thrown<T> = Result<T, JsValue>;

/// What a property of a plain object can be.
pub(super) trait Property {
    fn put(self, object: &JsValue, name: u32);
}

impl Property for &str {
    fn put(self, object: &JsValue, name: u32) {
        put_text(object, name, self);
    }
}

impl Property for Address {
    fn put(self, object: &JsValue, name: u32) {
        put_text(object, name, &self.text());
    }
}

impl Property for u64 {
    fn put(self, object: &JsValue, name: u32) {
        put_bigint(object, name, self);
    }
}

impl Property for u32 {
    fn put(self, object: &JsValue, name: u32) {
        put_number(object, name, self);
    }
}

impl Property for bool {
    fn put(self, object: &JsValue, name: u32) {
        put_bool(object, name, self);
    }
}

impl Property for JsValue {
    fn put(self, object: &JsValue, name: u32) {
        put_value(object, name, &self);
    }
}

/// A text of a refusal.
struct Said<'a>(&'a str);

impl Property for Said<'_> {
    fn put(self, object: &JsValue, name: u32) {
        put_said(object, name, self.0);
    }
}

/// A plain object under construction.
pub(super) struct Plain(JsValue);

impl Plain {
    pub(super) fn new() -> Self {
        Self(Object::new().into())
    }

    pub(super) fn with(self, name: u32, value: impl Property) -> Self {
        value.put(&self.0, name);
        self
    }

    pub(super) fn maybe(self, name: u32, value: Option<impl Property>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(super) fn done(self) -> JsValue {
        self.0
    }
}

/// What [`Error`] looks like when it is thrown.
#[allow(clippy::needless_pass_by_value)] // Shaped for `map_err`.
pub(super) fn thrown(error: Error) -> JsValue {
    Plain(refusal(error.code() as u32, error.message()))
        .maybe(name!("expected"), error.expected().map(Said))
        .maybe(name!("actual"), error.actual().map(Said))
        .maybe(name!("subject"), error.subject())
        .done()
}

/// A list of what `make` makes of each item.
pub(super) fn list<T>(items: &[T], make: impl Fn(&T) -> JsValue) -> JsValue {
    let list = Array::new();
    for item in items {
        list.push(&make(item));
    }
    list.into()
}

/// A copy of numbers, owned by JavaScript.
pub(super) fn bigints(column: &[u64]) -> JsValue {
    BigUint64Array::new(column).into()
}

/// A copy of numbers, owned by JavaScript.
pub(super) fn numbers(column: &[u32]) -> JsValue {
    Uint32Array::new(column).into()
}

/// A copy of bytes, owned by JavaScript.
pub(super) fn bytes(column: &[u8]) -> JsValue {
    Uint8Array::new(column).into()
}

/// Columns behind one another in one buffer: of the few hundred entries of a page, buffers would cost more than the entries do.
///
/// The widest elements come first, so that each column begins where its elements may.
pub(super) struct Columns {
    buffer: ArrayBuffer,
    at: u32,
}

impl Columns {
    /// Room for columns of so many bytes in all.
    pub(super) fn with_room(bytes: usize) -> Self {
        Self { buffer: ArrayBuffer::new(narrow(bytes)), at: 0 }
    }

    pub(super) fn bigints(&mut self, column: &[u64]) -> JsValue {
        let at = self.pass(size_of_val(column));
        let copy = BigUint64Array::over(&self.buffer, at, narrow(column.len()));
        copy.set(column);
        copy.into()
    }

    pub(super) fn numbers(&mut self, column: &[u32]) -> JsValue {
        let at = self.pass(size_of_val(column));
        let copy = Uint32Array::over(&self.buffer, at, narrow(column.len()));
        copy.set(column);
        copy.into()
    }

    pub(super) fn bytes(&mut self, column: &[u8]) -> JsValue {
        let at = self.pass(column.len());
        let copy = Uint8Array::over(&self.buffer, at, narrow(column.len()));
        copy.set(column);
        copy.into()
    }

    /// Where the next column begins, which takes so many bytes.
    fn pass(&mut self, bytes: usize) -> u32 {
        let at = self.at;
        self.at = at.saturating_add(narrow(bytes));
        at
    }
}

/// A number of bytes or elements here, where addresses have 32 bits.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The text of an address.
pub(super) fn text(address: &Address) -> JsValue {
    address.text().into()
}

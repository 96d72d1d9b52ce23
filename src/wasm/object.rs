//! Plain JavaScript objects, and refusals as thrown errors.

use crate::error::Error;
use crate::multihash::Address;
use js_sys::{BigUint64Array, Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;

/// Result of a binding.
pub(super) type Thrown<T> = Result<T, JsValue>;

/// A plain object under construction.
pub(super) struct Plain(Object);

impl Plain {
    pub(super) fn new() -> Self {
        Self(Object::new())
    }

    pub(super) fn with(self, key: &str, value: impl Into<JsValue>) -> Self {
        // Setting a property of a fresh plain object cannot fail.
        let _ = Reflect::set(&self.0, &key.into(), &value.into());
        self
    }

    pub(super) fn maybe(self, key: &str, value: Option<impl Into<JsValue>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    pub(super) fn done(self) -> JsValue {
        self.0.into()
    }
}

impl From<Plain> for JsValue {
    fn from(plain: Plain) -> Self {
        plain.done()
    }
}

/// What [`Error`] looks like when it is thrown.
#[allow(clippy::needless_pass_by_value)] // Shaped for `map_err`.
pub(super) fn thrown(error: Error) -> JsValue {
    let js = js_sys::Error::new(error.message());
    let set = |key: &str, value: Option<&str>| {
        if let Some(value) = value {
            let _ = Reflect::set(&js, &key.into(), &value.into());
        }
    };
    set("code", Some(error.code().as_str()));
    set("expected", error.expected());
    set("actual", error.actual());
    set("subject", error.subject());
    js.into()
}

/// A copy of numbers, owned by JavaScript.
pub(super) fn numbers(column: &[u64]) -> JsValue {
    BigUint64Array::from(column).into()
}

/// A copy of bytes, owned by JavaScript.
pub(super) fn bytes(column: &[u8]) -> JsValue {
    Uint8Array::from(column).into()
}

/// The text of an address.
pub(super) fn text(address: &Address) -> JsValue {
    address.to_string().into()
}

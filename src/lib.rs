//! Typed-array Items and Fragment Packs of DreamDB: the pure half of `dreamdb-arrays`.

#[cfg(target_arch = "wasm32")]
mod wasm;

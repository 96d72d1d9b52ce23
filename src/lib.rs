//! Typed-array Items and Fragment Packs of DreamDB: the pure half of `dreamdb-arrays`.
//!
//! Everything here is a decision about stored bytes: what they mean, whether they are valid, where a part of
//! them lies, what their address is. It implements Spec 0025 (Typed Array Items) and Spec 0022 (Fragment Packs) as
//! the reference implementation behaves. There is no I/O, no clock, no panic on input and no JavaScript type; those
//! belong to the TypeScript side, which reaches this crate through `wasm`.
//!
//! Reading order: [`item_type`] (what is declared), [`modality`] (the tag that names it), [`registry`] (where the
//! declaration is found), [`manifest`] and [`track`] (where Items are), [`payload`] (what their bytes hold),
//! [`plan`] and [`bao`] (which bytes to fetch, and the proof that they are the object's).

#![no_std]

extern crate alloc;

pub mod bao;
pub mod cbor;
pub mod dtype;
pub mod endian;
pub mod error;
pub mod item_manifest;
pub mod item_type;
pub mod manifest;
pub mod modality;
pub mod multihash;
mod order;
pub mod payload;
pub mod plan;
pub mod registry;
pub mod sentence;
pub mod shape;
pub mod tombstone;
pub mod track;
pub mod tree;

#[cfg(target_arch = "wasm32")]
mod wasm;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// A panic is a defect, and stops the module, which JavaScript sees: to say more would take what the standard library has for it.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

pub use error::{Code, Error, Result};
pub use item_type::ItemType;
pub use multihash::Address;

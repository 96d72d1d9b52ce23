//! Native tests of the crate.

mod cbor_build;
mod manifest_build;
mod payload_naive;
mod payload_npy;
mod payload_structured;
mod payload_swaps;
mod vectors;
mod vectors_manifests;
mod vectors_payloads;
mod vectors_tracks;
mod vectors_types;

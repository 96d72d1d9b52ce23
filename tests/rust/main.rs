//! Native tests of the crate.

mod bao;
mod cbor_build;
mod cbor_canonical;
mod manifest_build;
mod manifest_fixtures;
mod manifest_hostile;
mod manifest_lineage;
mod multihash_text;
mod payload_naive;
mod payload_npy;
mod payload_rows;
mod payload_structured;
mod payload_swaps;
mod plan;
mod properties;
mod track_arrays;
mod track_fragments;
mod tree_windows;
mod vectors;
mod vectors_bao;
mod vectors_manifests;
mod vectors_payloads;
mod vectors_plans;
mod vectors_tracks;
mod vectors_types;
mod vectors_writes;

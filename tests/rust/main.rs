//! Native tests of the crate.

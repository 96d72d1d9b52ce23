//! How often a property is tried.

use proptest::prelude::ProptestConfig;

/// So many, or as many as `PROPTEST_CASES` says: fewer where the tests are interpreted or run on an emulated machine.
pub fn trials(usual: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(usual), failure_persistence: None, ..ProptestConfig::default() }
}

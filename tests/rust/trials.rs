//! How often a property is tried, and how long something may take: other answers where tests are interpreted, or run on an emulated machine.

use proptest::prelude::ProptestConfig;
use std::time::{Duration, Instant};

fn asked(variable: &str) -> Option<u32> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// So many tries, or as many as `PROPTEST_CASES` says.
pub fn trials(usual: u32) -> ProptestConfig {
    let cases = asked("PROPTEST_CASES").unwrap_or(usual);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// That no more than so many seconds have passed, on a machine that is so many times slower as `SLOWER` says.
pub fn in_time(begin: Instant, seconds: u64) {
    let limit = Duration::from_secs(seconds).saturating_mul(asked("SLOWER").unwrap_or(1));
    assert!(begin.elapsed() < limit, "{:?}, at most {limit:?}", begin.elapsed());
}

//! Plans of requests: they hold all that is wanted, join only over gaps that are allowed, and no byte comes twice.
//!
//! Input: length, largest gap, largest request, what is to be proved; then start and size of each span.
#![no_main]

use dreamdb_arrays::bao;
use dreamdb_arrays::plan::{Plan, Policy, ProofPolicy, Requests, Wanted, requests};
use dreamdb_arrays_fuzz::number;
use libfuzzer_sys::fuzz_target;

/// Ascending, none empty, none touched by two, all within `length`.
fn ranges(requests: &Requests, length: u64) -> Vec<(u64, u64)> {
    assert_eq!(requests.starts.len(), requests.ends.len());
    let ranges: Vec<(u64, u64)> = requests.starts.iter().copied().zip(requests.ends.iter().copied()).collect();
    assert!(ranges.iter().all(|(start, end)| start < end && *end <= length));
    assert!(ranges.is_sorted_by(|first, second| first.1 <= second.0));
    ranges
}

/// Whether all of `[start, end)` is in the ranges.
fn covered(ranges: &[(u64, u64)], mut start: u64, end: u64) -> bool {
    for (from, to) in ranges {
        if *from <= start && start < *to {
            start = *to;
        }
    }
    start >= end
}

/// The union of spans, joined where they touch.
fn union(mut spans: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    spans.retain(|(start, end)| start < end);
    spans.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (start, end) in spans {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

fn check(plan: &Plan, wanted: Wanted<'_>, policy: Policy) {
    let data = ranges(&plan.data, wanted.length);
    assert_eq!(plan.whole, data == [(0, wanted.length)]);
    let most = if policy.proof.is_some() { (policy.max_request / 1024 * 1024).max(1024) } else { policy.max_request };
    assert!(data.iter().all(|(start, end)| end - start <= most));
    assert_eq!(plan.slices.len(), wanted.starts.len());
    let mut spans = Vec::new();
    for ((start, size), slice) in wanted.starts.iter().zip(wanted.sizes).zip(&plan.slices) {
        let end = start + size;
        assert!(covered(&data, *start, end), "all that is wanted comes");
        if *size == 0 {
            assert_eq!(*slice, 0);
            continue;
        }
        let (from, to) = data[*slice as usize];
        assert!(from <= *start && *start < to);
        spans.push((*start, end));
    }
    let wide =
        |(start, end): (u64, u64)| (start / 1024 * 1024, end.div_ceil(1024).saturating_mul(1024).min(wanted.length));
    let spans = union(if policy.proof.is_some() { spans.into_iter().map(wide).collect() } else { spans });
    if policy.proof.is_none() || !plan.whole {
        gaps(&data, &spans, policy.max_gap);
    }
    if policy.proof.is_none() {
        assert_eq!(plan.proof, Requests::default());
        return;
    }
    if plan.whole {
        assert_eq!(plan.proof, Requests::default());
        return;
    }
    let proof = ranges(&plan.proof, u64::MAX);
    for (start, end) in data {
        // Whole chunks come, so that each request can be verified by itself.
        assert!(start % 1024 == 0 && (end % 1024 == 0 || end == wanted.length));
        for node in bao::plan(wanted.length, start, end).expect("a range of the object").nodes {
            let at = 8 + 64 * node;
            assert!(covered(&proof, at, at + 64), "all nodes that prove it come");
        }
    }
}

/// What comes and is not wanted lies in gaps that were allowed, each within one request.
fn gaps(data: &[(u64, u64)], spans: &[(u64, u64)], most: u64) {
    for (start, end) in data {
        let inside: Vec<_> = spans.iter().filter(|span| span.0 < *end && *start < span.1).collect();
        let (Some(first), Some(last)) = (inside.first(), inside.last()) else { panic!("nothing of this was wanted") };
        assert!(first.0 <= *start && *end <= last.1);
        assert!(inside.windows(2).all(|pair| pair[1].0 - pair[0].1 <= most));
    }
}

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let mut draw = || number(&mut data);
    let (Some(length), Some(max_gap), Some(max_request), Some(proof)) = (draw(), draw(), draw(), draw()) else {
        return;
    };
    let (mut starts, mut sizes) = (Vec::new(), Vec::new());
    while let (Some(start), Some(size)) = (draw(), draw()) {
        starts.push(start);
        sizes.push(size);
    }
    let proof = (proof % 3 > 0).then_some(ProofPolicy { max_gap: proof >> 8, known: proof % 3 == 2 });
    let wide = sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(*size)) / max_request.max(1);
    // So many requests take long and say nothing more; beyond the most that there may be, it is quick again.
    if (1 << 12..1 << 21).contains(&wide) {
        return;
    }
    let wanted = Wanted { length, starts: &starts, sizes: &sizes };
    let policy = Policy { max_gap, max_request, proof };
    let fits = starts.iter().zip(&sizes).all(|(start, size)| start.checked_add(*size).is_some_and(|end| end <= length));
    match requests(wanted, policy) {
        Ok(plan) => {
            assert!(fits && max_request > 0);
            // The checks are quadratic.
            if plan.data.starts.len() <= 64 && length <= 1 << 50 {
                check(&plan, wanted, policy);
            }
        }
        Err(error) => {
            assert!(!fits || max_request == 0 || (length / max_request) >> 19 > 0 || proof.is_some(), "{error}")
        }
    }
});

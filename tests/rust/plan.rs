//! Plans of requests against what may be said of every byte, one by one.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::trials::trials;
use dreamdb_arrays::plan::{MOST_REQUESTS, Plan, Policy, ProofPolicy, Requests, Wanted, requests};
use dreamdb_arrays::{Code, bao};
use proptest::prelude::*;
use std::collections::BTreeSet;

type Span = (u64, u64);

fn plan_of(length: u64, spans: &[Span], policy: Policy) -> Plan {
    let (starts, sizes): (Vec<u64>, Vec<u64>) = spans.iter().copied().unzip();
    requests(Wanted { length, starts: &starts, sizes: &sizes }, policy).unwrap()
}

fn refusal_of(length: u64, starts: &[u64], sizes: &[u64], policy: Policy) -> (Code, String) {
    let error = requests(Wanted { length, starts, sizes }, policy).unwrap_err();
    (error.code(), error.message().to_owned())
}

const fn unverified(max_gap: u64, max_request: u64) -> Policy {
    Policy { max_gap, max_request, proof: None }
}

const fn verified(max_gap: u64, max_request: u64, proof_gap: u64, known: bool) -> Policy {
    Policy { max_gap, max_request, proof: Some(ProofPolicy { max_gap: proof_gap, known }) }
}

fn ranges(requests: &Requests) -> Vec<Span> {
    assert_eq!(requests.starts.len(), requests.ends.len());
    requests.starts.iter().copied().zip(requests.ends.iter().copied()).collect()
}

/// What holds of requests for half-open spans, whatever algorithm made them.
fn check(spans: &[Span], max_gap: u64, max_request: u64, found: &Requests) -> Result<(), TestCaseError> {
    let found = ranges(found);
    let wanted: BTreeSet<u64> = spans.iter().flat_map(|(start, end)| *start..*end).collect();
    let fetched: Vec<u64> = found.iter().flat_map(|(start, end)| *start..*end).collect();
    prop_assert!(fetched.windows(2).all(|pair| pair[0] < pair[1]), "a byte is in two requests, or they do not ascend");
    prop_assert!(wanted.iter().all(|byte| fetched.binary_search(byte).is_ok()), "a wanted byte is not fetched");
    for (start, end) in &found {
        prop_assert!(start < end && end - start <= max_request);
        prop_assert!(wanted.contains(start) && wanted.contains(&(end - 1)), "unwanted bytes at an end");
        let mut unwanted = 0;
        for byte in *start..*end {
            unwanted = if wanted.contains(&byte) { 0 } else { unwanted + 1 };
            prop_assert!(unwanted <= max_gap, "a gap of more than {max_gap} bytes was bridged");
        }
    }
    for pair in found.windows(2) {
        let ((first, end), (next, _)) = (pair[0], pair[1]);
        let too_large = spans.iter().any(|(from, to)| *from <= next && next < *to && to - first > max_request);
        prop_assert!(next - end > max_gap || too_large, "requests {pair:?} could have been one");
    }
    Ok(())
}

/// That every span is found by its number.
fn check_slices(spans: &[Span], plan: &Plan) -> Result<(), TestCaseError> {
    prop_assert_eq!(spans.len(), plan.slices.len());
    for ((start, size), slice) in spans.iter().zip(&plan.slices) {
        if *size == 0 {
            prop_assert_eq!(*slice, 0);
            continue;
        }
        let (mut at, mut number) = (*start, *slice as usize);
        prop_assert!(plan.data.starts[number] <= at && at < plan.data.ends[number]);
        while plan.data.ends[number] < start + size {
            at = plan.data.ends[number];
            number += 1;
            prop_assert_eq!(plan.data.starts[number], at);
        }
    }
    Ok(())
}

/// Lengths, spans in them, a gap and a limit, in a unit of bytes.
fn cases(unit: u64) -> impl Strategy<Value = (u64, Vec<Span>, u64, u64)> {
    (0..60 * unit).prop_flat_map(move |length| {
        let span = (0..=length, 0..=12 * unit, any::<bool>()).prop_map(move |(start, size, whole_units)| {
            let start = if whole_units { start / unit * unit } else { start };
            (start, size.min(length - start))
        });
        let limit = prop_oneof![1..10 * unit, Just(64 * unit)];
        (Just(length), prop::collection::vec(span, 0..12), 0..6 * unit, limit)
    })
}

proptest! {
    #![proptest_config(trials(1500))]

    #[test]
    fn unverified_plans((length, spans, max_gap, max_request) in cases(1)) {
        let plan = plan_of(length, &spans, unverified(max_gap, max_request));
        let wanted: Vec<Span> = spans.iter().map(|(start, size)| (*start, start + size)).collect();
        check(&wanted, max_gap, max_request, &plan.data)?;
        check_slices(&spans, &plan)?;
        prop_assert_eq!(plan.whole, ranges(&plan.data) == [(0, length)]);
        prop_assert_eq!(plan.proof, Requests::default());
    }

    #[test]
    fn the_order_of_spans_does_not_matter((length, spans, max_gap, max_request) in cases(1), turn in 0_usize..12) {
        let policy = unverified(max_gap, max_request);
        let mut turned = spans.clone();
        turned.rotate_left(turn.min(spans.len()));
        let (plan, other) = (plan_of(length, &spans, policy), plan_of(length, &turned, policy));
        prop_assert_eq!(&plan.data, &other.data);
        turned.reverse();
        prop_assert_eq!(plan_of(length, &turned, policy).data, other.data);
    }

    #[test]
    fn without_a_limit_requests_are_the_runs_of_wanted_bytes((length, spans, max_gap, _) in cases(1)) {
        let wanted: BTreeSet<u64> = spans.iter().flat_map(|(start, size)| *start..start + size).collect();
        let mut runs: Vec<Span> = Vec::new();
        for byte in wanted {
            match runs.last_mut() {
                Some((_, end)) if byte - *end <= max_gap => *end = byte + 1,
                _ => runs.push((byte, byte + 1)),
            }
        }
        prop_assert_eq!(ranges(&plan_of(length, &spans, unverified(max_gap, u64::MAX)).data), runs);
    }
}

proptest! {
    #![proptest_config(trials(300))]

    #[test]
    fn verified_plans((length, spans, max_gap, limit) in cases(1024), proof_gap in 0_u64..400, known: bool) {
        let plan = plan_of(length, &spans, verified(max_gap, limit, proof_gap, known));
        check_slices(&spans, &plan)?;
        let max_request = (limit / 1024).max(1) * 1024;
        let chunks = |(start, size): &Span| (start / 1024 * 1024, (start + size).div_ceil(1024).saturating_mul(1024).min(length));
        let widened: Vec<Span> = spans.iter().filter(|(_, size)| *size > 0).map(chunks).collect();

        // What the rule for whole objects has to choose from.
        let sized: Vec<Span> = widened.iter().map(|(start, end)| (*start, end - start)).collect();
        let data = plan_of(length, &sized, unverified(max_gap, max_request)).data;
        check(&widened, max_gap, max_request, &data)?;
        let nodes: BTreeSet<u64> =
            ranges(&data).iter().flat_map(|(start, end)| bao::plan(length, *start, *end).unwrap().nodes).collect();
        let at = |node: &u64| (if *node == 0 { 0 } else { 8 + 64 * node }, 72 + 64 * node);
        let node_spans: Vec<Span> = nodes.iter().map(at).collect();
        let board = 8 + 64 * length.div_ceil(1024).max(1).saturating_sub(1);
        let sized: Vec<Span> = node_spans.iter().map(|(start, end)| (*start, end - start)).collect();
        let proof = plan_of(board, &sized, unverified(proof_gap, max_request)).data;
        check(&node_spans, proof_gap, max_request, &proof)?;

        let bytes = |requests: &Requests| ranges(requests).iter().map(|(start, end)| end - start).sum::<u64>();
        let cost = bytes(&data) + if known { 0 } else { bytes(&proof) };
        let whole = ranges(&data) == [(0, length)] || !widened.is_empty() && length <= max_request && length <= cost;
        prop_assert_eq!(plan.whole, whole);
        if whole {
            prop_assert_eq!(ranges(&plan.data), [(0, length)]);
            prop_assert_eq!(plan.proof, Requests::default());
            prop_assert!(plan.slices.iter().all(|slice| *slice == 0));
        } else {
            prop_assert_eq!(plan.data, data);
            prop_assert_eq!(plan.proof, proof);
        }
    }

    #[test]
    fn nothing_is_beyond_it(
        length: u64, columns in prop::collection::vec(any::<[u64; 2]>(), 0..4), limits: [u64; 3], known: bool, check: bool,
    ) {
        let (starts, sizes): (Vec<u64>, Vec<u64>) = columns.iter().map(|[start, size]| (*start, *size)).unzip();
        let [max_gap, max_request, proof_gap] = limits;
        let proof = check.then_some(ProofPolicy { max_gap: proof_gap, known });
        let inside = columns.iter().all(|[start, size]| start.checked_add(*size).is_some_and(|end| end <= length));
        match requests(Wanted { length, starts: &starts, sizes: &sizes }, Policy { max_gap, max_request, proof }) {
            Ok(plan) => prop_assert!(inside && plan.data.ends.last().is_none_or(|end| *end <= length)),
            Err(error) if inside => prop_assert_eq!(error.code(), Code::InvalidArgument),
            Err(error) => prop_assert_eq!(error.code(), Code::PackSliceOutOfBounds),
        }
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let policy = unverified(0, 100);
    let beyond = |end: u64| format!("the Item is bytes [20, {end}) of its object, which has 25");
    assert_eq!(refusal_of(25, &[0, 20], &[5, 6], policy), (Code::PackSliceOutOfBounds, beyond(26)));
    assert_eq!(refusal_of(25, &[20], &[u64::MAX], policy), (Code::PackSliceOutOfBounds, beyond(u64::MAX)));
    assert_eq!(refusal_of(25, &[26], &[0], policy).0, Code::PackSliceOutOfBounds);
    assert_eq!(refusal_of(u64::MAX, &[u64::MAX], &[1], policy).0, Code::PackSliceOutOfBounds);
    assert_eq!(refusal_of(u64::MAX, &[u64::MAX - 3], &[10], verified(0, 1, 0, false)).0, Code::PackSliceOutOfBounds);
    let columns = "there are 2 starts of spans, but 1 sizes".to_owned();
    assert_eq!(refusal_of(25, &[0, 20], &[5], policy), (Code::InvalidArgument, columns));
    let none = "a request must be allowed to hold a byte".to_owned();
    assert_eq!(refusal_of(25, &[0], &[5], unverified(0, 0)), (Code::InvalidArgument, none));
}

#[test]
fn offsets_beyond_32_bits_are_exact() {
    let plan = plan_of(1 << 33, &[(4_294_967_290, 10), (4_294_967_300, 1)], unverified(0, 1000));
    assert_eq!(ranges(&plan.data), [(4_294_967_290, 4_294_967_301)]);
    let plan = plan_of(1 << 33, &[(4_294_967_290, 10)], verified(0, 1 << 20, 0, false));
    assert_eq!(ranges(&plan.data), [(4_294_966_272, 4_294_968_320)]);
}

#[test]
fn the_last_bytes_of_the_largest_object() {
    let end = u64::MAX;
    let plan = plan_of(end, &[(end - 10, 10), (0, 1), (end, 0)], unverified(u64::MAX, u64::MAX));
    assert!(plan.whole);
    let plan = plan_of(end, &[(end - 10, 10), (0, 1)], unverified(0, u64::MAX));
    assert_eq!((ranges(&plan.data), plan.slices), (vec![(0, 1), (end - 10, end)], vec![1, 0]));
    let plan = plan_of(end, &[(end - 10, 10)], verified(0, 4096, 0, false));
    assert_eq!(ranges(&plan.data), [(end - 1023, end)]);
    let nodes = bao::plan(end, end - 1, end).unwrap().nodes;
    assert_eq!(plan.proof.starts.first(), Some(&0));
    assert_eq!(plan.proof.ends.last(), nodes.last().map(|node| 72 + 64 * node).as_ref());
    // Whole chunks are the most that a request holds, so the largest limit does not hold the largest object.
    let plan = plan_of(end, &[(0, end)], verified(0, end, 0, false));
    assert_eq!(ranges(&plan.data), [(0, end - 1023), (end - 1023, end)]);
}

#[test]
fn a_plan_that_nobody_could_carry_out_is_refused() {
    let (code, message) = refusal_of(u64::MAX, &[0], &[u64::MAX], unverified(0, 1));
    assert_eq!(code, Code::InvalidArgument);
    assert_eq!(message, "more than 1048576 requests of up to 1 bytes would be needed");
    assert_eq!(refusal_of(u64::MAX, &[0], &[u64::MAX], verified(0, 1, 0, false)).0, Code::InvalidArgument);
    let most = plan_of(u64::MAX, &[(7, MOST_REQUESTS)], unverified(0, 1));
    assert_eq!(most.data.starts.len() as u64, MOST_REQUESTS);
    assert_eq!(refusal_of(u64::MAX, &[7], &[MOST_REQUESTS + 1], unverified(0, 1)).0, Code::InvalidArgument);
}

#[test]
fn nodes_of_spans_that_are_no_chunks_still_end() {
    assert_eq!(bao::nodes(5000, &[1, 1500], &[700, 1501]), [0, 1, 2]);
    assert!(bao::nodes(1000, &[1], &[2]).is_empty());
    assert!(bao::nodes(5000, &[], &[]).is_empty());
    assert_eq!(bao::nodes(5000, &[0, 1024], &[1024]), bao::plan(5000, 0, 1024).unwrap().nodes);
}

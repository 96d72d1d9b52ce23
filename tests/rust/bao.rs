//! Outboards and range proofs against a recursive construction from BLAKE3's own definition.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use dreamdb_arrays::bao::{HEADER_BYTES, NODE_BYTES, Plan, outboard, plan, verify};
use dreamdb_arrays::{Address, Code};

fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|index| u8::try_from(index % 251).unwrap()).collect()
}

/// The nodes of a plan, cut from an outboard.
fn nodes(plan: &Plan, board: &[u8]) -> Vec<u8> {
    let at = |node: u64| HEADER_BYTES + NODE_BYTES * usize::try_from(node).unwrap();
    plan.nodes.iter().flat_map(|node| board[at(*node)..at(*node) + NODE_BYTES].iter().copied()).collect()
}

fn body<'o>(plan: &Plan, object: &'o [u8]) -> &'o [u8] {
    &object[usize::try_from(plan.span[0]).unwrap()..usize::try_from(plan.span[1]).unwrap()]
}

/// n − 1, n, n + 1 around every size at which the tree changes its shape.
fn lengths() -> Vec<usize> {
    let around = |n: usize| [n - 1, n, n + 1];
    let mut lengths: Vec<usize> = [1, 2, 3, 4, 5, 8, 16, 31].iter().flat_map(|chunks| around(chunks * 1024)).collect();
    lengths.extend([0, 1, 2]);
    lengths
}

#[test]
fn the_address_of_an_outboard_is_that_of_the_object() {
    for length in lengths() {
        let object = pattern(length);
        let board = outboard(&object).unwrap();
        assert_eq!(board.address, Address::of(&object), "{length} bytes");
        assert_eq!(board.bytes.len(), 8 + 64 * (length.div_ceil(1024).max(1) - 1), "{length} bytes");
    }
}

#[test]
fn every_range_of_a_small_object_is_proved_and_no_other_object_is() {
    for length in lengths().into_iter().filter(|length| *length <= 5 * 1024 + 1) {
        let object = pattern(length);
        let board = outboard(&object).unwrap();
        for start in (0..=length).step_by(509) {
            for end in (start..=length).step_by(487) {
                let plan = plan(length as u64, start as u64, end as u64).unwrap();
                assert!(plan.span[0] <= start as u64 && end as u64 <= plan.span[1]);
                let proof = nodes(&plan, &board.bytes);
                let span = body(&plan, &object);
                verify(&board.address, length as u64, &plan, span, &proof).unwrap();
                let other = Address::of(b"another object");
                let refused = verify(&other, length as u64, &plan, span, &proof).unwrap_err();
                assert_eq!(refused.code(), Code::HashMismatch);
            }
        }
    }
}

#[test]
fn a_wrong_length_that_changes_the_visited_tree_is_refused() {
    let object = pattern(5000);
    let board = outboard(&object).unwrap();
    for length in [4096, 5121, 6000, 9000] {
        let plan = plan(length, 4096, length.min(5000)).unwrap();
        let count = plan.nodes.len() * NODE_BYTES;
        let proof = &board.bytes[HEADER_BYTES..].iter().copied().cycle().take(count).collect::<Vec<_>>();
        let size = usize::try_from(plan.span[1] - plan.span[0]).unwrap();
        let span: Vec<u8> = object[4096.min(size)..].iter().copied().cycle().take(size).collect();
        assert_eq!(verify(&board.address, length, &plan, &span, proof).unwrap_err().code(), Code::HashMismatch);
    }
}

#[test]
fn bytes_of_another_length_than_planned_are_the_callers_mistake() {
    let object = pattern(5000);
    let board = outboard(&object).unwrap();
    let plan = plan(5000, 2000, 2100).unwrap();
    let (span, proof) = (body(&plan, &object), nodes(&plan, &board.bytes));
    for (span, proof) in [(&span[1..], &proof[..]), (span, &proof[64..]), (span, &proof[1..])] {
        let refused = verify(&board.address, 5000, &plan, span, proof).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
}

#[test]
fn a_plan_refuses_what_is_no_range() {
    for (length, start, end) in [(0, 0, 1), (10, 5, 4), (10, 0, 11), (10, 11, 11), (u64::MAX, u64::MAX, 0)] {
        assert_eq!(plan(length, start, end).unwrap_err().code(), Code::InvalidArgument);
    }
    assert!(plan(u64::MAX, u64::MAX - 1, u64::MAX).unwrap().nodes.len() < 64);
}

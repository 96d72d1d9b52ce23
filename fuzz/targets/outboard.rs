//! Range proofs: the right bytes with the right nodes verify, and whatever verifies is what the object has there, however data, nodes
//! and the claimed length were changed.
//!
//! Input: object length, start and end of a range, place and bits of a change, what is changed, then bytes that the object is made of.
#![no_main]

use dreamdb_arrays::bao::{HEADER_BYTES, NODE_BYTES, node_count, outboard, plan, verify};
use dreamdb_arrays::multihash::Address;
use dreamdb_arrays_fuzz::number;
use libfuzzer_sys::fuzz_target;

const LONGEST: u64 = 20_000;

fn node(outboard: &[u8], number: u64) -> Option<&[u8]> {
    let at = HEADER_BYTES + usize::try_from(number).ok()? * NODE_BYTES;
    outboard.get(at..at + NODE_BYTES)
}

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let mut draw = || number(&mut data);
    let (Some(length), Some(first), Some(second), Some(place), Some(bits), Some(what)) =
        (draw(), draw(), draw(), draw(), draw(), draw())
    else {
        return;
    };
    let length = length % LONGEST;
    let pattern = if data.is_empty() { &[0] } else { data };
    let object: Vec<u8> =
        pattern.iter().cycle().enumerate().map(|(at, byte)| byte ^ (at >> 10) as u8).take(length as usize).collect();
    let (first, second) = (first % (length + 1), second % (length + 1));
    let (start, end) = (first.min(second), first.max(second));
    let built = outboard(&object).expect("it fits in memory");
    assert_eq!(built.address, Address::of(&object));
    assert_eq!(built.bytes.len() as u64, HEADER_BYTES as u64 + NODE_BYTES as u64 * node_count(length));
    assert_eq!(built.bytes[..8], length.to_le_bytes());

    let right = plan(length, start, end).expect("a range of the object");
    let [from, to] = right.span.map(|at| at as usize);
    assert!(right.span[0] <= start && end <= right.span[1] && right.span[1] <= length);
    assert!(right.nodes.is_sorted_by(|first, second| first < second));
    let body = &object[from..to];
    let nodes: Vec<u8> =
        right.nodes.iter().flat_map(|number| node(&built.bytes, *number).expect("a node")).copied().collect();
    assert_eq!(verify(&built.address, length, &right, body, &nodes), Ok(()));

    let bits = (bits as u8).max(1);
    let (mut other_body, mut other_nodes, mut claimed) = (body.to_vec(), nodes.clone(), length);
    if what & 1 != 0 && !body.is_empty() {
        other_body[place as usize % body.len()] ^= bits;
    }
    if what & 2 != 0 && !nodes.is_empty() {
        other_nodes[place as usize % nodes.len()] ^= bits;
    }
    if what & 4 != 0 {
        other_body.pop();
    }
    if what & 8 != 0 {
        other_nodes.truncate(other_nodes.len() / NODE_BYTES * NODE_BYTES / 2);
    }
    if (&*other_body, &*other_nodes) != (body, &*nodes) {
        assert!(verify(&built.address, length, &right, &other_body, &other_nodes).is_err());
    }
    // Another length has a tree of its own; with bytes and nodes where that has them, nothing wrong verifies either.
    claimed ^= place % (2 * LONGEST);
    let Ok(other) = plan(claimed, start.min(claimed), end.min(claimed)) else { return };
    let [from, to] = other.span.map(|at| at as usize);
    let mut body: Vec<u8> = (from..to).map(|at| object.get(at).copied().unwrap_or(bits)).collect();
    if what & 16 != 0 && !body.is_empty() {
        let at = place as usize % body.len();
        body[at] ^= bits;
    }
    let nodes: Vec<u8> = other
        .nodes
        .iter()
        .flat_map(|number| node(&built.bytes, *number).unwrap_or(&[0; NODE_BYTES]))
        .copied()
        .collect();
    if verify(&built.address, claimed, &other, &body, &nodes).is_ok() {
        assert_eq!(object.get(from..to), Some(&*body), "what verifies is what the object has there");
    }
});

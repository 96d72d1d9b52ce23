//! BLAKE3: digests of objects, and the values of the inner nodes of their trees.
//!
//! The algorithm's own crate takes 21 KB of WebAssembly, a quarter of what a page downloads compressed, as it unrolls its
//! rounds and has every function twice, with and without vectors. Here all rounds run through one piece of code
//! ([`compress`]), whose message words lie in memory so that each round finds its own one place further on. That is a
//! third of the size and within 3 % of the speed, and leaves out what is not needed here: keys, key derivation, longer
//! digests, a hasher that is fed by and by.
//!
//! What a digest is for (addresses, proofs of ranges) does not belong here.

#![no_std]

mod compress;
mod lanes;

use compress::{CHUNK_END, CHUNK_START, Four, IV, PARENT, ROOT, block};

/// Bytes of a chunk, the leaf of the tree.
pub const CHUNK_BYTES: usize = 1024;

/// Bytes of a block; of a node of the tree as well, which is the values of its two children.
const BLOCK_BYTES: usize = 64;

/// Chunks whose values are kept side by side, so that those of one level are joined four at a time.
const WIDEST: usize = 64;

/// The chaining value of a subtree, or the digest, which is that of the root.
pub type Value = [u8; 32];

/// The digest of an object. Costs one pass over it.
#[must_use]
pub fn hash(object: &[u8]) -> Value {
    tree(object, 0, ROOT)
}

/// The chaining value of a subtree that is not the whole object: `bytes` begin at that chunk of it.
///
/// Subtrees of a tree begin at a multiple of their size, a power of two of chunks; the last may be shorter.
#[must_use]
pub fn subtree(bytes: &[u8], chunk: u64) -> Value {
    tree(bytes, chunk, 0)
}

/// The chaining value of a node that is not the root.
#[must_use]
pub fn parent(left: &Value, right: &Value) -> Value {
    joined(&node(left, right), 0)
}

/// The digest of an object from the values of the two children of its root.
#[must_use]
pub fn root(left: &Value, right: &Value) -> Value {
    joined(&node(left, right), ROOT)
}

fn tree(bytes: &[u8], first: u64, root: u32) -> Value {
    if bytes.len() <= CHUNK_BYTES {
        return chunk(bytes, first, root);
    }
    let [mut values, mut above] = [[[0; 32]; WIDEST]; 2];
    let mut count = bytes.len().div_ceil(CHUNK_BYTES);
    if count > WIDEST {
        // The left subtree is the largest power of two of chunks that leaves something over.
        let left = 1 << count.saturating_sub(1).ilog2();
        let (front, rest) = bytes.split_at_checked(CHUNK_BYTES.saturating_mul(left)).unwrap_or((bytes, &[]));
        return joined(&node(&tree(front, first, 0), &tree(rest, first.wrapping_add(left as u64), 0)), root);
    }
    leaves(bytes, first, &mut values);
    while count > 2 {
        level(values.get(..count).unwrap_or(&values), &mut above);
        (values, above) = (above, values);
        count = count.div_ceil(2);
    }
    let [left, right, ..] = &values;
    joined(&node(left, right), root)
}

/// The values of chunks, four at a time.
fn leaves(bytes: &[u8], first: u64, values: &mut [Value]) {
    let (chunks, last) = bytes.as_chunks::<CHUNK_BYTES>();
    let (fours, rest) = chunks.as_chunks::<4>();
    let mut slots = values.iter_mut();
    let mut counter = first;
    for four in fours {
        let [a, b, c, d] = four.each_ref().map(|chunk| chunk.as_chunks::<BLOCK_BYTES>().0);
        let mut state = Four::new(counter);
        let last = a.len().saturating_sub(1);
        for (at, (((a, b), c), d)) in a.iter().zip(b).zip(c).zip(d).enumerate() {
            let flags = if at == 0 { CHUNK_START } else { 0 } | if at == last { CHUNK_END } else { 0 };
            state.block([a, b, c, d], flags);
        }
        put(&mut slots, state.values());
        counter = counter.wrapping_add(4);
    }
    for chunk in rest.iter().map(<[u8; CHUNK_BYTES]>::as_slice).chain((!last.is_empty()).then_some(last)) {
        put(&mut slots, [self::chunk(chunk, counter, 0)]);
        counter = counter.wrapping_add(1);
    }
}

/// The values of the nodes over these, four at a time; one without a sibling rises as it is.
fn level(values: &[Value], above: &mut [Value]) {
    let (nodes, alone) = values.as_flattened().as_chunks::<BLOCK_BYTES>();
    let (fours, rest) = nodes.as_chunks::<4>();
    let mut slots = above.iter_mut();
    for four in fours {
        let mut state = Four::of_parents();
        state.block(four.each_ref(), PARENT);
        put(&mut slots, state.values());
    }
    for node in rest {
        put(&mut slots, [joined(node, 0)]);
    }
    if let Some(alone) = alone.first_chunk() {
        put(&mut slots, [*alone]);
    }
}

fn put<const N: usize>(slots: &mut core::slice::IterMut<'_, Value>, values: [Value; N]) {
    for value in values {
        if let Some(slot) = slots.next() {
            *slot = value;
        }
    }
}

/// The value of at most 1024 bytes, block after block.
fn chunk(bytes: &[u8], counter: u64, root: u32) -> Value {
    let mut value = IV;
    let mut flags = CHUNK_START;
    let mut rest = bytes;
    while let Some((next, after)) = rest.split_first_chunk::<BLOCK_BYTES>() {
        if after.is_empty() {
            block(&mut value, next, 64, counter, flags | CHUNK_END | root);
            return spelled(value);
        }
        block(&mut value, next, 64, counter, flags);
        flags = 0;
        rest = after;
    }
    let mut padded = [0; BLOCK_BYTES];
    for (byte, given) in padded.iter_mut().zip(rest) {
        *byte = *given;
    }
    let length = u32::try_from(rest.len()).unwrap_or_default();
    block(&mut value, &padded, length, counter, flags | CHUNK_END | root);
    spelled(value)
}

fn joined(node: &[u8; BLOCK_BYTES], root: u32) -> Value {
    let mut value = IV;
    block(&mut value, node, 64, 0, PARENT | root);
    spelled(value)
}

fn node(left: &Value, right: &Value) -> [u8; BLOCK_BYTES] {
    let mut node = [0; BLOCK_BYTES];
    let (front, back) = node.split_at_mut(32);
    front.copy_from_slice(left);
    back.copy_from_slice(right);
    node
}

fn spelled(words: [u32; 8]) -> Value {
    let mut value = [0; 32];
    for (bytes, word) in value.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    value
}

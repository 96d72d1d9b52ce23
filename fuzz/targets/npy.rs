//! `.npy` payloads: the elements of an accepted one are at its end, all of them, and a prefix gives the same answer. Parts: type, payload.
#![no_main]

use dreamdb_arrays::item_type::{Codec, ItemType};
use dreamdb_arrays::payload::npy;
use dreamdb_arrays_fuzz::parts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some([document, payload]) = parts(data) else { return };
    let Ok(ItemType::Dense(dense)) = ItemType::from_cbor(document) else { return };
    let total = payload.len() as u64;
    let whole = npy::check(&dense, payload);
    let prefix = payload.get(..npy::PREFIX_BYTES as usize).unwrap_or(payload);
    assert_eq!(npy::values_offset(&dense, prefix, total), whole.clone().map(|parts| parts.values.offset));
    let Ok(parts) = whole else { return };
    assert_eq!(parts.values.length, dense.byte_length());
    assert_eq!(parts.values.offset.checked_add(parts.values.length), Some(total));
    assert_eq!(payload[..6], *b"\x93NUMPY");
    let start = if payload[6] == 1 { 10 } else { 12 };
    let header = std::str::from_utf8(&payload[start..parts.values.offset as usize]).expect("the header is text");
    assert!(header.ends_with('\n') && header.trim().starts_with('{') && header.trim().ends_with('}'));
    for key in ["descr", "fortran_order", "shape"] {
        assert_eq!(header.matches(key).count(), 1);
    }
    // The shortest payload that the declaration allows is accepted with whatever bytes its elements have.
    if dense.codec() == Codec::Npy {
        let mut other = payload.to_vec();
        for byte in other.iter_mut().skip(parts.values.offset as usize) {
            *byte = !*byte;
        }
        assert_eq!(npy::check(&dense, &other), Ok(parts));
    }
});

//! Item types: accepted bytes are the canonical ones of what they declare; the tag that is made of a type binds to it.
#![no_main]

use dreamdb_arrays::cbor::Reader;
use dreamdb_arrays::item_type::ItemType;
use dreamdb_arrays::modality::{Modality, TrackKind, tag};
use dreamdb_arrays::multihash::Address;
use dreamdb_arrays_fuzz::assert_canonical;
use libfuzzer_sys::fuzz_target;

fn fits(extents: &[u64], width: u64) -> Option<u64> {
    let product = extents.iter().try_fold(1_u64, |product, extent| product.checked_mul(*extent));
    product.and_then(|product| product.checked_mul(width))
}

fuzz_target!(|data: &[u8]| {
    let strict = ItemType::from_cbor(data);
    let loose = Reader::new(data).value().ok().and_then(|value| ItemType::from_value(&value).ok());
    let Some(item_type) = loose else {
        assert!(strict.is_err());
        return;
    };
    let bytes = item_type.to_cbor();
    assert_canonical(&bytes);
    assert_eq!(strict.as_ref().ok(), (bytes == data).then_some(&item_type), "only canonical bytes are accepted");
    assert_eq!(ItemType::from_cbor(&bytes).as_ref(), Ok(&item_type));
    assert_eq!(item_type.id(), Address::of(&bytes));
    match &item_type {
        ItemType::Dense(dense) => assert_eq!(fits(dense.shape(), dense.dtype().size()), Some(dense.byte_length())),
        ItemType::Ragged(ty) => assert_eq!(fits(ty.inner_shape(), ty.dtype().size()), Some(ty.cell_bytes())),
        ItemType::Csr(_) => {}
    }
    for kind in [TrackKind::Event, TrackKind::Continuous, TrackKind::Constant] {
        let Ok(tag) = tag(&item_type, kind) else {
            assert!(item_type.projected_shape().len() > 64, "a tag is refused for its length alone");
            continue;
        };
        let modality = Modality::parse(&tag).expect("a tag that is made is one");
        assert_eq!(modality.bind(&item_type), Ok(kind));
        assert_eq!(modality.array_kinds(), Ok((kind, kind.storage())));
    }
});

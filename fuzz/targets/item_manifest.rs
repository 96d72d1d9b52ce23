//! ItemManifests: the sizes of an accepted one add up, and it can be written again. The first eight bytes are the size that the index says.
#![no_main]

use dreamdb_arrays::cbor::Reader;
use dreamdb_arrays::item_manifest::ItemManifest;
use dreamdb_arrays_fuzz::{assert_canonical, encoded};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((size, bytes)) = data.split_first_chunk::<8>() else { return };
    let size = u64::from_le_bytes(*size);
    let Ok(manifest) = ItemManifest::decode(bytes, size) else { return };
    assert_eq!(manifest.sizes.iter().try_fold(0_u64, |sum, size| sum.checked_add(*size)), Some(size));
    assert_eq!(manifest.addresses.len(), 33 * manifest.sizes.len());
    for (at, chunk) in manifest.sizes.iter().enumerate() {
        assert_eq!(manifest.check_chunk(at, *chunk), Ok(()));
        assert!(manifest.check_chunk(at, chunk ^ 1).is_err());
    }
    assert!(manifest.check_chunk(manifest.sizes.len(), 0).is_err());
    let written = manifest.encode().expect("what is read can be written");
    assert_canonical(&written);
    assert_eq!(ItemManifest::decode(&written, size).as_ref(), Ok(&manifest));
    assert!(ItemManifest::decode(&written, size ^ 1).is_err());
    let value = Reader::new(bytes).value().expect("it was read");
    // Unknown keys are ignored; without them there is one encoding.
    if value.as_map().is_some_and(|pairs| pairs.len() == 2) && encoded(&value).len() == written.len() {
        assert_eq!(encoded(&value), written);
    }
});

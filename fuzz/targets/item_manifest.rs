//! ItemManifests: the sizes of an accepted one add up to what the index says. The first eight bytes are the size that the index says.
#![no_main]

use dreamdb_arrays::item_manifest::ItemManifest;
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
    assert!(ItemManifest::decode(bytes, size ^ 1).is_err());
});

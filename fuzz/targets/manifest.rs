//! Manifests: positions in an accepted one are right.
#![no_main]

use dreamdb_arrays::manifest::Manifest;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(manifest) = Manifest::decode(data) else { return };
    for field in &manifest.fields {
        let binding = manifest.active.get(field.binding).expect("a field's binding is there");
        // The plain list names nothing for certain: there a modality serves.
        assert!(binding.field == field.name || manifest.tracks_form == "legacy");
        assert!(binding.coverage[0] < binding.coverage[1]);
    }
});

//! Manifests: positions in an accepted one are right; a version that follows it is canonical, names it as its parent, can be read,
//! and differs from it in what was asked for.
#![no_main]

use dreamdb_arrays::Code;
use dreamdb_arrays::cbor::Reader;
use dreamdb_arrays::manifest::Manifest;
use dreamdb_arrays::manifest::write::{Edit, Placed, edit};
use dreamdb_arrays::multihash::Address;
use dreamdb_arrays_fuzz::{assert_canonical, encoded};
use libfuzzer_sys::fuzz_target;

const WRITTEN: &str = "dreamdb.fuzzed";

fuzz_target!(|data: &[u8]| {
    let decoded = Manifest::decode(data);
    let noted = Edit { timestamp: 7, writer: "fuzz", notes: vec![(WRITTEN, "note")], ..Edit::default() };
    let Ok(manifest) = decoded else {
        // A parent is judged by what its successor has of it: one whose fault is replaced can be followed.
        if let Ok(written) = edit(data, &noted) {
            Manifest::decode(&written.object).expect("what is written can be read");
        }
        return;
    };
    for field in &manifest.fields {
        let binding = manifest.active.get(field.binding).expect("a field's binding is there");
        // The plain list names nothing for certain: there a modality serves.
        assert!(binding.field == field.name || manifest.tracks_form == "legacy");
        assert!(binding.coverage[0] < binding.coverage[1]);
    }
    let canonical = Reader::new(data).value().is_ok_and(|value| encoded(&value) == data);
    follow(data, &manifest, &noted, canonical);
    for field in &manifest.fields {
        let coverage = manifest.active[field.binding].coverage;
        let placed = Placed { track: Address::of(data), coverage };
        let moved = Edit { moved: vec![(field.name, placed)], ..noted.clone() };
        let Some(written) = follow(data, &manifest, &moved, canonical) else { continue };
        let after = Manifest::decode(&written).expect("it was read before");
        let is_moved =
            |name: &str| after.active.iter().any(|binding| binding.field == name && binding.track == placed.track);
        assert!(is_moved(field.name));
        let again = follow(&written, &after, &Edit { forgets_lineage: true, ..noted.clone() }, true);
        assert!(again.is_none_or(|again| again.len() <= written.len()));
    }
});

/// Makes the version that follows, if one can, and holds it against what it follows.
fn follow(parent: &[u8], before: &Manifest<'_>, asked: &Edit<'_>, canonical: bool) -> Option<Vec<u8>> {
    let written = match edit(parent, asked) {
        Ok(written) => written,
        Err(error) => {
            assert!(canonical || error.code() == Code::Cbor, "{error}");
            let refused =
                [Code::Cbor, Code::NotWritable, Code::ManifestFull, Code::InvalidArgument, Code::BindingMissing];
            assert!(refused.contains(&error.code()), "{error}");
            return None;
        }
    };
    assert!(canonical);
    assert_canonical(&written.object);
    assert_eq!(written.address, Address::of(&written.object));
    let after = Manifest::decode(&written.object).expect("what is written can be read");
    assert_eq!((after.timestamp, after.writer), (asked.timestamp, asked.writer));
    assert_eq!(after.parents, [Address::of(parent)]);
    assert_eq!(after.tracks_form, before.tracks_form);
    assert_eq!(after.active.len(), before.active.len());
    assert!(before.timelines.iter().all(|timeline| after.timelines.contains(timeline)));
    assert!(after.notes.contains(&(WRITTEN, "note")));
    let kinds = |manifest: &Manifest<'_>| -> Vec<String> {
        manifest.fields.iter().map(|field| format!("{} {:?} {:?}", field.name, field.required, field.kind)).collect()
    };
    assert_eq!(kinds(&after), kinds(before));
    Some(written.object)
}

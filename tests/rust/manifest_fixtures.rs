//! Every manifest and Track that the reference wrote into the fixtures, against an independent CBOR decoder.

#![cfg(test)]

use ciborium::Value;
use dreamdb_arrays::manifest::{FieldKind, Manifest};
use dreamdb_arrays::modality::{Modality, TrackKind};
use dreamdb_arrays::track::{Advertised, Index};
use dreamdb_arrays::{Address, ItemType};
use std::path::{Path, PathBuf};

/// All files of a folder's folders.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files = files_below(&root);
    files.retain(|path| path.parent().is_some_and(|parent| parent.ends_with(folder)));
    files.sort();
    files
}

/// Every manifest of the fixtures.
pub fn manifests() -> Vec<Vec<u8>> {
    fixtures("manifests").into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Every Track Object with an inline index of Items, and what its place and content say of it. Scalar Tracks have an index of values.
pub fn tracks() -> Vec<(Vec<u8>, String, Address, [u64; 2])> {
    let read = |path: PathBuf| {
        let object = std::fs::read(&path).unwrap();
        let modality = path.iter().rev().nth(2).unwrap().to_str().unwrap().to_owned();
        let timeline = Address::parse(path.iter().rev().nth(3).unwrap().to_str().unwrap()).unwrap();
        let content: Value = ciborium::from_reader(object.as_slice()).unwrap();
        let coverage = get(&content, "coverage").unwrap().as_array().unwrap();
        let coverage = [0, 1].map(|at| u64::try_from(coverage[at].as_integer().unwrap()).unwrap());
        let inline = get(&content, "object_index").unwrap().is_array() && !modality.starts_with("scalar.");
        inline.then_some((object, modality, timeline, coverage))
    };
    fixtures("track").into_iter().filter_map(read).collect()
}

fn get<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_map()?.iter().find(|(key, _)| key.as_text() == Some(name)).map(|(_, value)| value)
}

fn count(value: &Value, path: &[&str]) -> usize {
    path.iter().fold(value, |value, name| get(value, name).unwrap()).as_array().unwrap().len()
}

fn cbor(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

#[test]
fn every_manifest_decodes() {
    let manifests = manifests();
    assert!(manifests.len() >= 83, "only {} manifests were found", manifests.len());
    for object in manifests {
        let content: Value = ciborium::from_reader(object.as_slice()).unwrap();
        let manifest = Manifest::decode(&object).unwrap();
        let active = if manifest.tracks_form == "legacy" { vec!["tracks"] } else { vec!["tracks", "active"] };
        assert_eq!(manifest.active.len(), count(&content, &active));
        assert_eq!(manifest.parents.len(), count(&content, &["parents"]));
        let registry = get(&content, "registry").unwrap();
        assert_eq!(manifest.fields.len(), count(registry, &["dreamdb.schema", "fields"]));
        for field in &manifest.fields {
            if let FieldKind::Array { item_type, track_kind } = &field.kind {
                let binding = &manifest.active[field.binding];
                let stored = get(get(registry, binding.modality).unwrap(), "item_type").unwrap();
                assert_eq!(item_type.to_cbor(), cbor(stored), "{}", field.name);
                assert_eq!(binding.kind, *track_kind, "{}", field.name);
            }
        }
    }
}

#[test]
fn every_registered_type_is_canonical() {
    let mut types = 0;
    for object in manifests() {
        let content: Value = ciborium::from_reader(object.as_slice()).unwrap();
        for (tag, entry) in get(&content, "registry").unwrap().as_map().unwrap() {
            let (tag, Some(document)) = (tag.as_text().unwrap(), get(entry, "item_type")) else { continue };
            let item_type = ItemType::from_cbor(&cbor(document)).unwrap();
            let modality = Modality::parse(tag).unwrap();
            assert_eq!(modality.parameter("item"), Some(item_type.id().to_string().as_str()));
            assert_eq!(modality.bind(&item_type).map(Some), modality.track_kind());
            types += 1;
        }
    }
    assert!(types > 100, "only {types} types were found");
}

/// A number of a paged index.
fn content_of(track: &Value, key: &str) -> u64 {
    let pairs = |value: &Value| value.as_map().cloned().unwrap();
    let find =
        |value: &Value, key: &str| pairs(value).into_iter().find(|(name, _)| name.as_text() == Some(key)).unwrap().1;
    find(&find(track, "object_index"), key).as_integer().unwrap().try_into().unwrap()
}

#[test]
fn every_track_decodes() {
    let tracks = tracks();
    assert!(tracks.len() >= 147, "only {} Tracks were found", tracks.len());
    for (object, modality, timeline, coverage) in tracks {
        let content: Value = ciborium::from_reader(object.as_slice()).unwrap();
        let entries = || count(&content, &["object_index"]);
        let index = Index::decode(&object, &Advertised { modality: &modality, timeline, coverage }).unwrap();
        let (anchors, objects) = match index {
            Index::Event(index) => (index.anchors, index.addresses.len() / 33),
            Index::Continuous(index) => (index.starts, index.addresses.len() / 33),
            Index::Fragments(index) => {
                assert!(index.packs.faults.is_empty(), "{:?}", index.packs.faults);
                (index.starts, index.objects.len())
            }
            // What it holds is compared with what was read back, in the tests of the package.
            Index::Unread => {
                assert!(modality.starts_with("scalar."));
                continue;
            }
            Index::Constant(address) => {
                assert_eq!(address.iter().count(), entries(), "{modality}");
                assert_eq!(Modality::parse(&modality).unwrap().track_kind(), Ok(Some(TrackKind::Constant)));
                continue;
            }
            Index::Paged(paged) => {
                assert_eq!(content_of(&content, "total_items"), paged.items, "{modality}");
                continue;
            }
        };
        assert_eq!((anchors.len(), objects), (entries(), entries()), "{modality}");
        assert!(anchors.is_sorted() && anchors.iter().all(|anchor| (coverage[0]..coverage[1]).contains(anchor)));
    }
}

//! Tags: what is accepted keeps its bytes and has nothing in it that the grammar does not know.
#![no_main]

use dreamdb_arrays::modality::Modality;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(tag) = std::str::from_utf8(data) else { return };
    let Ok(modality) = Modality::parse(tag) else { return };
    assert_eq!(modality.as_str(), tag);
    assert!((3..=256).contains(&tag.len()));
    let segments: Vec<&str> = tag.split('.').collect();
    for segment in &segments {
        assert!(!segment.is_empty());
        let (name, value) = segment.split_once('=').unwrap_or((segment, ""));
        assert!(!name.is_empty());
        assert!(name.bytes().all(|letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'_')));
        assert!(value.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_'));
    }
    let is_class = |at: &usize| segments[*at] == modality.class();
    assert!((0..segments.len()).filter(is_class).any(|at| at == 0 || at >= 3), "first, or behind a namespace");
    assert!(segments.contains(&modality.encoding()));
    assert_eq!(modality.is_array(), modality.class() == "array");
    for segment in &segments {
        if let Some((name, _)) = segment.split_once('=') {
            let first = segments.iter().find_map(|other| other.split_once('=').filter(|(key, _)| *key == name));
            assert_eq!(modality.parameter(name), first.map(|(_, value)| value), "of a repeated parameter, the first");
        }
    }
    if let Ok((kind, _)) = modality.array_kinds() {
        assert_eq!(modality.parameter("kind"), Some(kind.name()));
    }
    if let Ok(Some(kind)) = modality.track_kind() {
        assert!(!modality.is_array() || modality.array_kinds().is_ok_and(|(own, _)| own == kind));
    }
});

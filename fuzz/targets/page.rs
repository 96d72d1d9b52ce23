//! Pages of a Track's index: what an accepted one has lies within its bounds and those above it. Three bytes say the level, the fanout and
//! whether there are bounds; the page follows.
#![no_main]

use dreamdb_arrays::cbor::Reader;
use dreamdb_arrays::track::pages::{Page, Place};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(([level, fanout, bounded], bytes)) = data.split_first_chunk::<3>() else { return };
    let Ok(value) = Reader::new(bytes).value() else { return };
    let text = |key| value.get(key).and_then(|value| value.as_text());
    let uint = |key| value.get(key).and_then(|value| value.as_uint());
    let (Some(modality), Some(start), Some(end)) = (text("modality"), uint("t_min"), uint("t_max")) else { return };
    let bounds = (bounded % 2 == 1).then_some([start, end]);
    let place = Place { modality, level: 1 + u64::from(level % 3), fanout: u64::from(*fanout), bounds };
    let Ok(page) = Page::decode(bytes, &place) else { return };
    assert!(start < end);
    let narrower = Place { bounds: Some([start, end - 1]), ..place };
    assert!(Page::decode(bytes, &narrower).is_err());
    assert!(Page::decode(bytes, &Place { modality: "image.png.other", ..place }).is_err());
    let inside = |anchor: &u64| start <= *anchor && *anchor < end;
    match page {
        Page::Leaf(index) => {
            assert_eq!(place.level, 1);
            assert!(index.starts().is_sorted() && index.starts().iter().all(inside));
        }
        Page::Internal(children) => {
            assert!(place.level > 1);
            let count = children.starts.len();
            assert!(count as u64 <= place.fanout);
            assert_eq!(
                (children.ends.len(), children.items.len(), children.addresses.len()),
                (count, count, 33 * count)
            );
            assert!(children.starts.is_sorted() && children.starts.iter().all(inside));
            assert!(children.starts.iter().zip(&children.ends).all(|(first, last)| first < last && *last <= end));
        }
    }
});

//! Tombstones: a page is what its summary says and nothing else. Parts: a head, a page.
#![no_main]

use dreamdb_arrays::cbor::{Reader, Value};
use dreamdb_arrays::multihash::Address;
use dreamdb_arrays::tombstone::{Head, Page, Summary};
use dreamdb_arrays_fuzz::parts;
use libfuzzer_sys::fuzz_target;

/// What a parent would have to say of a page.
fn summary(bytes: &[u8]) -> Option<Summary> {
    let value = Reader::new(bytes).value().ok()?;
    let level = value.get("level")?.as_uint()?;
    let uint = |value: &Value<'_>, key: &str| value.get(key).and_then(Value::as_uint);
    let (list, low, high) = if level == 0 { ("entries", "anchor", "anchor") } else { ("children", "min", "max") };
    let items = value.get(list)?.as_array()?;
    let (min, max) = (uint(items.first()?, low)?, uint(items.last()?, high)?);
    let counted = |item| if level == 0 { Some(1) } else { uint(item, "count") };
    let count = items.iter().try_fold(0_u64, |sum, item| sum.checked_add(counted(item)?))?;
    Some(Summary { min, max, count, level, page: Address::of(bytes) })
}

fn page(bytes: &[u8]) {
    let Some(summary) = summary(bytes) else { return };
    let Ok(page) = Page::decode(bytes, &summary) else { return };
    match page {
        Page::Leaf(anchors) => {
            assert!(anchors.len() as u64 == summary.count && anchors.len() <= 128);
            assert!(anchors.is_sorted_by(|first, second| first < second));
        }
        Page::Internal(children) => {
            assert!(children.is_sorted_by(|first, second| first.max < second.min));
            assert!(children.iter().all(|child| child.level + 1 == summary.level));
        }
    }
    let Summary { min, max, count, level, .. } = summary;
    for other in [
        Summary { min: min ^ 1, ..summary },
        Summary { max: max ^ 1, ..summary },
        Summary { count: count ^ 1, ..summary },
        Summary { level: level ^ 1, ..summary },
    ] {
        assert!(Page::decode(bytes, &other).is_err());
    }
}

fuzz_target!(|data: &[u8]| {
    let Some([head, pages]) = parts(data) else { return };
    if let Ok(head) = Head::decode(head) {
        assert!(head.anchors.is_sorted() && (head.root.is_none() || head.anchors.is_empty()));
    }
    page(pages);
});

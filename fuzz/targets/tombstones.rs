//! Tombstones: a page is what its summary says and nothing else; after a deletion all of its anchors are there, and all that were.
//! Parts: a byte for what is asked, a head, pages one after another, anchors of eight bytes.
#![no_main]

use dreamdb_arrays::Code;
use dreamdb_arrays::cbor::{Reader, Value};
use dreamdb_arrays::multihash::Address;
use dreamdb_arrays::tombstone::write::{Deletion, Step, delete};
use dreamdb_arrays::tombstone::{Head, Page, Summary};
use dreamdb_arrays_fuzz::{assert_canonical, numbers, parts};
use libfuzzer_sys::fuzz_target;
use std::collections::{BTreeSet, HashMap};

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

/// Anchors below a page, as far as pages are there.
fn below(summary: &Summary, pages: &HashMap<Address, &[u8]>, anchors: &mut BTreeSet<u64>) -> bool {
    let Some(bytes) = pages.get(&summary.page) else { return false };
    match Page::decode(bytes, summary) {
        Ok(Page::Leaf(leaf)) => {
            anchors.extend(leaf);
            true
        }
        Ok(Page::Internal(children)) => children.iter().fold(true, |all, child| below(child, pages, anchors) && all),
        Err(_) => false,
    }
}

fn deletion(head: &[u8], pages: &[u8], anchors: &[u64]) {
    let before = Head::decode(head).ok();
    let timeline = before.as_ref().and_then(|head| head.timeline).unwrap_or_else(|| Address::of(b"timeline"));
    let asked = Deletion { timeline, anchors, reason: Some("why"), now: 5 };
    let head = (!head.is_empty()).then_some(head);
    let Ok(step) = delete(head, pages, &asked) else { return };
    assert!(head.is_none() || before.is_some());
    let mut all = HashMap::new();
    let (mut reader, mut from) = (Reader::new(pages), 0);
    while reader.remaining() > 0 && reader.value().is_ok() {
        let page = &pages[from..reader.position()];
        all.insert(Address::of(page), page);
        from = reader.position();
    }
    match step {
        Step::Needs(needs) => assert!(!needs.is_empty() && needs.iter().all(|page| !all.contains_key(page))),
        Step::Done { head, pages: made } => {
            let mut old = BTreeSet::new();
            if let Some(root) = before.as_ref().and_then(|head| head.root) {
                below(&root, &all, &mut old);
            }
            assert_canonical(&head);
            for page in &made {
                assert_canonical(page);
                assert!(all.insert(Address::of(page), page).is_none() || !old.is_empty());
            }
            let after = Head::decode(&head).expect("what is written can be read");
            assert_eq!(after.timeline, Some(timeline));
            let root = after.root.expect("something is deleted");
            let mut now = BTreeSet::new();
            if below(&root, &all, &mut now) {
                assert_eq!(root.count, now.len() as u64);
            }
            assert!(anchors.iter().all(|anchor| now.contains(anchor)));
            if after.parents == before.map(|head| head.parents).unwrap_or_default() {
                assert!(old.is_subset(&now));
            }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some([ask, head, pages, anchors]) = parts(data) else { return };
    match ask.first() {
        Some(0) => {
            let Ok(head) = Head::decode(head) else { return };
            assert!(head.anchors.is_sorted() && (head.root.is_none() || head.anchors.is_empty()));
        }
        Some(1) => page(pages),
        _ => {
            let anchors = numbers(anchors);
            deletion(head, pages, &anchors);
            let none = Deletion { timeline: Address::of(b"timeline"), anchors: &[], reason: None, now: 0 };
            assert_eq!(delete(None, pages, &none).map_err(|error| error.code()), Err(Code::InvalidArgument));
        }
    }
});

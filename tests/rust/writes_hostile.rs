//! Parents and pages that are damaged: a writer refuses them, or writes what can be read. It never panics.

#![cfg(test)]

use crate::manifest_fixtures::manifests;
use crate::trials::trials;
use dreamdb_arrays::Address;
use dreamdb_arrays::manifest::Manifest;
use dreamdb_arrays::manifest::MediaKind;
use dreamdb_arrays::manifest::write::{Edit, NewField, Placed, edit, media_field};
use dreamdb_arrays::tombstone::Head;
use dreamdb_arrays::tombstone::write::{Deletion, Step, delete};
use proptest::prelude::*;

/// Bytes with some of them changed, and perhaps cut off.
fn damaged(bytes: &[u8], changes: &[(prop::sample::Index, u8)], cut: Option<prop::sample::Index>) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for (at, byte) in changes {
        let at = at.index(damaged.len());
        damaged[at] = *byte;
    }
    if let Some(cut) = cut {
        damaged.truncate(cut.index(bytes.len()));
    }
    damaged
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3)
}

proptest! {
    #![proptest_config(trials(2000))]

    #[test]
    fn parents(which in any::<prop::sample::Index>(), changes in changes(), cut in prop::option::weighted(0.1, any::<prop::sample::Index>())) {
        thread_local!(static ALL: Vec<Vec<u8>> = manifests());
        let parent = ALL.with(|all| damaged(&all[which.index(all.len())], &changes, cut));
        let entry = media_field("a new one", false, MediaKind::Audio, "ogg", None, None).unwrap();
        let fields = NewField::decode_all(&entry).unwrap();
        let placed = Placed { track: Address::of(b"a new Track"), coverage: [1, 2] };
        let named = Manifest::decode(&parent).ok().and_then(|manifest| manifest.fields.first().map(|field| field.name));
        let change = Edit {
            timestamp: 7,
            writer: "w",
            moved: named.map(|name| (name, placed)).into_iter().collect(),
            added: vec![(&fields[0], placed)],
            tombstones: Some(Address::of(b"a head")),
            notes: vec![("dreamdb.x", "y")],
            forgets_lineage: false,
        };
        if let Ok(written) = edit(&parent, &change) {
            let manifest = Manifest::decode(&written.object).unwrap();
            prop_assert_eq!(manifest.parents, [Address::of(&parent)]);
            prop_assert_eq!(manifest.tombstones, change.tombstones);
            prop_assert_eq!(Address::of(&written.object), written.address);
        }
    }

    #[test]
    fn pages(anchors in prop::collection::vec(any::<u64>(), 1..400), changes in changes(), page in any::<prop::sample::Index>()) {
        let timeline = Address::of(b"a timeline");
        let deletion = Deletion { timeline, anchors: &anchors, reason: None, now: 7 };
        let Step::Done { head, mut pages } = delete(None, &[], &deletion).unwrap() else { panic!("no page is needed") };
        let again = |head: &[u8], pages: &[Vec<u8>]| delete(Some(head), &pages.concat(), &deletion);
        // Nothing changes, so neither does any page.
        let Ok(Step::Done { head: same, .. }) = again(&head, &pages) else { panic!("all pages are there") };
        prop_assert_eq!(&same, &head);
        let broken = damaged(&head, &changes, None);
        if let Ok(Step::Done { head, .. }) = again(&broken, &pages) {
            prop_assert!(Head::decode(&head).is_ok());
        }
        // A page that is changed has another address, so that the right one is missing; or where it ends cannot be read.
        let at = page.index(pages.len());
        let changed = damaged(&pages[at], &changes, None);
        let is_same = changed == pages[at];
        pages[at] = changed;
        match again(&head, &pages) {
            Ok(Step::Done { head: made, .. }) => prop_assert!(is_same && made == head),
            Ok(Step::Needs(needs)) => prop_assert!(!is_same && !needs.is_empty()),
            Err(_) => prop_assert!(!is_same),
        }
    }
}

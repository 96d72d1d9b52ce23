//! Track Objects: columns of an accepted one are of one length and in order; one with a new entry can be read and has that entry, the
//! old ones and no other.
#![no_main]

use dreamdb_arrays::cbor::{Reader, Value};
use dreamdb_arrays::modality::Modality;
use dreamdb_arrays::multihash::Address;
use dreamdb_arrays::track::write::{Added, Grown, Step, append};
use dreamdb_arrays::track::{Advertised, Index};
use libfuzzer_sys::fuzz_target;

/// What the Track says of itself.
fn own<'a>(track: &Value<'a>) -> Option<Advertised<'a>> {
    let coverage = track.get("coverage")?.as_array()?;
    let [Value::Uint(start), Value::Uint(end)] = coverage else { return None };
    let timeline = Address::from_bytes(track.get("timeline")?.as_bytes()?).ok()?;
    Some(Advertised { modality: track.get("modality")?.as_text()?, timeline, coverage: [*start, *end] })
}

fn read(grown: &Grown, before: &Advertised<'_>) -> Index {
    let advertised = Advertised { coverage: grown.coverage, ..*before };
    let index = Index::decode(&grown.track, &advertised).expect("what is written can be read");
    if !matches!(index, Index::Paged(_)) {
        assert_eq!(index.starts().len() as u64, grown.items);
    }
    index
}

fn check(index: &Index) {
    let starts = index.starts();
    assert!(starts.is_sorted());
    let (count, addresses) = match index {
        Index::Event(event) => {
            assert!(starts.is_sorted_by(|first, second| first < second));
            (starts.len(), event.addresses.len())
        }
        Index::Continuous(all) => {
            assert_eq!((all.ends.len(), all.buckets.len()), (starts.len(), starts.len()));
            assert!(starts.iter().zip(&all.ends).all(|(start, end)| start < end));
            (starts.len(), all.addresses.len())
        }
        _ => return,
    };
    assert_eq!(addresses, 33 * count);
}

fuzz_target!(|data: &[u8]| {
    let Ok(value) = Reader::new(data).value() else { return };
    let Some(own) = own(&value) else { return };
    let empty = append(data, &[], &Added::default());
    let Ok(index) = Index::decode(data, &own) else {
        assert!(empty.is_err());
        return;
    };
    check(&index);
    let other = Advertised { coverage: [own.coverage[0], own.coverage[1] ^ 1], ..own };
    assert!(Index::decode(data, &other).is_err());

    // Nothing added: the same entries, and from then on the same bytes.
    if let Ok(Step::Done(grown)) = &empty {
        let same = read(grown, &own);
        assert_eq!(same, index);
        let again = append(&grown.track, &[], &Added::default());
        assert_eq!(again, Ok(Step::Done(grown.clone())));
    }
    let Ok(modality) = Modality::parse(own.modality) else { return };
    let media = usize::from(!modality.is_array());
    let anchor = data.last_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    for anchor in [anchor, anchor % 64, index.starts().first().copied().unwrap_or(3)] {
        let item = Address::of(data);
        let added = Added {
            anchors: &[anchor],
            objects: &[item],
            sizes: &[9][..media],
            forms: &[0][..media],
            offsets: &[0][..media],
        };
        let step = append(data, &[], &added);
        let known = index.starts().contains(&anchor);
        match step {
            Ok(Step::Done(grown)) => {
                assert!(media == 1 || !known, "array Items have anchors of their own");
                let after = read(&grown, &own);
                check(&after);
                let mut starts = index.starts().to_vec();
                starts.push(anchor);
                starts.sort_unstable();
                assert_eq!(after.starts(), starts);
                assert!(grown.coverage[0] <= anchor && anchor < grown.coverage[1]);
            }
            Ok(Step::Need(pages)) => assert!(matches!(index, Index::Paged(_)) && !pages.is_empty()),
            Err(_) => assert!(
                empty.is_err() || anchor == u64::MAX || (media == 0 && known) || matches!(index, Index::Paged(_))
            ),
        }
    }
});

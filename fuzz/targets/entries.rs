//! Entries of indexes: what is read can be given as columns and is the same. The first byte
//! says of which class, the rest is an `object_index`.
#![no_main]

use dreamdb_arrays::cbor::Writer;
use dreamdb_arrays::multihash::Address;
use dreamdb_arrays::track::fragments::{Form, FragmentIndex};
use dreamdb_arrays::track::given::Given;
use dreamdb_arrays::track::groups::pack_groups;
use dreamdb_arrays::track::{Advertised, Index};
use libfuzzer_sys::fuzz_target;

const MODALITIES: [&str; 3] = [
    "image.png",
    "array.f32.kind=event.storage=unbucketed.shape=3.item=x",
    "array.f32.kind=continuous.storage=time_batch.shape=3.item=x",
];

fn decode(modality: &str, entries: &[u8]) -> Option<Index> {
    let timeline = Address::of(b"timeline");
    let mut track = Writer::new();
    track.map(4).text("coverage").uints(&[0, 1]).text("modality").text(modality);
    track.text("timeline").bytes(timeline.as_bytes()).text("object_index").encoded(entries);
    let track = track.into_bytes();
    Index::decode(&track, &Advertised { modality, timeline, coverage: [0, 1] }).ok()
}

fn fragments(index: &FragmentIndex) {
    let count = index.starts.len();
    let objects: Vec<&[u8]> = index.addresses.chunks(33).collect();
    assert!(index.objects.iter().all(|object| (*object as usize) < objects.len()));
    assert!(objects.iter().enumerate().all(|(at, one)| !objects[..at].contains(one)), "each object once");
    assert!(index.starts.is_sorted() && index.starts.iter().zip(&index.ends).all(|(start, end)| start < end));
    for (form, offset) in index.forms.iter().zip(&index.offsets) {
        let form = Form::from_number(*form).expect("a form");
        assert!(form == Form::Packed || *offset == 0);
    }
    packs(index, objects.len());
    let run: Vec<u8> = index.objects.iter().flat_map(|object| objects[*object as usize].to_vec()).collect();
    let given = Given {
        starts: &index.starts,
        ends: &index.ends,
        thirds: &index.sizes,
        addresses: &run,
        forms: &index.forms,
        offsets: &index.offsets,
    };
    if count > 0 {
        assert_eq!(given.index(), Ok(Index::Fragments(index.clone())));
    }
    if let Ok(groups) = pack_groups(&index.sizes, 3, None) {
        assert_eq!(groups.iter().map(|group| *group as usize).sum::<usize>(), count);
        assert!(groups.iter().all(|group| (1..=3).contains(group)));
    }
}

/// A pack without faults has each byte in a span, and only then.
fn packs(index: &FragmentIndex, objects: usize) {
    assert_eq!(index.packs.lengths.len(), objects);
    for object in 0..objects as u32 {
        let is_own = |at: &usize| index.objects[*at] == object && index.forms[*at] == Form::Packed as u8;
        let mut spans: Vec<(u128, u128)> = (0..index.starts.len())
            .filter(is_own)
            .map(|at| (u128::from(index.offsets[at]), u128::from(index.offsets[at]) + u128::from(index.sizes[at])))
            .collect();
        let end = spans.iter().map(|span| span.1).max().unwrap_or(0);
        let Ok(length) = u64::try_from(end) else { continue };
        assert_eq!(index.packs.lengths[object as usize], length);
        spans.sort_unstable();
        spans.dedup();
        spans.retain(|span| span.0 < span.1);
        let whole =
            spans.first().is_none_or(|first| first.0 == 0) && spans.windows(2).all(|pair| pair[0].1 == pair[1].0);
        let reached = spans.last().map_or(0, |last| last.1);
        // An empty span beyond all others makes a gap that no byte is missed in; the table may judge it either way.
        if reached == end {
            assert_eq!(index.packs.check(object, length).is_ok(), whole, "{spans:?}");
        }
        assert!(length == 0 || index.packs.check(object, length - 1).is_err());
        assert!(length == u64::MAX || index.packs.check(object, length + 1).is_err());
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((class, entries)) = data.split_first() else { return };
    match decode(MODALITIES[usize::from(*class) % MODALITIES.len()], entries) {
        Some(Index::Fragments(index)) => fragments(&index),
        Some(Index::Event(index)) => {
            assert!(index.anchors.is_sorted_by(|first, second| first < second));
            let given = Given { starts: &index.anchors, addresses: &index.addresses, ..Given::default() };
            assert_eq!(given.index(), Ok(Index::Event(index.clone())));
        }
        Some(Index::Continuous(index)) if !index.starts.is_empty() => {
            let (starts, ends, thirds) = (&*index.starts, &*index.ends, &*index.buckets);
            let given = Given { starts, ends, thirds, addresses: &index.addresses, ..Given::default() };
            assert_eq!(given.index(), Ok(Index::Continuous(index.clone())));
        }
        _ => {}
    }
});

//! Track Objects: columns of an accepted one are of one length and in order, and of another coverage it is none.
#![no_main]

use dreamdb_arrays::cbor::{Reader, Value};
use dreamdb_arrays::multihash::Address;
use dreamdb_arrays::track::{Advertised, Index};
use libfuzzer_sys::fuzz_target;

/// What the Track says of itself.
fn own<'a>(track: &Value<'a>) -> Option<Advertised<'a>> {
    let coverage = track.get("coverage")?.as_array()?;
    let [Value::Uint(start), Value::Uint(end)] = coverage else { return None };
    let timeline = Address::from_bytes(track.get("timeline")?.as_bytes()?).ok()?;
    Some(Advertised { modality: track.get("modality")?.as_text()?, timeline, coverage: [*start, *end] })
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
    let Ok(index) = Index::decode(data, &own) else { return };
    check(&index);
    let other = Advertised { coverage: [own.coverage[0], own.coverage[1] ^ 1], ..own };
    assert!(Index::decode(data, &other).is_err());
});

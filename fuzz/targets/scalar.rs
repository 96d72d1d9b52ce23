//! Scalar columns: pages, descriptors and records. The first byte says which, the second the type of the values.
#![no_main]

use dreamdb_arrays::scalar::entries::Entries;
use dreamdb_arrays::scalar::page::Page;
use dreamdb_arrays::scalar::rows::Rows;
use dreamdb_arrays::scalar::value::Values;
use dreamdb_arrays::scalar::{ValueType, check_descriptor};
use dreamdb_arrays_fuzz::parts;
use libfuzzer_sys::fuzz_target;

const TYPES: [ValueType; 6] =
    [ValueType::Categorical, ValueType::Bool, ValueType::Int, ValueType::Float, ValueType::Text, ValueType::Timestamp];

fn entries(entries: &Entries, value_type: ValueType) {
    let count = entries.values.len();
    for length in
        [entries.starts.len(), entries.ends.len(), entries.objects.len(), entries.offsets.len(), entries.lengths.len()]
    {
        assert_eq!(length, count);
    }
    let objects = entries.addresses.len() / 33;
    assert!(entries.addresses.len() % 33 == 0 && entries.objects.iter().all(|object| (*object as usize) < objects));
    assert!(entries.starts.iter().zip(&entries.ends).all(|(start, end)| start < end));
    if let (ValueType::Float, Values::Words(words)) = (value_type, &entries.values) {
        assert!(words.iter().all(|word| f64::from_bits(*word).is_finite()));
    }
    if let (ValueType::Bool, Values::Words(words)) = (value_type, &entries.values) {
        assert!(words.iter().all(|word| *word < 2));
    }
}

/// Two records, and a window of anchors.
fn rows(data: &[u8]) {
    let Some([first, second]) = parts(data) else { return };
    let bytes = [first, second].concat();
    let lengths = [first.len() as u32, second.len() as u32];
    let Ok(all) = Rows::read(&bytes, &lengths, &[0, 0], &[u64::MAX; 2], [0, u64::MAX]) else { return };
    let alone = |record: &[u8]| {
        Rows::read(record, &[record.len() as u32], &[0], &[u64::MAX], [0, u64::MAX]).expect("a part of the whole")
    };
    let (one, other) = (alone(first).anchors, alone(second).anchors);
    for anchors in [&all.anchors, &one, &other] {
        assert!(anchors.is_sorted_by(|first, second| first < second));
    }
    assert_eq!(all.records.len(), all.anchors.len());
    for (anchor, record) in all.anchors.iter().zip(&all.records) {
        let in_other = other.binary_search(anchor).is_ok();
        assert_eq!(*record, u32::from(in_other), "the last record that has it");
        assert!(in_other || one.binary_search(anchor).is_ok());
    }
    assert!(all.anchors.len() <= one.len() + other.len() && all.anchors.len() >= one.len().max(other.len()));
    let (least, greatest) = (one[0], one[one.len() - 1]);
    let read = |start, end, window| Rows::read(first, &[lengths[0]], &[start], &[end], window);
    assert!(read(least, greatest + 1, [0, u64::MAX]).is_ok());
    assert!(read(least + 1, u64::MAX, [0, u64::MAX]).is_err() && read(0, greatest, [0, u64::MAX]).is_err());
    let half = least + (greatest - least) / 2;
    let part = read(0, u64::MAX, [half, greatest]).expect("a window is no fault");
    assert!(part.anchors.iter().eq(one.iter().filter(|anchor| (half..greatest).contains(anchor))));
}

fuzz_target!(|data: &[u8]| {
    let Some(([ask, value_type], bytes)) = data.split_first_chunk::<2>() else { return };
    let value_type = TYPES[usize::from(*value_type) % TYPES.len()];
    match ask % 4 {
        0 => rows(bytes),
        1 => {
            if check_descriptor(bytes, value_type, "x").is_ok() {
                assert!(check_descriptor(bytes, value_type, "y").is_err());
            }
        }
        level => match Page::decode(bytes, value_type, u64::from(level - 2)) {
            Ok(Page::Leaf(leaf)) => {
                assert!(level == 2 && !leaf.values.is_empty());
                entries(&leaf, value_type);
                assert!(Page::decode(bytes, value_type, 1).is_err());
            }
            Ok(Page::Internal(addresses)) => assert!(level == 3 && !addresses.is_empty() && addresses.len() % 33 == 0),
            Err(_) => {}
        },
    }
});

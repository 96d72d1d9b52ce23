//! CBOR: what is read can be written, what is written is canonical and reads the same; the quick paths agree with the general one.
#![no_main]

use dreamdb_arrays::cbor::{Head, Reader, Value};
use dreamdb_arrays_fuzz::encoded;
use libfuzzer_sys::fuzz_target;

fn has_text_keys(value: &Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().all(has_text_keys),
        Value::Map(pairs) => pairs.iter().all(|(key, value)| key.as_text().is_some() && has_text_keys(value)),
        Value::Tag(_, inner) => has_text_keys(inner),
        _ => true,
    }
}

fn quick_paths(data: &[u8]) {
    let mut slow = Reader::new(data);
    let head = slow.head().ok();
    let mut quick = Reader::new(data);
    let uint = quick.uint();
    match head {
        Some(Head::Uint(value)) => assert_eq!((uint, quick.position()), (Some(value), slow.position())),
        _ => assert_eq!((uint, quick.position()), (None, 0)),
    }
    for major in 0..7 {
        let mut quick = Reader::new(data);
        let Some(argument) = quick.small(major) else { continue };
        let heads = [Head::Uint, Head::Nint, Head::Bytes, Head::Text, Head::Array, Head::Map, Head::Tag]
            .map(|head| head(argument));
        assert_eq!(head, Some(heads[usize::from(major)]));
        assert_eq!(quick.position(), 1);
    }
    let mut quick = Reader::new(data);
    if let Some(chunk) = quick.chunk::<33>() {
        assert_eq!(head, Some(Head::Bytes(33)));
        assert_eq!(slow.body(33).expect("the quick path had them"), chunk);
        assert_eq!(slow.position(), quick.position());
    }
}

fuzz_target!(|data: &[u8]| {
    quick_paths(data);
    let mut reader = Reader::new(data);
    let Ok(value) = reader.value() else {
        assert!(Reader::new(data).with_text_keys().value().is_err());
        return;
    };
    assert_eq!(reader.position() + reader.remaining(), data.len());
    let canonical = encoded(&value);
    // A bignum of five to seven bytes is the one thing that is shorter than its canonical form.
    let bignums = data.contains(&0xc2) || data.windows(2).any(|pair| matches!(pair, [0xd8..=0xdb, _]));
    assert!(bignums || canonical.len() <= reader.position(), "nothing is shorter than the canonical form");
    let again = Reader::new(&canonical).value().expect("what is written can be read");
    assert_eq!(encoded(&again), canonical);

    let strict = Reader::new(data).with_text_keys().value();
    assert_eq!(strict.is_ok(), has_text_keys(&value));
    assert!(strict.is_err() || strict == Ok(value));
});

//! Registries: what is resolved is what the tag says; agreement goes both ways. Parts: tag, a registry, another one.
#![no_main]

use dreamdb_arrays::Code;
use dreamdb_arrays::cbor::Reader;
use dreamdb_arrays::modality::Modality;
use dreamdb_arrays::registry::Registry;
use dreamdb_arrays_fuzz::parts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some([tag, first, second]) = parts(data) else { return };
    let read = |bytes| Reader::new(bytes).with_text_keys().value();
    let Ok(first) = read(first) else { return };
    let Some(pairs) = first.as_map() else { return };
    let Ok(registry) = Registry::new(pairs) else { return };

    if let Some(modality) = std::str::from_utf8(tag).ok().and_then(|tag| Modality::parse(tag).ok())
        && let Ok((item_type, kind)) = registry.resolve(&modality)
    {
        assert!(modality.is_array());
        assert_eq!(modality.bind(&item_type), Ok(kind));
        assert_eq!(modality.encoding(), item_type.dtype().name());
        assert_eq!(modality.parameter("item"), Some(&*item_type.id().to_string()));
        assert_eq!(modality.parameter("shape"), Some(&*item_type.projected_shape()));
    }

    let Ok(second) = read(second) else { return };
    let Some(Ok(other)) = second.as_map().map(Registry::new) else { return };
    let (forth, back) = (registry.agree(&other), other.agree(&registry));
    assert_eq!(forth.is_ok(), back.is_ok());
    if let (Err(forth), Err(back)) = (forth, back) {
        assert_eq!((forth.code(), back.code()), (Code::RegistryConflict, Code::RegistryConflict));
        assert_eq!(forth.subject(), back.subject());
    }
});

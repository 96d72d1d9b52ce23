//! Tags of other classes over ragged and CSR documents. Found by asking the reference for random ones; what it says of each class was asked of it
//! one by one, with and without parameters.

use dreamdb_arrays::Code;
use dreamdb_arrays::dtype::{DType, Endianness};
use dreamdb_arrays::item_type::{CsrType, ItemType, RaggedType, Semantics};
use dreamdb_arrays::modality::{Modality, TrackKind, tag};

fn types() -> [ItemType; 2] {
    let ragged = RaggedType::new(DType::I16, vec![2, 3], Endianness::Little, Semantics::default()).unwrap();
    let csr = CsrType::new(DType::F64, 4, 5, Endianness::Little, Semantics::default());
    [ItemType::Ragged(ragged), ItemType::Csr(csr)]
}

fn refusal(item_type: &ItemType, tag: &str) -> Code {
    Modality::parse(tag).unwrap().bind(item_type).unwrap_err().code()
}

#[test]
fn the_class_decides_how_a_tag_of_another_class_is_refused() {
    for item_type in types() {
        let own = tag(&item_type, TrackKind::Continuous).unwrap();
        let behind_class = own.strip_prefix("array.").unwrap();
        for class in ["image", "audio", "video", "scalar", "embedding"] {
            for rest in ["plain", behind_class, &own] {
                assert_eq!(refusal(&item_type, &format!("{class}.{rest}")), Code::InvalidKindStorage, "{class}.{rest}");
            }
        }
        for class in
            ["title", "author", "license", "source", "description", "sensor", "transcript", "annotation", "scene"]
        {
            for rest in ["plain", behind_class] {
                assert_eq!(refusal(&item_type, &format!("{class}.{rest}")), Code::ProjectionMismatch, "{class}.{rest}");
            }
        }
        assert_eq!(refusal(&item_type, &own.replace("array.", "array.foo.")), Code::ProjectionMismatch);
        assert_eq!(
            refusal(&item_type, &own.replace("storage=time_batch", "storage=unbucketed")),
            Code::InvalidKindStorage
        );
    }
}

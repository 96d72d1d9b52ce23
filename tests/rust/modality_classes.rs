//! Tags of other classes over ragged and CSR documents. Found by asking the reference for random ones; what it says of each class was asked of it
//! one by one, with and without parameters.

use dreamdb_arrays::Code;
use dreamdb_arrays::dtype::{DType, Endianness};
use dreamdb_arrays::item_type::{CsrType, ItemType, RaggedType, Semantics};
use dreamdb_arrays::modality::{Modality, TrackKind, tag};

#[test]
fn the_class_decides_how_a_tag_of_another_class_is_refused() {
    let ragged = RaggedType::new(DType::I16, vec![2, 3], Endianness::Little, Semantics::default()).unwrap();
    let csr = CsrType::new(DType::F64, 4, 5, Endianness::Little, Semantics::default());
    for item_type in [ItemType::Ragged(ragged), ItemType::Csr(csr)] {
        let refusal = |tag: &str| Modality::parse(tag).unwrap().bind(&item_type).unwrap_err().code();
        let own = tag(&item_type, TrackKind::Continuous).unwrap();
        let behind_class = own.strip_prefix("array.").unwrap();
        for class in ["image", "audio", "video", "scalar", "embedding"] {
            for rest in ["plain", behind_class, &own] {
                assert_eq!(refusal(&format!("{class}.{rest}")), Code::InvalidKindStorage, "{class}.{rest}");
            }
        }
        for class in
            ["title", "author", "license", "source", "description", "sensor", "transcript", "annotation", "scene"]
        {
            for rest in ["plain", behind_class] {
                assert_eq!(refusal(&format!("{class}.{rest}")), Code::ProjectionMismatch, "{class}.{rest}");
            }
        }
        assert_eq!(refusal(&own.replace("array.", "array.foo.")), Code::ProjectionMismatch);
        assert_eq!(refusal(&own.replace("storage=time_batch", "storage=unbucketed")), Code::InvalidKindStorage);
    }
}

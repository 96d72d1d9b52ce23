//! Declarations of scalar columns as the reference makes them: schema entry, tag, and the object that describes the index.

#![cfg(test)]

use dreamdb_arrays::manifest::write::{NewField, scalar_field};
use dreamdb_arrays::{Address, Code};

/// Type, name, encoding of the tag, and the address that the reference gave the descriptor.
const OBSERVED: [[&str; 4]; 6] = [
    ["bool", "boo", "bool", "dz7thkhzlntizo52fdmu5ktbriy5hvvx6xgqc7on4h6tjql5hans6"],
    ["categorical", "cat", "cat", "dzzrw5sxs47eysx26wgugjiwmdtmwwnuwaxxnnrmost6cov6kqqny"],
    ["float", "flo", "f64", "dzl6toltpohf7i3snryqn6p6hrnjerthg6poderiquier6pwhsru6"],
    ["int", "int", "i64", "dzdgbu7t743pn36dqlgaadpzx5gdrk2w7bs7bs3n7p65p7ka6hil4"],
    ["string", "str", "str", "dyvip4iuqf7uiispzj3lo4joeksufdx2l57jzoednem5qjwmib4ms"],
    ["timestamp", "tim", "ts", "d27vcrkdt6xhxvcnmcitvbvmeqw7h3vwm57jx6w7erhj3p2tk62y6"],
];

#[test]
fn of_every_type_are_the_references() {
    for [value_type, name, encoding, address] in OBSERVED {
        let entry = scalar_field(name, false, value_type).unwrap();
        let spelled = [b"\xa4dkindfscalardnamec".as_slice(), name.as_bytes(), b"hrequired\xf4jvalue_type"].concat();
        assert_eq!(entry.strip_prefix(spelled.as_slice()).and_then(|rest| rest.get(1..)), Some(value_type.as_bytes()));
        let fields = NewField::decode_all(&entry).unwrap();
        let [field] = fields.as_slice() else { panic!("one field") };
        assert_eq!(field.modality(), format!("scalar.{encoding}.field={name}"));
        let object = field.descriptor().unwrap();
        assert_eq!(Address::of(object).to_string(), address);
    }
}

#[test]
fn of_other_names_and_types_are_refused() {
    for name in ["A", "a.b", "a/b", "é", "a b", "a-b", "a=b"] {
        assert_eq!(scalar_field(name, true, "int").unwrap_err().code(), Code::InvalidSegment, "{name}");
    }
    for name in ["", "_", "9", "a_9"] {
        assert!(NewField::decode_all(&scalar_field(name, true, "int").unwrap()).is_ok(), "{name}");
    }
    let long = scalar_field(&"x".repeat(240), true, "int").unwrap();
    assert_eq!(NewField::decode_all(&long).unwrap_err().code(), Code::ModalityTooLong);
    let unknown = scalar_field("a", true, "i64").unwrap();
    assert_eq!(NewField::decode_all(&unknown).unwrap_err().code(), Code::InvalidArgument);
}

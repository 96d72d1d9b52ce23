//! Names of properties, which stand beside the module and not in it: it has their numbers, and the build gives this list to the glue.

/// All of them.
const NAMES: [&str; 94] = [
    "actual",
    "address",
    "addresses",
    "anchors",
    "array",
    "axisOrder",
    "binding",
    "bindings",
    "buckets",
    "bytes",
    "cells",
    "children",
    "chunkSize",
    "class",
    "codec",
    "codecVersion",
    "columnIndices",
    "columns",
    "count",
    "dtype",
    "encoding",
    "end",
    "endianness",
    "ends",
    "error",
    "expected",
    "family",
    "fanout",
    "field",
    "fields",
    "form",
    "forms",
    "frame",
    "height",
    "indexDtype",
    "innerShape",
    "itemId",
    "items",
    "kind",
    "layerOf",
    "layout",
    "length",
    "level",
    "max",
    "mime",
    "min",
    "modality",
    "name",
    "nnz",
    "nodeEnds",
    "nodes",
    "notes",
    "object",
    "objectKind",
    "objects",
    "offset",
    "offsets",
    "packFaults",
    "packItems",
    "packLengths",
    "page",
    "pages",
    "parents",
    "proofEnds",
    "proofStarts",
    "required",
    "root",
    "rowOffsets",
    "rows",
    "scalarIndex",
    "semanticType",
    "shape",
    "size",
    "sizes",
    "slices",
    "start",
    "starts",
    "storage",
    "subject",
    "timeline",
    "timelines",
    "timestamp",
    "tombstones",
    "track",
    "trackKind",
    "tracksForm",
    "type",
    "typeCbor",
    "units",
    "valueType",
    "values",
    "version",
    "whole",
    "writer",
];

/// The number of a property's name.
macro_rules! name {
    ($name:literal) => {
        const { $crate::wasm::names::number($name) }
    };
}
pub(super) use name;

/// Where a name stands in the list; one that does not is an error when it is compiled.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::panic)] // While compiling.
pub(super) const fn number(name: &str) -> u32 {
    let mut at = 0;
    while at < NAMES.len() {
        if is_same(NAMES[at].as_bytes(), name.as_bytes()) {
            #[allow(clippy::cast_possible_truncation)] // There are few.
            return at as u32;
        }
        at += 1;
    }
    panic!("no such name in NAMES")
}

const fn is_same(mut first: &[u8], mut second: &[u8]) -> bool {
    while let ([a, others @ ..], [b, rest @ ..]) = (first, second) {
        if *a != *b {
            return false;
        }
        (first, second) = (others, rest);
    }
    first.is_empty() && second.is_empty()
}

//! `.npy` headers: what both the reference and NumPy read, and nothing else.

#![cfg(test)]
// Sizes are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

use crate::payload_naive::semantics;
use crate::trials::trials;
use dreamdb_arrays::dtype::{DType, Endianness};
use dreamdb_arrays::error::{Code, Result};
use dreamdb_arrays::item_type::{Codec, DenseType, Layout};
use dreamdb_arrays::payload::npy::{self, LONGEST_HEADER, PREFIX_BYTES};
use proptest::prelude::*;
use proptest::sample::select;

const PLAIN: &str = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";

fn dense(dtype: DType, shape: &[u64], endianness: Endianness, layout: Layout) -> DenseType {
    DenseType::new(dtype, shape.to_vec(), endianness, layout, Codec::Npy, semantics()).unwrap()
}

fn f32s(shape: &[u64]) -> DenseType {
    dense(DType::F32, shape, Endianness::Little, Layout::C)
}

/// A file of that version with that header, to which a newline is added, and a body of zeros.
fn file(version: u8, header: &[u8], body: u64) -> Vec<u8> {
    let length = header.len() as u32 + 1;
    let length = &length.to_le_bytes()[..if version == 1 { 2 } else { 4 }];
    [b"\x93NUMPY", &[version, 0][..], length, header, b"\n", &vec![0; body as usize]].concat()
}

/// What is made of a header over three f32.
fn read(header: impl AsRef<[u8]>) -> Result<u64> {
    npy::values_offset(&f32s(&[3]), &file(1, header.as_ref(), 12), 11 + header.as_ref().len() as u64 + 12)
}

fn code(outcome: Result<u64>) -> Option<Code> {
    outcome.err().map(|error| error.code())
}

#[test]
fn spellings_of_one_header() {
    let spellings = [
        PLAIN,
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'shape':(3,),'fortran_order':False,'descr':'<f4'}",
        r#"{"descr": "<f4", "fortran_order": False, "shape": (3,)}"#,
        r#"{'descr': "<f4", "fortran_order": False, 'shape': (3,)}"#,
        "{ 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 3 , ) , }",
        "{'descr':\n'<f4',\r\n'fortran_order':\tFalse,\x0c'shape':\r(\n3\n,\n)\n}\n\n  \n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (+3,)}",
        " \t {'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "  \n \r\n\n{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "\n \x0c{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
    ];
    for spelling in spellings {
        assert_eq!(read(spelling), Ok(11 + spelling.len() as u64), "{spelling:?}");
    }
}

#[test]
fn headers_that_only_the_reference_reads() {
    let refused = [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (03,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (,3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)},",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,),,}",
        "{,'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}",
        "{'descr' '<f4': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4'x, 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': Falsey, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)*1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'extra': 1}",
        "{b'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}}",
        "\n {'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "\x0c {'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "\x0b{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "\u{a0}{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}\0",
        "{'descr':\u{2003}'<f4', 'fortran_order': False, 'shape': (3,)}",
    ];
    for header in refused {
        let error = read(header).unwrap_err();
        assert_eq!(error.code(), Code::InvalidNpyHeader, "{header:?}");
        assert!(error.message().contains("NumPy would not read"), "{header:?}: {error}");
    }
}

#[test]
fn headers_that_the_two_may_read_differently() {
    // A key that only the search finds, in a comment or a string; one that only Python finds; one given twice.
    let refused = [
        "{'descr' # : '<f4'\n: '<f8', 'fortran_order': False, 'shape': (3,)}",
        "{'x' \"'descr': '<f4'\": 1, 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'des' 'cr': '<f8', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', '\\x64escr': '<f8', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4' '', 'fortran_order': False, 'shape': (3,)}",
        "{u'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'''descr''': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} # no more",
        "{'descr': '<f4', \\\n'fortran_order': False, 'shape': (3,)}",
    ];
    for header in refused {
        assert_eq!(code(read(header)), Some(Code::InvalidNpyHeader), "{header:?}");
    }
}

#[test]
fn faults_in_the_order_of_the_reference() {
    let descr_and_length = file(1, PLAIN.as_bytes(), 11);
    let cases = [
        ("[]", Code::InvalidNpyHeader, None),
        ("{'descr': '<f4', \"descr\": '<f4', 'shape': (3,)}", Code::InvalidNpyHeader, Some("descr")),
        ("{'descr': '<f4', 'descr': '<f4', 'shape': (3,)}", Code::InvalidNpyHeader, Some("descr")),
        ("{'descr': '<f8', 'shape': (4,)}", Code::InvalidNpyHeader, Some("fortran_order")),
        ("{'descr': '<f8', 'fortran_order': 0, 'shape': 3}", Code::InvalidNpyHeader, Some("fortran_order")),
        ("{'descr': '<f8', 'fortran_order': True, 'shape': 3}", Code::InvalidNpyHeader, Some("shape")),
        ("{'descr': '<f8', 'fortran_order': True, 'shape': (3L,)}", Code::InvalidNpyHeader, Some("shape")),
        ("{'descr': '<f8', 'fortran_order': True, 'shape': (4,)}", Code::CodecHeaderMismatch, Some("dtype/endianness")),
        ("{'descr': '<f4', 'fortran_order': True, 'shape': (4,)}", Code::CodecHeaderMismatch, Some("shape")),
        ("{'descr': '<f4', 'fortran_order': True, 'shape': (3,)}", Code::CodecHeaderMismatch, Some("layout")),
    ];
    for (header, code, subject) in cases {
        let error = read(header).unwrap_err();
        assert_eq!((error.code(), error.subject()), (code, subject), "{header}: {error}");
    }
    let error = npy::check(&f32s(&[3]), &descr_and_length).unwrap_err();
    assert_eq!((error.code(), error.expected(), error.actual()), (Code::PayloadLength, Some("12"), Some("11")));
    let whole = file(1, PLAIN.as_bytes(), 12);
    let without_newline = [&whole[..10 + PLAIN.len()], b" ", &whole[11 + PLAIN.len()..]].concat();
    assert_eq!(npy::check(&f32s(&[3]), &without_newline).unwrap_err().code(), Code::InvalidNpyHeader);
    // What NumPy alone would refuse comes last.
    let extra = file(1, b"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'extra': 1}", 13);
    assert_eq!(npy::check(&f32s(&[3]), &extra).unwrap_err().code(), Code::PayloadLength);
}

#[test]
fn a_mismatch_repeats_little_of_a_long_header() {
    let header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': (3,)}}", "é".repeat(3000));
    let error = read(header).unwrap_err();
    assert_eq!(error.code(), Code::CodecHeaderMismatch);
    assert!(error.message().len() < 300 && error.actual().unwrap().chars().count() == 65);
}

#[test]
fn every_version_and_length() {
    let ty = f32s(&[3]);
    for (version, start) in [(1, 10), (2, 12), (3, 12)] {
        let longest = LONGEST_HEADER as usize;
        for length in [PLAIN.len() + 1, PLAIN.len() + 2, 255, 256, 257, longest - 1, longest, longest + 1, 65535] {
            let header = format!("{PLAIN:<0$}", length - 1);
            let payload = file(version, header.as_bytes(), 12);
            let found = npy::values_offset(&ty, &payload, payload.len() as u64);
            if length > longest {
                let error = found.unwrap_err();
                assert_eq!(error.code(), Code::InvalidNpyHeader, "{version}: {length}");
                assert_eq!(error.actual(), Some(length.to_string().as_str()));
                continue;
            }
            assert_eq!(found, Ok(start + length as u64), "{version}: {length}");
            let front = &payload[..payload.len().min(PREFIX_BYTES as usize)];
            assert_eq!(npy::values_offset(&ty, front, payload.len() as u64), found, "{version}: {length}");
        }
    }
}

#[test]
fn a_front_is_enough_and_less_is_not() {
    let ty = f32s(&[1 << 40]);
    let front = file(1, b"{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}", 0);
    let total = front.len() as u64 + (4 << 40);
    assert_eq!(npy::values_offset(&ty, &front, total), Ok(front.len() as u64));
    assert_eq!(code(npy::values_offset(&ty, &front, total - 1)), Some(Code::PayloadLength));
    for held in 0..front.len() {
        assert_eq!(code(npy::values_offset(&ty, &front[..held], total)), Some(Code::InvalidArgument), "{held}");
        assert_eq!(code(npy::values_offset(&ty, &front, held as u64)), Some(Code::InvalidNpyHeader), "{held}");
    }
}

#[test]
fn a_hostile_length_costs_nothing() {
    for length in [u32::MAX, 0xffff_fff0, 1 << 31, 10_001] {
        let front = [b"\x93NUMPY\x02\x00", &length.to_le_bytes()[..]].concat();
        for total in [12, 1 << 20, u64::from(u32::MAX), u64::MAX] {
            let found = npy::values_offset(&f32s(&[3]), &front, total);
            assert_eq!(code(found), Some(Code::InvalidNpyHeader), "{length} in {total}");
        }
    }
}

#[test]
fn integers_as_python_has_them() {
    let scalar = |digits: &str| {
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({digits},)}}");
        let payload = file(1, header.as_bytes(), 0);
        code(npy::values_offset(&f32s(&[0]), &payload, payload.len() as u64))
    };
    for digits in ["0", "00", "+0", "+000"] {
        assert_eq!(scalar(digits), None, "{digits}");
    }
    // Python converts no more than 4300 digits.
    assert_eq!(scalar(&"0".repeat(4300)), None);
    assert_eq!(scalar(&"0".repeat(4301)), Some(Code::InvalidNpyHeader));
    for digits in ["0_0", "0x0", "0.", "-0", "+", "++0", "٠"] {
        assert_eq!(scalar(digits), Some(Code::InvalidNpyHeader), "{digits}");
    }
}

#[test]
fn elements_of_one_byte_have_no_order() {
    for (dtype, descr) in [(DType::U8, "|u1"), (DType::I8, "|i1")] {
        for endianness in [Endianness::Little, Endianness::Big] {
            let ty = dense(dtype, &[2], endianness, Layout::C);
            let check = |descr: &str| {
                let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2,)}}");
                npy::check(&ty, &file(1, header.as_bytes(), 2)).map(|parts| parts.values.length)
            };
            assert_eq!(check(descr), Ok(2));
            for other in [descr.replace('|', "<"), descr.replace('|', ">"), descr.replace('|', "")] {
                assert_eq!(check(&other).unwrap_err().code(), Code::CodecHeaderMismatch, "{other}");
            }
        }
    }
}

/// A header as NumPy itself writes it, with its version and padding.
fn numpy_file(ty: &DenseType) -> Vec<u8> {
    let kind = ty.dtype().name().chars().next().unwrap();
    let order = match (ty.dtype().size(), ty.endianness()) {
        (1, _) => '|',
        (_, Endianness::Little) => '<',
        (_, Endianness::Big) => '>',
    };
    let order_word = if ty.layout() == Layout::F { "True" } else { "False" };
    let extents: Vec<String> = ty.shape().iter().map(u64::to_string).collect();
    let comma = if extents.len() == 1 { "," } else { "" };
    let shape = format!("({}{comma})", extents.join(", "));
    let descr = format!("{order}{kind}{}", ty.dtype().size());
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order_word}, 'shape': {shape}, }}");
    let padded = (header.len() + 11).next_multiple_of(64) - 11;
    file(1, format!("{header:<padded$}").as_bytes(), ty.byte_length())
}

proptest! {
    #![proptest_config(trials(1000))]

    #[test]
    fn what_numpy_writes_is_read(
        dtype in select(&DType::ALL[..]),
        shape in prop::collection::vec(0..4_u64, 0..6),
        big in any::<bool>(),
        fortran in any::<bool>(),
    ) {
        let endianness = if big { Endianness::Big } else { Endianness::Little };
        let ty = dense(dtype, &shape, endianness, if fortran { Layout::F } else { Layout::C });
        let payload = numpy_file(&ty);
        let values = npy::check(&ty, &payload).unwrap().values;
        prop_assert_eq!((values.offset % 64, values.length), (0, ty.byte_length()));
    }

    #[test]
    fn any_header_is_read_or_refused(
        pieces in prop::collection::vec(
            select(&["{", "}", "(", ")", ",", ":", "'descr'", "'shape'", "'fortran_order'", "'<f4'", "False", "3", "+",
                " ", "\n", "\x0c", "'", "\"", "\\", "é", "(3,)", "\u{2003}"][..]),
            0..24,
        ),
        cut in 0..64_usize,
    ) {
        let header = pieces.concat();
        let _ = read(&header);
        let mut spliced = PLAIN.to_owned();
        spliced.insert_str(cut.min(PLAIN.len()), &header);
        let _ = read(&spliced);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64), total in any::<u64>()) {
        let front = [&b"\x93NUMPY\x01\x00"[..], &bytes].concat();
        let _ = npy::values_offset(&f32s(&[3]), &front, total);
        let _ = npy::check(&f32s(&[3]), &front);
        let _ = npy::check(&f32s(&[3]), &bytes);
    }
}

//! Addresses against data-encoding's base32.

#![cfg(test)]

use data_encoding::{BASE32_NOPAD, Encoding, Specification};
use dreamdb_arrays::{Address, Code};
use proptest::prelude::*;

/// RFC 4648 in lower case, without padding, with zero pad bits only.
fn base32() -> Encoding {
    let mut specification: Specification = BASE32_NOPAD.specification();
    specification.symbols = specification.symbols.to_lowercase();
    specification.encoding().unwrap()
}

/// Our refusal of a text that must be refused.
fn refused(text: &str) -> bool {
    Address::parse(text).is_err_and(|error| error.code() == Code::Multihash)
}

proptest! {
    #[test]
    fn spelled_as_data_encoding_does(digest: [u8; 32]) {
        let address = Address::from_digest(&digest);
        let text = base32().encode(address.as_bytes());
        prop_assert_eq!(address.to_string(), text.as_str());
        prop_assert_eq!(Address::parse(&text), Ok(address));
        prop_assert_eq!(Address::from_bytes(address.as_bytes()), Ok(address));
    }

    #[test]
    fn read_as_data_encoding_does(text in "[a-z2-7]{53}") {
        let other = base32().decode(text.as_bytes()).ok().filter(|raw| raw.first() == Some(&0x1e));
        let ours = Address::parse(&text).ok().map(|address| address.as_bytes().to_vec());
        prop_assert_eq!(ours, other);
    }

    #[test]
    fn one_letter_changed(digest: [u8; 32], at in 0_usize..53, letter: char) {
        let address = Address::from_digest(&digest);
        let text = address.to_string();
        let changed: String = text.chars().enumerate().map(|(position, old)| if position == at { letter } else { old }).collect();
        match Address::parse(&changed) {
            Ok(other) => prop_assert_eq!(&other.to_string(), &changed),
            Err(error) => prop_assert_eq!(error.code(), Code::Multihash),
        }
        prop_assert!(changed == text || Address::parse(&changed) != Ok(address));
    }
}

#[test]
fn refusals() {
    let address = Address::of(b"");
    let text = address.to_string();
    assert!(refused(""));
    assert!(refused(&text[..52]));
    assert!(refused(&format!("{text}a")));
    assert!(refused(&text.to_uppercase()));
    assert!(refused(&format!("{}=", &text[..52])));
    assert!(refused(&format!("{}é", &text[..51])), "53 bytes of text, not of base32");
    assert!(refused(&format!("a{}", &text[1..])), "another algorithm");
    // The last letter has one pad bit, so every other letter of the alphabet is none.
    let last = |letter: char| format!("{}{letter}", &text[..52]);
    let legal = ('a'..='z').chain('2'..='7').filter(|letter| !refused(&last(*letter))).count();
    assert_eq!(legal, 16);
    for length in [0, 32, 34] {
        let error = Address::from_bytes(&vec![0x1e; length]).unwrap_err();
        assert_eq!((error.code(), error.expected()), (Code::Multihash, Some("33")));
    }
    assert_eq!(Address::from_bytes(&[0x12; 33]).unwrap_err().actual(), Some("0x12"));
}

#[test]
fn verification() {
    let address = Address::of(b"some bytes");
    assert_eq!(address.verify(b"some bytes"), Ok(()));
    let error = address.verify(b"some byteS").unwrap_err();
    assert_eq!(error.code(), Code::HashMismatch);
    let (expected, actual) = (address.to_string(), Address::of(b"some byteS").to_string());
    assert_eq!((error.expected(), error.actual()), (Some(expected.as_str()), Some(actual.as_str())));
    assert_eq!(address.as_bytes()[1..], *blake3::hash(b"some bytes").as_bytes());
}

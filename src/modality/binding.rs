//! The binding of a tag to an item type: projection, identity and legal pair (0025 §3.2, §4, §11).

use super::kinds::illegal_pair;
use super::{ARRAY, MAX_TAG_BYTES, Modality, TrackKind, refuse, too_long};
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::multihash::Address;
use crate::sentence::say;
use alloc::string::String;

/// Parameters of a dense tag, in their only order (0025 §4).
const PARAMETERS: [&str; 4] = ["kind", "storage", "shape", "item"];

/// Classes whose Tracks are stored in another way than the three of arrays.
const ELSEWHERE: [&str; 5] = ["image", "audio", "video", "scalar", "embedding"];

impl Modality<'_> {
    /// Checks that this tag names `item_type` and resolves its Track kind (0025 §3.2, §4.1, §4.2).
    ///
    /// # Errors
    /// For a dense type, in this order: [`Code::InvalidModality`] (another class), [`Code::InvalidParameters`],
    /// [`Code::ProjectionMismatch`], [`Code::Multihash`], [`Code::IdentityMismatch`], [`Code::InvalidKindStorage`].
    /// For a ragged or CSR type: [`Code::InvalidKindStorage`], then [`Code::ProjectionMismatch`] for any difference
    /// from the one canonical tag.
    pub fn bind(&self, item_type: &ItemType) -> Result<TrackKind> {
        match item_type {
            ItemType::Dense(_) => self.bind_dense(item_type),
            ItemType::Ragged(_) | ItemType::Csr(_) => self.bind_structured(item_type),
        }
    }

    fn bind_dense(&self, item_type: &ItemType) -> Result<TrackKind> {
        if !self.is_array() {
            return Err(refuse(Code::InvalidModality, self.tag, say!("is not of class `array`")));
        }
        let mut values = [""; PARAMETERS.len()];
        let mut segments = self.rest();
        for (slot, key) in values.iter_mut().zip(PARAMETERS) {
            let parameter = segments.next().and_then(|segment| segment.split_once('='));
            *slot = parameter
                .filter(|(name, _)| *name == key)
                .map(|(_, value)| value)
                .ok_or_else(|| self.not_the_four())?;
        }
        if segments.next().is_some() {
            return Err(self.not_the_four());
        }
        let [_, _, shape, item] = values;
        require_projection("dtype", item_type.dtype().name(), self.encoding())?;
        require_projection("shape", &item_type.projected_shape(), shape)?;
        let named = Address::parse(item).map_err(|error| error.within(say!("parameter `item`")).about("item"))?;
        let declared = item_type.id();
        if named != declared {
            let message = say!("the tag names the item type {}, but the registered document is {}", named, declared);
            return Err(Error::new(Code::IdentityMismatch, message).about("item").bounds(declared, named));
        }
        self.legal_pair()
    }

    fn bind_structured(&self, item_type: &ItemType) -> Result<TrackKind> {
        if ELSEWHERE.contains(&self.class) {
            return Err(illegal_pair());
        }
        // The pair of any other class is legal by itself, whatever its parameters say, and its tag is never an array's.
        let kind = if self.is_array() { self.legal_pair()? } else { self.track_kind()?.unwrap_or(TrackKind::Event) };
        let canonical = canonical_tag(item_type, kind);
        if self.tag == canonical {
            return Ok(kind);
        }
        let message = say!("the tag is not the one canonical tag of the registered item type");
        Err(Error::new(Code::ProjectionMismatch, message).bounds(canonical, self.tag))
    }

    fn legal_pair(&self) -> Result<TrackKind> {
        let pair = self.array_kinds().ok().filter(|(kind, storage)| kind.storage() == *storage);
        pair.map(|(kind, _)| kind).ok_or_else(illegal_pair)
    }

    fn not_the_four(&self) -> Error {
        refuse(
            Code::InvalidParameters,
            self.tag,
            say!("must have kind, storage, shape and item, once each and in this order"),
        )
    }
}

/// The tag of `item_type` on a Track of that kind (0025 §4).
///
/// # Errors
/// [`Code::InvalidModality`] if it would be longer than 256 bytes.
pub fn tag(item_type: &ItemType, kind: TrackKind) -> Result<String> {
    let tag = canonical_tag(item_type, kind);
    if tag.len() > MAX_TAG_BYTES { Err(too_long(Code::InvalidModality, tag.len())) } else { Ok(tag) }
}

fn canonical_tag(item_type: &ItemType, kind: TrackKind) -> String {
    [
        ARRAY,
        ".",
        item_type.dtype().name(),
        ".kind=",
        kind.name(),
        ".storage=",
        kind.storage().tag_name(),
        ".shape=",
        &item_type.projected_shape(),
        ".item=",
        &item_type.id().text(),
    ]
    .concat()
}

fn require_projection(what: &str, expected: &str, actual: &str) -> Result<()> {
    if expected == actual {
        return Ok(());
    }
    let message = say!("the tag says {} `{}`, the registered item type `{}`", what, actual, expected);
    Err(Error::new(Code::ProjectionMismatch, message).about(what).bounds(expected, actual))
}

//! The registry of a manifest: from a modality tag to the item type that is registered under it (0025 §3.2).
//!
//! A tag's own projection, its full identity and the registered document form one check; none of them is accepted
//! alone. The reference writes a key twice when two fields share a modality, so equal entries under one key are one
//! entry, and differing ones are refused.

use crate::cbor::Value;
use crate::cbor::value::first_repeated_key;
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::modality::{Modality, TrackKind};

/// Key of an entry under which the document stands.
const ITEM_TYPE: &str = "item_type";

/// The pairs of a manifest's `registry` map, in wire order.
#[derive(Clone, Copy, Debug)]
pub struct Registry<'r, 'a> {
    pairs: &'r [(Value<'a>, Value<'a>)],
}

impl<'r, 'a> Registry<'r, 'a> {
    /// The registry with those pairs.
    ///
    /// # Errors
    /// [`Code::RegistryItemTypeDuplicate`] or [`Code::RegistryAgreement`] if an entry repeats `item_type` or another
    /// key.
    pub fn new(pairs: &'r [(Value<'a>, Value<'a>)]) -> Result<Self> {
        for (key, entry) in pairs {
            let Some(repeated) = entry.as_map().and_then(first_repeated_key) else { continue };
            let code = if repeated == ITEM_TYPE { Code::RegistryItemTypeDuplicate } else { Code::RegistryAgreement };
            let tag = key.as_text().unwrap_or_default();
            return Err(
                Error::new(code, format_args!("registry entry `{tag}` repeats the key `{repeated}`")).about(repeated)
            );
        }
        Ok(Self { pairs })
    }

    /// The value under `key`, if any; the first one of a repeated key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'r Value<'a>> {
        self.entries(key).next()
    }

    /// The item type registered under `modality` and the Track kind that the tag names: the combined check of
    /// 0025 §3.2.
    ///
    /// # Errors
    /// In this order: [`Code::RegistryEntryMissing`], [`Code::RegistryEntryAmbiguous`],
    /// [`Code::RegistryEntryNotMap`], [`Code::RegistryItemTypeMissing`], those of
    /// [`ItemType::from_value`], those of [`Modality::bind`].
    pub fn resolve(&self, modality: &Modality<'_>) -> Result<(ItemType, TrackKind)> {
        let item_type = self.item_type(modality.as_str())?;
        let kind = modality.bind(&item_type)?;
        Ok((item_type, kind))
    }

    fn item_type(&self, tag: &str) -> Result<ItemType> {
        let refuse =
            |code, what: &str| Error::new(code, format_args!("registry entry of modality `{tag}` {what}")).about(tag);
        let entry = self.get(tag).ok_or_else(|| refuse(Code::RegistryEntryMissing, "is missing"))?;
        if self.entries(tag).any(|other| other != entry) {
            return Err(refuse(Code::RegistryEntryAmbiguous, "stands there in differing versions"));
        }
        if entry.as_map().is_none() {
            return Err(refuse(Code::RegistryEntryNotMap, "is not a map"));
        }
        let document =
            entry.get(ITEM_TYPE).ok_or_else(|| refuse(Code::RegistryItemTypeMissing, "has no `item_type`"))?;
        ItemType::from_value(document)
    }

    fn entries(&self, tag: &str) -> impl Iterator<Item = &'r Value<'a>> {
        self.pairs.iter().filter(move |(key, _)| key.as_text() == Some(tag)).map(|(_, entry)| entry)
    }
}

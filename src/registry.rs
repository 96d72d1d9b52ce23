//! The registry of a manifest: from a modality tag to the item type that is registered under it (0025 §3.2).
//!
//! A tag's own projection, its full identity and the registered document form one check; none of them is accepted
//! alone. The reference writes a key twice when two fields share a modality, so equal entries under one key are one
//! entry, and differing ones are refused.

use crate::cbor::Value;
use crate::cbor::value::first_repeated_key;
use crate::error::{Code, Error, Result, brief};
use crate::item_type::ItemType;
use crate::modality::{Modality, TrackKind};
use crate::order::ascending;
use crate::sentence::{Said, decimal, say};
use crate::shape::joined;
use alloc::{borrow::ToOwned, string::String, vec::Vec};

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
                Error::new(code, say!("registry entry `{}` repeats the key `{}`", tag, repeated)).about(repeated)
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

    /// Refuses two registries that declare one array modality differently, as is to be asked before a merge (0025 §5).
    ///
    /// Compared are the `item_type` documents under the keys that both have, whether a field is bound to them or not,
    /// as decoded values: equal ones are one, and keys in another order differ. Nothing else of an entry or of a
    /// registry is. Costs O(n log n).
    ///
    /// # Errors
    /// [`Code::RegistryConflict`] about the first such modality, in the order of their bytes.
    pub fn agree(&self, other: &Registry<'_, '_>) -> Result<()> {
        let ours = self.pairs.len();
        let pair = |at: usize| self.pairs.get(at).or_else(|| other.pairs.get(at.saturating_sub(ours)));
        let key = |at: usize| pair(at).and_then(|(key, _)| key.as_text());
        let order = ascending(ours.saturating_add(other.pairs.len()), &|first, second| key(first).cmp(&key(second)));
        for entries in order.chunk_by(|first, second| key(*first as usize) == key(*second as usize)) {
            let (Some(first), Some(last)) = (entries.first(), entries.last()) else { continue };
            // Equal keys keep their order, so a key of both begins here and ends there.
            let shared = (*first as usize) < ours && (*last as usize) >= ours;
            let (true, Some(tag)) = (shared, key(*first as usize)) else { continue };
            let document = |at: &u32| pair(*at as usize).and_then(|(_, entry)| entry.get(ITEM_TYPE));
            for at in entries {
                if document(at) != document(first) {
                    let message = say!("the manifests register modality `{}` with different declarations", tag);
                    let (expected, actual) = difference(document(first), document(at));
                    return Err(Error::new(Code::RegistryConflict, message).about(tag).bounds(expected, actual));
                }
            }
        }
        Ok(())
    }

    fn item_type(&self, tag: &str) -> Result<ItemType> {
        let refuse =
            |code, what: Said| Error::new(code, say!("registry entry of modality `{}` {}", tag, what)).about(tag);
        let entry = self.get(tag).ok_or_else(|| refuse(Code::RegistryEntryMissing, say!("is missing")))?;
        if self.entries(tag).any(|other| other != entry) {
            return Err(refuse(Code::RegistryEntryAmbiguous, say!("stands there in differing versions")));
        }
        if entry.as_map().is_none() {
            return Err(refuse(Code::RegistryEntryNotMap, say!("is not a map")));
        }
        let document =
            entry.get(ITEM_TYPE).ok_or_else(|| refuse(Code::RegistryItemTypeMissing, say!("has no `item_type`")))?;
        ItemType::from_value(document)
    }

    fn entries(&self, tag: &str) -> impl Iterator<Item = &'r Value<'a>> {
        self.pairs.iter().filter(move |(key, _)| key.as_text() == Some(tag)).map(|(_, entry)| entry)
    }
}

/// What differs between two declarations that are not equal: the first key that does, with its value on either side.
fn difference(first: Option<&Value<'_>>, second: Option<&Value<'_>>) -> (String, String) {
    let both = (first.and_then(Value::as_map), second.and_then(Value::as_map));
    let (Some(first_pairs), Some(second_pairs)) = both else {
        return (shown(ITEM_TYPE, first), shown(ITEM_TYPE, second));
    };
    for pairs in [first_pairs, second_pairs] {
        for (key, _) in pairs {
            let key = key.as_text().unwrap_or_default();
            let (one, other) = (first.and_then(|first| first.get(key)), second.and_then(|second| second.get(key)));
            if one != other {
                return (shown(key, one), shown(key, other));
            }
        }
    }
    ("one order of keys".to_owned(), "another order of keys, or repeated ones".to_owned())
}

/// A key with its value, as far as a line holds it.
fn shown(key: &str, value: Option<&Value<'_>>) -> String {
    let value = match value {
        None => "absent".to_owned(),
        Some(Value::Text(text)) => ["`", &brief(text), "`"].concat(),
        Some(Value::Uint(number)) => decimal(*number),
        Some(Value::Array(items)) => extents(items),
        Some(Value::Map(_)) => "a map".to_owned(),
        Some(_) => "of another type".to_owned(),
    };
    [&brief(key), ": ", &value].concat()
}

fn extents(items: &[Value<'_>]) -> String {
    let mut extents = Vec::new();
    for item in items.iter().take(32) {
        let Value::Uint(extent) = item else { return "a list of other things than extents".to_owned() };
        extents.push(*extent);
    }
    ["[", &joined(&extents, ", "), "]"].concat()
}

//! Maps with known keys, read key by key. A refusal names the place, and the key it is about.

use super::value::{Pairs, Value, first_repeated_key};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::sentence::{Said, say};
use alloc::vec::Vec;

/// A map that repeats no key, and what it is called.
#[derive(Clone, Copy)]
pub(crate) struct Record<'v, 'a> {
    code: Code,
    place: &'v str,
    pairs: Pairs<'v, 'a>,
}

impl<'v, 'a> Record<'v, 'a> {
    /// The map that `value` is; refusals have the given code, and their sentences begin with `place`.
    pub(crate) fn open(code: Code, place: &'v str, value: &'v Value<'a>) -> Result<Self> {
        let Some(pairs) = value.as_map() else { return Err(Error::new(code, say!("{} is not a map", place))) };
        let record = Self { code, place, pairs };
        match first_repeated_key(pairs) {
            Some(key) => Err(record.refuse(key, say!("repeats the key `{}`", key))),
            None => Ok(record),
        }
    }

    /// The same map by another name.
    pub(crate) const fn called<'p>(self, code: Code, place: &'p str) -> Record<'p, 'a>
    where
        'v: 'p,
    {
        Record { code, place, pairs: self.pairs }
    }

    /// Refuses the map unless it has each of `keys` and no other.
    pub(crate) fn close(&self, keys: &[&str]) -> Result<()> {
        for (key, _) in self.pairs {
            let key = key.as_text().unwrap_or_default();
            if !keys.contains(&key) {
                return Err(self.refuse(key, say!("has the unknown key `{}`", key)));
            }
        }
        for key in keys {
            self.get(key)?;
        }
        Ok(())
    }

    /// The value under `key`, if there is one.
    pub(crate) fn find(&self, key: &str) -> Option<&'v Value<'a>> {
        self.pairs.iter().find(|(name, _)| name.as_text() == Some(key)).map(|(_, value)| value)
    }

    pub(crate) fn get(&self, key: &str) -> Result<&'v Value<'a>> {
        self.find(key).ok_or_else(|| self.refuse(key, say!("lacks the key `{}`", key)))
    }

    pub(crate) fn uint(&self, key: &str) -> Result<u64> {
        self.get(key)?.as_uint().ok_or_else(|| self.wrong(key, "an unsigned integer"))
    }

    pub(crate) fn text(&self, key: &str) -> Result<&'a str> {
        self.get(key)?.as_text().ok_or_else(|| self.wrong(key, "text"))
    }

    pub(crate) fn map(&self, key: &str) -> Result<Pairs<'v, 'a>> {
        self.get(key)?.as_map().ok_or_else(|| self.wrong(key, "a map"))
    }

    pub(crate) fn list(&self, key: &str) -> Result<&'v [Value<'a>]> {
        self.get(key)?.as_array().ok_or_else(|| self.wrong(key, "an array"))
    }

    pub(crate) fn address(&self, key: &str) -> Result<Address> {
        self.address_of(key, self.get(key)?)
    }

    pub(crate) fn addresses(&self, key: &str) -> Result<Vec<Address>> {
        let mut addresses = Vec::new();
        for item in self.list(key)? {
            addresses.push(self.address_of(key, item)?);
        }
        Ok(addresses)
    }

    /// The half-open extent `[start, end)`, which must not be empty.
    pub(crate) fn extent(&self, key: &str) -> Result<[u64; 2]> {
        match self.list(key)? {
            [Value::Uint(start), Value::Uint(end)] if start < end => Ok([*start, *end]),
            _ => Err(self.wrong(key, "two integers, the first less than the second")),
        }
    }

    /// A refusal that is about `key`.
    pub(crate) fn refuse(&self, key: &str, what: Said) -> Error {
        Error::new(self.code, say!("{} {}", self.place, what)).about(key)
    }

    /// A refusal of a value that is not what it should be.
    pub(crate) fn wrong(&self, key: &str, wanted: &str) -> Error {
        self.refuse(key, say!("has a `{}` that is not {}", key, wanted))
    }

    fn address_of(&self, key: &str, value: &Value<'_>) -> Result<Address> {
        let bytes = value.as_bytes().unwrap_or_default();
        Address::from_bytes(bytes).map_err(|_| self.wrong(key, "an address"))
    }
}

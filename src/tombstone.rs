//! Tombstones: which anchors of a dataset are deleted.
//!
//! The registry names a head: an index over a tree of pages, or one of the older plain lists. The deleted anchors
//! are those of the tree and of all parents, recursively; a head that speaks of another timeline has no effect.
//! Walking from object to object is the caller's.

use crate::cbor::{Reader, Value};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;

/// Most bytes of a page.
const MOST_PAGE_BYTES: usize = 65_536;

/// Most entries of a leaf.
const MOST_LEAF_ENTRIES: usize = 128;

/// What a parent says of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Least deleted anchor below the page.
    pub min: u64,
    /// Greatest deleted anchor below the page.
    pub max: u64,
    /// Deleted anchors below the page.
    pub count: u64,
    /// Levels below the page; 0 for a leaf.
    pub level: u64,
    /// Address of the page.
    pub page: Address,
}

/// A head of tombstones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Timeline of the anchors; `None` where an old list does not say.
    pub timeline: Option<Address>,
    /// Further heads whose anchors are deleted too.
    pub parents: Vec<Address>,
    /// Anchors of a plain list, ascending; empty for an index.
    pub anchors: Vec<u64>,
    /// Root page of an index, if it has one.
    pub root: Option<Summary>,
}

/// A page of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// Deleted anchors, strictly ascending.
    Leaf(Vec<u64>),
    /// Pages below, in ascending order of their anchors.
    Internal(Vec<Summary>),
}

impl Head {
    /// Decodes a head.
    ///
    /// # Errors
    /// [`Code::Cbor`]; [`Code::Tombstones`] for another kind or form.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let root = Reader::new(bytes).with_text_keys().value()?;
        let timeline = root.get("timeline").map(address).transpose()?;
        let parents = items(&root, "parents")?.iter().map(address).collect::<Result<_>>()?;
        match text(&root, "kind")? {
            "dreamdb.tombstone-index.v1" => {
                let summary = match root.get("root") {
                    Some(Value::Null) => None,
                    Some(summary) => Some(Summary::decode(summary)?),
                    None => return Err(lacks("root")),
                };
                let timeline = Some(timeline.ok_or_else(|| lacks("timeline"))?);
                Ok(Self { timeline, parents, anchors: Vec::new(), root: summary })
            }
            kind @ ("dreamdb.tombstone-list.v1" | "dreamdb.tombstone-list.v2") => {
                if kind.ends_with('2') && timeline.is_none() {
                    return Err(lacks("timeline"));
                }
                let anchors = anchors(items(&root, "anchors")?)?;
                if anchors.is_sorted() {
                    return Ok(Self { timeline, parents, anchors, root: None });
                }
                Err(refuse("the anchors of a list of tombstones are not in ascending order"))
            }
            other => Err(refuse(format_args!("tombstones of kind `{other}` are not known to this version"))),
        }
    }
}

impl Page {
    /// Decodes a page and checks that it is what its parent says.
    ///
    /// # Errors
    /// [`Code::Cbor`]; [`Code::Tombstones`] for another kind, form or content than the summary says.
    pub fn decode(bytes: &[u8], summary: &Summary) -> Result<Self> {
        if bytes.len() > MOST_PAGE_BYTES {
            return Err(refuse(format_args!(
                "a page of tombstones has {} bytes, more than {MOST_PAGE_BYTES}",
                bytes.len()
            )));
        }
        let root = Reader::new(bytes).with_text_keys().value()?;
        if text(&root, "kind")? != "dreamdb.tombstone-page.v1" {
            return Err(refuse("a page of tombstones is of a kind that this version does not know"));
        }
        let level = uint(&root, "level")?;
        let (page, min, max, count) = if level == 0 {
            let anchors = anchors(items(&root, "entries")?)?;
            if anchors.len() > MOST_LEAF_ENTRIES || !anchors.is_sorted_by(|first, second| first < second) {
                return Err(refuse("a page of tombstones is not 1 to 128 strictly ascending anchors"));
            }
            let count = anchors.len() as u64;
            let (min, max) = (anchors.first().copied(), anchors.last().copied());
            (Self::Leaf(anchors), min, max, Some(count))
        } else {
            let children = items(&root, "children")?.iter().map(Summary::decode).collect::<Result<Vec<_>>>()?;
            if !children.is_sorted_by(|first, second| first.max < second.min) {
                return Err(refuse("the children of a page of tombstones overlap"));
            }
            if children.iter().any(|child| child.level.checked_add(1) != Some(level)) {
                return Err(refuse("a page of tombstones has a child of another level than the one below it"));
            }
            let count = children.iter().try_fold(0_u64, |sum, child| sum.checked_add(child.count));
            let (min, max) = (children.first().map(|child| child.min), children.last().map(|child| child.max));
            (Self::Internal(children), min, max, count)
        };
        let expected = (Some(summary.min), Some(summary.max), Some(summary.count), summary.level);
        if (min, max, count, level) == expected {
            Ok(page)
        } else {
            Err(refuse("a page of tombstones is not what its parent says"))
        }
    }
}

impl Summary {
    fn decode(value: &Value<'_>) -> Result<Self> {
        Ok(Self {
            min: uint(value, "min")?,
            max: uint(value, "max")?,
            count: uint(value, "count")?,
            level: uint(value, "level")?,
            page: address(value.get("hash").ok_or_else(|| lacks("hash"))?)?,
        })
    }
}

fn anchors(entries: &[Value<'_>]) -> Result<Vec<u64>> {
    entries.iter().map(|entry| uint(entry, "anchor")).collect()
}

fn items<'v, 'a>(value: &'v Value<'a>, key: &str) -> Result<&'v [Value<'a>]> {
    value.get(key).and_then(Value::as_array).ok_or_else(|| lacks(key))
}

fn text<'a>(value: &Value<'a>, key: &str) -> Result<&'a str> {
    value.get(key).and_then(Value::as_text).ok_or_else(|| lacks(key))
}

fn uint(value: &Value<'_>, key: &str) -> Result<u64> {
    value.get(key).and_then(Value::as_uint).ok_or_else(|| lacks(key))
}

fn address(value: &Value<'_>) -> Result<Address> {
    Address::from_bytes(
        value.as_bytes().ok_or_else(|| refuse("tombstones name an object by something else than an address"))?,
    )
}

fn lacks(key: &str) -> Error {
    refuse(format_args!("tombstones lack a `{key}` of the right type")).about(key)
}

fn refuse(message: impl std::fmt::Display) -> Error {
    Error::new(Code::Tombstones, message)
}

//! Tombstones: which anchors of a dataset are deleted.
//!
//! The registry names a head: an index over a tree of pages, or one of the older plain lists. The deleted anchors
//! are those of the tree and of all parents, recursively; a head that speaks of another timeline has no effect.
//! Walking from object to object is the caller's.

use crate::cbor::{Reader, Record, Value};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::sentence::{Said, say};
use alloc::vec::Vec;

/// Kind of an index.
const INDEX: &str = "dreamdb.tombstone-index.v1";

/// Kind of a page.
const PAGE: &str = "dreamdb.tombstone-page.v1";

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
        let root = Record::open(Code::Tombstones, "the head of tombstones", &root)?;
        let timeline = root.find("timeline").map(|_| root.address("timeline")).transpose()?;
        let parents = root.addresses("parents")?;
        match root.text("kind")? {
            INDEX => {
                let summary = match root.get("root")? {
                    Value::Null => None,
                    summary => Some(Summary::decode(summary)?),
                };
                let timeline = Some(root.address("timeline")?);
                Ok(Self { timeline, parents, anchors: Vec::new(), root: summary })
            }
            kind @ ("dreamdb.tombstone-list.v1" | "dreamdb.tombstone-list.v2") => {
                if kind.ends_with('2') {
                    root.get("timeline")?;
                }
                let anchors = anchors(root.list("anchors")?)?;
                if anchors.is_sorted() {
                    return Ok(Self { timeline, parents, anchors, root: None });
                }
                Err(refuse(say!("the anchors of a list of tombstones are not in ascending order")))
            }
            other => Err(refuse(say!("tombstones of kind `{}` are not known to this version", other))),
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
            return Err(refuse(say!("a page of tombstones has {} bytes, more than {}", bytes.len(), MOST_PAGE_BYTES)));
        }
        let root = Reader::new(bytes).with_text_keys().value()?;
        let root = Record::open(Code::Tombstones, "a page of tombstones", &root)?;
        if root.text("kind")? != PAGE {
            return Err(refuse(say!("a page of tombstones is of a kind that this version does not know")));
        }
        let level = root.uint("level")?;
        let (page, min, max, count) = if level == 0 {
            let anchors = anchors(root.list("entries")?)?;
            if anchors.len() > MOST_LEAF_ENTRIES || !anchors.is_sorted_by(|first, second| first < second) {
                return Err(refuse(say!("a page of tombstones is not 1 to 128 strictly ascending anchors")));
            }
            let count = anchors.len() as u64;
            let (min, max) = (anchors.first().copied(), anchors.last().copied());
            (Self::Leaf(anchors), min, max, Some(count))
        } else {
            let mut children = Vec::new();
            for child in root.list("children")? {
                children.push(Summary::decode(child)?);
            }
            if !children.is_sorted_by(|first, second| first.max < second.min) {
                return Err(refuse(say!("the children of a page of tombstones overlap")));
            }
            if children.iter().any(|child| child.level.checked_add(1) != Some(level)) {
                return Err(refuse(say!("a page of tombstones has a child of another level than the one below it")));
            }
            let count = children.iter().try_fold(0_u64, |sum, child| sum.checked_add(child.count));
            let (min, max) = (children.first().map(|child| child.min), children.last().map(|child| child.max));
            (Self::Internal(children), min, max, count)
        };
        let expected = (Some(summary.min), Some(summary.max), Some(summary.count), summary.level);
        if (min, max, count, level) == expected {
            Ok(page)
        } else {
            Err(refuse(say!("a page of tombstones is not what its parent says")))
        }
    }
}

impl Summary {
    fn decode(value: &Value<'_>) -> Result<Self> {
        let summary = Record::open(Code::Tombstones, "the summary of a page of tombstones", value)?;
        Ok(Self {
            min: summary.uint("min")?,
            max: summary.uint("max")?,
            count: summary.uint("count")?,
            level: summary.uint("level")?,
            page: summary.address("hash")?,
        })
    }
}

fn anchors(entries: &[Value<'_>]) -> Result<Vec<u64>> {
    let mut anchors = Vec::with_capacity(entries.len());
    for entry in entries {
        anchors.push(Record::open(Code::Tombstones, "an entry of tombstones", entry)?.uint("anchor")?);
    }
    Ok(anchors)
}

fn refuse(message: Said) -> Error {
    Error::new(Code::Tombstones, message)
}

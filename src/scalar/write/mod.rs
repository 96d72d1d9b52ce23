//! Scalar columns as a writer emits them: new rows become records in one pack, with an entry for each of their values.
//!
//! What is written is what the reference would write of the same rows. Entries of categories and truth values come to
//! stand in the Track, those of other types in a tree of pages ([`tree`]), of which only the pages on the way are read.
//!
//! Fields, manifests, and storing what was made do not belong here.

mod tree;

use super::{Root, ValueType, bitmap, value};
use crate::cbor::{Reader, Writer};
use crate::error::{Code, Error, Result};
use crate::modality::Modality;
use crate::multihash::Address;
use crate::order::{ascending, pick};
use crate::track::Index;
use crate::track::write::{Grown, Step, extent_of, front, open};
use tree::{Pages, Row, arranged};

/// The object that describes the index of a field with such values.
#[must_use]
pub fn descriptor(value_type: ValueType, field: &str) -> Vec<u8> {
    let mut out = Writer::new();
    out.map(4).text("metric").text(value_type.metric()).text("params");
    if value_type.is_inline() {
        out.map(2).text("version").uint(1).text("cardinality_limit").uint(65_536);
    } else {
        out.map(3).text("version").uint(1).text("leaf_fanout").uint(4096).text("internal_fanout").uint(256);
    }
    out.text("algorithm").text(value_type.algorithm()).text("field_name").text(field);
    out.into_bytes()
}

/// Adds rows to the Track of a scalar column; `stored` are those pages of its index that were read so far, as for
/// [`append`](crate::track::write::append).
///
/// Each row has an anchor and a value: UTF-8 of texts, a byte of truth values, else 8 bytes of an integer or a float,
/// little-endian. What the column has at these anchors already is not looked at: of two values the greater one is read.
///
/// # Errors
/// Those of [`Index::decode`] and [`Page::decode`](super::page::Page::decode); [`Code::UnsupportedIndex`] for a Track of another class;
/// [`Code::InvalidArgument`] for malformed values, floats that are not finite, texts that are too long for a key of the
/// index, columns of different lengths or without rows, and the anchor 2^64 − 1; [`Code::RepeatedAnchor`] for two new rows at
/// one anchor.
pub fn append(track: &[u8], stored: &[&[u8]], anchors: &[u64], values: &[&[u8]]) -> Result<Step> {
    let (own, _) = open(track)?;
    let value_type = ValueType::of_modality(&Modality::parse(own.modality)?)?;
    let Index::Scalars(root) = Index::decode(track, &own)? else {
        let message = format_args!("a Track of modality `{}` has no scalar values", own.modality);
        return Err(Error::new(Code::UnsupportedIndex, message).about(own.modality));
    };
    let [mut start, mut end] = extent_of(anchors)?;
    let (pack, rows) = packed(value_type, anchors, values)?;
    let is_empty = matches!(&root, Root::Entries(entries) if entries.starts.is_empty());
    if !is_empty {
        (start, end) = (start.min(own.coverage[0]), end.max(own.coverage[1]));
    }
    let coverage = [start, end];
    let mut out = front(coverage, own.modality, &own.timeline);
    let mut pages = Vec::new();
    if value_type.is_inline() {
        let track = Reader::new(track).value()?;
        let mut all = Row::read_all(track.get("object_index"), value_type, 0)?;
        all.extend(rows);
        out.array(all.len());
        for row in arranged(all, &|first, second| first.low.cmp(&second.low)) {
            out.encoded(&row.entry);
        }
    } else {
        let mut tree = Pages::new(value_type, stored);
        let grown = tree.grow(if let Root::Tree(old) = root { Some(old) } else { None }, rows)?;
        if !tree.needed.is_empty() {
            return Ok(Step::Need(tree.needed));
        }
        out.map(5).text("form").text("scalar-btree-v1").text("root").bytes(grown.root.as_bytes());
        out.text("page_count").uint(grown.pages).text("tree_height").uint(grown.height);
        out.text("total_entries").uint(grown.entries);
        pages = tree.made;
    }
    Ok(Step::Done(Grown { track: out.into_bytes(), pages, coverage, items: 0, pack }))
}

/// A pack with the records of these rows, ascending by the encodings of their values, and the entries of these.
fn packed(value_type: ValueType, anchors: &[u64], values: &[&[u8]]) -> Result<(Vec<u8>, Vec<Row>)> {
    if anchors.len() != values.len() {
        return Err(Error::new(Code::InvalidArgument, "each row has an anchor and a value"));
    }
    let mut encoded = Vec::with_capacity(values.len());
    for value in values {
        encoded.push(value::encode(value_type, value)?);
    }
    let value = |at: u32| encoded.get(at as usize).map(Vec::as_slice).unwrap_or_default();
    let row = |at: usize| (encoded.get(at), anchors.get(at));
    let order = ascending(values.len(), &|first, second| row(first).cmp(&row(second)));
    let (mut pack, mut records) = (Vec::new(), Vec::new());
    for group in order.chunk_by(|first, second| value(*first) == value(*second)) {
        let offset = pack.len();
        let own = pick(anchors, group);
        bitmap::write(&mut pack, &own);
        records.push((value(group.first().copied().unwrap_or_default()), extent_of(&own)?, offset, pack.len()));
    }
    let object = Address::of(&pack);
    let mut rows = Vec::with_capacity(records.len());
    for (value, [start, end], from, to) in records {
        let mut out = Writer::new();
        out.array(6).bytes(value).uint(start).uint(end).bytes(object.as_bytes());
        out.uint(from as u64).uint(to.saturating_sub(from) as u64);
        rows.push(Row::leaf(value_type, value, start, out.into_bytes())?);
    }
    Ok((pack, rows))
}

//! Lineage: which binding replaced which, checked as a whole.

use super::closed::{address, closed_map, required, text};
use super::tracks::{Binding, Key, strictly_increasing};
use crate::cbor::Value;
use crate::error::{Code, Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// A binding and the one that it replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge<'a> {
    child: Key<'a>,
    parent: Key<'a>,
}

impl<'a> Edge<'a> {
    pub(super) fn decode(place: &str, value: &Value<'a>) -> Result<Self> {
        let pairs = closed_map(place, value, &["child", "exact_parent"])?;
        let end = |key: &str| -> Result<Key<'a>> {
            let end = closed_map(place, required(place, pairs, key)?, &["field", "address", "modality", "timeline"])?;
            Ok((
                address(place, required(place, end, "timeline")?)?,
                text(place, required(place, end, "field")?)?,
                text(place, required(place, end, "modality")?)?,
                address(place, required(place, end, "address")?)?,
            ))
        };
        Ok(Self { child: end("child")?, parent: end("exact_parent")? })
    }
}

/// Checks order, collisions, structure and closure of lineage. Costs O((bindings + edges) log bindings).
pub(super) fn check(active: &[Binding<'_>], lineage: &[Binding<'_>], edges: &[Edge<'_>]) -> Result<()> {
    strictly_increasing("lineage edges", edges.iter())?;
    let current: BTreeSet<Key<'_>> = active.iter().map(Binding::key).collect();
    let past: BTreeSet<Key<'_>> = lineage.iter().map(Binding::key).collect();
    if let Some(key) = past.intersection(&current).next() {
        return Err(refuse(Code::BindingSetCollision, key, "is both active and lineage"));
    }
    let mut parents: BTreeMap<Key<'_>, Key<'_>> = BTreeMap::new();
    for Edge { child, parent } in edges {
        let known = |key| current.contains(key) || past.contains(key);
        if child == parent || !known(child) || !known(parent) {
            return Err(refuse(Code::EdgeStructure, child, "has an edge to itself or to a binding that is not there"));
        }
        if parents.insert(*child, *parent).is_some() {
            return Err(refuse(Code::EdgeStructure, child, "has two edges"));
        }
    }
    // Each binding has at most one parent, so following parents from all active ones visits each edge once.
    let mut reached: BTreeSet<Key<'_>> = BTreeSet::new();
    for start in &current {
        let mut walked: BTreeSet<Key<'_>> = BTreeSet::new();
        let mut at = *start;
        while let Some(parent) = parents.get(&at) {
            if !walked.insert(at) {
                return Err(refuse(Code::AcyclicityOrClosure, &at, "is its own ancestor"));
            }
            if !reached.insert(*parent) {
                break;
            }
            at = *parent;
        }
    }
    match past.difference(&reached).next() {
        Some(key) => Err(refuse(Code::AcyclicityOrClosure, key, "is lineage of no active binding")),
        None => Ok(()),
    }
}

fn refuse(code: Code, (_, field, _, track): &Key<'_>, what: &str) -> Error {
    Error::new(code, format!("the binding of field `{field}` to Track {track} {what}")).about(field)
}

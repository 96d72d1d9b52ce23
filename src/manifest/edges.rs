//! Lineage: which binding replaced which, checked as a whole.

use super::tracks::{Binding, Key, strictly_increasing};
use crate::cbor::{Record, Value};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::sentence::{Said, say};
use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

/// A binding and the one that it replaced.
pub(super) struct Edge<'a> {
    child: End<'a>,
    parent: End<'a>,
}

/// A binding, as an edge names it.
struct End<'a> {
    timeline: Address,
    field: &'a str,
    modality: &'a str,
    track: Address,
}

impl<'a> Edge<'a> {
    pub(super) fn decode(value: &Value<'a>) -> Result<Self> {
        let edge = Record::open(Code::WireOrType, "a lineage edge", value)?;
        edge.close(&["child", "exact_parent"])?;
        Ok(Self { child: End::decode(edge.get("child")?)?, parent: End::decode(edge.get("exact_parent")?)? })
    }

    fn order(&self, other: &Self) -> Ordering {
        self.child.key().cmp(&other.child.key()).then_with(|| self.parent.key().cmp(&other.parent.key()))
    }
}

impl<'a> End<'a> {
    fn decode(value: &Value<'a>) -> Result<Self> {
        let end = Record::open(Code::WireOrType, "an end of a lineage edge", value)?;
        end.close(&["field", "address", "modality", "timeline"])?;
        Ok(Self {
            timeline: end.address("timeline")?,
            field: end.text("field")?,
            modality: end.text("modality")?,
            track: end.address("address")?,
        })
    }

    const fn key(&self) -> Key<'_> {
        Key { timeline: &self.timeline, field: self.field, modality: self.modality, track: &self.track }
    }
}

/// Checks collisions, structure and closure of lineage. Costs O((bindings + edges) log bindings).
///
/// Both lists of bindings must be in strictly increasing order of their keys.
pub(super) fn check(active: &[Binding<'_>], lineage: &[Binding<'_>], edges: &[Edge<'_>]) -> Result<()> {
    strictly_increasing("lineage edges", edges, Edge::order)?;
    if let Some(both) = lineage.iter().find(|binding| find(active, &binding.key()).is_some()) {
        return Err(refuse(Code::BindingSetCollision, &both.key(), say!("is both active and lineage")));
    }
    // Bindings by number: the active ones, then those of lineage.
    let number = |key: &Key<'_>| {
        let past = || find(lineage, key).map(|at| at.saturating_add(active.len()));
        find(active, key).or_else(past)
    };
    let mut parents: Vec<Option<usize>> = vec![None; active.len().saturating_add(lineage.len())];
    for edge in edges {
        let child = edge.child.key();
        let ends = number(&child).zip(number(&edge.parent.key())).filter(|(child, parent)| child != parent);
        let Some((from, to)) = ends else {
            return Err(refuse(
                Code::EdgeStructure,
                &child,
                say!("has an edge to itself or to a binding that is not there"),
            ));
        };
        let Some(slot @ None) = parents.get_mut(from) else {
            return Err(refuse(Code::EdgeStructure, &child, say!("has two edges")));
        };
        *slot = Some(to);
    }
    ancestors_all_reached(active, lineage, &parents)
}

fn find(bindings: &[Binding<'_>], key: &Key<'_>) -> Option<usize> {
    bindings.binary_search_by(|other| other.key().cmp(key)).ok()
}

/// Follows parents from every active binding. Each binding has at most one, so each edge is followed once.
fn ancestors_all_reached(active: &[Binding<'_>], lineage: &[Binding<'_>], parents: &[Option<usize>]) -> Result<()> {
    // Which walk came by; walks are numbered by their start, from one.
    let mut reached = vec![0_usize; parents.len()];
    for (walk, start) in (1_usize..).zip(active) {
        let mut at = walk.saturating_sub(1);
        while let Some(Some(parent)) = parents.get(at) {
            let Some(seen) = reached.get_mut(*parent) else { break };
            if *seen == walk {
                let what = say!("has an ancestor that is its own ancestor");
                return Err(refuse(Code::AcyclicityOrClosure, &start.key(), what));
            }
            if *seen != 0 {
                break;
            }
            *seen = walk;
            at = *parent;
        }
    }
    let past = reached.get(active.len()..).unwrap_or_default();
    match lineage.iter().zip(past).find(|(_, walk)| **walk == 0) {
        Some((binding, _)) => {
            Err(refuse(Code::AcyclicityOrClosure, &binding.key(), say!("is lineage of no active binding")))
        }
        None => Ok(()),
    }
}

fn refuse(code: Code, key: &Key<'_>, what: Said) -> Error {
    let message = say!("the binding of field `{}` to Track {} {}", key.field, key.track, what);
    Error::new(code, message).about(key.field)
}

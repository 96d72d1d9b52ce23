//! Lineage: which binding replaced which, checked as a whole.

use super::closed::{address, closed_map, required, text};
use super::tracks::{Binding, Key, strictly_increasing};
use crate::cbor::Value;
use crate::error::{Code, Error, Result};

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

/// Checks collisions, structure and closure of lineage. Costs O((bindings + edges) log bindings).
///
/// Both lists of bindings must be in strictly increasing order of their keys.
pub(super) fn check(active: &[Binding<'_>], lineage: &[Binding<'_>], edges: &[Edge<'_>]) -> Result<()> {
    strictly_increasing("lineage edges", edges)?;
    let find = |bindings: &[Binding<'_>], key: &Key<'_>| bindings.binary_search_by(|other| other.key().cmp(key)).ok();
    if let Some(both) = lineage.iter().map(Binding::key).find(|key| find(active, key).is_some()) {
        return Err(refuse(Code::BindingSetCollision, &both, "is both active and lineage"));
    }
    // Bindings by number: the active ones, then those of lineage.
    let number = |key: &Key<'_>| {
        let past = || find(lineage, key).map(|at| at.saturating_add(active.len()));
        find(active, key).or_else(past)
    };
    let mut parents: Vec<Option<usize>> = vec![None; active.len().saturating_add(lineage.len())];
    for Edge { child, parent } in edges {
        let ends = number(child).zip(number(parent)).filter(|(child, parent)| child != parent);
        let Some((from, to)) = ends else {
            return Err(refuse(Code::EdgeStructure, child, "has an edge to itself or to a binding that is not there"));
        };
        let Some(slot @ None) = parents.get_mut(from) else {
            return Err(refuse(Code::EdgeStructure, child, "has two edges"));
        };
        *slot = Some(to);
    }
    ancestors_all_reached(active, lineage, &parents)
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
                return Err(refuse(
                    Code::AcyclicityOrClosure,
                    &start.key(),
                    "has an ancestor that is its own ancestor",
                ));
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
        Some((binding, _)) => Err(refuse(Code::AcyclicityOrClosure, &binding.key(), "is lineage of no active binding")),
        None => Ok(()),
    }
}

fn refuse(code: Code, (_, field, _, track): &Key<'_>, what: &str) -> Error {
    Error::new(code, format_args!("the binding of field `{field}` to Track {track} {what}")).about(field)
}

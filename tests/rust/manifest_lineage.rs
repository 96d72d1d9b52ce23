//! Lineage: which binding replaced which, and everything that can be wrong with it.

#![cfg(test)]

use crate::cbor_build::{map, text};
use crate::manifest_build::{Binding, lineage, manifest, media_field, schema};
use crate::trials::in_time;
use dreamdb_arrays::manifest::Manifest;
use dreamdb_arrays::{Address, Code, Result};

/// A binding of field `x` to the Track that is named so.
fn version(track: &str) -> Binding {
    Binding { track: Address::of(track.as_bytes()), ..Binding::new("x", "continuous", "image.png") }
}

/// The same binding in the service of another field.
fn of_field(field: &str, binding: &Binding) -> Binding {
    Binding { field: field.to_owned(), ..binding.clone() }
}

fn in_order(bindings: &[Binding]) -> Vec<Binding> {
    let mut sorted = bindings.to_vec();
    sorted.sort_by_key(|binding| (binding.field.clone(), binding.modality.clone(), binding.track));
    sorted
}

/// The code of what is wrong, if anything is; bindings and edges are brought into order.
fn fault(active: &[Binding], past: &[Binding], edges: &[(&Binding, &Binding)]) -> Option<Code> {
    let mut edges = edges.to_vec();
    edges.sort_by_key(|(child, parent)| [(&child.field, child.track), (&parent.field, parent.track)]);
    decoded(&lineage(&in_order(active), &in_order(past), &edges)).err().map(|error| error.code())
}

fn decoded(tracks: &[u8]) -> Result<usize> {
    let registry = map(&[("dreamdb.schema", schema(&[media_field("x", "image", "png")]))]);
    Manifest::decode(&manifest(tracks.to_vec(), registry)).map(|manifest| manifest.active.len())
}

#[test]
fn sound_lineage() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(version);
    let one = |binding: &Binding| vec![binding.clone()];
    assert_eq!(fault(&one(&a), &[], &[]), None);
    assert_eq!(fault(&one(&a), &[b.clone(), c.clone()], &[(&a, &b), (&b, &c)]), None);
    // Two fields in force share an ancestor; one in force is another's ancestor.
    let b = of_field("y", &b);
    assert_eq!(fault(&[a.clone(), b.clone()], &[c.clone(), d.clone()], &[(&a, &c), (&b, &c), (&c, &d)]), None);
    assert_eq!(fault(&[a.clone(), b.clone()], &one(&c), &[(&a, &b), (&b, &c)]), None);
}

#[test]
fn collisions() {
    let [a, b] = ["a", "b"].map(version);
    assert_eq!(fault(std::slice::from_ref(&a), &[a.clone(), b.clone()], &[(&a, &b)]), Some(Code::BindingSetCollision));
    let other = of_field("y", &b);
    assert_eq!(fault(&[a.clone(), other.clone()], &[other], &[]), Some(Code::BindingSetCollision));
    assert_eq!(fault(&[a, b], &[], &[]), Some(Code::BindingSetCollision), "two versions of one field in force");
}

#[test]
fn malformed_edges() {
    let [a, b, c, unknown] = ["a", "b", "c", "unknown"].map(version);
    let (active, past) = ([a.clone()], [b.clone(), c.clone()]);
    for edges in [
        [(&a, &b), (&a, &c)].as_slice(),
        &[(&a, &b), (&b, &c), (&c, &c)],
        &[(&a, &a), (&b, &c)],
        &[(&a, &b), (&b, &unknown)],
        &[(&a, &b), (&unknown, &c)],
    ] {
        assert_eq!(fault(&active, &past, edges), Some(Code::EdgeStructure), "{edges:?}");
    }
    // The same Track under another name is another binding.
    let other_name = Binding { field: "y".to_owned(), ..b };
    assert_eq!(fault(&active, &past, &[(&a, &other_name), (&other_name, &c)]), Some(Code::EdgeStructure));
}

#[test]
fn circles_and_orphans() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(version);
    let past = [b.clone(), c.clone(), d.clone()];
    let closure = Some(Code::AcyclicityOrClosure);
    let active = [a.clone()];
    assert_eq!(fault(&active, &past, &[(&a, &b), (&b, &c), (&c, &d), (&d, &b)]), closure);
    assert_eq!(fault(&active, &past, &[(&a, &b), (&b, &c), (&c, &d), (&d, &a)]), closure);
    assert_eq!(fault(&active, &past, &[(&a, &b), (&b, &c)]), closure, "`d` is an orphan");
    assert_eq!(fault(&active, &past, &[(&a, &b), (&c, &d), (&d, &c)]), closure, "a circle beside the way");
    assert_eq!(fault(&active, &past, &[]), closure);
    let other = of_field("y", &b);
    assert_eq!(fault(&[a.clone(), other.clone()], &[], &[(&a, &other), (&other, &a)]), closure);
}

#[test]
fn wrong_order() {
    let [first, second] = in_order(&["a", "b"].map(version)).try_into().unwrap();
    let other = Some(Code::OrderingOrDuplicate);
    let code = |tracks: Vec<u8>| decoded(&tracks).err().map(|error| error.code());
    let second_field = of_field("y", &second);
    assert_eq!(code(lineage(&[first.clone(), second_field.clone()], &[], &[])), None);
    assert_eq!(code(lineage(&[second_field, first.clone()], &[], &[])), other);
    assert_eq!(code(lineage(&[first.clone(), first.clone()], &[], &[])), other);
    let active = [version("active")];
    let edges = [(&active[0], &first), (&first, &second)];
    let ordered = |turned: bool| {
        let mut edges = edges;
        edges.sort_by_key(|(child, _)| child.track);
        edges.rotate_left(usize::from(turned));
        edges
    };
    assert_eq!(code(lineage(&active, &[first.clone(), second.clone()], &ordered(false))), None);
    assert_eq!(code(lineage(&active, &[first.clone(), second.clone()], &ordered(true))), other);
    assert_eq!(code(lineage(&active, &[second.clone(), first.clone()], &ordered(false))), other);
    // Shorter names do not come first as keys of a map do.
    let named = |name: &str| Binding::new(name, "continuous", "image.png");
    assert_eq!(code(lineage(&[named("x"), named("xa"), named("y")], &[], &[])), None);
    assert_eq!(code(lineage(&[named("x"), named("y"), named("xa")], &[], &[])), other);
}

#[test]
fn long_lineage() {
    let versions: Vec<Binding> = (0..5000).map(|at| version(&format!("version {at}"))).collect();
    let edges: Vec<(&Binding, &Binding)> = versions.windows(2).map(|pair| (&pair[0], &pair[1])).collect();
    let begin = std::time::Instant::now();
    assert_eq!(fault(&versions[..1], &versions[1..], &edges), None);
    // All are in force, each for a field of its own, and each is the next one's ancestor.
    let versions: Vec<Binding> = (0..)
        .zip(&versions)
        .map(|(at, version)| of_field(&format!("x{}", if at == 0 { String::new() } else { at.to_string() }), version))
        .collect();
    let edges: Vec<(&Binding, &Binding)> = versions.windows(2).map(|pair| (&pair[1], &pair[0])).collect();
    assert_eq!(fault(&versions, &[], &edges), None);
    in_time(begin, 5);
}

#[test]
fn other_forms() {
    let one = [Binding::new("x", "continuous", "image.png")];
    let with_form = |form: &str, more: &[&str]| {
        let list = crate::cbor_build::array(&[one[0].cbor()]);
        let empty = || crate::cbor_build::array(&[]);
        let mut pairs = vec![("form", text(form)), ("edges", empty()), ("active", list), ("lineage", empty())];
        pairs.extend(more.iter().map(|key| (*key, empty())));
        decoded(&map(&pairs)).map_err(|error| error.code())
    };
    assert_eq!(with_form("lineage-v1", &[]), Ok(1));
    assert_eq!(with_form("lineage-v2", &["backfill_claims"]), Ok(1));
    assert_eq!(with_form("lineage-v2", &[]), Err(Code::WireOrType));
    assert_eq!(with_form("lineage-v1", &["backfill_claims"]), Err(Code::WireOrType));
    assert_eq!(with_form("lineage-v3", &[]), Err(Code::UnknownTracksForm));
    assert_eq!(with_form("lineage-v4", &["backfill_claims"]), Err(Code::RegistryAgreement));
    assert_eq!(decoded(&crate::cbor_build::array(&[one[0].cbor()])), Ok(1), "the plain list");
}

#[test]
fn roles() {
    let with_role = |role: String| {
        let binding = Binding { role, ..Binding::new("x", "continuous", "image.png") };
        fault(&[binding], &[], &[])
    };
    assert_eq!(with_role(format!("layer-of:{}", Address::of(b"base"))), None);
    for role in ["", "layer", "Base", "layer-of:", "layer-of:base", "base "] {
        assert_eq!(with_role(role.to_owned()), Some(Code::RoleAgreement), "{role}");
    }
}

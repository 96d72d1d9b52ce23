//! Deletions against what the reference wrote for the same ones, and what is refused.

#![cfg(test)]
// Numbers are small here, and an overflow fails the test that made it.
#![allow(clippy::arithmetic_side_effects)]

use crate::cbor_build::{array, bytes, map, text, uint};
use crate::manifest_fixtures::files_below;
use data_encoding::HEXLOWER;
use dreamdb_arrays::tombstone::write::{Deletion, Step, delete};
use dreamdb_arrays::tombstone::{Head, Page};
use dreamdb_arrays::{Address, Code, Error};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Objects by address.
type Objects = BTreeMap<Address, Vec<u8>>;

/// Deletes as a caller does, who looks for pages as they are asked for; gives the head, and how many objects are new.
fn carried_out(objects: &mut Objects, head: Option<Address>, deletion: &Deletion<'_>) -> (Address, usize) {
    let base = head.map(|head| objects[&head].clone());
    let mut pages = Vec::new();
    for _ in 0..6 {
        match delete(base.as_deref(), &pages, deletion).unwrap() {
            Step::Needs(needs) => {
                assert!(!needs.is_empty());
                pages.extend(needs.iter().flat_map(|page| objects[page].clone()));
            }
            Step::Done { head, pages } => {
                let before = objects.len();
                objects.extend(pages.into_iter().map(|page| (Address::of(&page), page)));
                let address = Address::of(&head);
                objects.insert(address, head);
                return (address, objects.len() - before);
            }
        }
    }
    panic!("pages are asked for without end");
}

/// Anchors as `make_writes.py` notes them: single ones, and `[first, count, step]`.
fn anchors(noted: &Value) -> Vec<u64> {
    let number = |value: &Value| value.as_str().unwrap().parse::<u64>().unwrap();
    let expand = |item: &Value| match item.as_array().map(Vec::as_slice) {
        Some([first, count, step]) => (0..number(count)).map(|at| number(first) + at * number(step)).collect(),
        _ => vec![number(item)],
    };
    noted.as_array().unwrap().iter().flat_map(expand).collect()
}

/// Every deleted anchor below a head, by the reader.
fn read_back(objects: &Objects, head: &Address) -> Vec<u64> {
    let head = Head::decode(&objects[head]).unwrap();
    let (mut deleted, mut open) = (head.anchors, Vec::from_iter(head.root));
    while let Some(summary) = open.pop() {
        match Page::decode(&objects[&summary.page], &summary).unwrap() {
            Page::Leaf(anchors) => deleted.extend(anchors),
            Page::Internal(children) => open.extend(children),
        }
    }
    deleted.sort_unstable();
    deleted
}

#[test]
fn deletions_as_the_reference_makes_them() {
    let cases: Value = serde_json::from_str(include_str!("data/tombstones.json")).unwrap();
    let mut deletions = 0;
    for case in cases.as_array().unwrap() {
        let given = case["given"].as_array().unwrap().iter();
        let given = given.map(|object| HEXLOWER.decode(object.as_str().unwrap().as_bytes()).unwrap());
        let mut objects: Objects = given.map(|object| (Address::of(&object), object)).collect();
        let mut head = case["head"].as_str().map(|head| Address::parse(head).unwrap());
        let mut expected = Vec::new();
        for step in case["steps"].as_array().unwrap() {
            let anchors = anchors(&step["anchors"]);
            let deletion = Deletion {
                timeline: Address::parse(case["timeline"].as_str().unwrap()).unwrap(),
                anchors: &anchors,
                reason: step["reason"].as_str(),
                now: step["now"].as_u64().unwrap(),
            };
            let (made, new) = carried_out(&mut objects, head, &deletion);
            assert_eq!(made.to_string(), step["head"].as_str().unwrap(), "{} {step}", case["name"]);
            assert_eq!(new as u64, step["objects"].as_u64().unwrap(), "{}", case["name"]);
            head = Some(made);
            expected.extend(anchors);
            deletions += 1;
        }
        if case["given"] == serde_json::json!([]) {
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(read_back(&objects, &head.unwrap()), expected, "{}", case["name"]);
        }
    }
    assert!(deletions > 100, "only {deletions} deletions were found");
}

#[test]
fn heads_of_the_fixtures_can_be_written_to() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut heads = 0;
    for folder in ["tombstones", "union-merge", "scalar-tree"] {
        let files =
            files_below(&root.join(folder)).into_iter().filter(|path| path.iter().any(|part| part == "tombstones"));
        let files = files.filter(|path| path.parent().unwrap().ends_with("tombstones") && path.extension().is_none());
        let mut objects: Objects =
            files.map(|path| std::fs::read(path).unwrap()).map(|object| (Address::of(&object), object)).collect();
        for address in objects.keys().copied().collect::<Vec<_>>() {
            let Ok(head) = Head::decode(&objects[&address]) else { continue };
            let timeline = head.timeline.unwrap();
            let deletion = Deletion { timeline, anchors: &[3, u64::MAX], reason: None, now: 5 };
            let mut expected = read_back(&objects, &address);
            expected.extend([3, u64::MAX]);
            expected.sort_unstable();
            expected.dedup();
            let (made, _) = carried_out(&mut objects, Some(address), &deletion);
            let written = Head::decode(&objects[&made]).unwrap();
            assert_eq!((written.timeline, written.parents), (Some(timeline), head.parents));
            assert_eq!(read_back(&objects, &made), expected);
            heads += 1;
        }
    }
    assert!(heads >= 5, "only {heads} heads were found");
}

fn deletion(anchors: &[u64]) -> Deletion<'_> {
    Deletion { timeline: Address::of(b"a timeline"), anchors, reason: None, now: 9 }
}

fn entry(anchor: u64, more: &[(&str, Vec<u8>)]) -> Vec<u8> {
    map(&[&[("anchor", uint(anchor))], more].concat())
}

fn page(level: u64, key: &str, items: &[Vec<u8>]) -> Vec<u8> {
    map(&[("kind", text("dreamdb.tombstone-page.v1")), ("level", uint(level)), (key, array(items))])
}

fn summary(page: &[u8], [min, max, count, level]: [u64; 4]) -> Vec<u8> {
    map(&[
        ("max", uint(max)),
        ("min", uint(min)),
        ("hash", bytes(Address::of(page).as_bytes())),
        ("count", uint(count)),
        ("level", uint(level)),
    ])
}

fn index(root: Vec<u8>, parents: &[Address], more: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let parents = parents.iter().map(|parent| bytes(parent.as_bytes())).collect::<Vec<_>>();
    let keys = [
        ("kind", text("dreamdb.tombstone-index.v1")),
        ("root", root),
        ("parents", array(&parents)),
        ("timeline", bytes(Address::of(b"a timeline").as_bytes())),
        ("issued_at", uint(1)),
    ];
    map(&[&keys, more].concat())
}

fn code(result: Result<Step, Error>) -> Code {
    result.unwrap_err().code()
}

#[test]
fn arguments_that_are_refused() {
    assert_eq!(code(delete(None, &[], &deletion(&[]))), Code::InvalidArgument);
    let reason = "r".repeat(257);
    assert_eq!(code(delete(None, &[], &Deletion { reason: Some(&reason), ..deletion(&[1]) })), Code::InvalidArgument);
    assert_eq!(code(delete(None, &[0x18], &deletion(&[1]))), Code::Cbor);
    assert_eq!(code(delete(Some(&map(&[])), &[], &deletion(&[1]))), Code::Tombstones);
}

#[test]
fn heads_and_pages_that_are_refused() {
    let at = ("deleted_at", uint(7));
    let leaf = |entries: &[Vec<u8>]| page(0, "entries", entries);
    let sound = leaf(&[entry(1, std::slice::from_ref(&at))]);
    let root = || summary(&sound, [1, 1, 1, 0]);
    let tried = |head: Vec<u8>, pages: &[u8]| delete(Some(&head), pages, &deletion(&[5])).map_err(|error| error.code());
    assert!(matches!(tried(index(root(), &[], &[]), &sound), Ok(Step::Done { .. })));
    assert!(matches!(tried(index(root(), &[], &[]), &[]), Ok(Step::Needs(_))));

    let mut parents = ["a", "b"].map(|name| Address::of(name.as_bytes()));
    parents.sort_unstable();
    assert!(tried(index(root(), &parents, &[]), &sound).is_ok());
    parents.reverse();
    assert_eq!(tried(index(root(), &parents, &[]), &sound), Err(Code::Tombstones));
    assert_eq!(tried(index(root(), &[], &[("more", uint(1))]), &sound), Err(Code::Tombstones));

    let of_leaf = |leaf: &[u8]| tried(index(summary(leaf, [1, 1, 1, 0]), &[], &[]), leaf);
    assert_eq!(of_leaf(&leaf(&[entry(1, &[])])), Err(Code::Tombstones));
    assert_eq!(of_leaf(&leaf(&[entry(1, &[at.clone(), ("more", uint(1))])])), Err(Code::Tombstones));
    assert_eq!(of_leaf(&leaf(&[entry(1, &[("reason", uint(1)), at])])), Err(Code::Tombstones));

    let lonely = page(1, "children", &[root()]);
    let pages = [lonely.clone(), sound.clone()].concat();
    assert_eq!(tried(index(summary(&lonely, [1, 1, 1, 1]), &[], &[]), &pages), Err(Code::Tombstones));
    // Another page than its parent says, at a level that no tree has.
    assert_eq!(tried(index(summary(&sound, [1, 1, 1, 17]), &[], &[]), &sound), Err(Code::Tombstones));
}

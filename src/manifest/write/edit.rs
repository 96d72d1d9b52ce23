//! First versions, and versions that follow another.

use super::super::{LEGACY, SCHEMA, TOMBSTONES};
use super::fields::NewField;
use super::tree::{Pairs, by_binding, by_bytes, by_edge, insert, list, pairs_of, put, set, slot};
use super::{Written, encoded, note_key};
use crate::cbor::{Reader, Value};
use crate::error::{Code, Error, Result};
use crate::modality::TrackKind;
use crate::multihash::Address;
use crate::order::ascending;

/// A Track Object, and the extent of its anchors, which the Object says as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Address of the Object.
    pub track: Address,
    /// `[first, last + 1]`; `[0, 1]` for a Track without Items, `[0, 2^64 − 1]` for a Constant.
    pub coverage: [u64; 2],
}

/// What a version says beyond its parent.
#[derive(Clone, Debug, Default)]
pub struct Edit<'a> {
    /// When it is written, in nanoseconds since the epoch.
    pub timestamp: u64,
    /// Who writes it.
    pub writer: &'a str,
    /// Fields that have a new Track, by name.
    pub moved: Vec<(&'a str, Placed)>,
    /// Fields that it adds.
    pub added: Vec<(&'a NewField<'a>, Placed)>,
    /// Head of the tombstones, if it changes.
    pub tombstones: Option<Address>,
    /// Notes that it sets: key and text.
    pub notes: Vec<(&'a str, &'a str)>,
    /// Whether to leave out which Tracks were replaced, now and before. The reference does so where it merges.
    pub forgets_lineage: bool,
}

/// The first version of a dataset, without a parent.
///
/// A modality that several fields have is registered once; the reference repeats its key for each of them.
///
/// # Errors
/// As of [`edit`].
pub fn create(timeline: &Address, edit: &Edit<'_>) -> Result<Written> {
    let mut tracks = Pairs::new();
    put(&mut tracks, "form", Value::Text("lineage-v1"));
    for key in ["edges", "active", "lineage"] {
        put(&mut tracks, key, Value::Array(Vec::new()));
    }
    let mut schema = Pairs::new();
    put(&mut schema, "v", Value::Uint(1));
    put(&mut schema, "fields", Value::Array(Vec::new()));
    let mut registry = Pairs::new();
    put(&mut registry, SCHEMA, Value::Map(schema));
    let mut root = Pairs::new();
    put(&mut root, "tracks", Value::Map(tracks));
    put(&mut root, "parents", Value::Array(Vec::new()));
    put(&mut root, "registry", Value::Map(registry));
    put(&mut root, "timelines", Value::Array(Vec::new()));
    apply(Value::Map(root), timeline, edit)
}

/// The version that follows `parent`. Costs five passes over it, and as much again as [`Manifest::decode`](crate::manifest::Manifest::decode).
///
/// A moved field's binding keeps all but Track and coverage; the one that it replaces goes into lineage, with an edge
/// between them. Whatever is not named stays, layers over replaced Tracks included. If fields are added, the schema is
/// sorted by name.
///
/// # Errors
/// Those of [`Manifest::decode`], which the result passes, and with it what it has of the parent; [`Code::Cbor`] if the parent is not canonical:
/// who encodes it again, as the reference does, would not find what this version names as its parent;
/// [`Code::NotWritable`] for a parent whose Tracks are a plain list or of a form from `lineage-v5` on, and for new Tracks or
/// tombstones where rows are keyed by entities (`lineage-v4`); [`Code::BindingMissing`] for a field that is not there;
/// [`Code::InvalidArgument`] for one that is there already, that is named twice, or that moves to the Track it has, for
/// a second Constant of one modality, and for keys that are no notes'; [`Code::ManifestFull`].
pub fn edit(parent: &[u8], edit: &Edit<'_>) -> Result<Written> {
    let mut root = Reader::new(parent).with_text_keys().value()?;
    if encoded(&root) != parent {
        let message = "the manifest is not in canonical form, so no version can follow it";
        return Err(Error::new(Code::Cbor, message));
    }
    writable(&root, edit)?;
    let address = Address::of(parent);
    set(&mut root, "parents", Value::Array(vec![Value::Bytes(address.as_bytes())]))?;
    let timeline = timeline(&root)?;
    apply(root, &timeline, edit)
}

/// Refuses a parent that no version can follow, or not such a one.
fn writable(parent: &Value<'_>, edit: &Edit<'_>) -> Result<()> {
    let changes_rows = !edit.moved.is_empty() || edit.tombstones.is_some();
    match parent.get("tracks").and_then(|tracks| tracks.get("form")).and_then(Value::as_text) {
        Some("lineage-v1" | "lineage-v2") => Ok(()),
        Some("lineage-v4") if !changes_rows => Ok(()),
        form => {
            let form = form.unwrap_or(LEGACY);
            let message =
                format_args!("the manifest's Tracks have the form `{form}`: this version does not write rows to it");
            Err(Error::new(Code::NotWritable, message).about(form))
        }
    }
}

/// The timeline of the dataset's fields; without any, the first that the manifest names.
fn timeline(root: &Value<'_>) -> Result<Address> {
    let fields = root.get("registry").and_then(|registry| registry.get(SCHEMA)).and_then(|schema| schema.get("fields"));
    let first = fields.and_then(Value::as_array).and_then(|fields| fields.first()).and_then(|field| field.get("name"));
    let active = root.get("tracks").and_then(|tracks| tracks.get("active")).and_then(Value::as_array);
    let bound = active.unwrap_or_default().iter().find(|binding| first.is_some() && binding.get("field") == first);
    let named = || root.get("timelines").and_then(Value::as_array).and_then(|timelines| timelines.first());
    let timeline = bound.and_then(|binding| binding.get("timeline")).or_else(named).and_then(Value::as_bytes);
    let none = || Error::new(Code::NotWritable, "the manifest names no timeline, so nothing can be added to it");
    Address::from_bytes(timeline.ok_or_else(none)?)
}

fn apply<'a>(mut root: Value<'a>, timeline: &'a Address, edit: &'a Edit<'a>) -> Result<Written> {
    set(&mut root, "ts", Value::Uint(edit.timestamp))?;
    set(&mut root, "writer", Value::Text(edit.writer))?;
    names_timeline(list(&mut root, "timelines")?, timeline);
    let tracks = slot(&mut root, "tracks")?;
    for (at, (name, placed)) in edit.moved.iter().enumerate() {
        if edit.moved.iter().take(at).any(|(other, _)| other == name) {
            let message = format_args!("field `{name}` is given two Tracks at once");
            return Err(Error::new(Code::InvalidArgument, message).about(name));
        }
        move_field(tracks, name, placed)?;
    }
    for (field, placed) in &edit.added {
        bind_field(list(tracks, "active")?, field, placed, timeline)?;
    }
    if edit.forgets_lineage {
        list(tracks, "edges")?.clear();
        list(tracks, "lineage")?.clear();
    }
    let registry = slot(&mut root, "registry")?;
    declare(registry, edit)?;
    if let Some(head) = &edit.tombstones {
        if slot(registry, TOMBSTONES).is_err() {
            set(registry, TOMBSTONES, Value::Map(Pairs::new()))?;
        }
        set(slot(registry, TOMBSTONES)?, "head", Value::Bytes(head.as_bytes()))?;
    }
    for (key, text) in &edit.notes {
        note_key(key, registry.get(key))?;
        set(registry, key, Value::Text(text))?;
    }
    Written::new(&root)
}

/// Sees to it that the timelines that the manifest names include that of its Tracks, as the reference does.
fn names_timeline<'a>(timelines: &mut Vec<Value<'a>>, timeline: &'a Address) {
    let timeline = Value::Bytes(timeline.as_bytes());
    if !timelines.contains(&timeline) {
        insert(timelines, timeline, |new, other| by_bytes(Some(new), Some(other)));
    }
}

fn move_field<'a>(tracks: &mut Value<'a>, name: &str, placed: &'a Placed) -> Result<()> {
    let active = list(tracks, "active")?;
    let is_named = |binding: &Value<'_>| binding.get("field").and_then(Value::as_text) == Some(name);
    let Some(at) = active.iter().position(is_named) else {
        let message = format_args!("the manifest has no field `{name}` that could have a new Track");
        return Err(Error::new(Code::BindingMissing, message).about(name));
    };
    let old = active.remove(at);
    let mut new = old.clone();
    set(&mut new, "address", Value::Bytes(placed.track.as_bytes()))?;
    set(&mut new, "coverage", extent(placed.coverage))?;
    if by_binding(&new, &old).is_eq() {
        let message = format_args!("field `{name}` has the Track already that it is to be given");
        return Err(Error::new(Code::InvalidArgument, message).about(name));
    }
    let mut edge = Pairs::new();
    put(&mut edge, "child", end(&new));
    put(&mut edge, "exact_parent", end(&old));
    insert(active, new, by_binding);
    insert(list(tracks, "lineage")?, old, by_binding);
    insert(list(tracks, "edges")?, Value::Map(edge), by_edge);
    Ok(())
}

fn bind_field<'a>(
    active: &mut Vec<Value<'a>>,
    field: &'a NewField<'a>,
    placed: &'a Placed,
    timeline: &'a Address,
) -> Result<()> {
    let name = field.name();
    let refuse = |what: &str| Error::new(Code::InvalidArgument, format_args!("field `{name}` {what}")).about(name);
    for other in &*active {
        if other.get("field").and_then(Value::as_text) == Some(name) {
            return Err(refuse("is there already"));
        }
        if field.kind() == TrackKind::Constant
            && other.get("modality").and_then(Value::as_text) == Some(field.modality())
        {
            return Err(refuse("is a Constant of a modality that has one already, and is found by that alone"));
        }
    }
    let mut binding = Pairs::new();
    put(&mut binding, "kind", Value::Text(field.kind().name()));
    put(&mut binding, "role", Value::Text("base"));
    put(&mut binding, "field", Value::Text(name));
    put(&mut binding, "address", Value::Bytes(placed.track.as_bytes()));
    put(&mut binding, "coverage", extent(placed.coverage));
    put(&mut binding, "modality", Value::Text(field.modality()));
    put(&mut binding, "timeline", Value::Bytes(timeline.as_bytes()));
    insert(active, Value::Map(binding), by_binding);
    Ok(())
}

/// Adds fields to the schema, which is sorted by name then, and what they declare to the registry.
fn declare<'a>(registry: &mut Value<'a>, edit: &'a Edit<'a>) -> Result<()> {
    if edit.added.is_empty() {
        return Ok(());
    }
    let fields = list(slot(registry, SCHEMA)?, "fields")?;
    for (field, _) in &edit.added {
        fields.push(field.entry());
    }
    let name = |at: usize| fields.get(at).and_then(|field| field.get("name")).and_then(Value::as_text);
    let mut sorted = Vec::with_capacity(fields.len());
    for at in ascending(fields.len(), &|first, second| name(first).cmp(&name(second))) {
        sorted.extend(fields.get(at as usize).cloned());
    }
    *fields = sorted;
    for (field, _) in &edit.added {
        let Some((key, declared)) = field.declaration() else { continue };
        // Whether an entry that is there declares the same is seen when the result is read.
        if registry.get(field.modality()).is_none() {
            let mut entry = Pairs::new();
            put(&mut entry, key, declared);
            put(pairs_of(registry)?, field.modality(), Value::Map(entry));
        }
    }
    Ok(())
}

fn extent<'a>([start, end]: [u64; 2]) -> Value<'a> {
    Value::Array(vec![Value::Uint(start), Value::Uint(end)])
}

/// A binding as an edge names it.
fn end<'a>(binding: &Value<'a>) -> Value<'a> {
    let mut end = Pairs::new();
    for key in ["field", "address", "modality", "timeline"] {
        if let Some(value) = binding.get(key) {
            put(&mut end, key, value.clone());
        }
    }
    Value::Map(end)
}

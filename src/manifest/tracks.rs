//! The `tracks` container: which Track serves which field, and which served it before.

use super::edges::{self, Edge};
use super::{ENTITY_KEYS, LEGACY, agreed_kind};
use crate::cbor::{Record, Value};
use crate::error::{Code, Error, Result};
use crate::modality::TrackKind;
use crate::multihash::Address;
use crate::registry::Registry;
use crate::sentence::say;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// What a binding's Track contributes to its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The field's own Items.
    Base,
    /// Items laid over those of another Track.
    LayerOf(Address),
}

/// One entry of the container: a Track in the service of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding<'a> {
    /// Name of the field; empty where the plain list gives none.
    pub field: &'a str,
    /// Kind of the Track.
    pub kind: TrackKind,
    /// Part that the Track plays.
    pub role: Role,
    /// Address of the Track Object.
    pub track: Address,
    /// Extent of its anchors, `[first, last + 1]`.
    pub coverage: [u64; 2],
    /// Modality tag.
    pub modality: &'a str,
    /// Timeline on which the anchors lie.
    pub timeline: Address,
}

/// What orders bindings, from the first member to the last, each by its bytes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'v> {
    pub(super) timeline: &'v Address,
    pub(super) field: &'v str,
    pub(super) modality: &'v str,
    pub(super) track: &'v Address,
}

impl<'a> Binding<'a> {
    pub(super) const fn key(&self) -> Key<'_> {
        Key { timeline: &self.timeline, field: self.field, modality: self.modality, track: &self.track }
    }

    fn decode(value: &Value<'a>, is_named: bool) -> Result<Self> {
        const KEYS: [&str; 7] = ["field", "kind", "role", "address", "coverage", "modality", "timeline"];
        let binding = Record::open(Code::WireOrType, "a binding", value)?;
        let field = if is_named || binding.find("field").is_some() { Some(binding.text("field")?) } else { None };
        binding.close(KEYS.get(usize::from(field.is_none())..).unwrap_or_default())?;
        let field = field.unwrap_or_default();
        let kind = binding.text("kind")?;
        let unknown = || binding.refuse("kind", say!("of field `{}` has the unknown kind `{}`", field, kind));
        Ok(Self {
            field,
            kind: TrackKind::from_name(kind).ok_or_else(unknown)?,
            role: role(field, binding.text("role")?)?,
            track: binding.address("address")?,
            coverage: binding.extent("coverage")?,
            modality: binding.text("modality")?,
            timeline: binding.address("timeline")?,
        })
    }

    fn decode_all(values: &[Value<'a>], are_named: bool) -> Result<Vec<Self>> {
        let mut bindings = Vec::with_capacity(values.len());
        for value in values {
            bindings.push(Self::decode(value, are_named)?);
        }
        Ok(bindings)
    }
}

/// The decoded container.
pub(super) struct Container<'a> {
    pub(super) form: &'a str,
    pub(super) active: Vec<Binding<'a>>,
    lineage: Vec<Binding<'a>>,
    edges: Vec<Edge<'a>>,
}

impl<'a> Container<'a> {
    pub(super) fn decode(value: &Value<'a>) -> Result<Self> {
        if let Some(bindings) = value.as_array() {
            // The plain list knows no lineage.
            let active = Binding::decode_all(bindings, false)?;
            return Ok(Self { form: LEGACY, active, lineage: Vec::new(), edges: Vec::new() });
        }
        let tracks = Record::open(Code::WireOrType, "the manifest's `tracks`", value)?;
        let form = tracks.text("form")?;
        let keys: &[&str] = match form {
            "lineage-v1" => &["form", "edges", "active", "lineage"],
            "lineage-v2" | "lineage-v4" => &["form", "edges", "active", "lineage", "backfill_claims"],
            "lineage-v5" => &["form", "edges", "active", "lineage", "backfill_claims", "origins"],
            other => {
                let message = say!("the manifest's Tracks have the form `{}`, which this version does not know", other);
                return Err(Error::new(Code::UnknownTracksForm, message).about(other));
            }
        };
        tracks.close(keys)?;
        let active = Binding::decode_all(tracks.list("active")?, true)?;
        let lineage = Binding::decode_all(tracks.list("lineage")?, true)?;
        let mut edges = Vec::new();
        for edge in tracks.list("edges")? {
            edges.push(Edge::decode(edge)?);
        }
        Ok(Self { form, active, lineage, edges })
    }

    /// Whether this is a plain list of bindings, which need not have names.
    pub(super) fn is_plain(&self) -> bool {
        self.form == LEGACY
    }

    /// Everything that bindings must satisfy together and with the registry.
    pub(super) fn check(&self, registry: &Registry<'_, 'a>) -> Result<()> {
        for binding in self.active.iter().chain(&self.lineage) {
            agreed_kind(binding)?;
        }
        if (self.form == "lineage-v4") != registry.get(ENTITY_KEYS).is_some() && self.form != "lineage-v5" {
            let message =
                say!("Tracks of form `lineage-v4` and the registry key `dreamdb.entity_keys` need each other");
            return Err(Error::new(Code::RegistryAgreement, message));
        }
        if self.is_plain() {
            return Ok(());
        }
        let order = |first: &Binding<'a>, second: &Binding<'a>| first.key().cmp(&second.key());
        strictly_increasing("active bindings", &self.active, order)?;
        strictly_increasing("lineage bindings", &self.lineage, order)?;
        edges::check(&self.active, &self.lineage, &self.edges)?;
        one_version_each(&self.active)
    }
}

/// Refuses two bindings of one field on one timeline: only one version of a field can be in force. They are sorted.
fn one_version_each(active: &[Binding<'_>]) -> Result<()> {
    for pair in active.windows(2) {
        if let [first, second] = pair
            && (first.timeline, first.field) == (second.timeline, second.field)
        {
            let message = say!("field `{}` has two active bindings on one timeline", first.field);
            return Err(Error::new(Code::BindingSetCollision, message).about(first.field));
        }
    }
    Ok(())
}

/// Refuses a sequence that is not strictly increasing.
pub(super) fn strictly_increasing<T>(what: &str, all: &[T], order: impl Fn(&T, &T) -> Ordering) -> Result<()> {
    if all.is_sorted_by(|first, second| order(first, second).is_lt()) {
        return Ok(());
    }
    Err(Error::new(Code::OrderingOrDuplicate, say!("{} are not in strictly increasing order", what)))
}

fn role(field: &str, role: &str) -> Result<Role> {
    let refuse = || {
        let message =
            say!("the binding of field `{}` has the role `{}`, not `base` or `layer-of:<address>`", field, role);
        Error::new(Code::RoleAgreement, message)
    };
    match role.strip_prefix("layer-of:") {
        None if role == "base" => Ok(Role::Base),
        None => Err(refuse()),
        Some(base) => Address::parse(base).map(Role::LayerOf).map_err(|_| refuse()),
    }
}

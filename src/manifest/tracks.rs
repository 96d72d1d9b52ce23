//! The `tracks` container: which Track serves which field, and which served it before.

use super::closed::{self, address, closed_map, extent, list, required, text};
use super::{agreed_kind, edges};
use crate::cbor::Value;
use crate::error::{Code, Error, Result};
use crate::modality::TrackKind;
use crate::multihash::Address;
use crate::registry::Registry;

/// Name given to the container's oldest form, a plain list of bindings.
const LEGACY: &str = "legacy";

/// Registry key that form `lineage-v4` requires and that requires it.
const ENTITY_KEYS: &str = "dreamdb.entity_keys";

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
    /// Name of the field.
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

/// The order of bindings: timeline, field, modality and address, by their bytes.
pub(super) type Key<'a> = (Address, &'a str, &'a str, Address);

impl<'a> Binding<'a> {
    pub(super) fn key(&self) -> Key<'a> {
        (self.timeline, self.field, self.modality, self.track)
    }

    fn decode(place: &str, value: &Value<'a>) -> Result<Self> {
        const KEYS: [&str; 7] = ["kind", "role", "field", "address", "coverage", "modality", "timeline"];
        let pairs = closed_map(place, value, &KEYS)?;
        let get = |key: &str| required(place, pairs, key);
        let field = text(place, get("field")?)?;
        let kind = text(place, get("kind")?)?;
        let kind = TrackKind::from_name(kind)
            .ok_or_else(|| closed::refuse(place, format_args!("of field `{field}` has the unknown kind `{kind}`")))?;
        Ok(Self {
            field,
            kind,
            role: role(field, text(place, get("role")?)?)?,
            track: address(place, get("address")?)?,
            coverage: extent(place, get("coverage")?)?,
            modality: text(place, get("modality")?)?,
            timeline: address(place, get("timeline")?)?,
        })
    }
}

/// The decoded container.
pub(super) struct Container<'a> {
    pub(super) form: &'a str,
    pub(super) active: Vec<Binding<'a>>,
    lineage: Vec<Binding<'a>>,
    edges: Vec<edges::Edge<'a>>,
}

impl<'a> Container<'a> {
    pub(super) fn decode(value: &Value<'a>) -> Result<Self> {
        if value.as_array().is_some() {
            return Self::legacy(value);
        }
        let place = "manifest key `tracks`";
        let pairs = closed::open_map(place, value)?;
        let form = text(place, required(place, pairs, "form")?)?;
        let keys: &[&str] = match form {
            "lineage-v1" => &["form", "edges", "active", "lineage"],
            "lineage-v2" | "lineage-v4" => &["form", "edges", "active", "lineage", "backfill_claims"],
            "lineage-v5" => &["form", "edges", "active", "lineage", "backfill_claims", "origins"],
            other => {
                let message =
                    format_args!("the manifest's Tracks have the form `{other}`, which this version does not know");
                return Err(Error::new(Code::UnknownTracksForm, message).about(other));
            }
        };
        let pairs = closed_map(place, value, keys)?;
        let get = |key: &str| required(place, pairs, key);
        Ok(Self {
            form,
            active: list("an active binding", get("active")?, Binding::decode)?,
            lineage: list("a lineage binding", get("lineage")?, Binding::decode)?,
            edges: list("a lineage edge", get("edges")?, edges::Edge::decode)?,
        })
    }

    /// The plain list, which knows no lineage.
    fn legacy(value: &Value<'a>) -> Result<Self> {
        let active = list("a binding", value, Binding::decode)?;
        Ok(Self { form: LEGACY, active, lineage: Vec::new(), edges: Vec::new() })
    }

    /// Everything that bindings must satisfy together and with the registry.
    pub(super) fn check(&self, registry: &Registry<'_, 'a>) -> Result<()> {
        self.active.iter().chain(&self.lineage).try_for_each(agreed_kind)?;
        if (self.form == "lineage-v4") != registry.get(ENTITY_KEYS).is_some() && self.form != "lineage-v5" {
            let message = "Tracks of form `lineage-v4` and the registry key `dreamdb.entity_keys` need each other";
            return Err(Error::new(Code::RegistryAgreement, message));
        }
        if self.form == LEGACY {
            return Ok(());
        }
        let keys = |bindings: &[Binding<'a>]| bindings.iter().map(Binding::key).collect::<Vec<_>>();
        strictly_increasing("active bindings", &keys(&self.active))?;
        strictly_increasing("lineage bindings", &keys(&self.lineage))?;
        edges::check(&self.active, &self.lineage, &self.edges)
    }
}

/// Refuses a sequence that is not strictly increasing.
pub(super) fn strictly_increasing<K: PartialOrd>(what: &str, keys: &[K]) -> Result<()> {
    if keys.is_sorted_by(|first, second| first < second) {
        return Ok(());
    }
    Err(Error::new(Code::OrderingOrDuplicate, format_args!("{what} are not in strictly increasing order")))
}

fn role(field: &str, role: &str) -> Result<Role> {
    let refuse = || {
        let message =
            format_args!("the binding of field `{field}` has the role `{role}`, not `base` or `layer-of:<address>`");
        Error::new(Code::RoleAgreement, message)
    };
    match role.strip_prefix("layer-of:") {
        None if role == "base" => Ok(Role::Base),
        None => Err(refuse()),
        Some(base) => Address::parse(base).map(Role::LayerOf).map_err(|_| refuse()),
    }
}

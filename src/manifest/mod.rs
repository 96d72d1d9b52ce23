//! Manifests: one version of a dataset, as its content-addressed root object says it.
//!
//! [`Manifest::decode`] checks the whole object in the order in which the reference does: form, registry agreement,
//! roles, ordering, collisions, edges; then the schema; then, field by field, that schema, registry, tag and binding
//! of an array describe one type. What it gives back borrows the bytes. Key order and integer widths are free on
//! read (the address was checked before), unknown top-level keys are ignored, and nothing is guessed: a form that
//! is not known is refused by its name.
//!
//! Which bytes are fetched next does not belong here.

mod closed;
mod edges;
mod schema;
mod tracks;

pub use schema::{Field, FieldKind, MediaKind};
pub use tracks::{Binding, Role};

use crate::cbor::{Reader, Value};
use crate::error::{Code, Error, Result};
use crate::modality::Modality;
use crate::multihash::Address;
use crate::registry::Registry;
use closed::{address, list, text, uint};

/// Registry key of the dataset's schema.
const SCHEMA: &str = "dreamdb.schema";

/// Registry key of the tombstone index.
const TOMBSTONES: &str = "dreamdb.tombstones";

/// One decoded manifest.
#[derive(Clone, Debug)]
pub struct Manifest<'a> {
    /// When it was written, in nanoseconds since the epoch.
    pub timestamp: u64,
    /// Who wrote it: free text.
    pub writer: &'a str,
    /// The versions it follows.
    pub parents: Vec<Address>,
    /// The timelines it names; the address of a genesis object each.
    pub timelines: Vec<Address>,
    /// Name of the `tracks` container's form, for example `lineage-v1`.
    pub tracks_form: &'a str,
    /// The Tracks that are in force.
    pub active: Vec<Binding<'a>>,
    /// The schema's fields, in its order.
    pub fields: Vec<Field<'a>>,
    /// Head of the tombstone index, if anything was deleted.
    pub tombstones: Option<Address>,
    /// Text entries of the registry, such as `dreamdb.description`.
    pub notes: Vec<(&'a str, &'a str)>,
}

impl<'a> Manifest<'a> {
    /// Decodes and checks a manifest object. Costs one pass and a digest for each array field.
    ///
    /// # Errors
    /// [`Code::Cbor`]; [`Code::WireOrType`], [`Code::UnknownTracksForm`]; [`Code::RegistryItemTypeDuplicate`],
    /// [`Code::RegistryAgreement`], [`Code::UnresolvedModality`]; [`Code::RoleAgreement`],
    /// [`Code::OrderingOrDuplicate`], [`Code::BindingSetCollision`], [`Code::EdgeStructure`],
    /// [`Code::AcyclicityOrClosure`]; [`Code::SchemaMissing`], [`Code::SchemaField`] and those of an item type;
    /// [`Code::BindingMissing`], those of [`Registry::resolve`], [`Code::FieldIdentityMismatch`].
    pub fn decode(bytes: &'a [u8]) -> Result<Self> {
        let root = Reader::new(bytes).with_text_keys().value()?;
        let pairs = closed::open_map("manifest", &root)?;
        let get = |key: &str| closed::required("manifest", pairs, key);

        let timestamp = uint("manifest key `ts`", get("ts")?)?;
        let writer = text("manifest key `writer`", get("writer")?)?;
        let parents = list("manifest key `parents`", get("parents")?, address)?;
        let timelines = list("manifest key `timelines`", get("timelines")?, address)?;
        let tracks = tracks::Container::decode(get("tracks")?)?;
        let registry = Registry::new(closed::pairs("manifest key `registry`", get("registry")?)?)?;

        tracks.check(&registry)?;
        let schema = registry.get(SCHEMA).ok_or_else(|| {
            Error::new(Code::SchemaMissing, "the manifest has no `dreamdb.schema`, so its fields are not known")
        })?;
        let mut fields = schema::decode(schema)?;
        for field in &mut fields {
            field.bind(&tracks.active, &registry)?;
        }

        let notes = closed::pairs("manifest key `registry`", get("registry")?)?;
        let notes = notes.iter().filter_map(|(key, value)| Some((key.as_text()?, value.as_text()?))).collect();
        let tombstones = registry.get(TOMBSTONES).map(tombstone_head).transpose()?;
        let tracks_form = tracks.form;
        Ok(Self {
            timestamp,
            writer,
            parents,
            timelines,
            tracks_form,
            active: tracks.active,
            fields,
            tombstones,
            notes,
        })
    }
}

fn tombstone_head(entry: &Value<'_>) -> Result<Address> {
    let place = "registry entry `dreamdb.tombstones`";
    address(place, closed::required(place, closed::pairs(place, entry)?, "head")?)
}

/// The Track kind of a binding's modality, which must be the kind that the binding declares.
fn agreed_kind(binding: &Binding<'_>) -> Result<()> {
    let refuse =
        |error: Error| error.within(format_args!("binding of field `{}`", binding.field)).about(binding.modality);
    let modality = Modality::parse(binding.modality).map_err(refuse)?;
    match modality.track_kind().map_err(refuse)? {
        Some(kind) if kind != binding.kind => Err(Error::new(
            Code::RegistryAgreement,
            format_args!(
                "the binding of field `{}` declares kind `{}`, but modality `{}` is of kind `{}`",
                binding.field,
                binding.kind.name(),
                binding.modality,
                kind.name()
            ),
        )
        .about(binding.field)
        .bounds(kind.name(), binding.kind.name())),
        _ => Ok(()),
    }
}

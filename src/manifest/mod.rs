//! Manifests: one version of a dataset, as its content-addressed root object says it.
//!
//! [`Manifest::decode`] checks the whole object in the order in which the reference does: form, registry agreement,
//! roles, ordering, collisions, edges; then the schema; then, field by field, that schema, registry, tag and binding
//! of an array describe one type. What it gives back borrows the bytes. Key order and integer widths are free on
//! read (the address was checked before), unknown top-level keys are ignored, and nothing is guessed: a form that
//! is not known is refused by its name.
//!
//! Which bytes are fetched next does not belong here.

mod edges;
mod schema;
mod tracks;

use alloc::vec::Vec;
pub use schema::{Field, FieldKind, MediaKind};
pub use tracks::{Binding, Role};

use crate::cbor::{Reader, Record, Value};
use crate::error::{Code, Error, Result};
use crate::modality::Modality;
use crate::multihash::Address;
use crate::registry::Registry;
use crate::sentence::say;

/// Registry key of the dataset's schema.
const SCHEMA: &str = "dreamdb.schema";

/// Registry key of the tombstone index.
const TOMBSTONES: &str = "dreamdb.tombstones";

/// Name given to the oldest form of the `tracks` container, a plain list of bindings.
const LEGACY: &str = "legacy";

/// Registry key that form `lineage-v4` requires and that requires it.
const ENTITY_KEYS: &str = "dreamdb.entity_keys";

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
    /// [`Code::BindingMissing`], those of [`Registry::resolve`], [`Code::FieldIdentityMismatch`],
    /// [`Code::TimelineConflict`].
    pub fn decode(bytes: &'a [u8]) -> Result<Self> {
        let root = Reader::new(bytes).with_text_keys().value()?;
        let root = Record::open(Code::WireOrType, "the manifest", &root)?;
        let timestamp = root.uint("ts")?;
        let writer = root.text("writer")?;
        let parents = root.addresses("parents")?;
        let timelines = root.addresses("timelines")?;
        let tracks = tracks::Container::decode(root.get("tracks")?)?;
        let entries = root.map("registry")?;
        let registry = Registry::new(entries)?;

        tracks.check(&registry)?;
        let schema = registry.get(SCHEMA).ok_or_else(|| {
            Error::new(Code::SchemaMissing, say!("the manifest has no `dreamdb.schema`, so its fields are not known"))
        })?;
        let mut fields = schema::decode(schema)?;
        schema::bind(&mut fields, &tracks, &registry)?;

        let mut notes = Vec::new();
        for (key, value) in entries {
            if let (Value::Text(key), Value::Text(text)) = (key, value) {
                notes.push((*key, *text));
            }
        }
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

/// Refuses two manifests whose registries declare one array modality differently: [`Registry::agree`], before a merge.
///
/// Only the registries are looked at; the rest of the objects may be anything.
///
/// # Errors
/// [`Code::Cbor`], [`Code::WireOrType`], [`Code::RegistryItemTypeDuplicate`], [`Code::RegistryAgreement`] for either;
/// [`Code::RegistryConflict`].
pub fn check_registries(first: &[u8], second: &[u8]) -> Result<()> {
    let read = |bytes| Reader::new(bytes).with_text_keys().value();
    let (first, second) = (read(first)?, read(second)?);
    registry_of(&first)?.agree(&registry_of(&second)?)
}

fn registry_of<'r, 'a>(root: &'r Value<'a>) -> Result<Registry<'r, 'a>> {
    Registry::new(Record::open(Code::WireOrType, "the manifest", root)?.map("registry")?)
}

fn tombstone_head(entry: &Value<'_>) -> Result<Address> {
    Record::open(Code::WireOrType, "registry entry `dreamdb.tombstones`", entry)?.address("head")
}

/// The Track kind of a binding's modality, which must be the kind that the binding declares.
fn agreed_kind(binding: &Binding<'_>) -> Result<()> {
    let refuse = |error: Error| error.within(say!("binding of field `{}`", binding.field)).about(binding.modality);
    let modality = Modality::parse(binding.modality).map_err(refuse)?;
    match modality.track_kind().map_err(refuse)? {
        Some(kind) if kind != binding.kind => Err(Error::new(
            Code::RegistryAgreement,
            say!(
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

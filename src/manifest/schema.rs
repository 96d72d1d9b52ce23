//! `dreamdb.schema`: the fields of a dataset, and what binds them to Tracks.

use super::tracks::{Binding, Container};
use crate::cbor::{Record, Value};
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::modality::{self, Modality, TrackKind};
use crate::multihash::Address;
use crate::order::ascending;
use crate::registry::Registry;
use crate::sentence::say;
use alloc::{borrow::ToOwned, boxed::Box, string::String, vec, vec::Vec};

/// Classes whose Items are opaque bytes of a declared media type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaKind {
    /// Still images.
    Image,
    /// Audio.
    Audio,
    /// Video.
    Video,
}

impl MediaKind {
    /// The class of that name, if it is one of these.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Image, Self::Audio, Self::Video].into_iter().find(|media| media.name() == name)
    }

    /// The name in schemas and tags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
        }
    }
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldKind<'a> {
    /// Typed arrays (0025).
    Array {
        /// The declared type of every Item.
        item_type: Box<ItemType>,
        /// Kind of its Tracks.
        track_kind: TrackKind,
    },
    /// Packed, single or chunked media Items (0022).
    Media {
        /// Class of the media.
        media: MediaKind,
        /// Media subtype as the tag spells it, for example `png`.
        mime: &'a str,
        /// Items per pack, if the writer packs.
        pack_items: Option<u64>,
        /// Bytes per chunk, if the writer chunks.
        chunk_size: Option<u64>,
    },
    /// One value for the whole dataset, of a text class such as `title.text`.
    Constant {
        /// Modality tag.
        modality: &'a str,
    },
    /// A scalar column.
    Scalar {
        /// Type of its values, for example `categorical`.
        value_type: &'a str,
        /// Address of the object that describes its index, where the registry names one.
        index: Option<Address>,
    },
    /// A kind of field that this version does not read.
    Other {
        /// Name of the kind.
        kind: &'a str,
    },
}

/// One field of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// Name; any text.
    pub name: &'a str,
    /// Whether every row must have a value; `None` where the schema does not say.
    pub required: Option<bool>,
    /// What it holds.
    pub kind: FieldKind<'a>,
    /// The binding of its Track, as a position in [`Manifest::active`](super::Manifest::active).
    pub binding: usize,
}

/// The fields of a schema, in its order.
pub(super) fn decode<'a>(schema: &Value<'a>) -> Result<Vec<Field<'a>>> {
    let schema = Record::open(Code::WireOrType, "registry entry `dreamdb.schema`", schema)?;
    let keys: &[&str] = match schema.find("v") {
        Some(Value::Uint(1)) => &["v", "fields"],
        Some(Value::Uint(2)) => &["v", "fields", "embedding_specs"],
        _ => return Err(schema.refuse("v", say!("must have the version `v` 1 or 2"))),
    };
    schema.close(keys)?;
    let mut fields = Vec::new();
    for field in schema.list("fields")? {
        fields.push(Field::decode(field)?);
    }
    Ok(fields)
}

impl<'a> Field<'a> {
    pub(super) fn decode(value: &Value<'a>) -> Result<Self> {
        let field = Record::open(Code::WireOrType, "a schema field", value)?;
        let name = field.text("name")?;
        let place = ["schema field `", name, "`"].concat();
        let field = field.called(Code::SchemaField, &place);
        let required = match field.find("required") {
            None => None,
            Some(Value::Bool(required)) => Some(*required),
            Some(_) => return Err(field.wrong("required", "true or false")),
        };
        let kind = match field.text("kind")? {
            "array" => array(&place, field)?,
            "constant" => FieldKind::Constant { modality: field.text("modality")? },
            "scalar" => FieldKind::Scalar { value_type: field.text("value_type")?, index: None },
            kind => match MediaKind::from_name(kind) {
                Some(class) => media(class, field)?,
                None => FieldKind::Other { kind },
            },
        };
        Ok(Self { name, required, kind, binding: 0 })
    }

    /// Refuses the field unless its schema, the registry and the tag of its Track describe one type.
    fn check_type(&self, binding: &Binding<'a>, registry: &Registry<'_, 'a>) -> Result<()> {
        let FieldKind::Array { item_type, track_kind } = &self.kind else { return Ok(()) };
        let place = || say!("array field `{}`", self.name);
        let modality = Modality::parse(binding.modality).map_err(|error| error.within(place()))?;
        let (registered, kind) = registry.resolve(&modality).map_err(|error| error.within(place()))?;
        // Types are equal exactly if their canonical bytes are.
        if kind == *track_kind && registered.to_cbor() == item_type.to_cbor() {
            return Ok(());
        }
        let message = say!("{}: schema, registry and Track do not describe the same type", place());
        Err(Error::new(Code::FieldIdentityMismatch, message).about(self.name))
    }

    /// Tag of the modality that the schema gives the field; none for kinds of fields that are not known.
    pub(super) fn modality(&self) -> Option<String> {
        match &self.kind {
            FieldKind::Array { item_type, track_kind } => modality::tag(item_type, *track_kind).ok(),
            FieldKind::Media { media, mime, .. } => Some([media.name(), ".", mime].concat()),
            FieldKind::Constant { modality } => Some((*modality).to_owned()),
            FieldKind::Scalar { .. } | FieldKind::Other { .. } => None,
        }
    }
}

/// Finds the Track of each field, and checks the types of arrays.
///
/// A field is served by the first binding of its name. In the plain list, bindings need not be named: there the fields
/// choose in the order of their names, each a binding of its name, or else the first of its modality, among those that
/// no field before it has taken. This is how the reference reads both.
///
/// # Errors
/// [`Code::BindingMissing`]; those of [`Registry::resolve`]; [`Code::FieldIdentityMismatch`];
/// [`Code::TimelineConflict`] if the fields do not lie on one timeline.
pub(super) fn bind<'a>(fields: &mut [Field<'a>], tracks: &Container<'a>, registry: &Registry<'_, 'a>) -> Result<()> {
    let active = &tracks.active;
    let mut taken = vec![false; if tracks.is_plain() { active.len() } else { 0 }];
    for at in ascending(fields.len(), &|first, second| {
        fields.get(first).map(|field| field.name).cmp(&fields.get(second).map(|field| field.name))
    }) {
        let Some(field) = fields.get_mut(at as usize) else { continue };
        let free = |at: &usize| taken.get(*at) != Some(&true);
        let mut found = named(active, field.name).find(free);
        if found.is_none()
            && tracks.is_plain()
            && let Some(tag) = field.modality()
        {
            found =
                (0..active.len()).filter(|at| active.get(*at).is_some_and(|other| other.modality == tag)).find(free);
        }
        let Some((at, binding)) = found.and_then(|at| active.get(at).map(|binding| (at, binding))) else {
            let message = say!("the manifest has no active Track for field `{}`", field.name);
            return Err(Error::new(Code::BindingMissing, message).about(field.name));
        };
        if let Some(slot) = taken.get_mut(at) {
            *slot = true;
        }
        field.binding = at;
        field.check_type(binding, registry)?;
        if let FieldKind::Scalar { index, .. } = &mut field.kind {
            // Who reads the column misses it; who lists fields does not.
            let named = registry.get(binding.modality).and_then(|entry| entry.get("scalar_index_hash"));
            *index = named.and_then(Value::as_bytes).and_then(|bytes| Address::from_bytes(bytes).ok());
        }
    }
    one_timeline(fields, active)
}

/// Positions of the bindings of that name.
fn named<'v>(active: &'v [Binding<'_>], name: &'v str) -> impl Iterator<Item = usize> + 'v {
    active.iter().enumerate().filter(move |(_, binding)| binding.field == name).map(|(at, _)| at)
}

fn one_timeline(fields: &[Field<'_>], active: &[Binding<'_>]) -> Result<()> {
    let mut first: Option<&Binding<'_>> = None;
    for binding in fields.iter().filter_map(|field| active.get(field.binding)) {
        let other = *first.get_or_insert(binding);
        if binding.timeline != other.timeline {
            let message = say!(
                "the fields lie on several timelines: `{}` on {}, `{}` on {}",
                other.field,
                other.timeline,
                binding.field,
                binding.timeline
            );
            let refusal = Error::new(Code::TimelineConflict, message).about(binding.field);
            return Err(refusal.bounds(other.timeline, binding.timeline));
        }
    }
    Ok(())
}

fn array<'a>(place: &str, field: Record<'_, 'a>) -> Result<FieldKind<'a>> {
    let within = |error: Error| error.within(place);
    let item_type = ItemType::from_value(field.get("item_type")?).map_err(within)?;
    let (track_kind, object_kind) = (field.text("track_kind")?, field.text("object_kind")?);
    let track_kind = modality::pair(track_kind, object_kind, Code::SchemaField).map_err(within)?;
    modality::tag(&item_type, track_kind).map_err(within)?;
    Ok(FieldKind::Array { item_type: Box::new(item_type), track_kind })
}

fn media<'a>(media: MediaKind, field: Record<'_, 'a>) -> Result<FieldKind<'a>> {
    let count = |key: &str| match field.find(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Uint(count)) => Ok(Some(*count)),
        Some(_) => Err(field.wrong(key, "an unsigned integer")),
    };
    let mime = field.text("mime")?;
    Ok(FieldKind::Media { media, mime, pack_items: count("pack_items")?, chunk_size: count("chunk_size")? })
}

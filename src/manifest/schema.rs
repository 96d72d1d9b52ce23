//! `dreamdb.schema`: the fields of a dataset, and what binds them to Tracks.

use super::tracks::Binding;
use crate::cbor::{Record, Value};
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::modality::{self, Modality, TrackKind};
use crate::registry::Registry;

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
    /// Its active bindings, as positions in [`Manifest::active`](super::Manifest::active).
    pub bindings: Vec<usize>,
}

/// The fields of a schema, in its order.
pub(super) fn decode<'a>(schema: &Value<'a>) -> Result<Vec<Field<'a>>> {
    let schema = Record::open(Code::WireOrType, "registry entry `dreamdb.schema`", schema)?;
    let keys: &[&str] = match schema.find("v") {
        Some(Value::Uint(1)) => &["v", "fields"],
        Some(Value::Uint(2)) => &["v", "fields", "embedding_specs"],
        _ => return Err(schema.refuse("v", "must have the version `v` 1 or 2")),
    };
    schema.close(keys)?;
    let mut fields = Vec::new();
    for field in schema.list("fields")? {
        fields.push(Field::decode(field)?);
    }
    Ok(fields)
}

impl<'a> Field<'a> {
    fn decode(value: &Value<'a>) -> Result<Self> {
        let field = Record::open(Code::WireOrType, "a schema field", value)?;
        let name = field.text("name")?;
        let place = format!("schema field `{name}`");
        let field = field.called(Code::SchemaField, &place);
        let required = match field.find("required") {
            None => None,
            Some(Value::Bool(required)) => Some(*required),
            Some(_) => return Err(field.wrong("required", "true or false")),
        };
        let kind = match field.text("kind")? {
            "array" => array(&place, field)?,
            "image" => media(MediaKind::Image, field)?,
            "audio" => media(MediaKind::Audio, field)?,
            "video" => media(MediaKind::Video, field)?,
            "constant" => FieldKind::Constant { modality: field.text("modality")? },
            "scalar" => FieldKind::Scalar { value_type: field.text("value_type")? },
            kind => FieldKind::Other { kind },
        };
        Ok(Self { name, required, kind, bindings: Vec::new() })
    }

    /// Finds the field's active bindings and checks that schema, registry and tags describe one type.
    pub(super) fn bind(&mut self, active: &[Binding<'a>], registry: &Registry<'_, 'a>) -> Result<()> {
        let own = |binding: &Binding<'a>| binding.field == self.name;
        for (at, binding) in active.iter().enumerate() {
            if own(binding) {
                self.bindings.push(at);
            }
        }
        if self.bindings.is_empty() {
            let message = format_args!("the manifest has no active Track for field `{}`", self.name);
            return Err(Error::new(Code::BindingMissing, message).about(self.name));
        }
        let FieldKind::Array { item_type, track_kind } = &self.kind else { return Ok(()) };
        for binding in active.iter().filter(|binding| own(binding)) {
            let place = format_args!("array field `{}`", self.name);
            let modality = Modality::parse(binding.modality).map_err(|error| error.within(place))?;
            let (registered, kind) = registry.resolve(&modality).map_err(|error| error.within(place))?;
            // Types are equal exactly if their canonical bytes are.
            if kind != *track_kind || registered.to_cbor() != item_type.to_cbor() {
                let message = format_args!("{place}: schema, registry and Track do not describe the same type");
                return Err(Error::new(Code::FieldIdentityMismatch, message).about(self.name));
            }
        }
        Ok(())
    }
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

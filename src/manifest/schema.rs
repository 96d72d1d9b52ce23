//! `dreamdb.schema`: the fields of a dataset, and what binds them to Tracks.

use super::closed::{self, Pairs, closed_map, text, uint};
use super::tracks::Binding;
use crate::cbor::Value;
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::modality::{self, Modality, TrackKind};
use crate::registry::Registry;
use std::fmt::Display;

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
    let place = "registry entry `dreamdb.schema`";
    let version = closed::optional(closed::open_map(place, schema)?, "v").map(|version| uint(place, version));
    let keys: &[&str] = match version.transpose()? {
        Some(1) => &["v", "fields"],
        Some(2) => &["v", "fields", "embedding_specs"],
        _ => return Err(closed::refuse(place, "must have the version `v` 1 or 2")),
    };
    let pairs = closed_map(place, schema, keys)?;
    closed::list(place, closed::required(place, pairs, "fields")?, Field::decode)
}

impl<'a> Field<'a> {
    fn decode(place: &str, value: &Value<'a>) -> Result<Self> {
        let pairs = closed::open_map(place, value)?;
        let name = text("the name of a schema field", closed::required(place, pairs, "name")?)?;
        let get = |key: &str| -> Result<&'a str> {
            let found =
                closed::optional(pairs, key).ok_or_else(|| faulty(name, format_args!("lacks the key `{key}`")))?;
            found.as_text().ok_or_else(|| faulty(name, format_args!("has a `{key}` that is not text")))
        };
        let required = closed::optional(pairs, "required")
            .map(|flag| flag.as_bool().ok_or_else(|| faulty(name, "has a `required` that is neither true nor false")));
        let kind = match get("kind")? {
            "array" => array(name, pairs, get)?,
            "image" => media(MediaKind::Image, name, pairs, get("mime")?)?,
            "audio" => media(MediaKind::Audio, name, pairs, get("mime")?)?,
            "video" => media(MediaKind::Video, name, pairs, get("mime")?)?,
            "constant" => FieldKind::Constant { modality: get("modality")? },
            "scalar" => FieldKind::Scalar { value_type: get("value_type")? },
            kind => FieldKind::Other { kind },
        };
        Ok(Self { name, required: required.transpose()?, kind, bindings: Vec::new() })
    }

    /// Finds the field's active bindings and checks that schema, registry and tags describe one type.
    pub(super) fn bind(&mut self, active: &[Binding<'a>], registry: &Registry<'_, 'a>) -> Result<()> {
        let own = |binding: &Binding<'a>| binding.field == self.name;
        self.bindings = active.iter().enumerate().filter(|(_, binding)| own(binding)).map(|(at, _)| at).collect();
        if self.bindings.is_empty() {
            let message = format_args!("the manifest has no active Track for field `{}`", self.name);
            return Err(Error::new(Code::BindingMissing, message).about(self.name));
        }
        let FieldKind::Array { item_type, track_kind } = &self.kind else { return Ok(()) };
        for binding in active.iter().filter(|binding| own(binding)) {
            let place = format_args!("array field `{}`", self.name);
            let modality = Modality::parse(binding.modality).map_err(|error| error.within(place))?;
            let (registered, kind) = registry.resolve(&modality).map_err(|error| error.within(place))?;
            if registered != **item_type || kind != *track_kind {
                let message = format_args!("{place}: schema, registry and Track do not describe the same type");
                return Err(Error::new(Code::FieldIdentityMismatch, message).about(self.name));
            }
        }
        Ok(())
    }
}

fn array<'a>(name: &str, pairs: Pairs<'_, 'a>, get: impl Fn(&str) -> Result<&'a str>) -> Result<FieldKind<'a>> {
    let document = closed::optional(pairs, "item_type").ok_or_else(|| faulty(name, "lacks the key `item_type`"))?;
    let place = format_args!("schema field `{name}`");
    let item_type = ItemType::from_value(document).map_err(|error| error.within(place))?;
    let track_kind = modality::pair(get("track_kind")?, get("object_kind")?, Code::SchemaField);
    let track_kind = track_kind.map_err(|error| error.within(place))?;
    modality::tag(&item_type, track_kind).map_err(|error| error.within(place))?;
    Ok(FieldKind::Array { item_type: Box::new(item_type), track_kind })
}

fn media<'a>(media: MediaKind, name: &str, pairs: Pairs<'_, 'a>, mime: &'a str) -> Result<FieldKind<'a>> {
    let count = |key: &str| {
        let found = closed::optional(pairs, key).filter(|value| !matches!(value, Value::Null));
        let read = |value: &Value<'_>| {
            value.as_uint().ok_or_else(|| faulty(name, format_args!("has a `{key}` that is no count")))
        };
        found.map(read).transpose()
    };
    Ok(FieldKind::Media { media, mime, pack_items: count("pack_items")?, chunk_size: count("chunk_size")? })
}

fn faulty(name: &str, what: impl Display) -> Error {
    Error::new(Code::SchemaField, format_args!("schema field `{name}` {what}")).about(name)
}

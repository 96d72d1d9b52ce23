//! Fields that a new version adds: their entries of the schema, and what follows from these.

use super::super::schema::{Field, FieldKind, MediaKind};
use crate::cbor::{Reader, Value, Writer};
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::modality::{self, Modality, TrackKind};
use crate::multihash::Address;
use crate::scalar::{self, ValueType};

/// Most Items that a field may ask to be packed together: the reference reserves room for as many with every append.
const MOST_PACK_ITEMS: u64 = 1 << 20;

/// A field to be added: its entry of `dreamdb.schema`, read.
#[derive(Clone, Debug)]
pub struct NewField<'a> {
    entry: Value<'a>,
    field: Field<'a>,
    kind: TrackKind,
    modality: String,
    /// What describes the index of a scalar column, and its address.
    descriptor: Option<(Address, Vec<u8>)>,
}

impl<'a> NewField<'a> {
    /// Reads entries of the schema, one after another.
    ///
    /// # Errors
    /// [`Code::Cbor`], [`Code::SchemaField`] and those of an item type; [`Code::InvalidArgument`] for a field of a kind
    /// that this crate does not write; those of [`Modality::parse`].
    pub fn decode_all(entries: &'a [u8]) -> Result<Vec<Self>> {
        let mut reader = Reader::new(entries).with_text_keys();
        let mut fields = Vec::new();
        while reader.remaining() > 0 {
            fields.push(Self::decode(reader.value()?)?);
        }
        Ok(fields)
    }

    fn decode(entry: Value<'a>) -> Result<Self> {
        let field = Field::decode(&entry)?;
        let not_written = || {
            let message = format_args!("field `{}` is of a kind that this version does not write", field.name);
            Error::new(Code::InvalidArgument, message).about(field.name)
        };
        let (modality, descriptor) = match &field.kind {
            FieldKind::Scalar { value_type, .. } => {
                let value_type = ValueType::named(value_type).ok_or_else(not_written)?;
                let object = scalar::descriptor(value_type, field.name);
                (value_type.tag(field.name), Some((Address::of(&object), object)))
            }
            _ => (field.modality().ok_or_else(not_written)?, None),
        };
        let tag = Modality::parse(&modality).map_err(|error| error.within(format_args!("field `{}`", field.name)))?;
        let kind = tag.track_kind()?.ok_or_else(not_written)?;
        Ok(Self { entry, field, kind, modality, descriptor })
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.field.name
    }

    /// Kind of its Track.
    #[must_use]
    pub const fn kind(&self) -> TrackKind {
        self.kind
    }

    /// Modality of its Track.
    #[must_use]
    pub fn modality(&self) -> &str {
        &self.modality
    }

    /// The type of its Items, if they are arrays.
    #[must_use]
    pub fn item_type(&self) -> Option<&ItemType> {
        if let FieldKind::Array { item_type, .. } = &self.field.kind { Some(item_type) } else { None }
    }

    /// Its entry of the schema.
    pub(super) fn entry(&self) -> Value<'a> {
        self.entry.clone()
    }

    /// What the registry needs under its modality: a declaration, or where its index is described.
    pub(super) fn declaration(&self) -> Option<(&'static str, Value<'_>)> {
        match &self.descriptor {
            Some((index, _)) => Some(("scalar_index_hash", Value::Bytes(index.as_bytes()))),
            None => self.item_type().and_then(|_| Some(("item_type", self.entry.get("item_type")?.clone()))),
        }
    }

    /// The object that describes the index of a scalar column.
    #[must_use]
    pub fn descriptor(&self) -> Option<&[u8]> {
        self.descriptor.as_ref().map(|(_, object)| object.as_slice())
    }
}

/// The schema's entry of an array field (0025 §2), canonical.
///
/// # Errors
/// [`Code::InvalidArgument`] for a Constant that rows must have; [`Code::InvalidModality`] if the tag would be too long.
pub fn array_field(name: &str, required: bool, kind: TrackKind, item_type: &ItemType) -> Result<Vec<u8>> {
    modality::tag(item_type, kind)?;
    if required && kind == TrackKind::Constant {
        let message = format_args!("field `{name}` is a Constant: it belongs to no row, and cannot be required of any");
        return Err(Error::new(Code::InvalidArgument, message).about(name));
    }
    let document = item_type.to_cbor();
    let mut out = Writer::new();
    out.map(6).text("kind").text("array").text("name").text(name).text("required").bool(required);
    out.text("item_type").value(&Reader::new(&document).value()?);
    out.text("track_kind").text(kind.name()).text("object_kind").text(kind.storage().object_kind());
    Ok(out.into_bytes())
}

/// The schema's entry of a scalar column, canonical.
///
/// # Errors
/// [`Code::InvalidSegment`] for a name that has more than small letters, digits and `_`, since paths of its objects hold it.
/// Whether the type of its values is known is seen when the entry is read.
pub fn scalar_field(name: &str, required: bool, value_type: &str) -> Result<Vec<u8>> {
    if !name.bytes().all(|letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'_')) {
        let message = format_args!("field `{name}`: names of scalar columns have only a-z, 0-9 and _");
        return Err(Error::new(Code::InvalidSegment, message).about(name));
    }
    let mut out = Writer::new();
    out.map(4).text("kind").text("scalar").text("name").text(name).text("required").bool(required);
    out.text("value_type").text(value_type);
    Ok(out.into_bytes())
}

/// The schema's entry of a media field (0022 §4), canonical.
///
/// Fewer than two `pack_items` mean no packs; with a `chunk_size`, in bytes, every Item is cut, and none packed.
///
/// # Errors
/// Those of [`Modality::parse`] for the tag that class and `mime` make, and [`Code::InvalidSegment`] for a letter that
/// is not a small one, since paths of objects hold the tag; [`Code::InvalidArgument`] for a `chunk_size` of 0 or more
/// than 2^20 `pack_items`.
pub fn media_field(
    name: &str,
    required: bool,
    media: MediaKind,
    mime: &str,
    pack_items: Option<u64>,
    chunk_size: Option<u64>,
) -> Result<Vec<u8>> {
    let refuse = |code, what: &str| Error::new(code, format_args!("field `{name}`: {what}")).about(name);
    Modality::parse(&format!("{}.{mime}", media.name()))
        .map_err(|error| error.within(format_args!("field `{name}`")))?;
    if mime.bytes().any(|letter| letter.is_ascii_uppercase()) {
        return Err(refuse(Code::InvalidSegment, "the paths of its objects hold `mime`, and have no capital letters"));
    }
    if pack_items.is_some_and(|items| items > MOST_PACK_ITEMS) {
        return Err(refuse(Code::InvalidArgument, "packs of more than 2^20 Items exhaust the memory of other writers"));
    }
    if chunk_size == Some(0) {
        return Err(refuse(Code::InvalidArgument, "chunks have at least one byte"));
    }
    let pairs =
        4_usize.saturating_add(usize::from(pack_items.is_some())).saturating_add(usize::from(chunk_size.is_some()));
    let mut out = Writer::new();
    out.map(pairs).text("kind").text(media.name()).text("mime").text(mime).text("name").text(name);
    out.text("required").bool(required);
    if let Some(chunk_size) = chunk_size {
        out.text("chunk_size").uint(chunk_size);
    }
    if let Some(pack_items) = pack_items {
        out.text("pack_items").uint(pack_items);
    }
    Ok(out.into_bytes())
}

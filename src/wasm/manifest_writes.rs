//! Manifests for writers: fields, first versions, versions that follow.

use super::object::{Plain, Thrown, bytes, thrown};
use crate::error::{Code, Error, Result};
use crate::item_type::ItemType;
use crate::manifest::MediaKind;
use crate::manifest::write::{self, Edit, NewField, Placed, Written};
use crate::modality::TrackKind;
use crate::multihash::Address;
use crate::track::encode::addresses;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A field that a manifest is to have. */
export interface CoreNewField {
  name: string;
  /** Kind of its Track. */
  kind: "event" | "continuous" | "constant";
  /** Modality of its Track. */
  modality: string;
  /** Its entry of the schema, canonical CBOR; entries of several fields one after another are an argument of the calls below. */
  schema: Uint8Array;
  /** Canonical CBOR of the type of its Items, if they are arrays. */
  itemType?: Uint8Array;
  /** What describes its index, an object to be stored, if it is a scalar column. */
  descriptor?: Uint8Array;
}
/** A manifest that is ready to be stored. */
export interface CoreWrittenManifest {
  manifest: Uint8Array;
  address: string;
  /** Bytes of its `tracks` container; from 1,048,577 on, calls fail with `ManifestFull`. */
  tracksBytes: number;
}
"#;

/// A field of typed arrays.
///
/// # Errors
/// Those of `array_field` and of the item type; `InvalidArgument` for an unknown kind.
#[wasm_bindgen(js_name = arrayField, unchecked_return_type = "CoreNewField")]
pub fn array_field(
    name: &str,
    required: bool,
    #[wasm_bindgen(unchecked_param_type = "\"event\" | \"continuous\" | \"constant\"")] kind: &str,
    type_cbor: &[u8],
) -> Thrown<JsValue> {
    described(
        TrackKind::from_name(kind)
            .ok_or_else(|| unknown("Track kind", kind))
            .and_then(|kind| write::array_field(name, required, kind, &ItemType::from_cbor(type_cbor)?)),
    )
}

/// A field of media, or a scalar column: one of class `scalar`, whose `mime` is the type of its values. `packItems` are Items, `chunkSize` bytes.
///
/// # Errors
/// Those of `media_field` and `scalar_field`; `InvalidArgument` for an unknown class.
#[wasm_bindgen(js_name = mediaField, unchecked_return_type = "CoreNewField")]
pub fn media_field(
    name: &str,
    required: bool,
    #[wasm_bindgen(unchecked_param_type = "\"image\" | \"audio\" | \"video\" | \"scalar\"")] media: &str,
    mime: &str,
    #[wasm_bindgen(js_name = packItems)] pack_items: Option<u64>,
    #[wasm_bindgen(js_name = chunkSize)] chunk_size: Option<u64>,
) -> Thrown<JsValue> {
    described(match MediaKind::from_name(media) {
        Some(media) => write::media_field(name, required, media, mime, pack_items, chunk_size),
        None if media == "scalar" => write::scalar_field(name, required, mime),
        None => Err(unknown("class of media", media)),
    })
}

/// The first manifest of a dataset.
///
/// `added` are entries of the schema, one after another; `tracks`, 33 bytes each, and `coverage`, two numbers each,
/// are those of these fields, in their order. `notes` are keys and texts by turns.
///
/// # Errors
/// Those of `create`; `Multihash`, and `InvalidArgument` for columns of other lengths.
#[wasm_bindgen(js_name = createManifest, unchecked_return_type = "CoreWrittenManifest")]
#[allow(clippy::needless_pass_by_value)] // Lists of text come over the boundary as owned ones.
pub fn create_manifest(
    timeline: &str,
    timestamp: u64,
    writer: &str,
    added: &[u8],
    tracks: &[u8],
    coverage: &[u64],
    notes: Vec<String>,
) -> Thrown<JsValue> {
    let version = Version { timestamp, writer, fields: &[], added, tracks, coverage, tombstones: None, notes: &notes };
    version.write(Base::Timeline(timeline), false)
}

/// The manifest that follows `parent`.
///
/// `fields` are names of those that have a new Track, `added` entries of the schema, one after another; `tracks`, 33
/// bytes each, and `coverage`, two numbers each, are those of `fields` and then of what is added. `tombstones` is a new
/// head, `notes` are keys and texts by turns. With `forgetLineage` it says of no Track which one that replaced.
///
/// # Errors
/// Those of `edit`; `Multihash`, and `InvalidArgument` for columns of other lengths.
#[wasm_bindgen(js_name = editManifest, unchecked_return_type = "CoreWrittenManifest")]
#[allow(clippy::too_many_arguments)] // Columns cross the boundary as they are; an object would have to be taken apart.
#[allow(clippy::needless_pass_by_value)] // As above.
pub fn edit_manifest(
    parent: &[u8],
    timestamp: u64,
    writer: &str,
    fields: Vec<String>,
    added: &[u8],
    tracks: &[u8],
    coverage: &[u64],
    tombstones: Option<String>,
    notes: Vec<String>,
    #[wasm_bindgen(js_name = forgetLineage)] forget_lineage: bool,
) -> Thrown<JsValue> {
    let tombstones = tombstones.as_deref();
    let version = Version { timestamp, writer, fields: &fields, added, tracks, coverage, tombstones, notes: &notes };
    version.write(Base::Parent(parent), forget_lineage)
}

/// What a version follows.
#[derive(Clone, Copy)]
enum Base<'a> {
    Timeline(&'a str),
    Parent(&'a [u8]),
}

/// Arguments of either call.
struct Version<'a> {
    timestamp: u64,
    writer: &'a str,
    fields: &'a [String],
    added: &'a [u8],
    tracks: &'a [u8],
    coverage: &'a [u64],
    tombstones: Option<&'a str>,
    notes: &'a [String],
}

impl Version<'_> {
    #[inline(never)] // Once for both calls.
    fn write(&self, base: Base<'_>, forgets_lineage: bool) -> Thrown<JsValue> {
        self.written(base, forgets_lineage).map_err(thrown).map(|made| {
            Plain::new()
                .with("manifest", bytes(&made.object))
                .with("address", made.address)
                .with("tracksBytes", u32::try_from(made.tracks_bytes).unwrap_or(u32::MAX))
                .done()
        })
    }

    fn written(&self, base: Base<'_>, forgets_lineage: bool) -> Result<Written> {
        let new = NewField::decode_all(self.added)?;
        let mut edit = Edit { timestamp: self.timestamp, writer: self.writer, forgets_lineage, ..Edit::default() };
        edit.tombstones = self.tombstones.map(Address::parse).transpose()?;
        let (extents, rest) = self.coverage.as_chunks::<2>();
        let tracks = addresses(self.tracks)?;
        let (pairs, unpaired) = self.notes.as_chunks::<2>();
        let wanted = self.fields.len().saturating_add(new.len());
        if !rest.is_empty() || !unpaired.is_empty() || tracks.len() != wanted || extents.len() != wanted {
            let message = format_args!("{wanted} fields need a Track and an extent each, and notes are pairs");
            return Err(Error::new(Code::InvalidArgument, message));
        }
        for (at, (track, coverage)) in tracks.iter().zip(extents).enumerate() {
            let placed = Placed { track: *track, coverage: *coverage };
            match (self.fields.get(at), new.get(at.saturating_sub(self.fields.len()))) {
                (Some(field), _) => edit.moved.push((field, placed)),
                (None, Some(field)) => edit.added.push((field, placed)),
                (None, None) => {}
            }
        }
        for [key, text] in pairs {
            edit.notes.push((key, text));
        }
        match base {
            Base::Timeline(timeline) => write::create(&Address::parse(timeline)?, &edit),
            Base::Parent(parent) => write::edit(parent, &edit),
        }
    }
}

#[inline(never)] // Once for both calls.
fn described(entry: Result<Vec<u8>>) -> Thrown<JsValue> {
    let entry = entry.map_err(thrown)?;
    let fields = NewField::decode_all(&entry).map_err(thrown)?;
    // An entry is one field.
    Ok(fields.first().map_or(JsValue::UNDEFINED, |field| {
        Plain::new()
            .with("name", field.name())
            .with("kind", field.kind().name())
            .with("modality", field.modality())
            .with("schema", bytes(&entry))
            .maybe("descriptor", field.descriptor().map(bytes))
            .maybe("itemType", field.item_type().map(|item_type| bytes(&item_type.to_cbor())))
            .done()
    }))
}

fn unknown(what: &str, name: &str) -> Error {
    Error::new(Code::InvalidArgument, format_args!("there is no {what} `{name}`"))
}

//! Manifests, ItemManifests, pack spans and tombstones.

use super::item_types::{describe, document};
use super::names::name;
use super::object::{Plain, Thrown, bigints, bytes, list, text, thrown};
use crate::item_manifest::{self, ItemManifest};
use crate::manifest::{self, Binding, Field, FieldKind, Manifest, Role};
use crate::multihash::Address;
use crate::tombstone::{Head, Page, Summary};
use crate::track::{fragments, packs};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** One active binding of a manifest: a Track in the service of a field. */
export interface CoreBinding {
  field: string;
  kind: "event" | "continuous" | "constant";
  /** Address of the Track that this one is laid over, for a layer. */
  layerOf?: string;
  track: string;
  start: bigint;
  end: bigint;
  modality: string;
  timeline: string;
}
/** One field of a manifest's schema; what is there besides the first four depends on `kind`. */
export interface CoreField {
  name: string;
  kind: string;
  required?: boolean;
  /** Its Track's position in the manifest's bindings. */
  binding: number;
  type?: CoreItemType;
  typeCbor?: Uint8Array;
  itemId?: string;
  trackKind?: "event" | "continuous" | "constant";
  objectKind?: "unbucketed" | "time-batch" | "constant";
  mime?: string;
  packItems?: bigint;
  chunkSize?: bigint;
  modality?: string;
  valueType?: string;
  /** Address of the descriptor of a scalar column's index. */
  scalarIndex?: string;
}
/** A decoded manifest. */
export interface CoreManifest {
  timestamp: bigint;
  writer: string;
  parents: string[];
  timelines: string[];
  tracksForm: string;
  tombstones?: string;
  notes: [key: string, text: string][];
  bindings: CoreBinding[];
  fields: CoreField[];
}
/** A run of deleted anchors, as its parent sums it up. */
export interface CoreTombstoneSummary {
  min: bigint;
  max: bigint;
  count: bigint;
  level: bigint;
  page: string;
}
/** A head of tombstones: an index with a root page, or a plain list of anchors. */
export interface CoreTombstoneHead {
  timeline?: string;
  parents: string[];
  anchors: BigUint64Array;
  root?: CoreTombstoneSummary;
}
/** A page of tombstones: a leaf's anchors, or summaries of the pages below. */
export type CoreTombstonePage = { anchors: BigUint64Array; children?: undefined } | { anchors?: undefined; children: CoreTombstoneSummary[] };
/** The chunks of an Item. */
export interface CoreItemManifest {
  addresses: Uint8Array;
  sizes: BigUint64Array;
}
"#;

/// Decodes and checks a manifest object.
///
/// # Errors
/// Those of `Manifest::decode`.
#[wasm_bindgen(js_name = decodeManifest, unchecked_return_type = "CoreManifest")]
pub fn decode_manifest(object: &[u8]) -> Thrown<JsValue> {
    let manifest = Manifest::decode(object).map_err(thrown)?;
    let note = |(key, text): &(&str, &str)| list(&[*key, *text], |text| JsValue::from_str(text));
    Ok(Plain::new()
        .with(name!("timestamp"), manifest.timestamp)
        .with(name!("writer"), manifest.writer)
        .with(name!("parents"), list(&manifest.parents, text))
        .with(name!("timelines"), list(&manifest.timelines, text))
        .with(name!("tracksForm"), manifest.tracks_form)
        .maybe(name!("tombstones"), manifest.tombstones)
        .with(name!("notes"), list(&manifest.notes, note))
        .with(name!("bindings"), list(&manifest.active, binding))
        .with(name!("fields"), list(&manifest.fields, field))
        .done())
}

/// Refuses two manifest objects whose registries declare one array modality differently (0025 §5).
///
/// # Errors
/// Those of `manifest::check_registries`.
#[wasm_bindgen(js_name = checkRegistries)]
pub fn check_registries(first: &[u8], second: &[u8]) -> Thrown<()> {
    manifest::check_registries(first, second).map_err(thrown)
}

/// Checks an Item's span against the body of its pack (0022 §3.4).
///
/// # Errors
/// `PackSliceOutOfBounds`, `PackLength`.
#[wasm_bindgen(js_name = checkPackSlice)]
pub fn check_pack_slice(offset: u32, size: u64, declared: u64, body: u64) -> Thrown<()> {
    packs::check_slice(offset, size, declared, body).map_err(thrown)
}

/// Refuses an object of `body` bytes that is to be a single Item of `size`.
///
/// # Errors
/// `PayloadLength`.
#[wasm_bindgen(js_name = checkSingle)]
pub fn check_single(size: u64, body: u64) -> Thrown<()> {
    fragments::check_single(size, body).map_err(thrown)
}

/// Refuses an object of `body` bytes that is to be a chunk of `size`, the one at that position.
///
/// # Errors
/// `ChunkLength`.
#[wasm_bindgen(js_name = checkChunk)]
pub fn check_chunk(position: u64, size: u64, body: u64) -> Thrown<()> {
    item_manifest::check_chunk(position, size, body).map_err(thrown)
}

/// Decodes the ItemManifest of an Item of `size` bytes.
///
/// # Errors
/// Those of `ItemManifest::decode`.
#[wasm_bindgen(js_name = decodeItemManifest, unchecked_return_type = "CoreItemManifest")]
pub fn decode_item_manifest(object: &[u8], size: u64) -> Thrown<JsValue> {
    let manifest = ItemManifest::decode(object, size).map_err(thrown)?;
    Ok(Plain::new()
        .with(name!("addresses"), bytes(&manifest.addresses))
        .with(name!("sizes"), bigints(&manifest.sizes))
        .done())
}

/// Decodes a head of tombstones.
///
/// # Errors
/// Those of `Head::decode`.
#[wasm_bindgen(js_name = decodeTombstones, unchecked_return_type = "CoreTombstoneHead")]
pub fn decode_tombstones(object: &[u8]) -> Thrown<JsValue> {
    let head = Head::decode(object).map_err(thrown)?;
    Ok(Plain::new()
        .maybe(name!("timeline"), head.timeline)
        .with(name!("parents"), list(&head.parents, text))
        .with(name!("anchors"), bigints(&head.anchors))
        .maybe(name!("root"), head.root.as_ref().map(summary))
        .done())
}

/// Decodes a page of tombstones and checks that it is what its parent says.
///
/// # Errors
/// Those of `Page::decode`; `Multihash` if `page` is no address.
#[wasm_bindgen(js_name = decodeTombstonePage, unchecked_return_type = "CoreTombstonePage")]
pub fn decode_tombstone_page(object: &[u8], min: u64, max: u64, count: u64, level: u64, page: &str) -> Thrown<JsValue> {
    let decode = || Page::decode(object, &Summary { min, max, count, level, page: Address::parse(page)? });
    Ok(match decode().map_err(thrown)? {
        Page::Leaf(anchors) => Plain::new().with(name!("anchors"), bigints(&anchors)),
        Page::Internal(children) => Plain::new().with(name!("children"), list(&children, summary)),
    }
    .done())
}

fn summary(summary: &Summary) -> JsValue {
    Plain::new()
        .with(name!("min"), summary.min)
        .with(name!("max"), summary.max)
        .with(name!("count"), summary.count)
        .with(name!("level"), summary.level)
        .with(name!("page"), summary.page)
        .done()
}

fn binding(binding: &Binding<'_>) -> JsValue {
    let layer_of = match binding.role {
        Role::Base => None,
        Role::LayerOf(base) => Some(base),
    };
    let [start, end] = binding.coverage;
    Plain::new()
        .with(name!("field"), binding.field)
        .with(name!("kind"), binding.kind.name())
        .maybe(name!("layerOf"), layer_of)
        .with(name!("track"), binding.track)
        .with(name!("start"), start)
        .with(name!("end"), end)
        .with(name!("modality"), binding.modality)
        .with(name!("timeline"), binding.timeline)
        .done()
}

fn field(field: &Field<'_>) -> JsValue {
    let binding = u32::try_from(field.binding).unwrap_or(u32::MAX);
    let plain = Plain::new()
        .with(name!("name"), field.name)
        .maybe(name!("required"), field.required)
        .with(name!("binding"), binding);
    match &field.kind {
        FieldKind::Array { item_type, track_kind } => plain
            .with(name!("kind"), "array")
            .with(name!("type"), describe(item_type).done())
            .with(name!("typeCbor"), document(item_type))
            .with(name!("itemId"), item_type.id())
            .with(name!("trackKind"), track_kind.name())
            .with(name!("objectKind"), track_kind.storage().object_kind()),
        FieldKind::Media { media, mime, pack_items, chunk_size } => plain
            .with(name!("kind"), media.name())
            .with(name!("mime"), *mime)
            .maybe(name!("packItems"), *pack_items)
            .maybe(name!("chunkSize"), *chunk_size),
        FieldKind::Constant { modality } => plain.with(name!("kind"), "constant").with(name!("modality"), *modality),
        FieldKind::Scalar { value_type, index } => plain
            .with(name!("kind"), "scalar")
            .with(name!("valueType"), *value_type)
            .maybe(name!("scalarIndex"), *index),
        FieldKind::Other { kind } => plain.with(name!("kind"), *kind),
    }
    .done()
}

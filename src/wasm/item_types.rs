//! Item types and modality tags.

use super::names::name;
use super::object::{Plain, Thrown, bytes, list, text, thrown};
use crate::error::{Code, Error};
use crate::item_type::{Declaration, ItemType};
use crate::modality::{self, Modality, TrackKind};
use crate::sentence::say;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A declared item type, as its document says it; `shape` of dense-array and sparse-csr, `innerShape` of ragged-array. */
export interface CoreItemType {
  family: "dense-array" | "ragged-array" | "sparse-csr";
  version: 1;
  dtype: string;
  shape?: bigint[];
  innerShape?: bigint[];
  endianness: "little" | "big";
  layout: "c" | "f";
  codec: "raw" | "npy" | "offsets-values";
  codecVersion: 1;
  indexDtype?: "u64";
  semanticType: string;
  units: string;
  frame: string;
  axisOrder: string;
}
/** A modality tag whose grammar is sound. */
export interface CoreModality {
  class: string;
  encoding: string;
  array: boolean;
  trackKind?: string;
  storage?: string;
  objectKind?: string;
}
"#;

/// The type that canonical CBOR bytes declare.
///
/// # Errors
/// Those of an item type; `Cbor` for bytes that are not the canonical encoding.
#[wasm_bindgen(js_name = decodeItemType, unchecked_return_type = "CoreItemType")]
pub fn decode_item_type(cbor: &[u8]) -> Thrown<JsValue> {
    ItemType::from_cbor(cbor).map(|item_type| describe(&item_type).done()).map_err(thrown)
}

/// Canonical CBOR of the document with these values; `extents` are `shape` or, of ragged-array, `inner_shape`.
///
/// # Errors
/// Those of an item type: the values are checked as those of a document are.
#[allow(clippy::too_many_arguments)] // One for each free key of the document; an object would be read key by key.
#[wasm_bindgen(js_name = encodeItemType, unchecked_return_type = "Uint8Array")]
pub fn encode_item_type(
    family: &str,
    dtype: &str,
    extents: &[u64],
    endianness: &str,
    layout: &str,
    codec: &str,
    semantic_type: &str,
    units: &str,
    frame: &str,
    axis_order: &str,
) -> Thrown<JsValue> {
    let declaration =
        Declaration { family, dtype, extents, endianness, layout, codec, semantic_type, units, frame, axis_order };
    declaration.item_type().map(|item_type| document(&item_type)).map_err(thrown)
}

/// Address of the type that canonical CBOR bytes declare.
///
/// # Errors
/// As [`decode_item_type`].
#[wasm_bindgen(js_name = itemTypeId, unchecked_return_type = "string")]
pub fn item_type_id(cbor: &[u8]) -> Thrown<JsValue> {
    ItemType::from_cbor(cbor).map(|item_type| text(&item_type.id())).map_err(thrown)
}

/// The tag of a type on Tracks of a kind.
///
/// # Errors
/// As [`decode_item_type`]; `InvalidArgument` for an unknown kind; `InvalidModality` for a tag over 256 bytes.
#[wasm_bindgen(js_name = modalityOf, unchecked_return_type = "string")]
pub fn modality_of(cbor: &[u8], kind: &str) -> Thrown<JsValue> {
    let tag = || {
        let kind = TrackKind::from_name(kind).ok_or_else(|| {
            Error::new(
                Code::InvalidArgument,
                say!("`{}` is not one of the Track kinds event, continuous, constant", kind),
            )
        })?;
        modality::tag(&ItemType::from_cbor(cbor)?, kind)
    };
    tag().map(JsValue::from).map_err(thrown)
}

/// What a modality tag says, as far as its grammar goes.
///
/// # Errors
/// Those of the grammar; `UnresolvedModality` for an array tag without a known kind and storage.
#[wasm_bindgen(js_name = parseModality, unchecked_return_type = "CoreModality")]
pub fn parse_modality(tag: &str) -> Thrown<JsValue> {
    let parse = || {
        let modality = Modality::parse(tag)?;
        let plain = Plain::new()
            .with(name!("class"), modality.class())
            .with(name!("encoding"), modality.encoding())
            .with(name!("array"), modality.is_array())
            .maybe(name!("trackKind"), modality.track_kind()?.map(TrackKind::name));
        if !modality.is_array() {
            return Ok(plain.done());
        }
        let (_, storage) = modality.array_kinds()?;
        Ok(plain.with(name!("storage"), storage.tag_name()).with(name!("objectKind"), storage.object_kind()).done())
    };
    parse().map_err(thrown)
}

/// Checks that a tag names the type that canonical CBOR bytes declare, and gives the Track kind (0025 §3.2, §4).
///
/// # Errors
/// Those of the grammar, of an item type, and of the binding.
#[wasm_bindgen(js_name = bindModality, unchecked_return_type = "string")]
pub fn bind_modality(tag: &str, cbor: &[u8]) -> Thrown<JsValue> {
    let bind = || Modality::parse(tag)?.bind(&ItemType::from_cbor(cbor)?);
    bind().map(|kind| kind.name().into()).map_err(thrown)
}

/// The document of a type as a plain object.
pub(super) fn describe(item_type: &ItemType) -> Plain {
    let semantics = item_type.semantics();
    let plain = Plain::new()
        .with(name!("family"), item_type.family())
        .with(name!("version"), 1_u32)
        .with(name!("dtype"), item_type.dtype().name());
    let plain = match item_type {
        ItemType::Dense(dense) => plain.with(name!("shape"), extents(dense.shape())),
        ItemType::Ragged(ragged) => plain.with(name!("innerShape"), extents(ragged.inner_shape())),
        ItemType::Csr(csr) => plain.with(name!("shape"), extents(&csr.shape())).with(name!("indexDtype"), "u64"),
    };
    plain
        .with(name!("endianness"), item_type.endianness().name())
        .with(name!("layout"), item_type.layout().name())
        .with(name!("codec"), item_type.codec_name())
        .with(name!("codecVersion"), 1_u32)
        .with(name!("semanticType"), semantics.semantic_type.as_str())
        .with(name!("units"), semantics.units.as_str())
        .with(name!("frame"), semantics.frame.as_str())
        .with(name!("axisOrder"), semantics.axis_order.as_str())
}

/// Canonical CBOR of a type.
pub(super) fn document(item_type: &ItemType) -> JsValue {
    bytes(&item_type.to_cbor())
}

fn extents(values: &[u64]) -> JsValue {
    list(values, |extent| JsValue::from(*extent))
}

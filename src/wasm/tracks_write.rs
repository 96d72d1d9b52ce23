//! Tracks for writers: empty ones, Constants, and those that get new entries.

use super::object::{Plain, Thrown, bytes, list, text, thrown};
use crate::error::{Code, Error, Result};
use crate::multihash::Address;
use crate::track::encode::addresses;
use crate::track::write::{Added, Step, append, constant_track, new_track};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A Track with new entries; `pages` are new objects of its index, and `start` and `end` its coverage. */
export interface CoreAppended {
  need?: undefined;
  track: Uint8Array;
  pages: { address: string; object: Uint8Array }[];
  start: bigint;
  end: bigint;
}
/** Pages of the index that have to be read before entries can be added; call again with them and those from before. */
export interface CoreNeed {
  need: string[];
}
"#;

/// A Track Object without Items; see `new_track`.
///
/// # Errors
/// Those of `new_track`; `Multihash`.
#[wasm_bindgen(js_name = newTrack, unchecked_return_type = "Uint8Array")]
pub fn new_track_js(modality: &str, timeline: &str) -> Thrown<JsValue> {
    let track = Address::parse(timeline).and_then(|timeline| new_track(modality, &timeline));
    track.map(|track| bytes(&track)).map_err(thrown)
}

/// The Track Object of a Constant.
///
/// # Errors
/// Those of `constant_track`; `Multihash`.
#[wasm_bindgen(js_name = constantTrack, unchecked_return_type = "Uint8Array")]
pub fn constant_track_js(modality: &str, timeline: &str, item: &str) -> Thrown<JsValue> {
    let track = || constant_track(modality, &Address::parse(timeline)?, &Address::parse(item)?);
    track().map(|track| bytes(&track)).map_err(thrown)
}

/// Adds Items to a Track.
///
/// `pages` are those of its index that were read so far, one behind another, and `ends` where each of them ends; none at
/// first. `objects` are addresses of 33 bytes each; sizes, forms (0 single, 1 chunked, 2 packed) and offsets are those
/// of media, and empty for arrays.
///
/// # Errors
/// Those of `append`.
#[wasm_bindgen(js_name = appendToTrack, unchecked_return_type = "CoreAppended | CoreNeed")]
#[allow(clippy::too_many_arguments)] // Columns: a struct of them would be an object for each call.
pub fn append_to_track(
    track: &[u8],
    pages: &[u8],
    ends: &[u32],
    anchors: &[u64],
    objects: &[u8],
    sizes: &[u64],
    forms: &[u8],
    offsets: &[u32],
) -> Thrown<JsValue> {
    let step = || -> Result<Step> {
        let added = Added { anchors, objects: &addresses(objects)?, sizes, forms, offsets };
        append(track, &parts(pages, ends)?, &added)
    };
    Ok(match step().map_err(thrown)? {
        Step::Need(pages) => Plain::new().with("need", list(&pages, text)).done(),
        Step::Done(grown) => {
            let page = |(address, page): &(Address, Vec<u8>)| {
                Plain::new().with("address", *address).with("object", bytes(page)).done()
            };
            Plain::new()
                .with("track", bytes(&grown.track))
                .with("pages", list(&grown.pages, page))
                .with("start", grown.coverage[0])
                .with("end", grown.coverage[1])
                .done()
        }
    })
}

/// Objects that lie one behind another.
fn parts<'a>(bytes: &'a [u8], ends: &[u32]) -> Result<Vec<&'a [u8]>> {
    let mut start = 0;
    let mut parts = Vec::with_capacity(ends.len());
    for end in ends {
        let end = *end as usize;
        let part = bytes.get(start..end);
        parts.push(part.ok_or_else(|| Error::new(Code::InvalidArgument, "pages end before they begin, or too late"))?);
        start = end;
    }
    Ok(parts)
}

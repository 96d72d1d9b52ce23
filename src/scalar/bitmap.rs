//! Roaring bitmaps of 32 bits in the portable format: cookie, a description of each container, containers of 2^16 values
//! each as an array, a bitmap or runs.
//!
//! Read from front to back straight into anchors; the offsets in front, by which other readers jump, are passed over.

use alloc::vec::Vec;

/// Cookie of bitmaps without runs.
const PLAIN: u32 = 12346;

/// Low half of the cookie of bitmaps with runs.
const WITH_RUNS: u32 = 12347;

/// Most values of a container that are written one by one.
const MOST_LISTED: usize = 4096;

/// Appends what the bitmap at the front of `rest` holds to `anchors`, at most `most` of them, each below `high`; `None`
/// for a bitmap that is malformed, empty or larger.
pub(super) fn read(rest: &mut &[u8], high: u32, most: usize, anchors: &mut Vec<u64>) -> Option<()> {
    let cookie = u32::from_le_bytes(*take(rest)?);
    let (count, runs) = match (cookie, cookie & 0xffff) {
        (PLAIN, _) => (u32::from_le_bytes(*take(rest)?) as usize, &[] as &[u8]),
        (_, WITH_RUNS) => {
            let count = (cookie >> 16) as usize;
            let count = count.checked_add(1)?;
            (count, split(rest, count.div_ceil(8))?)
        }
        _ => return None,
    };
    let (descriptions, _) = split(rest, count.checked_mul(4)?)?.as_chunks::<4>();
    // Short bitmaps with runs do without offsets.
    if cookie == PLAIN || count >= 4 {
        split(rest, count.checked_mul(4)?)?;
    }
    let mut previous = None;
    for (at, [a, b, c, d]) in descriptions.iter().enumerate() {
        let key = u16::from_le_bytes([*a, *b]);
        if previous.is_some_and(|previous| previous >= key) {
            return None;
        }
        previous = Some(key);
        let cardinality = usize::from(u16::from_le_bytes([*c, *d])).checked_add(1)?;
        let before = anchors.len();
        let end = before.checked_add(cardinality).filter(|end| *end <= most)?;
        let base = u64::from(high) << 32 | u64::from(key) << 16;
        let has_runs = runs.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        if has_runs {
            let count = usize::from(u16::from_le_bytes(*take(rest)?));
            let (pairs, _) = split(rest, count.checked_mul(4)?)?.as_chunks::<4>();
            for [a, b, c, d] in pairs {
                let (first, more) = (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]));
                let last = first.checked_add(more)?;
                if anchors.len().checked_add(usize::from(more))? >= end {
                    return None;
                }
                anchors.extend((first..=last).map(|low| base | u64::from(low)));
            }
        } else if cardinality <= MOST_LISTED {
            let (lows, _) = split(rest, cardinality.checked_mul(2)?)?.as_chunks::<2>();
            anchors.extend(lows.iter().map(|low| base | u64::from(u16::from_le_bytes(*low))));
        } else {
            let (words, _) = split(rest, 8192)?.as_chunks::<8>();
            for (word, base) in words.iter().zip((base..).step_by(64)) {
                let mut bits = u64::from_le_bytes(*word);
                while bits != 0 {
                    anchors.push(base | u64::from(bits.trailing_zeros()));
                    bits &= bits.wrapping_sub(1);
                }
            }
        }
        let own = anchors.get(before..)?;
        if own.len() != cardinality || !own.is_sorted_by(|first, second| first < second) {
            return None;
        }
    }
    previous.map(|_| ())
}

fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (front, others) = rest.split_first_chunk()?;
    *rest = others;
    Some(front)
}

fn split<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (front, others) = rest.split_at_checked(length)?;
    *rest = others;
    Some(front)
}

//! The crate and BLAKE3 as native code on one thread: what the benchmarks hold WebAssembly against.
//!
//! A line in says what to do and how often, a line out says how many milliseconds that took:
//!
//! * `hash BYTES TIMES`: BLAKE3 of so many bytes;
//! * `swap BYTES WIDTH TIMES`: elements of that width in the other byte order, in place;
//! * `decode TYPE FILE TIMES`: checks the payload in the file, whose type is canonical CBOR in hexadecimal digits, and
//!   swaps its index tables in place.
//!
//! What is decoded is copied anew for each time, which is not counted. Ends with its input, and at the first fault.

#![forbid(unsafe_code)]

use dreamdb_arrays::endian;
use dreamdb_arrays::item_type::ItemType;
use dreamdb_arrays::payload::{self, Parts, Span};
use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut buffers = Buffers::default();
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let took = match words.as_slice() {
            ["hash", bytes, times] => hash(buffers.noise(bytes.parse()?), times.parse()?),
            ["swap", bytes, width, times] => swap(buffers.noise(bytes.parse()?), width.parse()?, times.parse()?)?,
            ["decode", item_type, path, times] => decode(&digits(item_type)?, buffers.file(path)?, times.parse()?)?,
            _ => return Err(format!("what is {line:?}?").into()),
        };
        writeln!(stdout(), "{}", took.as_secs_f64() * 1e3)?;
        stdout().flush()?;
    }
    Ok(())
}

/// What was made or read before, so that no time goes into that.
#[derive(Default)]
struct Buffers {
    noise: HashMap<usize, Vec<u8>>,
    files: HashMap<String, Vec<u8>>,
}

impl Buffers {
    fn noise(&mut self, length: usize) -> &mut [u8] {
        self.noise.entry(length).or_insert_with(|| (0..length).map(|at| (at.wrapping_mul(0x9e37) >> 8) as u8).collect())
    }

    fn file(&mut self, path: &str) -> Outcome<&[u8]> {
        if !self.files.contains_key(path) {
            self.files.insert(path.to_owned(), std::fs::read(path)?);
        }
        Ok(&self.files[path])
    }
}

fn hash(bytes: &[u8], times: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        black_box(blake3::hash(black_box(bytes)));
    }
    start.elapsed()
}

fn swap(bytes: &mut [u8], width: u64, times: u32) -> Outcome<Duration> {
    let start = Instant::now();
    for _ in 0..times {
        endian::swap(black_box(bytes), width)?;
    }
    Ok(start.elapsed())
}

fn decode(item_type: &[u8], bytes: &[u8], times: u32) -> Outcome<Duration> {
    let item_type = ItemType::from_cbor(item_type)?;
    let mut own = bytes.to_vec();
    let mut took = Duration::ZERO;
    for _ in 0..times {
        own.copy_from_slice(bytes);
        let start = Instant::now();
        let tables = match payload::check(&item_type, black_box(&own))? {
            Parts::Dense(_) => Vec::new(),
            Parts::Ragged(parts) => vec![parts.row_offsets],
            Parts::Csr(parts) => vec![parts.row_offsets, parts.column_indices],
        };
        for Span { offset, length } in tables {
            let (start, end) = (usize::try_from(offset)?, usize::try_from(offset + length)?);
            endian::swap(&mut own[start..end], 8)?;
        }
        took += start.elapsed();
        black_box(&own);
    }
    Ok(took)
}

fn digits(text: &str) -> Outcome<Vec<u8>> {
    let byte = |at: usize| Ok(u8::from_str_radix(text.get(at..at + 2).ok_or("half a byte")?, 16)?);
    (0..text.len()).step_by(2).map(byte).collect()
}

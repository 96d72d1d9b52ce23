//! The compression function: of one block, its state four words a vector, and of four blocks side by side, a vector a word.
//!
//! Between two of the seven rounds the message words change places, always in the same way. Of one block they are
//! moved by shuffles. Of four they stay where they are: the permutation has two cycles of eight, so in each of two
//! lists that follow a cycle round `r` finds its words `r` places further on.

#![allow(clippy::many_single_char_names)] // Words have no names but their places.

use crate::lanes::Lanes;

/// First block of a chunk.
pub(crate) const CHUNK_START: u32 = 1;
/// Last block of a chunk.
pub(crate) const CHUNK_END: u32 = 1 << 1;
/// A node above chunks.
pub(crate) const PARENT: u32 = 1 << 2;
/// The last block of all.
pub(crate) const ROOT: u32 = 1 << 3;

/// The value that every chunk and node begins with.
pub(crate) const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

const ROUNDS: usize = 7;

/// What a round does with four words, and the two message words between.
macro_rules! mix {
    ($v:ident: $a:literal $b:literal $c:literal $d:literal, $first:expr, $second:expr) => {
        $v[$a] = $v[$a].plus($v[$b]).plus($first);
        $v[$d] = $v[$d].xor($v[$a]).turned::<16>();
        $v[$c] = $v[$c].plus($v[$d]);
        $v[$b] = $v[$b].xor($v[$c]).turned::<12>();
        $v[$a] = $v[$a].plus($v[$b]).plus($second);
        $v[$d] = $v[$d].xor($v[$a]).turned::<8>();
        $v[$c] = $v[$c].plus($v[$d]);
        $v[$b] = $v[$b].xor($v[$c]).turned::<7>();
    };
}

/// Takes one block into a value; of a shorter one, `length` bytes count and the others are 0.
#[inline(never)] // Once for all that call it.
pub(crate) fn block(value: &mut [u32; 8], block: &[u8; 64], length: u32, counter: u64, flags: u32) {
    let [a, b, c, d, e, f, g, h] = *value;
    let [i, j, k, l, ..] = IV;
    let [low, high] = halves(counter);
    let mut v = [[a, b, c, d], [e, f, g, h], [i, j, k, l], [low, high, length, flags]].map(Lanes::new);
    let [p, q, r, s] = quarters(block);
    // Columns take the words 0, 2, 4, 6 and then 1, 3, 5, 7; diagonals those eight further.
    let mut m =
        [p.picked::<0, 2, 4, 6>(q), p.picked::<1, 3, 5, 7>(q), r.picked::<0, 2, 4, 6>(s), r.picked::<1, 3, 5, 7>(s)];
    for _ in 0..ROUNDS {
        mix!(v: 0 1 2 3, m[0], m[1]);
        v = [v[0], v[1].picked::<1, 2, 3, 0>(v[1]), v[2].picked::<2, 3, 0, 1>(v[2]), v[3].picked::<3, 0, 1, 2>(v[3])];
        mix!(v: 0 1 2 3, m[2], m[3]);
        v = [v[0], v[1].picked::<3, 0, 1, 2>(v[1]), v[2].picked::<2, 3, 0, 1>(v[2]), v[3].picked::<1, 2, 3, 0>(v[3])];
        let [a, b, c, d] = m;
        m = [
            a.picked::<1, 5, 7, 2>(b),
            a.picked::<3, 5, 0, 0>(c).picked::<0, 1, 2, 6>(d),
            b.picked::<0, 6, 0, 0>(c).picked::<0, 1, 4, 7>(d),
            d.picked::<1, 6, 0, 0>(b).picked::<0, 1, 7, 4>(c),
        ];
    }
    let [a, b, c, d] = v[0].xor(v[2]).words();
    let [e, f, g, h] = v[1].xor(v[3]).words();
    *value = [a, b, c, d, e, f, g, h];
}

/// The values of four chunks or nodes that grow side by side.
pub(crate) struct Four {
    values: [Lanes; 8],
    counters: [Lanes; 2],
}

impl Four {
    /// Four chunks, the first of that number.
    pub(crate) fn new(first: u64) -> Self {
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| halves(first.wrapping_add(at)));
        let counters = [[a[0], b[0], c[0], d[0]], [a[1], b[1], c[1], d[1]]].map(Lanes::new);
        Self { values: IV.map(Lanes::splat), counters }
    }

    /// Four nodes, which have no number.
    pub(crate) fn of_parents() -> Self {
        Self { values: IV.map(Lanes::splat), counters: [Lanes::splat(0); 2] }
    }

    /// Takes a whole block into each.
    #[inline(never)] // Once for all that call it.
    pub(crate) fn block(&mut self, blocks: [&[u8; 64]; 4], flags: u32) {
        let [p, q, r, s] = blocks.map(quarters);
        let [[m0, m1, m2, m3], [m4, m5, m6, m7], [m8, m9, m10, m11], [m12, m13, m14, m15]] = [
            crossed([p[0], q[0], r[0], s[0]]),
            crossed([p[1], q[1], r[1], s[1]]),
            crossed([p[2], q[2], r[2], s[2]]),
            crossed([p[3], q[3], r[3], s[3]]),
        ];
        let even = [m0, m2, m3, m10, m12, m9, m11, m5, m0, m2, m3, m10, m12, m9];
        let odd = [m1, m6, m4, m7, m13, m14, m15, m8, m1, m6, m4, m7, m13, m14];
        let [h0, h1, h2, h3, h4, h5, h6, h7] = self.values;
        let [i, j, k, l, ..] = IV.map(Lanes::splat);
        let [low, high] = self.counters;
        let mut v = [h0, h1, h2, h3, h4, h5, h6, h7, i, j, k, l, low, high, Lanes::splat(64), Lanes::splat(flags)];
        for (x, y) in even.windows(8).zip(odd.windows(8)) {
            let (Some(x), Some(y)) = (x.first_chunk::<8>(), y.first_chunk::<8>()) else { continue };
            mix!(v: 0 4 8 12, x[0], y[0]);
            mix!(v: 1 5 9 13, x[1], x[2]);
            mix!(v: 2 6 10 14, y[2], x[7]);
            mix!(v: 3 7 11 15, y[1], y[3]);
            mix!(v: 0 5 10 15, y[7], x[5]);
            mix!(v: 1 6 11 12, x[3], x[6]);
            mix!(v: 2 7 8 13, x[4], y[4]);
            mix!(v: 3 4 9 14, y[5], y[6]);
        }
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = v;
        self.values = [a.xor(i), b.xor(j), c.xor(k), d.xor(l), e.xor(m), f.xor(n), g.xor(o), h.xor(p)];
    }

    /// What they have become.
    pub(crate) fn values(&self) -> [[u8; 32]; 4] {
        let [a, b, c, d, e, f, g, h] = self.values;
        let mut back = crossed([e, f, g, h]).map(Lanes::words).into_iter();
        crossed([a, b, c, d]).map(Lanes::words).map(|[a, b, c, d]| {
            let [e, f, g, h] = back.next().unwrap_or_default();
            crate::spelled([a, b, c, d, e, f, g, h])
        })
    }
}

fn halves(number: u64) -> [u32; 2] {
    #[allow(clippy::cast_possible_truncation)] // Of each half all bits are kept.
    [number as u32, (number >> 32) as u32]
}

#[inline]
fn quarters(block: &[u8; 64]) -> [Lanes; 4] {
    let mut quarters = [Lanes::splat(0); 4];
    for (lanes, bytes) in quarters.iter_mut().zip(block.as_chunks().0) {
        *lanes = Lanes::read(bytes);
    }
    quarters
}

/// Rows made columns.
#[inline]
fn crossed([a, b, c, d]: [Lanes; 4]) -> [Lanes; 4] {
    let (ab, cd) = (a.picked::<0, 4, 1, 5>(b), c.picked::<0, 4, 1, 5>(d));
    let (ef, gh) = (a.picked::<2, 6, 3, 7>(b), c.picked::<2, 6, 3, 7>(d));
    [ab.picked::<0, 1, 4, 5>(cd), ab.picked::<2, 3, 6, 7>(cd), ef.picked::<0, 1, 4, 5>(gh), ef.picked::<2, 3, 6, 7>(gh)]
}

//! Four words side by side: a vector of WebAssembly, and the same by words elsewhere, where the crate is tested.

pub(crate) use vector::Lanes;

#[cfg(target_arch = "wasm32")]
mod vector {
    use core::arch::wasm32::{
        i8x16_shuffle, i32x4_shuffle, u32x4, u32x4_add, u32x4_extract_lane, u32x4_shl, u32x4_shr, u32x4_splat, u64x2,
        v128, v128_or, v128_xor,
    };

    #[derive(Clone, Copy)]
    pub(crate) struct Lanes(v128);

    impl Lanes {
        #[inline]
        pub(crate) fn splat(word: u32) -> Self {
            Self(u32x4_splat(word))
        }

        #[inline]
        pub(crate) fn new([a, b, c, d]: [u32; 4]) -> Self {
            Self(u32x4(a, b, c, d))
        }

        /// Four little-endian words. The compiler makes one load of it.
        #[inline]
        pub(crate) fn read(bytes: &[u8; 16]) -> Self {
            let word = |half: Option<&[u8; 8]>| u64::from_le_bytes(half.copied().unwrap_or_default());
            Self(u64x2(word(bytes.first_chunk()), word(bytes.last_chunk())))
        }

        #[inline]
        pub(crate) fn words(self) -> [u32; 4] {
            let Self(v) = self;
            [
                u32x4_extract_lane::<0>(v),
                u32x4_extract_lane::<1>(v),
                u32x4_extract_lane::<2>(v),
                u32x4_extract_lane::<3>(v),
            ]
        }

        #[inline]
        pub(crate) fn plus(self, other: Self) -> Self {
            Self(u32x4_add(self.0, other.0))
        }

        #[inline]
        pub(crate) fn xor(self, other: Self) -> Self {
            Self(v128_xor(self.0, other.0))
        }

        /// Each word turned right by `BITS`. By whole bytes that is one instruction.
        #[inline]
        pub(crate) fn turned<const BITS: u32>(self) -> Self {
            let Self(v) = self;
            Self(match BITS {
                16 => i8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(v, v),
                8 => i8x16_shuffle::<1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12>(v, v),
                _ => v128_or(u32x4_shr(v, BITS), u32x4_shl(v, 32_u32.wrapping_sub(BITS))),
            })
        }

        /// Four of the eight words of two vectors: 0 to 3 are of the first.
        #[inline]
        pub(crate) fn picked<const A: usize, const B: usize, const C: usize, const D: usize>(
            self,
            other: Self,
        ) -> Self {
            Self(i32x4_shuffle::<A, B, C, D>(self.0, other.0))
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod vector {
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes([u32; 4]);

    impl Lanes {
        pub(crate) const fn splat(word: u32) -> Self {
            Self([word; 4])
        }

        pub(crate) const fn new(words: [u32; 4]) -> Self {
            Self(words)
        }

        /// Four little-endian words.
        pub(crate) fn read(bytes: &[u8; 16]) -> Self {
            let mut words = [0; 4];
            for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
                *word = u32::from_le_bytes(*bytes);
            }
            Self(words)
        }

        pub(crate) const fn words(self) -> [u32; 4] {
            self.0
        }

        pub(crate) fn plus(self, other: Self) -> Self {
            self.with(other, u32::wrapping_add)
        }

        pub(crate) fn xor(self, other: Self) -> Self {
            self.with(other, |first, second| first ^ second)
        }

        /// Each word turned right by `BITS`.
        pub(crate) fn turned<const BITS: u32>(self) -> Self {
            Self(self.0.map(|word| word.rotate_right(BITS)))
        }

        /// Four of the eight words of two vectors: 0 to 3 are of the first.
        pub(crate) fn picked<const A: usize, const B: usize, const C: usize, const D: usize>(
            self,
            other: Self,
        ) -> Self {
            let word = |at: usize| self.0.iter().chain(&other.0).nth(at).copied().unwrap_or_default();
            Self([word(A), word(B), word(C), word(D)])
        }

        fn with(self, other: Self, made: fn(u32, u32) -> u32) -> Self {
            let mut words = self.0;
            for (word, other) in words.iter_mut().zip(other.0) {
                *word = made(*word, other);
            }
            Self(words)
        }
    }
}

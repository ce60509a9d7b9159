//! Eight lanes of f32 at once: AVX2 where the processor has it, plain arrays elsewhere, with the same answers.
//!
//! The kernels are written once over [`Lanes`]; both versions do the same rounded operations in the same order, and
//! nothing is fused, so that they agree to the last bit.

// Intrinsics are unsafe because they need a processor that has them: that is asked before every call.
#![allow(unsafe_code)]

use super::node::WIDTH;

/// Arithmetic on all lanes.
pub(super) trait Lanes: Copy {
    fn splat(x: f32) -> Self;
    fn load(x: &[f32; WIDTH]) -> Self;
    fn store(self) -> [f32; WIDTH];
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// The second where either is NaN.
    fn min(self, other: Self) -> Self;
    /// The second where either is NaN.
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// `x` where this is less than `other`, else `y` (also where either is NaN).
    fn select_less(self, other: Self, x: Self, y: Self) -> Self;
    /// A bit for every lane, the first one lowest, that is not greater than that of `other` (also where either is NaN).
    fn not_greater(self, other: Self) -> u32;
    /// The number at `first` in the lower four lanes, the one after it in the upper four.
    fn halves(x: &[f32; WIDTH / 2], first: usize) -> Self;
    /// Four numbers in the lower lanes, and again in the upper ones.
    fn twice(x: &[f32; WIDTH / 2]) -> Self;
    /// All bits set where this is less than `other`, none elsewhere.
    fn less(self, other: Self) -> Self;
    /// All bits set where the bits of both are the same, none elsewhere.
    fn same_bits(self, other: Self) -> Self;
    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// The highest bit of every lane, the first lane's lowest.
    fn sign_bits(self) -> u32;
}

/// The twin without intrinsics.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; WIDTH]);

impl Plain {
    #[inline(always)]
    fn map(self, f: impl Fn(f32) -> f32) -> Plain {
        Plain(self.0.map(f))
    }

    #[inline(always)]
    fn zip(self, other: Plain, f: impl Fn(f32, f32) -> f32) -> Plain {
        Plain(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Plain {
    #[inline(always)]
    fn splat(x: f32) -> Plain {
        Plain([x; WIDTH])
    }
    #[inline(always)]
    fn load(x: &[f32; WIDTH]) -> Plain {
        Plain(*x)
    }
    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        self.0
    }
    #[inline(always)]
    fn add(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a / b)
    }
    #[inline(always)]
    fn min(self, other: Plain) -> Plain {
        self.zip(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Plain) -> Plain {
        self.zip(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn abs(self) -> Plain {
        self.map(f32::abs)
    }
    #[inline(always)]
    fn sqrt(self) -> Plain {
        self.map(f32::sqrt)
    }
    #[inline(always)]
    fn select_less(self, other: Plain, x: Plain, y: Plain) -> Plain {
        Plain(std::array::from_fn(|i| if self.0[i] < other.0[i] { x.0[i] } else { y.0[i] }))
    }
    #[inline(always)]
    fn not_greater(self, other: Plain) -> u32 {
        (0..WIDTH).fold(0, |bits, i| bits | u32::from(!(self.0[i] > other.0[i])) << i)
    }
    #[inline(always)]
    fn halves(x: &[f32; WIDTH / 2], first: usize) -> Plain {
        Plain(std::array::from_fn(|i| x[(first + 2 * i / WIDTH) % (WIDTH / 2)]))
    }
    #[inline(always)]
    fn twice(x: &[f32; WIDTH / 2]) -> Plain {
        Plain(std::array::from_fn(|i| x[i % (WIDTH / 2)]))
    }
    #[inline(always)]
    fn less(self, other: Plain) -> Plain {
        self.zip(other, |a, b| mask(a < b))
    }
    #[inline(always)]
    fn same_bits(self, other: Plain) -> Plain {
        self.zip(other, |a, b| mask(a.to_bits() == b.to_bits()))
    }
    #[inline(always)]
    fn and(self, other: Plain) -> Plain {
        self.zip(other, |a, b| f32::from_bits(a.to_bits() & b.to_bits()))
    }
    #[inline(always)]
    fn or(self, other: Plain) -> Plain {
        self.zip(other, |a, b| f32::from_bits(a.to_bits() | b.to_bits()))
    }
    #[inline(always)]
    fn xor(self, other: Plain) -> Plain {
        self.zip(other, |a, b| f32::from_bits(a.to_bits() ^ b.to_bits()))
    }
    #[inline(always)]
    fn sign_bits(self) -> u32 {
        (0..WIDTH).fold(0, |bits, i| bits | (self.0[i].to_bits() >> 31) << i)
    }
}

/// All bits or none.
fn mask(set: bool) -> f32 {
    f32::from_bits(if set { u32::MAX } else { 0 })
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx {
    use super::{Lanes, WIDTH};
    use std::arch::x86_64::*;

    /// One AVX register. To be used only inside functions compiled for AVX, which are called only where it is there.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx(__m256);

    // SAFETY (all of them): values of this type exist only in code that runs after AVX was found on the processor.
    impl Lanes for Avx {
        #[inline(always)]
        fn splat(x: f32) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_set1_ps(x) })
        }
        #[inline(always)]
        fn load(x: &[f32; WIDTH]) -> Avx {
            // SAFETY: see above; the array holds eight numbers, and no alignment is asked for.
            Avx(unsafe { _mm256_loadu_ps(x.as_ptr()) })
        }
        #[inline(always)]
        fn store(self) -> [f32; WIDTH] {
            let mut out = [0.0; WIDTH];
            // SAFETY: see above; the array holds eight numbers, and no alignment is asked for.
            unsafe { _mm256_storeu_ps(out.as_mut_ptr(), self.0) };
            out
        }
        #[inline(always)]
        fn add(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn div(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_div_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn min(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_min_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn max(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn abs(self) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
        }
        #[inline(always)]
        fn sqrt(self) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_sqrt_ps(self.0) })
        }
        #[inline(always)]
        fn select_less(self, other: Avx, x: Avx, y: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_blendv_ps(y.0, x.0, _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)) })
        }
        #[inline(always)]
        fn not_greater(self, other: Avx) -> u32 {
            // SAFETY: see above.
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_NGT_UQ>(self.0, other.0)) as u32 }
        }
        #[inline(always)]
        fn halves(x: &[f32; WIDTH / 2], first: usize) -> Avx {
            // SAFETY: see above; the array holds four numbers, and no alignment is asked for. Of a place only the last two
            // bits count.
            unsafe {
                let four = _mm_loadu_ps(x.as_ptr());
                let place = _mm_set1_epi32(first as i32);
                let places = _mm256_set_m128i(_mm_add_epi32(place, _mm_set1_epi32(1)), place);
                Avx(_mm256_permutevar_ps(_mm256_set_m128(four, four), places))
            }
        }
        #[inline(always)]
        fn twice(x: &[f32; WIDTH / 2]) -> Avx {
            // SAFETY: see above; the array holds four numbers, and no alignment is asked for.
            unsafe {
                let half = _mm_loadu_ps(x.as_ptr());
                Avx(_mm256_set_m128(half, half))
            }
        }
        #[inline(always)]
        fn less(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn same_bits(self, other: Avx) -> Avx {
            // SAFETY: see above.
            unsafe {
                let equal = _mm256_cmpeq_epi32(_mm256_castps_si256(self.0), _mm256_castps_si256(other.0));
                Avx(_mm256_castsi256_ps(equal))
            }
        }
        #[inline(always)]
        fn and(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_and_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn or(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_or_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn xor(self, other: Avx) -> Avx {
            // SAFETY: see above.
            Avx(unsafe { _mm256_xor_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sign_bits(self) -> u32 {
            // SAFETY: see above.
            unsafe { _mm256_movemask_ps(self.0) as u32 }
        }
    }
}

/// A function over lanes for the caller's choice of version.
pub(super) trait Kernel {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs a kernel with AVX2 where the processor has it, and plainly elsewhere.
#[inline]
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { run_avx(kernel) };
    }
    kernel.run::<Plain>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<avx::Avx>()
}

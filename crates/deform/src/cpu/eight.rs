//! Eight triangles at a time, with AVX2: the operations of [`Triangle::new`], lane by lane.
//!
//! [`Triangle::new`]: crate::triangle::Triangle::new

// Loads of what lies in slices are all that is not safe here.
#![allow(unsafe_code)]

use crate::grid::Grid;
use crate::snap::Snapped;
use std::arch::x86_64::*;

/// Triangles side by side.
pub(super) const EIGHT: usize = 8;

/// One number for each of the triangles.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Each<T>(pub(super) [T; EIGHT]);

/// Triangles ready to be drawn. See [`Triangle`](crate::triangle::Triangle).
pub(super) struct Triangles {
    /// A bit for each that may cover a pixel.
    pub(super) set: u32,
    pub(super) columns: [Each<u32>; 2],
    pub(super) rows: [Each<u32>; 2],
    pub(super) a: [Each<i32>; 3],
    pub(super) b: [Each<i32>; 3],
    pub(super) c: [Each<i32>; 3],
    pub(super) front: Each<i32>,
    pub(super) base: Each<f32>,
    pub(super) rest: [Each<f32>; 2],
    pub(super) gain: [Each<f32>; 2],
    pub(super) range: [Each<f32>; 2],
}

/// What all triangles of a grid share, in every lane.
pub(super) struct Setup<'a> {
    vertices: &'a [Snapped],
    grid: &'a Grid,
}

/// Corners of all triangles.
#[derive(Clone, Copy)]
struct Corner {
    u: __m256i,
    v: __m256i,
    w: __m256,
}

impl<'a> Setup<'a> {
    /// `None` if there are more vertices than numbers of 32 bits can find.
    pub(super) fn new(grid: &'a Grid, vertices: &'a [Snapped]) -> Option<Setup<'a>> {
        (vertices.len() < i32::MAX as usize / 3).then_some(Setup { vertices, grid })
    }

    /// Prepares triangles. Panics if a vertex does not exist.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn prepare(&self, faces: &[[u32; 3]; EIGHT]) -> Triangles {
        let [p0, p1, p2] = [self.corner::<0>(faces), self.corner::<1>(faces), self.corner::<2>(faces)];
        let bits = self.grid.bits;
        let columns = self.span([p0.u, p1.u, p2.u], 0);
        let rows = self.span([p0.v, p1.v, p2.v], 1);
        let area = area(p0, p1, p2);
        let has_area = _mm256_cmp_ps::<_CMP_NEQ_OQ>(area, _mm256_setzero_ps());
        let some = _mm256_and_si256(
            _mm256_cmpgt_epi32(columns[1], columns[0]),
            _mm256_cmpgt_epi32(rows[1], rows[0]),
        );
        let set = _mm256_movemask_ps(_mm256_and_ps(_mm256_castsi256_ps(some), has_area)) as u32;
        let (p1, p2) = (p1.or(p2, area), p2.or(p1, area));
        let half = _mm256_set1_epi32(1 << bits >> 1);
        let shift = _mm_cvtsi32_si128(bits as i32);
        let centre = |pixel: __m256i| _mm256_add_epi32(_mm256_sll_epi32(pixel, shift), half);
        let first = [centre(columns[0]), centre(rows[0])];
        let [e0, e1, e2] = [edge(p1, p2, first, bits), edge(p2, p0, first, bits), edge(p0, p1, first, bits)];
        let unit = (1_u32 << bits) as f32;
        let sign = _mm256_set1_ps(-0.0);
        let per_unit = _mm256_mul_ps(reciprocal(_mm256_andnot_ps(sign, area)), _mm256_set1_ps(unit));
        let gain = |p: Corner| _mm256_mul_ps(_mm256_sub_ps(p.w, p0.w), per_unit);
        let rest = |rest: __m256| _mm256_mul_ps(rest, _mm256_set1_ps(1.0 / unit));
        Triangles {
            set,
            columns: [whole(columns[0]), whole(columns[1])],
            rows: [whole(rows[0]), whole(rows[1])],
            a: [signed(e0.a), signed(e1.a), signed(e2.a)],
            b: [signed(e0.b), signed(e1.b), signed(e2.b)],
            c: [signed(e0.c), signed(e1.c), signed(e2.c)],
            front: signed(_mm256_srli_epi32::<31>(_mm256_castps_si256(area))),
            base: float(p0.w),
            rest: [float(rest(e1.rest)), float(rest(e2.rest))],
            gain: [float(gain(p1)), float(gain(p2))],
            range: [
                float(_mm256_min_ps(p0.w, _mm256_min_ps(p1.w, p2.w))),
                float(_mm256_max_ps(p0.w, _mm256_max_ps(p1.w, p2.w))),
            ],
        }
    }

    /// Corner K of all.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn corner<const K: usize>(&self, faces: &[[u32; 3]; EIGHT]) -> Corner {
        let vertices = Each(faces.map(|face| face[K]));
        let largest = vertices.0.iter().fold(0, |most, &v| most.max(v));
        assert!((largest as usize) < self.vertices.len());
        // SAFETY: all are vertices, which consist of three numbers of four bytes; no place is beyond 32 bits.
        unsafe {
            let vertices = _mm256_load_si256(vertices.0.as_ptr().cast());
            let places = _mm256_add_epi32(vertices, _mm256_add_epi32(vertices, vertices));
            let first = self.vertices.as_ptr();
            Corner {
                u: _mm256_i32gather_epi32::<4>(first.cast(), places),
                v: _mm256_i32gather_epi32::<4>(first.cast::<i32>().add(1), places),
                w: _mm256_i32gather_ps::<4>(first.cast::<f32>().add(2), places),
            }
        }
    }

    /// First pixel, and one behind the last.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn span(&self, [x, y, z]: [__m256i; 3], k: usize) -> [__m256i; 2] {
        let bits = self.grid.bits;
        let size = _mm256_set1_epi32(self.grid.size[k] as i32);
        let shift = _mm_cvtsi32_si128(bits as i32);
        let up = |x: __m256i| {
            let x = _mm256_add_epi32(x, _mm256_set1_epi32((1 << bits >> 1) - 1));
            _mm256_min_epi32(_mm256_max_epi32(_mm256_sra_epi32(x, shift), _mm256_setzero_si256()), size)
        };
        [up(_mm256_min_epi32(x, _mm256_min_epi32(y, z))), up(_mm256_max_epi32(x, _mm256_max_epi32(y, z)))]
    }
}

impl Corner {
    /// The other one where a number is negative.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn or(self, other: Corner, negative: __m256) -> Corner {
        let or = |a: __m256i, b: __m256i| {
            let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
            _mm256_castps_si256(_mm256_blendv_ps(a, b, negative))
        };
        Corner {
            u: or(self.u, other.u),
            v: or(self.v, other.v),
            w: _mm256_blendv_ps(self.w, other.w, negative),
        }
    }
}

/// a b - c d of the even lanes, and of the odd ones, in 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn cross([a, b, c, d]: [__m256i; 4]) -> [__m256i; 2] {
    let odd = |x: __m256i| _mm256_srli_epi64::<32>(x);
    let even = _mm256_sub_epi64(_mm256_mul_epi32(a, b), _mm256_mul_epi32(c, d));
    let odd = _mm256_sub_epi64(_mm256_mul_epi32(odd(a), odd(b)), _mm256_mul_epi32(odd(c), odd(d)));
    [even, odd]
}

/// Lower halves of even and odd lanes, side by side again.
#[inline]
#[target_feature(enable = "avx2")]
fn together(even: __m256i, odd: __m256i) -> __m256i {
    _mm256_blend_epi32::<0b1010_1010>(even, _mm256_slli_epi64::<32>(odd))
}

/// Twice the area with its sign, rounded once.
#[inline]
#[target_feature(enable = "avx2")]
fn area(p: Corner, q: Corner, r: Corner) -> __m256 {
    let products = cross([
        _mm256_sub_epi32(q.u, p.u),
        _mm256_sub_epi32(r.v, p.v),
        _mm256_sub_epi32(r.u, p.u),
        _mm256_sub_epi32(q.v, p.v),
    ]);
    // Whole numbers below 2^51 are added to the last bits of 3 2^51.
    let rounded = products.map(|x| {
        let large = _mm256_set1_pd((3_u64 << 51) as f64);
        let x = _mm256_castsi256_pd(_mm256_add_epi64(x, _mm256_castpd_si256(large)));
        _mm256_castps_si256(_mm256_castps128_ps256(_mm256_cvtpd_ps(_mm256_sub_pd(x, large))))
    });
    let [even, odd] = rounded.map(|x| _mm256_permute4x64_epi64::<0b01_01_00_00>(x));
    _mm256_castsi256_ps(_mm256_unpacklo_epi32(even, odd))
}

/// An edge of each, see [`Triangle`](crate::triangle::Triangle).
struct Edge {
    a: __m256i,
    b: __m256i,
    c: __m256i,
    rest: __m256,
}

#[inline]
#[target_feature(enable = "avx2")]
fn edge(from: Corner, to: Corner, first: [__m256i; 2], bits: u32) -> Edge {
    let zero = _mm256_setzero_si256();
    let (du, dv) = (_mm256_sub_epi32(to.u, from.u), _mm256_sub_epi32(to.v, from.v));
    let flat = _mm256_and_si256(_mm256_cmpeq_epi32(dv, zero), _mm256_cmpgt_epi32(du, zero));
    let without = _mm256_or_si256(_mm256_cmpgt_epi32(zero, dv), flat);
    let bias = _mm256_andnot_si256(without, _mm256_set1_epi32(1));
    let [even, odd] = cross([du, _mm256_sub_epi32(first[1], from.v), dv, _mm256_sub_epi32(first[0], from.u)]);
    let even = _mm256_sub_epi64(even, _mm256_and_si256(bias, _mm256_set1_epi64x(1)));
    let odd = _mm256_sub_epi64(odd, _mm256_srli_epi64::<32>(bias));
    let shift = _mm_cvtsi32_si128(bits as i32);
    let c = together(_mm256_srl_epi64(even, shift), _mm256_srl_epi64(odd, shift));
    let rest = _mm256_and_si256(together(even, odd), _mm256_set1_epi32((1 << bits) - 1));
    let rest = _mm256_cvtepi32_ps(_mm256_add_epi32(rest, bias));
    Edge { a: _mm256_sub_epi32(zero, dv), b: du, c, rest }
}

/// See [`reciprocal`](crate::triangle::reciprocal).
#[inline]
#[target_feature(enable = "avx2")]
fn reciprocal(x: __m256) -> __m256 {
    let guess = _mm256_sub_epi32(_mm256_set1_epi32(0x7ef3_11c7), _mm256_castps_si256(x));
    let mut r = _mm256_castsi256_ps(guess);
    for _ in 0..3 {
        let off = _mm256_sub_ps(_mm256_set1_ps(1.0), _mm256_mul_ps(x, r));
        r = _mm256_add_ps(r, _mm256_mul_ps(r, off));
    }
    r
}

#[inline]
#[target_feature(enable = "avx2")]
fn signed(x: __m256i) -> Each<i32> {
    // SAFETY: both are eight numbers of four bytes.
    unsafe { std::mem::transmute(x) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn whole(x: __m256i) -> Each<u32> {
    // SAFETY: both are eight numbers of four bytes.
    unsafe { std::mem::transmute(x) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn float(x: __m256) -> Each<f32> {
    // SAFETY: both are eight numbers of four bytes.
    unsafe { std::mem::transmute(x) }
}

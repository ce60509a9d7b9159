//! The closest points of the edges of one triangle and those of another: `segment_segment` nine times.
//!
//! Unsafe code is allowed here for one thing: calling what is compiled for AVX2 where the machine has it, which treats
//! three edges at once. Its safe twin does the same operations in the same order, so both give the same answers to the
//! last bit.
#![allow(unsafe_code, reason = "what is compiled for AVX2 may only be called where the machine has it")]

use super::Nearest;
use super::point_triangle::Frame;
use super::segment_segment::{is_steep, nearly_parallel};

/// The closest points of the borders of two triangles.
#[inline]
pub(super) fn closest_edges(a: &Frame, b: &Frame) -> Nearest {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has what the function is compiled for.
        return unsafe { with_avx2(a, b) };
    }
    portable(a, b)
}

fn portable(a: &Frame, b: &Frame) -> Nearest {
    let mut best = (f64::INFINITY, 0, 0, 0.0, 0.0);
    for j in 0..3 {
        let (q, v, vv) = (b.corners[j], b.edges[j], b.squares[j]);
        let v_inverse = inverse(vv);
        for i in 0..3 {
            let (p, u, uu) = (a.corners[i], a.edges[i], a.squares[i]);
            let w = q - p;
            let (uv, uw, vw) = (u.dot(v), u.dot(w), v.dot(w));
            // As in `segment_segment`, but without branches: always s, then t for it, then s again for that.
            let (determinant, size) = (uu * vv - uv * uv, uu * vv);
            let s = if is_steep(determinant, size) {
                (uw * vv - vw * uv) / determinant
            } else {
                nearly_parallel(u, v, w)
            };
            let t = unit_range((unit_range(s) * uv - vw) * v_inverse);
            let s = unit_range((t * uv + uw) * inverse(uu));
            let square = (w + t * v - s * u).length_squared();
            if square < best.0 {
                best = (square, i, j, s, t);
            }
        }
    }
    answer(a, b, best)
}

/// From the square of the distance, the two edges and the places on them.
#[inline]
fn answer(a: &Frame, b: &Frame, best: (f64, usize, usize, f64, f64)) -> Nearest {
    let (distance_squared, i, j, s, t) = best;
    Nearest { distance_squared, point_on_a: a.on_edge(i, s), point_on_b: b.on_edge(j, t) }
}

/// The inverse, or zero for zero: what has no length has only its start.
#[inline]
fn inverse(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// Brought into [0, 1]; NaN becomes 0.
#[inline]
fn unit_range(x: f64) -> f64 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

/// The twin of `portable`. Lane j is edge j of b; the last lane repeats the first.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(a: &Frame, b: &Frame) -> Nearest {
    use std::arch::x86_64::*;
    // Reads as the formulas of the twin do.
    let (add, sub, mul) = (_mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd);
    let lanes = |x: [f64; 3]| _mm256_set_pd(x[0], x[2], x[1], x[0]);
    let numbers = |x: __m256d| -> [f64; 4] {
        let (low, high) = (_mm256_castpd256_pd128(x), _mm256_extractf128_pd::<1>(x));
        let upper = |x: __m128d| _mm_cvtsd_f64(_mm_unpackhi_pd(x, x));
        [_mm_cvtsd_f64(low), upper(low), _mm_cvtsd_f64(high), upper(high)]
    };
    let dot = |x: [__m256d; 3], y: [__m256d; 3]| add(add(mul(x[0], y[0]), mul(x[1], y[1])), mul(x[2], y[2]));
    let (zero, one) = (_mm256_setzero_pd(), _mm256_set1_pd(1.0));
    let unit_range = |x: __m256d| _mm256_min_pd(_mm256_max_pd(x, zero), one);
    let v: [__m256d; 3] = [0, 1, 2].map(|k| lanes(b.edges.map(|e| e[k])));
    let q: [__m256d; 3] = [0, 1, 2].map(|k| lanes(b.corners.map(|c| c[k])));
    let vv = lanes(b.squares);
    let v_inverse = lanes(b.squares.map(inverse));
    let mut best = [_mm256_set1_pd(f64::INFINITY), zero, zero, zero];
    for i in 0..3 {
        let (p, edge, square) = (a.corners[i], a.edges[i], a.squares[i]);
        let u: [__m256d; 3] = [0, 1, 2].map(|k| _mm256_set1_pd(edge[k]));
        let uu = _mm256_set1_pd(square);
        let w: [__m256d; 3] = [0, 1, 2].map(|k| sub(q[k], _mm256_set1_pd(p[k])));
        let (uv, uw, vw) = (dot(u, v), dot(u, w), dot(v, w));
        let size = mul(uu, vv);
        let determinant = sub(size, mul(uv, uv));
        let mut s = _mm256_div_pd(sub(mul(uw, vv), mul(vw, uv)), determinant);
        let steep = _mm256_cmp_pd::<_CMP_GT_OQ>(determinant, mul(_mm256_set1_pd(0.0625), size));
        let flags = _mm256_movemask_pd(steep);
        if flags != 0b1111 {
            let places = numbers(s);
            let mended = |j: usize| match flags >> j & 1 {
                0 => nearly_parallel(edge, b.edges[j], b.corners[j] - p),
                _ => places[j],
            };
            s = lanes([mended(0), mended(1), mended(2)]);
        }
        let t = unit_range(mul(sub(mul(unit_range(s), uv), vw), v_inverse));
        let s = unit_range(mul(add(mul(t, uv), uw), _mm256_set1_pd(inverse(square))));
        let d: [__m256d; 3] = [0, 1, 2].map(|k| sub(add(w[k], mul(t, v[k])), mul(s, u[k])));
        let found = [dot(d, d), _mm256_set1_pd(i as f64), s, t];
        let nearer = _mm256_cmp_pd::<_CMP_LT_OQ>(found[0], best[0]);
        best = [0, 1, 2, 3].map(|k| _mm256_blendv_pd(best[k], found[k], nearer));
    }
    let [squares, i, s, t] = best.map(numbers);
    let j = if squares[1] < squares[0] { 1 } else { 0 };
    let j = if squares[2] < squares[j] { 2 } else { j };
    answer(a, b, (squares[j], i[j] as usize, j, s[j], t[j]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Vec3;
    use freiraum_testkit::random::Random;

    #[test]
    fn the_same_with_and_without_wide_instructions() {
        let mut random = Random::new(12);
        for n in 0..3000 {
            let mut corner = || match n % 3 {
                0 => random.in_cube(1.0),
                1 => Vec3::from([0; 3].map(|_| random.below(3) as f64)),
                _ => Vec3::X * random.unit() + random.in_cube(1.0) * f64::EPSILON,
            };
            let [a, b] = [0; 2].map(|_| Frame::new([corner(), corner(), corner()]));
            assert_eq!(closest_edges(&a, &b), portable(&a, &b));
        }
    }
}

//! A line against a triangle so that lines do not slip through shared edges.
//!
//! The corners are taken relative to the origin of the ray and sheared along its longest component, so that the ray runs
//! along an axis. Both happen corner by corner: triangles that share a corner still share it, bit for bit. What is left
//! is on which side of the origin each edge passes in the plane, `x1 y2 - y1 x2`. Rounding to nearest is monotone, so
//! comparing the two rounded products never gives the wrong sign, at worst zero; zero counts as touching. So the
//! two triangles at an edge never both say that the line passes outside, without any exact arithmetic.

#![allow(unsafe_code)] // AVX2 behind run-time detection; nothing else here is unsafe.

use super::Ray;
use freiraum_geometry::Vec3;

/// A ray in the form that triangles need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheared {
    origin: Vec3,
    /// The axis of the longest component, in the following called z; x and y are the next ones in cyclic order.
    z: usize,
    /// The ray goes against that axis.
    is_back: bool,
    /// What is taken off x and y for each unit of z, and metres along the ray for each unit of z.
    shear: [f64; 3],
}

/// Where the line of a ray crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    /// Along the ray in metres, perhaps negative.
    pub(super) enter: f64,
    /// More than `enter` only if the line lies in the plane of the triangle.
    pub(super) leave: f64,
    /// The line comes from the back of the triangle.
    pub(super) from_back: bool,
}

impl Sheared {
    pub(super) fn new(ray: &Ray) -> Sheared {
        let d = ray.direction;
        let a = d.abs();
        let z = if a.x >= a.y && a.x >= a.z {
            0
        } else if a.y >= a.z {
            1
        } else {
            2
        };
        let [dx, dy, dz] = turned(d, z);
        Sheared { origin: ray.origin, z, is_back: dz < 0.0, shear: [dx / dz, dy / dz, 1.0 / dz] }
    }

    #[inline(always)]
    fn corner(&self, point: Vec3) -> [f64; 3] {
        let [x, y, z] = turned(point - self.origin, self.z);
        [x - self.shear[0] * z, y - self.shear[1] * z, z * self.shear[2]]
    }

    /// Where the line crosses the triangles of a leaf, those of them that it does, in their order.
    ///
    /// With AVX2, found when the program runs, four are tested in one go.
    #[inline(always)]
    pub(super) fn crossings(
        &self,
        triangles: &[[Vec3; 3]],
        first: usize,
        count: usize,
        mut found: impl FnMut(usize, Crossing),
    ) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && let Some(four) = triangles[first..].first_chunk()
        {
            // SAFETY: the processor has AVX2.
            let line = unsafe { self.four_avx2(four) };
            let mut mask = line.crossed & ((1 << count) - 1);
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize % 4;
                mask &= mask - 1;
                let crossing = if line.flat >> lane & 1 == 1 {
                    self.crossing(four[lane])
                } else {
                    transversal(line.distance[lane], (line.negative >> lane & 1 == 1) != self.is_back)
                };
                if let Some(crossing) = crossing {
                    found(first + lane, crossing);
                }
            }
            return;
        }
        for (corners, place) in triangles[first..first + count].iter().zip(first..) {
            if let Some(crossing) = self.crossing(*corners) {
                found(place, crossing);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    fn four_avx2(&self, triangles: &[[Vec3; 3]; 4]) -> Four {
        match self.z {
            0 => self.four_along::<0>(triangles),
            1 => self.four_along::<1>(triangles),
            _ => self.four_along::<2>(triangles),
        }
    }

    /// [`Sheared::crossing`], operation by operation, for four triangles and rays whose longest component is `Z`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    fn four_along<const Z: usize>(&self, triangles: &[[Vec3; 3]; 4]) -> Four {
        use std::arch::x86_64::{
            _CMP_GT_OQ, _CMP_LT_OQ, _mm_load_sd, _mm_loadh_pd, _mm_loadu_pd, _mm256_add_pd, _mm256_and_pd,
            _mm256_castpd128_pd256, _mm256_cmp_pd, _mm256_div_pd, _mm256_insertf128_pd, _mm256_max_pd,
            _mm256_min_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_or_pd, _mm256_set1_pd,
            _mm256_setzero_pd, _mm256_storeu_pd, _mm256_sub_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd,
        };
        const { assert!(size_of::<[[Vec3; 3]; 4]>() == 36 * size_of::<f64>()) };
        let numbers = triangles.as_ptr().cast::<f64>();
        // The numbers k and k + 1 of all triangles, k at most 7.
        let two = |k: usize| {
            // SAFETY: four triangles are 36 numbers, of which those up to 27 + 8 are read.
            let (a, b, c, d) = unsafe {
                (
                    _mm_loadu_pd(numbers.add(k)),
                    _mm_loadu_pd(numbers.add(9 + k)),
                    _mm_loadu_pd(numbers.add(18 + k)),
                    _mm_loadu_pd(numbers.add(27 + k)),
                )
            };
            let even = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(a), c);
            let odd = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(b), d);
            (_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd))
        };
        // SAFETY: as above.
        let last = unsafe {
            let low = _mm_loadh_pd(_mm_load_sd(numbers.add(8)), numbers.add(17));
            let high = _mm_loadh_pd(_mm_load_sd(numbers.add(26)), numbers.add(35));
            _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(low), high)
        };
        let ((ax, ay), (az, bx), (by, bz), (cx, cy)) = (two(0), two(2), two(4), two(6));
        let (x, y) = ((Z + 1) % 3, (Z + 2) % 3);
        let [shear_x, shear_y] = [self.shear[0], self.shear[1]].map(|s| _mm256_set1_pd(s));
        let origin = [x, y, Z].map(|k| _mm256_set1_pd(self.origin[k]));
        let corner = |p: [_; 3]| {
            let along = _mm256_sub_pd(p[Z], origin[2]);
            (
                _mm256_sub_pd(_mm256_sub_pd(p[x], origin[0]), _mm256_mul_pd(shear_x, along)),
                _mm256_sub_pd(_mm256_sub_pd(p[y], origin[1]), _mm256_mul_pd(shear_y, along)),
                along,
            )
        };
        let (a, b, c) = (corner([ax, ay, az]), corner([bx, by, bz]), corner([cx, cy, last]));
        let u = _mm256_sub_pd(_mm256_mul_pd(c.0, b.1), _mm256_mul_pd(c.1, b.0));
        let v = _mm256_sub_pd(_mm256_mul_pd(a.0, c.1), _mm256_mul_pd(a.1, c.0));
        let w = _mm256_sub_pd(_mm256_mul_pd(b.0, a.1), _mm256_mul_pd(b.1, a.0));
        let low = _mm256_min_pd(_mm256_min_pd(u, v), w);
        let high = _mm256_max_pd(_mm256_max_pd(u, v), w);
        let zero = _mm256_setzero_pd();
        let negative = _mm256_cmp_pd::<_CMP_LT_OQ>(low, zero);
        let positive = _mm256_cmp_pd::<_CMP_GT_OQ>(high, zero);
        let crossed = !_mm256_movemask_pd(_mm256_and_pd(negative, positive)) as u32;
        let mut four = Four {
            crossed,
            negative: _mm256_movemask_pd(negative) as u32,
            flat: !_mm256_movemask_pd(_mm256_or_pd(negative, positive)) as u32,
            distance: [0.0; 4],
        };
        if crossed & 15 != 0 {
            let metres = _mm256_set1_pd(self.shear[2]);
            let [a, b, c] = [a, b, c].map(|p| _mm256_mul_pd(p.2, metres));
            let sum = _mm256_add_pd(_mm256_mul_pd(u, a), _mm256_mul_pd(v, b));
            let sum = _mm256_add_pd(sum, _mm256_mul_pd(w, c));
            let distance = _mm256_div_pd(sum, _mm256_add_pd(_mm256_add_pd(u, v), w));
            // SAFETY: the array holds four numbers.
            unsafe { _mm256_storeu_pd(four.distance.as_mut_ptr(), distance) };
        }
        four
    }

    /// Where the line crosses the closed triangle.
    #[inline(always)]
    pub(super) fn crossing(&self, [a, b, c]: [Vec3; 3]) -> Option<Crossing> {
        let [a, b, c] = [self.corner(a), self.corner(b), self.corner(c)];
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        let low = u.min(v).min(w);
        let high = u.max(v).max(w);
        if low < 0.0 && high > 0.0 {
            return None;
        }
        if low == 0.0 && high == 0.0 {
            return in_plane(a, b, c);
        }
        let distance = (u * a[2] + v * b[2] + w * c[2]) / (u + v + w);
        transversal(distance, (low < 0.0) != self.is_back)
    }
}

/// Four triangles and a line: bits for those that it crosses or touches, for those that wind clockwise seen along the
/// axis z, for those seen from their edge; and the distances for those that are crossed and not seen from the edge.
#[cfg(target_arch = "x86_64")]
struct Four {
    crossed: u32,
    negative: u32,
    flat: u32,
    distance: [f64; 4],
}

/// A crossing at one point.
#[inline(always)]
fn transversal(distance: f64, from_back: bool) -> Option<Crossing> {
    // NaN only where products of coordinates leave the range of f64.
    distance.is_finite().then_some(Crossing { enter: distance, leave: distance, from_back })
}

/// The coordinates with that of an axis last, in cyclic order.
#[inline(always)]
fn turned(v: Vec3, axis: usize) -> [f64; 3] {
    match axis {
        0 => [v.y, v.z, v.x],
        1 => [v.z, v.x, v.y],
        _ => [v.x, v.y, v.z],
    }
}

/// The triangle is seen from its edge, as a segment on a line through the origin.
#[cold]
#[inline(never)]
fn in_plane(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Option<Crossing> {
    let (mut enter, mut leave) = (f64::INFINITY, f64::NEG_INFINITY);
    for [p, q] in [[a, b], [b, c], [c, a]] {
        let side = p[0] * q[0] + p[1] * q[1];
        if side > 0.0 {
            continue;
        }
        let (along_p, along_q) = (p[0].hypot(p[1]), q[0].hypot(q[1]));
        let whole = along_p + along_q;
        if whole > 0.0 {
            let at = p[2] + (q[2] - p[2]) * (along_p / whole);
            (enter, leave) = (enter.min(at), leave.max(at));
        } else {
            (enter, leave) = (enter.min(p[2]).min(q[2]), leave.max(p[2]).max(q[2]));
        }
    }
    (enter <= leave).then_some(Crossing { enter, leave, from_back: false })
}

/// The unit normal of a triangle, or one against the ray if it has no area.
pub(super) fn normal([a, b, c]: [Vec3; 3], ray: &Ray) -> Vec3 {
    freiraum_geometry::math::unit((b - a).cross(c - a)).unwrap_or(-ray.direction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn four_triangles_at_once_answer_as_one_by_one() {
        let mut random = Random::new(1);
        let mut hits = 0;
        for case in 0..20000 {
            // On a lattice edges, corners and planes are met often.
            let mut point = || (random.in_cube(1.0) * 2.0).round() * [0.5, 1e-7, 1e7][case % 3];
            let triangles: Vec<[Vec3; 3]> = (0..5).map(|_| [point(), point(), point()]).collect();
            let (origin, target) = (point(), point());
            let Ok(ray) = Ray::new(origin, target - origin, f64::INFINITY) else { continue };
            let line = Sheared::new(&ray);
            for (first, count) in [(0, 4), (1, 4), (2, 3), (1, 1)] {
                let mut found = Vec::new();
                line.crossings(&triangles, first, count, |place, crossing| found.push((place, crossing)));
                let one_by_one =
                    (first..first + count).filter_map(|k| Some((k, line.crossing(triangles[k])?)));
                assert_eq!(found, one_by_one.collect::<Vec<_>>());
                hits += found.len();
            }
        }
        assert!(hits > 5000);
    }
}

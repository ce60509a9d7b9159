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
    /// The axis of the longest component, and the two others, so that windings are kept.
    axes: [usize; 3],
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
        let (mut x, mut y) = ((z + 1) % 3, (z + 2) % 3);
        if d[z] < 0.0 {
            (x, y) = (y, x);
        }
        Sheared { origin: ray.origin, axes: [x, y, z], shear: [d[x] / d[z], d[y] / d[z], 1.0 / d[z]] }
    }

    #[inline(always)]
    fn corner(&self, point: Vec3) -> [f64; 3] {
        let v = (point - self.origin).to_array();
        let [x, y, z] = self.axes;
        let z = v[z];
        [v[x] - self.shear[0] * z, v[y] - self.shear[1] * z, z * self.shear[2]]
    }

    /// A bit for each of up to four triangles that the line may cross: all that it does.
    ///
    /// With AVX2, found when the program runs, those that it passes by are left out.
    #[inline(always)]
    pub(super) fn candidates(&self, triangles: &[[Vec3; 3]], first: usize, count: usize) -> u32 {
        let all = (1 << count) - 1;
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && let Some(four) = triangles[first..].first_chunk()
        {
            // SAFETY: the processor has AVX2.
            return all & unsafe { self.candidates_avx2(four) };
        }
        all
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    fn candidates_avx2(&self, triangles: &[[Vec3; 3]; 4]) -> u32 {
        match self.axes[2] {
            0 => self.candidates_along::<0>(triangles),
            1 => self.candidates_along::<1>(triangles),
            _ => self.candidates_along::<2>(triangles),
        }
    }

    /// [`Sheared::crossing`] up to where it says that the line passes by, operation by operation, for four triangles and
    /// rays whose longest component is `Z`. For rays against that axis all signs are turned, which is the same.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    fn candidates_along<const Z: usize>(&self, triangles: &[[Vec3; 3]; 4]) -> u32 {
        use std::arch::x86_64::{
            _CMP_GT_OQ, _CMP_LT_OQ, _mm_load_sd, _mm_loadh_pd, _mm_loadu_pd, _mm256_and_pd,
            _mm256_castpd128_pd256, _mm256_cmp_pd, _mm256_insertf128_pd, _mm256_max_pd, _mm256_min_pd,
            _mm256_movemask_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_setzero_pd, _mm256_sub_pd,
            _mm256_unpackhi_pd, _mm256_unpacklo_pd,
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
        let [shear_x, shear_y] =
            if self.axes[0] == x { [0, 1] } else { [1, 0] }.map(|k| _mm256_set1_pd(self.shear[k]));
        let origin = [x, y, Z].map(|k| _mm256_set1_pd(self.origin[k]));
        let corner = |p: [_; 3]| {
            let along = _mm256_sub_pd(p[Z], origin[2]);
            (
                _mm256_sub_pd(_mm256_sub_pd(p[x], origin[0]), _mm256_mul_pd(shear_x, along)),
                _mm256_sub_pd(_mm256_sub_pd(p[y], origin[1]), _mm256_mul_pd(shear_y, along)),
            )
        };
        let (a, b, c) = (corner([ax, ay, az]), corner([bx, by, bz]), corner([cx, cy, last]));
        let u = _mm256_sub_pd(_mm256_mul_pd(c.0, b.1), _mm256_mul_pd(c.1, b.0));
        let v = _mm256_sub_pd(_mm256_mul_pd(a.0, c.1), _mm256_mul_pd(a.1, c.0));
        let w = _mm256_sub_pd(_mm256_mul_pd(b.0, a.1), _mm256_mul_pd(b.1, a.0));
        let low = _mm256_min_pd(_mm256_min_pd(u, v), w);
        let high = _mm256_max_pd(_mm256_max_pd(u, v), w);
        let zero = _mm256_setzero_pd();
        let passes =
            _mm256_and_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(low, zero), _mm256_cmp_pd::<_CMP_GT_OQ>(high, zero));
        !_mm256_movemask_pd(passes) as u32
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
        if low == high {
            // All zero, or the middle of the triangle.
            if low == 0.0 {
                return in_plane(a, b, c);
            }
        }
        let distance = (u * a[2] + v * b[2] + w * c[2]) / (u + v + w);
        // NaN only where products of coordinates leave the range of f64.
        (distance.is_finite()).then_some(Crossing { enter: distance, leave: distance, from_back: low < 0.0 })
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

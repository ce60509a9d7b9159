//! A line against a block of up to eight triangles that share their corners.
//!
//! The corners are sheared in double precision, each once, exactly as [`Sheared`] does it. Which triangles the line may cross
//! is decided for all in single precision, and never leaves out one that [`Sheared::crossing`] finds: a sheared coordinate is
//! rounded by half an EPSILON of its size, so with m the largest of a triangle, `x1 y2 - y1 x2` is off by at most 4 EPSILON m²
//! and the rounding of underflow. A triangle with edges beyond twice that on both sides has them there in double precision, too.
//! What is left is decided in double precision, on the corners that are at hand.

#![allow(unsafe_code)] // AVX2 behind run-time detection; nothing else here is unsafe.

use super::triangle::{Crossing, Sheared};
use crate::mesh_tree::{Block, CORNERS, WIDTH};

/// Scratch memory: x and y of sheared corners, and z before that is scaled to metres, for each corner of a block.
pub(super) type Corners = [[f64; CORNERS]; 3];

/// Calls `found` with the lanes of the triangles of a block that the line crosses, in their order. `scale` is that of the
/// tree: a power of two that brings corners to about 1.
#[inline(always)]
pub(super) fn crossings(
    line: &Sheared,
    scale: f64,
    block: &Block,
    corners: &mut Corners,
    mut found: impl FnMut(usize, Crossing),
) {
    let mut mask = candidates(line, scale, block, corners) & ((1 << block.count) - 1);
    while mask != 0 {
        let lane = mask.trailing_zeros() as usize % WIDTH;
        mask &= mask - 1;
        let [a, b, c] = [0, 1, 2].map(|k| {
            let k = usize::from(block.corners[k][lane]).min(CORNERS - 1);
            [corners[0][k], corners[1][k], corners[2][k] * line.shear[2]]
        });
        if let Some(crossing) = line.crossing_of([a, b, c]) {
            found(lane, crossing);
        }
    }
}

/// Shears the corners; a bit for each lane that is not proven to be missed.
#[inline(always)]
fn candidates(line: &Sheared, scale: f64, block: &Block, corners: &mut Corners) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { candidates_avx2(line, scale, block, corners) };
    }
    candidates_plain(line, scale, block, corners)
}

/// Twice the bound on what an edge is off, for sheared coordinates of size 1.
const BOUND: f32 = 8.0 * f32::EPSILON;

fn candidates_plain(line: &Sheared, scale: f64, block: &Block, corners: &mut Corners) -> u32 {
    let [x, y, z] = [(line.z + 1) % 3, (line.z + 2) % 3, line.z];
    let mut single = [[0.0f32; CORNERS]; 2];
    for k in 0..CORNERS {
        let along = block.points[z][k] - line.origin[z];
        corners[0][k] = (block.points[x][k] - line.origin[x]) - line.shear[0] * along;
        corners[1][k] = (block.points[y][k] - line.origin[y]) - line.shear[1] * along;
        corners[2][k] = along;
        single[0][k] = (corners[0][k] * scale) as f32;
        single[1][k] = (corners[1][k] * scale) as f32;
    }
    let mut mask = 0;
    for lane in 0..WIDTH {
        let [a, b, c] = [0, 1, 2].map(|k| {
            let k = usize::from(block.corners[k][lane]) % CORNERS;
            [single[0][k], single[1][k]]
        });
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        let m = [a, b, c].as_flattened().iter().fold(0.0f32, |m, x| m.max(x.abs()));
        let bound = BOUND * (m * m) + f32::MIN_POSITIVE;
        let is_missed = u.min(v).min(w) < -bound && u.max(v).max(w) > bound;
        mask |= u32::from(!is_missed) << lane;
    }
    mask
}

/// [`candidates_plain`], lane by lane the same operations.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn candidates_avx2(line: &Sheared, scale: f64, block: &Block, corners: &mut Corners) -> u32 {
    use std::arch::x86_64::{
        __m128, __m128i, _CMP_GT_OQ, _CMP_LT_OQ, _mm_loadl_epi64, _mm256_add_ps, _mm256_and_ps,
        _mm256_andnot_ps, _mm256_blendv_ps, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_cvtepu8_epi32,
        _mm256_cvtpd_ps, _mm256_loadu_pd, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps, _mm256_mul_pd,
        _mm256_mul_ps, _mm256_permutevar8x32_ps, _mm256_set_m128, _mm256_set1_pd, _mm256_set1_ps,
        _mm256_setzero_ps, _mm256_slli_epi32, _mm256_storeu_pd, _mm256_sub_pd, _mm256_sub_ps,
    };
    let axes = [(line.z + 1) % 3, (line.z + 2) % 3, line.z];
    let [px, py, pz] = axes.map(|axis| block.points[axis].as_ptr());
    let [ox, oy, oz] = axes.map(|axis| line.origin[axis]);
    let (ox, oy, oz) = (_mm256_set1_pd(ox), _mm256_set1_pd(oy), _mm256_set1_pd(oz));
    let (shear_x, shear_y) = (_mm256_set1_pd(line.shear[0]), _mm256_set1_pd(line.shear[1]));
    let scale = _mm256_set1_pd(scale);
    let [out_x, out_y, out_z] = corners.each_mut().map(|c| c.as_mut_ptr());
    let four = |group: usize| -> (__m128, __m128) {
        let k = 4 * group;
        // SAFETY: groups are 0 to 2, and all arrays hold twelve numbers.
        let (x, y, z) =
            unsafe { (_mm256_loadu_pd(px.add(k)), _mm256_loadu_pd(py.add(k)), _mm256_loadu_pd(pz.add(k))) };
        let along = _mm256_sub_pd(z, oz);
        let x = _mm256_sub_pd(_mm256_sub_pd(x, ox), _mm256_mul_pd(shear_x, along));
        let y = _mm256_sub_pd(_mm256_sub_pd(y, oy), _mm256_mul_pd(shear_y, along));
        // SAFETY: as above.
        unsafe {
            _mm256_storeu_pd(out_x.add(k), x);
            _mm256_storeu_pd(out_y.add(k), y);
            _mm256_storeu_pd(out_z.add(k), along);
        }
        (_mm256_cvtpd_ps(_mm256_mul_pd(x, scale)), _mm256_cvtpd_ps(_mm256_mul_pd(y, scale)))
    };
    let (first, second, third) = (four(0), four(1), four(2));
    let x = (_mm256_set_m128(second.0, first.0), _mm256_set_m128(third.0, third.0));
    let y = (_mm256_set_m128(second.1, first.1), _mm256_set_m128(third.1, third.1));
    let corner = |k: usize| {
        // SAFETY: eight bytes.
        let bytes = unsafe { _mm_loadl_epi64(block.corners[k].as_ptr().cast::<__m128i>()) };
        let places = _mm256_cvtepu8_epi32(bytes);
        // Bit 3 of the place tells the second register.
        let is_second = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(places));
        (
            _mm256_blendv_ps(
                _mm256_permutevar8x32_ps(x.0, places),
                _mm256_permutevar8x32_ps(x.1, places),
                is_second,
            ),
            _mm256_blendv_ps(
                _mm256_permutevar8x32_ps(y.0, places),
                _mm256_permutevar8x32_ps(y.1, places),
                is_second,
            ),
        )
    };
    let (a, b, c) = (corner(0), corner(1), corner(2));
    let u = _mm256_sub_ps(_mm256_mul_ps(c.0, b.1), _mm256_mul_ps(c.1, b.0));
    let v = _mm256_sub_ps(_mm256_mul_ps(a.0, c.1), _mm256_mul_ps(a.1, c.0));
    let w = _mm256_sub_ps(_mm256_mul_ps(b.0, a.1), _mm256_mul_ps(b.1, a.0));
    let low = _mm256_min_ps(_mm256_min_ps(u, v), w);
    let high = _mm256_max_ps(_mm256_max_ps(u, v), w);
    let sign = _mm256_set1_ps(-0.0);
    let large = |p: (_, _)| _mm256_max_ps(_mm256_andnot_ps(sign, p.0), _mm256_andnot_ps(sign, p.1));
    let m = _mm256_max_ps(_mm256_max_ps(large(a), large(b)), large(c));
    let bound = _mm256_mul_ps(_mm256_set1_ps(BOUND), _mm256_mul_ps(m, m));
    let bound = _mm256_add_ps(bound, _mm256_set1_ps(f32::MIN_POSITIVE));
    let below = _mm256_cmp_ps::<_CMP_LT_OQ>(low, _mm256_sub_ps(_mm256_setzero_ps(), bound));
    let above = _mm256_cmp_ps::<_CMP_GT_OQ>(high, bound);
    !_mm256_movemask_ps(_mm256_and_ps(below, above)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh_tree::MeshTree;
    use crate::ray::Ray;
    use freiraum_geometry::{Mesh, Vec3};
    use freiraum_testkit::random::Random;

    #[test]
    fn blocks_answer_as_their_triangles_one_by_one() {
        let mut random = Random::new(1);
        let (mut hits, mut passed, mut crossed) = (0, 0, 0);
        for case in 0..20000 {
            let size = [0.5, 1e-7, 1e7, 1e-40, 1e40][case % 5];
            // On a lattice edges, corners and planes are met often; off it hardly ever.
            let mut point = || {
                let p = random.in_cube(1.0) * 2.0;
                size * if case % 3 == 0 { p } else { p.round() }
            };
            let vertices: Vec<Vec3> = (0..14).map(|_| point()).collect();
            let (origin, target) = (point() * [1.0, 1e3, 1e9][case / 5 % 3], point());
            let mut faces = Vec::new();
            while faces.len() < 1 + case % 12 {
                let corners = [0; 3].map(|_| random.below(14) as u32);
                let [a, b, c] = corners;
                if a != b && b != c && c != a {
                    faces.push(corners);
                }
            }
            let Ok(mesh) = Mesh::new(vertices, faces) else { continue };
            let tree = MeshTree::build(mesh);
            let Ok(ray) = Ray::new(origin, target - origin, f64::INFINITY) else { continue };
            let (line, scale) = (Sheared::new(&ray), tree.grid().scale);
            let mut seen = 0;
            for block in &tree.for_rays().blocks {
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                let mut corners = Corners::default();
                crossings(&line, scale, block, &mut corners, |lane, crossing| found.push((lane, crossing)));
                for lane in 0..block.count as usize {
                    let triangle = tree.triangles()[block.first as usize + lane];
                    assert_eq!(block.triangle(lane), triangle);
                    expected.extend(line.crossing(triangle).map(|crossing| (lane, crossing)));
                    seen += 1;
                }
                assert_eq!(found, expected);
                hits += found.len();
                let mut plain = Corners::default();
                let mask = candidates(&line, scale, block, &mut corners);
                assert_eq!(candidates_plain(&line, scale, block, &mut plain) & 255, mask & 255);
                assert_eq!(plain, corners);
                if case % 3 == 0 {
                    passed += (mask & ((1 << block.count) - 1)).count_ones() as usize;
                    crossed += found.len();
                }
            }
            assert_eq!(seen, tree.faces().len());
        }
        assert!(hits > 5000);
        // Hardly more than what is hit gets through.
        assert!(crossed > 1000 && passed < crossed + crossed / 10, "{passed} {crossed}");
    }
}

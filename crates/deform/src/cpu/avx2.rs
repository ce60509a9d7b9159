//! Eight pixels at a time, with AVX2: the operations of [`Triangle::depth`], lane by lane in the same order.
//!
//! [`Triangle::depth`]: crate::triangle::Triangle::depth

// Loads from and stores into slices that are long enough are all that is not safe here.
#![allow(unsafe_code)]

use super::draw::{Bin, Bins, LANES};
use super::eight::{EIGHT, Each, Setup, Triangles};
use std::arch::x86_64::{
    __m256, __m256i, _mm_loadl_epi64, _mm256_add_epi32, _mm256_add_ps, _mm256_castsi256_ps,
    _mm256_castsi256_si128, _mm256_cvtepi32_ps, _mm256_cvtepu8_epi32, _mm256_cvtepu32_epi64,
    _mm256_cvttps_epi32, _mm256_extracti128_si256, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps,
    _mm256_mul_ps, _mm256_mullo_epi32, _mm256_or_si256, _mm256_permutevar8x32_epi32, _mm256_set1_epi32,
    _mm256_set1_epi64x, _mm256_set1_ps, _mm256_setr_epi32, _mm256_slli_epi32, _mm256_slli_epi64,
    _mm256_storeu_si256,
};

/// Whether the processor can.
pub(super) fn is_there() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
}

/// See [`super::draw::draw`].
#[target_feature(enable = "avx2,popcnt,bmi1")]
pub(super) fn draw(setup: &Setup, columns: u32, faces: &[[u32; 3]], first: u32, bins: &mut Bins) {
    let (eights, rest) = faces.as_chunks::<EIGHT>();
    for (face, faces) in (first..).step_by(EIGHT).zip(eights) {
        draw_eight(&setup.prepare(faces), columns, face, bins);
    }
    if let [vertices, ..] = rest {
        // Filled up with what has no area.
        let mut faces = [[vertices[0]; 3]; EIGHT];
        faces[..rest.len()].copy_from_slice(rest);
        draw_eight(&setup.prepare(&faces), columns, first + (EIGHT * eights.len()) as u32, bins);
    }
}

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn draw_eight(triangles: &Triangles, columns: u32, first: u32, bins: &mut Bins) {
    let mut set = triangles.set;
    while set != 0 {
        let k = set.trailing_zeros() as usize % EIGHT;
        set &= set - 1;
        let (from, to) = (triangles.rows[0].0[k], triangles.rows[1].0[k]);
        let mut row = from;
        while row < to {
            let band = row >> bins.shift;
            let end = to.min((band + 1) << bins.shift);
            let pixel = (row - (band << bins.shift)) * columns + triangles.columns[0].0[k];
            let bin = &mut bins.bins[band as usize];
            draw_rows(triangles, k, first + k as u32, columns, [row - from, end - from], pixel, bin);
            row = end;
        }
    }
}

/// Draws those rows of a triangle that lie in one band, in blocks of four columns and two rows; `first` is the pixel of its first column
/// in the first of them.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn draw_rows(t: &Triangles, k: usize, face: u32, columns: u32, rows: [u32; 2], first: u32, bin: &mut Bin) {
    let width = t.columns[1].0[k] - t.columns[0].0[k];
    let height = rows[1] - rows[0];
    bin.reserve((width * height) as usize);
    let plane = Plane::new(t, k, face);
    let (i, j) = (_mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3), _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
    let [a, b, c] = [&t.a, &t.b, &t.c].map(|edges| [edges[0].0[k], edges[1].0[k], edges[2].0[k]]);
    let within = |a: i32, b: i32| {
        let (a, b) = (_mm256_set1_epi32(a), _mm256_set1_epi32(b));
        _mm256_add_epi32(_mm256_mullo_epi32(i, a), _mm256_mullo_epi32(j, b))
    };
    let within = [within(a[0], b[0]), within(a[1], b[1]), within(a[2], b[2])];
    let down = |b: i32| _mm256_set1_epi32(b.wrapping_mul(2));
    let down = [down(b[0]), down(b[1]), down(b[2])];
    let next = columns as i32;
    let places = _mm256_setr_epi32(0, 1, 2, 3, next, next + 1, next + 2, next + 3);
    let j = rows[0] as i32;
    let mut x = 0;
    while x < width {
        let start = |a: i32, b: i32, c: i32| {
            _mm256_set1_epi32(c.wrapping_add(b.wrapping_mul(j)).wrapping_add(a.wrapping_mul(x as i32)))
        };
        let mut e0 = _mm256_add_epi32(start(a[0], b[0], c[0]), within[0]);
        let mut e1 = _mm256_add_epi32(start(a[1], b[1], c[1]), within[1]);
        let mut e2 = _mm256_add_epi32(start(a[2], b[2], c[2]), within[2]);
        // Beyond the triangle's own box the numbers may have wrapped.
        let own = ((1_u32 << (width - x).min(4)) - 1) * 0x11;
        let mut pixel = first + x;
        let mut y = 0;
        while y < height {
            let negative = _mm256_or_si256(_mm256_or_si256(e0, e1), e2);
            let own = if y + 1 == height { own & 0xf } else { own };
            let covered = !(_mm256_movemask_ps(_mm256_castsi256_ps(negative)) as u32) & own;
            let order = &PACKED[covered as usize & 0xff];
            let len = bin.len;
            let pixels = &mut bin.pixels[len..len + LANES];
            let fragments = &mut bin.fragments[len..len + LANES];
            // SAFETY: all three have eight entries, of one, four and eight bytes.
            unsafe {
                let order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(order.as_ptr().cast()));
                let keys = _mm256_permutevar8x32_epi32(plane.keys(e1, e2), order);
                let halves = [_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys)];
                let [low, high] = halves
                    .map(|h| _mm256_or_si256(_mm256_slli_epi64::<32>(_mm256_cvtepu32_epi64(h)), plane.face));
                let places = _mm256_permutevar8x32_epi32(places, order);
                let places = _mm256_add_epi32(_mm256_set1_epi32(pixel as i32), places);
                _mm256_storeu_si256(pixels.as_mut_ptr().cast(), places);
                _mm256_storeu_si256(fragments.as_mut_ptr().cast(), low);
                _mm256_storeu_si256(fragments.as_mut_ptr().cast::<__m256i>().add(1), high);
            }
            bin.len = len + covered.count_ones() as usize;
            e0 = _mm256_add_epi32(e0, down[0]);
            e1 = _mm256_add_epi32(e1, down[1]);
            e2 = _mm256_add_epi32(e2, down[2]);
            pixel += 2 * columns;
            y += 2;
        }
        x += 4;
    }
}

/// For each set of lanes, their numbers one after the other.
static PACKED: [[u8; LANES]; 256] = {
    let mut table = [[0; LANES]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                table[set][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// The depth of a triangle, in every lane.
struct Plane {
    base: __m256,
    rest: [__m256; 2],
    gain: [__m256; 2],
    range: [__m256; 2],
    half: __m256,
    front: __m256i,
    face: __m256i,
}

impl Plane {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(t: &Triangles, k: usize, face: u32) -> Plane {
        let all = |of: &Each<f32>| _mm256_set1_ps(of.0[k]);
        Plane {
            base: all(&t.base),
            rest: [all(&t.rest[0]), all(&t.rest[1])],
            gain: [all(&t.gain[0]), all(&t.gain[1])],
            range: [all(&t.range[0]), all(&t.range[1])],
            half: _mm256_set1_ps(0.5),
            front: _mm256_set1_epi32(t.front.0[k]),
            face: _mm256_set1_epi64x(i64::from(face)),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn keys(&self, e1: __m256i, e2: __m256i) -> __m256i {
        let t1 = _mm256_mul_ps(_mm256_add_ps(_mm256_cvtepi32_ps(e1), self.rest[0]), self.gain[0]);
        let t2 = _mm256_mul_ps(_mm256_add_ps(_mm256_cvtepi32_ps(e2), self.rest[1]), self.gain[1]);
        let w = _mm256_add_ps(self.base, _mm256_add_ps(t1, t2));
        let w = _mm256_min_ps(_mm256_max_ps(w, self.range[0]), self.range[1]);
        let depth = _mm256_cvttps_epi32(_mm256_add_ps(w, self.half));
        _mm256_or_si256(_mm256_slli_epi32::<1>(depth), self.front)
    }
}
